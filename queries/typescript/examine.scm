(public_field_definition name: (property_identifier) @name.next value: [(arrow_function) (function_expression)] @function)
(function_signature name: (identifier) @name) @function @trait.abstract
(method_signature name: (_) @name) @function @trait.abstract @trait.method
(abstract_method_signature name: (_) @name) @function @trait.abstract @trait.method
[(function_type) (constructor_type) (construct_signature) (call_signature)] @scope
(_ return_type: (type_annotation (_) @returns.type))
(_ return_type: (asserts_annotation) @returns.type)
(_ return_type: (type_predicate_annotation) @returns.type)
(formal_parameters [(required_parameter pattern: [(identifier) (this)] @param.name type: (type_annotation (_) @param.type)? value: (_)? @param.default)
                    (optional_parameter pattern: (identifier) @param.name type: (type_annotation (_) @param.type)? value: (_)? @param.default)] @param)
(formal_parameters (required_parameter pattern: (rest_pattern (identifier) @param.name) @param.rest type: (type_annotation (_) @param.type)?) @param)
(formal_parameters (required_parameter pattern: [(object_pattern) (array_pattern)] @param.pattern type: (type_annotation (_) @param.type)? value: (_)? @param.default) @param)
(formal_parameters (optional_parameter pattern: [(object_pattern) (array_pattern)] @param.pattern) @param)
(formal_parameters (_ pattern: (object_pattern [(shorthand_property_identifier_pattern) @param.field
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @param.field)
  (pair_pattern key: (property_identifier) @param.field) (rest_pattern) @param.open])))
(arrow_function body: [(as_expression) (satisfies_expression) (non_null_expression)] @returns.value)
(class_declaration) @scope
(abstract_class_declaration) @scope
