(function_declaration name: (simple_identifier) @name) @function
(protocol_function_declaration name: (simple_identifier) @name) @function @trait.abstract
(init_declaration "init" @name) @function @trait.constructor
(function_declaration name: [(user_type) (optional_type) (array_type) (tuple_type) (dictionary_type) (opaque_type) (existential_type) (function_type)] @returns.type)
[(lambda_literal)] @scope
(parameter external_name: (simple_identifier)? @param.field name: (simple_identifier) @param.name) @param
(control_transfer_statement result: (_)) @returns.value
(call_expression) @calls
