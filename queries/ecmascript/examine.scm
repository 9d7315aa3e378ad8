(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function @trait.generator
(method_definition name: (_) @name) @function @trait.method
(method_definition ["get" @trait.getter "set" @trait.setter])
(method_definition "*" @trait.generator)
(method_definition "static" @trait.static)
(method_definition name: (property_identifier) @trait.constructor (#eq? @trait.constructor "constructor"))
(variable_declarator name: (identifier) @name.next value: [(arrow_function) (function_expression) (generator_function)] @function)
(assignment_expression left: (identifier) @name.next right: [(arrow_function) (function_expression) (generator_function)] @function)
(assignment_expression left: (member_expression property: (property_identifier) @name.next)
  right: [(arrow_function) (function_expression) (generator_function)] @function)
(pair key: (property_identifier) @name.next value: [(arrow_function) (function_expression) (generator_function)] @function)
(export_statement "default" @name.next value: [(function_expression) (arrow_function) (generator_function)] @function)
(generator_function) @trait.generator
[(function_declaration "async" @trait.async) (method_definition "async" @trait.async) (arrow_function "async" @trait.async)
 (function_expression "async" @trait.async) (generator_function "async" @trait.async) (generator_function_declaration "async" @trait.async)]
[(arrow_function) (function_expression) (generator_function) (class) (class_declaration)] @scope

(arrow_function parameter: (identifier) @param @param.name)

(return_statement (_)) @returns.value
(return_statement) @returns.bare
(arrow_function body: [(call_expression) (identifier) (member_expression) (binary_expression) (object) (array) (string) (number)
  (template_string) (true) (false) (null) (arrow_function) (parenthesized_expression) (ternary_expression) (unary_expression)
  (new_expression) (await_expression) (subscript_expression) (undefined) (assignment_expression) (update_expression)
  (function_expression) (regex) (class) (this)] @returns.value)
(yield_expression (_)) @yields
(yield_expression) @yields
(throw_statement) @raises
(throw_statement (new_expression constructor: (_) @raises.name))
(catch_clause) @handler
(catch_clause parameter: (identifier) @handler.name)
(call_expression) @calls
