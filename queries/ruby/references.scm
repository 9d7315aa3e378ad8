(call
  receiver: [(identifier) (constant) (scope_resolution) (self) (instance_variable)] @ref.start
  method: [(identifier) (constant)] @ref.call)
(call
  receiver: [(call) (element_reference) (parenthesized_statements)]
  . ["." "&."] @ref.start
  . method: (identifier) @ref.call)
(call !receiver method: (identifier) @ref.call)
(superclass [(constant) (scope_resolution)] @ref.base)
(call !receiver method: (identifier) @_mix
  arguments: (argument_list [(constant) (scope_resolution)] @ref.base)
  (#any-of? @_mix "include" "extend" "prepend" "using"))

; Every constant that is named is used; Zeitwerk would load its file now.
[(constant) (scope_resolution)] @ref.type.whole
