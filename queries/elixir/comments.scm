(comment) @comment
(unary_operator operand: (call target: (identifier) @_doc (arguments . [(string) (sigil)] @doc.next)
  (#any-of? @_doc "doc" "typedoc")))
(unary_operator operand: (call target: (identifier) @_doc (arguments . [(string) (sigil)] @doc)
  (#eq? @_doc "moduledoc")))
(unary_operator operand: (call target: (identifier) @_doc (arguments . (boolean "false") @private.next)
  (#eq? @_doc "doc")))
(unary_operator operand: (call target: (identifier) @_attribute
  (#any-of? @_attribute "doc" "spec" "impl" "deprecated" "dialyzer" "typedoc"))) @attribute
