(decorated_definition) @outer

(function_definition
  name: (identifier) @name
  body: (block) @body) @def.function

(class_definition
  name: (identifier) @name
  body: (block) @body) @def.class

; Names a module or a class binds. What functions bind is nobody else's business.
(assignment
  left: [(identifier) @name
         (pattern_list [(identifier) @name (list_splat_pattern (identifier) @name)])
         (tuple_pattern [(identifier) @name (list_splat_pattern (identifier) @name)])
         (list_pattern [(identifier) @name (list_splat_pattern (identifier) @name)])]) @def.variable.outside
(type_alias_statement left: (type [(identifier) @name (generic_type (identifier) @name)])) @def.type

; __all__, written down or put together
(module
  [(assignment left: (identifier) @_all right: [(list (string (string_content) @export.name)) (tuple (string (string_content) @export.name))])
   (augmented_assignment left: (identifier) @_all right: [(list (string (string_content) @export.name)) (tuple (string (string_content) @export.name))])
   (assignment left: (identifier) @_all right: (binary_operator [(list (string (string_content) @export.name)) (tuple (string (string_content) @export.name))]))
   (call function: (attribute object: (identifier) @_all)
     arguments: (argument_list [(string (string_content) @export.name)
                                (list (string (string_content) @export.name))
                                (tuple (string (string_content) @export.name))]))]
  (#eq? @_all "__all__"))
(module (if_statement consequence: (block
  [(augmented_assignment left: (identifier) @_all right: [(list (string (string_content) @export.name)) (tuple (string (string_content) @export.name))])
   (call function: (attribute object: (identifier) @_all)
     arguments: (argument_list [(string (string_content) @export.name)
                                (list (string (string_content) @export.name))
                                (tuple (string (string_content) @export.name))]))]))
  (#eq? @_all "__all__"))
