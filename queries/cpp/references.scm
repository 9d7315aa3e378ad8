(call_expression function: [(identifier) (field_expression) (qualified_identifier)] @ref.call)
(call_expression function: (template_function name: (_) @ref.call))
(new_expression type: (_) @ref.call)
(base_class_clause [(type_identifier) (qualified_identifier)] @ref.base)
(base_class_clause (template_type name: (_) @ref.base))
(qualified_identifier name: (type_identifier)) @ref.type.whole
(qualified_identifier name: (qualified_identifier name: (type_identifier))) @ref.type.whole
(type_identifier) @ref.type.whole
