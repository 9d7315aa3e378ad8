(function_item name: (identifier) @name return_type: (_)? @returns.type) @function
(function_signature_item name: (identifier) @name return_type: (_)? @returns.type) @function @trait.abstract
(closure_expression) @scope
(parameters (self_parameter) @param @param.receiver)
(parameters (parameter pattern: (identifier) @param.name type: (_) @param.type) @param)
(parameters (parameter pattern: [(tuple_pattern) (struct_pattern) (tuple_struct_pattern) (reference_pattern)] @param.pattern type: (_) @param.type) @param)
(return_expression (_)) @returns.value
(return_expression) @returns.bare
[(call_expression) (macro_invocation)] @calls
