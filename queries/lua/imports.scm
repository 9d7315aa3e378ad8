(function_call
  name: (identifier) @_require
  arguments: (arguments . (string content: (string_content) @source))
  (#eq? @_require "require")) @import
(function_call
  name: (identifier) @_load
  arguments: (arguments . (string content: (string_content) @source))
  (#any-of? @_load "dofile" "loadfile")) @import.source
(function_call
  name: (identifier) @_pcall
  arguments: (arguments . (identifier) @_require . (string content: (string_content) @source))
  (#eq? @_require "require")) @import

; What only a run can tell: reported, not resolved.
(function_call
  name: (identifier) @_require
  arguments: (arguments . [(identifier) (binary_expression) (dot_index_expression) (function_call)] @source)
  (#any-of? @_require "require" "dofile" "loadfile")) @import.dynamic

; The local that holds the module.
(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @module .)
    (expression_list . value: (function_call name: (identifier) @_require arguments: (arguments . (string))) .)
    (#eq? @_require "require"))) @import
(assignment_statement
  (variable_list . name: (identifier) @module .)
  (expression_list . value: (function_call name: (identifier) @_require arguments: (arguments . (string))) .)
  (#eq? @_require "require")) @import
(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) . name: (identifier) @module .)
    (expression_list . value: (function_call arguments: (arguments . (identifier) @_require . (string))) .)
    (#eq? @_require "require"))) @import
