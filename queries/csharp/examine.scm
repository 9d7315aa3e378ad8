(method_declaration returns: (_) @returns.type name: (identifier) @name) @function
(method_declaration !body) @trait.abstract
(constructor_declaration name: (identifier) @name) @function @trait.constructor
(local_function_statement type: (_) @returns.type name: (identifier) @name) @function
[(lambda_expression) (anonymous_method_expression)] @scope
(parameter_list (parameter type: (_)? @param.type name: (identifier) @param.name) @param)
(parameter_list name: (identifier) @param @param.name)
(return_statement (_)) @returns.value
(return_statement) @returns.bare
(method_declaration body: (arrow_expression_clause (_) @returns.value))
(yield_statement) @yields
(throw_statement) @raises
(throw_statement (object_creation_expression type: (_) @raises.name))
[(invocation_expression) (object_creation_expression) (member_access_expression) (element_access_expression)] @calls
