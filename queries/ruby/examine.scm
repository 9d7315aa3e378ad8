(method name: (_) @name) @function @trait.opaque
(singleton_method name: (_) @name) @function @trait.opaque
[(lambda) (block) (do_block)] @scope
(method_parameters (identifier) @param @param.name)
(method_parameters (optional_parameter name: (identifier) @param.name value: (_) @param.default) @param)
(method_parameters (keyword_parameter name: (identifier) @param.name value: (_)? @param.default) @param)
(method_parameters (splat_parameter name: (identifier) @param.name) @param @param.rest)
(method_parameters (hash_splat_parameter name: (identifier) @param.name) @param @param.keywords)
(method_parameters (block_parameter name: (identifier) @param.name) @param @param.rest)
(method_parameters (forward_parameter) @param @param.keywords)
(return (_)) @returns.value
(yield) @yields
(call) @calls
