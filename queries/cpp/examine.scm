(function_definition type: (_) @returns.type declarator: (function_declarator declarator: [(identifier) (field_identifier)] @name)) @function
(function_definition !type declarator: (function_declarator declarator: (identifier) @name)) @function @trait.constructor
(function_definition declarator: [(pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier)] @name))
  (reference_declarator (function_declarator declarator: [(identifier) (field_identifier)] @name))] @returns.type) @function
(function_definition type: (_) @returns.type declarator: (function_declarator declarator: (qualified_identifier name: (identifier) @name))) @function
(function_definition !type declarator: (function_declarator declarator: (qualified_identifier name: (identifier) @name))) @function @trait.constructor
(function_definition declarator: [(pointer_declarator declarator: (function_declarator declarator: (qualified_identifier name: (identifier) @name)))
  (reference_declarator (function_declarator declarator: (qualified_identifier name: (identifier) @name)))] @returns.type) @function
(declaration type: (_) @returns.type declarator: (function_declarator declarator: (identifier) @name)) @function @trait.abstract
(declaration !type declarator: (function_declarator declarator: (identifier) @name)) @function @trait.abstract @trait.constructor
(field_declaration type: (_) @returns.type declarator: (function_declarator declarator: (field_identifier) @name)) @function @trait.abstract
(field_declaration declarator: [(pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))
  (reference_declarator (function_declarator declarator: (field_identifier) @name))] @returns.type) @function @trait.abstract
(function_declarator (trailing_return_type (_) @returns.type))
(lambda_expression) @scope
(parameter_declaration declarator: (function_declarator parameters: (parameter_list) @scope))
(template_parameter_list) @scope
(type_descriptor) @scope
(parameter_list [(parameter_declaration declarator: (identifier) @param.name)
                 (optional_parameter_declaration declarator: (identifier) @param.name default_value: (_) @param.default)] @param)
(parameter_list [(parameter_declaration declarator: (reference_declarator (identifier) @param.name))
                 (optional_parameter_declaration declarator: (reference_declarator (identifier) @param.name))] @param)
(parameter_list [(parameter_declaration declarator: (pointer_declarator declarator: (identifier) @param.name))
                 (optional_parameter_declaration declarator: (pointer_declarator declarator: (identifier) @param.name))] @param)
(parameter_list (parameter_declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @param.name))) @param)
(parameter_list (parameter_declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @param.name)))) @param)
(parameter_list (parameter_declaration declarator: (reference_declarator (pointer_declarator declarator: (identifier) @param.name))) @param)
(parameter_list (parameter_declaration declarator: (reference_declarator (parenthesized_declarator (array_declarator declarator: (identifier) @param.name)))) @param)
(parameter_list (parameter_declaration declarator: (reference_declarator (variadic_declarator (identifier) @param.name))) @param)
(parameter_list (parameter_declaration declarator: (pointer_declarator declarator: (reference_declarator (identifier) @param.name))) @param)
(parameter_list (parameter_declaration declarator: (array_declarator declarator: (identifier) @param.name)) @param)
(parameter_list (parameter_declaration declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @param.name))) @param)
(parameter_list (parameter_declaration
  declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @param.name)))) @param)
(parameter_list (variadic_parameter_declaration declarator: (_) @param.rest) @param)
(parameter_list (variadic_parameter_declaration declarator: (variadic_declarator (identifier) @param.name)) @param)
(parameter_list (variadic_parameter_declaration declarator: (reference_declarator (variadic_declarator (identifier) @param.name))) @param)
(parameter_list "..." @param @param.keywords)
(return_statement (_)) @returns.value
(return_statement) @returns.bare
(co_yield_statement) @yields
(throw_statement) @raises
(throw_statement (call_expression function: (_) @raises.name))
(call_expression) @calls
