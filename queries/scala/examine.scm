(function_definition name: (_) @name) @function @trait.opaque
(function_declaration name: (_) @name) @function @trait.abstract
[(lambda_expression)] @scope
(parameters (parameter name: (identifier) @param.name type: (_) @param.type default_value: (_)? @param.default) @param)
(call_expression) @calls
