(type_parameters name: (identifier) @ref.parameter)
[(covariant_type_parameter name: (identifier) @ref.parameter) (contravariant_type_parameter name: (identifier) @ref.parameter)]
[(type_identifier) (stable_type_identifier)] @ref.type.whole
(extends_clause [
  (type_identifier) @ref.base.whole
  (stable_type_identifier) @ref.base.whole
  (generic_type type: (_) @ref.base.whole)])
; The name of these is a type used here.
(extension_definition parameters: (parameters (parameter type: [(type_identifier) @ref.type (generic_type type: (type_identifier) @ref.type)])))
(given_definition !name return_type: [(type_identifier) @ref.type (generic_type type: (type_identifier) @ref.type)])

(call_expression function: [(identifier) (field_expression value: [(identifier) (field_expression)])] @ref.call)
(call_expression function: (generic_function function: [(identifier) (field_expression value: [(identifier) (field_expression)])] @ref.call))
; Of a call on what another call gave, only the last name says anything.
(call_expression function: (field_expression
  value: [(call_expression) (generic_function) (string) (parenthesized_expression) (instance_expression)]
  . "." @ref.start field: (identifier) @ref.call))
(instance_expression . [(type_identifier) @ref.call.whole (stable_type_identifier) @ref.call.whole (generic_type type: (_) @ref.call.whole)])

; Shelf.Max, Nil, Kind.Oak: an object, if it is written like one.
((field_expression value: (identifier) @ref.type) (#match? @ref.type "^[A-Z]"))
((field_expression value: (field_expression value: [(identifier) (field_expression)] field: (identifier) @_object) @ref.type)
  (#match? @_object "^[A-Z]"))
(([
  (arguments (identifier) @ref.type) (case_clause pattern: (identifier) @ref.type) (alternative_pattern (identifier) @ref.type)
  (infix_expression (identifier) @ref.type) (val_definition value: (identifier) @ref.type)
  (function_definition body: (identifier) @ref.type) (block (identifier) @ref.type) (case_clause body: (identifier) @ref.type)
  (generic_function function: (identifier) @ref.type)]) (#match? @ref.type "^[A-Z]"))
