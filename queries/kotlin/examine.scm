(function_declaration (simple_identifier) @name) @function
(function_declaration (function_value_parameters) . [(user_type) (nullable_type) (function_type)] @returns.type)
(function_declaration (function_body "=" (_) @returns.value))
[(lambda_literal) (anonymous_function) (object_literal)] @scope
(function_value_parameters (parameter (simple_identifier) @param.name . (_) @param.type) @param)
(function_declaration (modifiers (annotation (_) @decorator)))
(function_declaration (modifiers (inheritance_modifier) @_abstract) @trait.abstract (#eq? @_abstract "abstract"))
(jump_expression "return" (_)) @returns.value
(jump_expression "return") @returns.bare
(call_expression) @calls
