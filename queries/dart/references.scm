; Callee, dots and arguments stand side by side.
((identifier) @ref.call . (selector (argument_part)))
((selector [(unconditional_assignable_selector) (conditional_assignable_selector)] @ref.call) . (selector (argument_part)))
([(identifier) (this) (super)] @ref.start
  . [(selector [(unconditional_assignable_selector) (conditional_assignable_selector)] @ref.call)
     (unconditional_assignable_selector) @ref.call]
  . (selector (argument_part)))
(new_expression (type_identifier) @ref.call)
(const_object_expression (type_identifier) @ref.call)
(annotation name: (_) @ref.call)

(superclass (type_identifier) @ref.base)
(mixins (type_identifier) @ref.base)
(interfaces (type_identifier) @ref.base)
(type_identifier) @ref.type.whole

; Kind.oak: what stands before the dot may be a type.
((identifier) @ref.type . (selector (unconditional_assignable_selector)) (#match? @ref.type "^_?[A-Z]"))
