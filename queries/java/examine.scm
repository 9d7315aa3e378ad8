(method_declaration type: (_) @returns.type name: (identifier) @name) @function
(method_declaration !body) @trait.abstract
(constructor_declaration name: (identifier) @name) @function @trait.constructor
(compact_constructor_declaration name: (identifier) @name) @function @trait.opaque
[(lambda_expression) (class_body)] @scope
(method_declaration (modifiers [(marker_annotation name: (_) @decorator) (annotation name: (_) @decorator)]))
(formal_parameter type: (_) @param.type name: (identifier) @param.name) @param
(spread_parameter (variable_declarator name: (identifier) @param.name)) @param @param.rest
(return_statement (_)) @returns.value
(return_statement) @returns.bare
(throws) @raises
(throws (_) @raises.name)
(throw_statement) @raises
(throw_statement (object_creation_expression type: (_) @raises.name))
[(method_invocation) (object_creation_expression)] @calls
