(function_definition
  name: (identifier) @name
  parameters: (parameters) @parameters
  return_type: (type)? @returns.type) @function
(function_definition "async" @trait.async)
(decorated_definition (decorator (_) @decorator.next) definition: (function_definition))
(lambda) @scope
(class_definition) @scope.class

(parameters (identifier) @param @param.name)
(parameters (default_parameter name: (identifier) @param.name value: (_) @param.default) @param)
(parameters (typed_default_parameter name: (identifier) @param.name type: (type) @param.type value: (_) @param.default) @param)
(parameters (typed_parameter . (identifier) @param.name type: (type) @param.type) @param)
(parameters (typed_parameter . (list_splat_pattern (identifier) @param.name) @param.rest type: (type) @param.type) @param)
(parameters (typed_parameter . (dictionary_splat_pattern (identifier) @param.name) @param.keywords type: (type) @param.type) @param)
(parameters (list_splat_pattern (identifier) @param.name) @param @param.rest)
(parameters (dictionary_splat_pattern (identifier) @param.name) @param @param.keywords)

(return_statement (_)) @returns.value
(return_statement) @returns.bare
(yield) @yields
(raise_statement) @raises
(raise_statement . [(identifier) (attribute)] @raises.name)
(raise_statement . (call function: [(identifier) (attribute)] @raises.name))
(except_clause) @handler
(except_clause . [(identifier) (attribute)] @handler.type)
(except_clause . (tuple [(identifier) (attribute)] @handler.type))
(except_clause . (as_pattern . [(identifier) (attribute)] @handler.type (as_pattern_target (identifier) @handler.name)))
(except_clause . (as_pattern . (tuple [(identifier) (attribute)] @handler.type) (as_pattern_target (identifier) @handler.name)))
(call) @calls
[(with_statement) (for_statement) (subscript) (attribute) (binary_operator) (assert_statement)] @calls
