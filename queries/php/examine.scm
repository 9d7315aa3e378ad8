(function_definition name: (name) @name return_type: (_)? @returns.type) @function
(method_declaration name: (name) @name return_type: (_)? @returns.type) @function @trait.method
(method_declaration !body) @trait.abstract
(method_declaration name: (name) @trait.constructor (#eq? @trait.constructor "__construct"))
[(anonymous_function) (arrow_function) (anonymous_class)] @scope
(formal_parameters (simple_parameter type: (_)? @param.type name: (variable_name) @param.name default_value: (_)? @param.default) @param)
(formal_parameters (property_promotion_parameter type: (_)? @param.type name: (_) @param.name default_value: (_)? @param.default) @param)
(formal_parameters (variadic_parameter name: (variable_name) @param.name) @param @param.rest)
(return_statement (_)) @returns.value
(return_statement) @returns.bare
(yield_expression) @yields
(throw_expression) @raises
(throw_expression (object_creation_expression [(name) (qualified_name)] @raises.name))
[(function_call_expression) (member_call_expression) (scoped_call_expression) (object_creation_expression) (nullsafe_member_call_expression)] @calls
