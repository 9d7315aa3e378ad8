(decorated_definition) @outer

(function_definition
  name: (identifier) @name
  body: (block) @body) @def.function

(class_definition
  name: (identifier) @name
  body: (block) @body) @def.class

; Names a module or a class binds. What functions bind is nobody else's business.
(assignment left: (identifier)) @def.variable.outside.leading
(assignment
  left: [(pattern_list [(identifier) @name (list_splat_pattern (identifier) @name)])
         (tuple_pattern [(identifier) @name (list_splat_pattern (identifier) @name)])
         (list_pattern [(identifier) @name (list_splat_pattern (identifier) @name)])]) @def.variable.outside
(type_alias_statement left: (type [(identifier) @name (generic_type (identifier) @name)])) @def.type
