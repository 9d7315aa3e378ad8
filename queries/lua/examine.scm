(function_declaration name: (identifier) @name) @function
(function_declaration name: (dot_index_expression field: (identifier) @name)) @function
(function_declaration name: (method_index_expression method: (identifier) @name)) @function
(assignment_statement (variable_list name: (dot_index_expression field: (identifier) @name.next)) (expression_list value: (function_definition) @function))
(assignment_statement (variable_list name: (identifier) @name.next) (expression_list value: (function_definition) @function))
(function_definition) @scope
(parameters name: (identifier) @param @param.name)
(parameters (vararg_expression) @param @param.keywords)
(return_statement (_)) @returns.value
(return_statement) @returns.bare
(function_call) @calls
