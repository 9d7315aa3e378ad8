(type_parameter (type_identifier) @ref.parameter.whole)

(user_type . (type_identifier) @ref.type.whole .)
(user_type . (type_identifier) @ref.type.whole . (type_arguments))
(user_type . (type_identifier) . (type_identifier)) @ref.type.whole
(delegation_specifier [
  (user_type . (type_identifier) @ref.base.whole .)
  (user_type . (type_identifier) @ref.base.whole . (type_arguments))
  (user_type . (type_identifier) . (type_identifier)) @ref.base.whole
  (constructor_invocation [
    (user_type . (type_identifier) @ref.base.whole .)
    (user_type . (type_identifier) @ref.base.whole . (type_arguments))
    (user_type . (type_identifier) . (type_identifier)) @ref.base.whole])
  (explicit_delegation [
    (user_type . (type_identifier) @ref.base.whole .)
    (user_type . (type_identifier) @ref.base.whole . (type_arguments))
    (user_type . (type_identifier) . (type_identifier)) @ref.base.whole])])
(callable_reference . (type_identifier) @ref.type.whole)

(call_expression . (simple_identifier) @ref.call)
(call_expression . (navigation_expression . [(simple_identifier) (this_expression) (super_expression) (navigation_expression)]) @ref.call)
; Of a call on what another call gave, only the last name says anything.
(call_expression . (navigation_expression
  . [(call_expression) (parenthesized_expression) (string_literal) (indexing_expression) (postfix_expression) (callable_reference)]
  (navigation_suffix) @ref.call))
(call_expression . (callable_reference) @ref.call)

; Shelf.MAX, Idle, MAX: an object, a type or a constant, if it is written like one.
((navigation_expression . (simple_identifier) @ref.type) (#match? @ref.type "^[A-Z]"))
((navigation_expression . (navigation_expression . [(simple_identifier) (navigation_expression)] (navigation_suffix (simple_identifier) @_type)) @ref.type)
  (#match? @_type "^[A-Z]"))
(([
  (value_argument (simple_identifier) @ref.type) (when_condition (simple_identifier) @ref.type)
  (equality_expression (simple_identifier) @ref.type) (comparison_expression (simple_identifier) @ref.type)
  (additive_expression (simple_identifier) @ref.type) (multiplicative_expression (simple_identifier) @ref.type)
  (infix_expression (simple_identifier) @ref.type) (elvis_expression (simple_identifier) @ref.type)
  (function_body (simple_identifier) @ref.type) (statements (simple_identifier) @ref.type)
  (control_structure_body (simple_identifier) @ref.type) (jump_expression (simple_identifier) @ref.type)
  (property_declaration (simple_identifier) @ref.type) (class_parameter (simple_identifier) (simple_identifier) @ref.type)
  (function_value_parameters (simple_identifier) @ref.type) (indexing_suffix (simple_identifier) @ref.type)
  (assignment (simple_identifier) @ref.type)
  (check_expression (simple_identifier) @ref.type) (range_expression (simple_identifier) @ref.type)]) (#match? @ref.type "^[A-Z]"))
