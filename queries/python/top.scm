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
