(function_call_expression function: [(name) (qualified_name) (relative_name)] @ref.call)
(member_call_expression object: [(variable_name) (member_access_expression)] @ref.start name: (name) @ref.call)
(member_call_expression object: [(member_call_expression) (scoped_call_expression) (function_call_expression)
    (object_creation_expression) (parenthesized_expression) (subscript_expression) (nullsafe_member_call_expression)]
  "->" @ref.start name: (name) @ref.call)
(nullsafe_member_call_expression object: [(variable_name) (member_access_expression)] @ref.start name: (name) @ref.call)
(nullsafe_member_call_expression object: [(member_call_expression) (scoped_call_expression) (function_call_expression)
    (object_creation_expression) (parenthesized_expression) (subscript_expression) (nullsafe_member_call_expression)]
  "?->" @ref.start name: (name) @ref.call)
(scoped_call_expression scope: [(name) (qualified_name) (relative_name)] @ref.start @ref.type name: (name) @ref.call)
(scoped_call_expression scope: (relative_scope) @ref.start name: (name) @ref.call)
(object_creation_expression [(name) (qualified_name) (relative_name)] @ref.call @ref.type)
(attribute [(name) (qualified_name) (relative_name)] @ref.call @ref.type)

(base_clause [(name) (qualified_name) (relative_name)] @ref.base)
(class_interface_clause [(name) (qualified_name) (relative_name)] @ref.base)
(use_declaration [(name) (qualified_name) (relative_name)] @ref.base)

(named_type [(name) (qualified_name) (relative_name)] @ref.type)
(class_constant_access_expression . [(name) (qualified_name) (relative_name)] @ref.type)
(scoped_property_access_expression scope: [(name) (qualified_name) (relative_name)] @ref.type)
(binary_expression operator: "instanceof" right: [(name) (qualified_name) (relative_name)] @ref.type)
