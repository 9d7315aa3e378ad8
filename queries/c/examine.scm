(function_definition type: (_) @returns.type declarator: (function_declarator declarator: (identifier) @name)) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)) @returns.type) @function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @returns.type) @function
(declaration type: (_) @returns.type declarator: (function_declarator declarator: (identifier) @name)) @function @trait.abstract
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)) @returns.type) @function @trait.abstract
(parameter_declaration declarator: (function_declarator parameters: (parameter_list) @scope))
(parameter_list (parameter_declaration declarator: (identifier) @param.name) @param)
(parameter_list (parameter_declaration declarator: (pointer_declarator declarator: (identifier) @param.name)) @param)
(parameter_list (parameter_declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @param.name))) @param)
(parameter_list (parameter_declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @param.name)))) @param)
(parameter_list (parameter_declaration declarator: (array_declarator declarator: (identifier) @param.name)) @param)
(parameter_list (parameter_declaration declarator: (array_declarator declarator: (array_declarator declarator: (identifier) @param.name))) @param)
(parameter_list (parameter_declaration declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @param.name))) @param)
(parameter_list (parameter_declaration
  declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @param.name)))) @param)
(parameter_list (parameter_declaration declarator: (function_declarator declarator: (identifier) @param.name)) @param)
(parameter_list (variadic_parameter) @param @param.keywords)
(return_statement (_)) @returns.value
(return_statement) @returns.bare
(call_expression) @calls
