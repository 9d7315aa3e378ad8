(function_call name: [(identifier) (dot_index_expression) (method_index_expression)] @ref.call)
(field name: (identifier) @_index value: [(identifier) (dot_index_expression)] @ref.base (#eq? @_index "__index"))

; Where this script looks for modules; for the resolver.
(assignment_statement
  (variable_list name: (dot_index_expression) @_path)
  (expression_list value: [(string content: (string_content) @ref.path)
                           (binary_expression (string content: (string_content) @ref.path))
                           (binary_expression (binary_expression (string content: (string_content) @ref.path)))])
  (#eq? @_path "package.path"))
