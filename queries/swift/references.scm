(call_expression . [(simple_identifier) (navigation_expression)] @ref.call)
(constructor_expression constructed_type: (user_type) @ref.call)
(attribute (user_type) @ref.call)
(macro_invocation (simple_identifier) @ref.call)

(inheritance_specifier inherits_from: (user_type) @ref.base)
(user_type) @ref.type

; Kind.oak, Shelf.self: what stands before the dot may be a type.
((navigation_expression target: (simple_identifier) @ref.type) (#match? @ref.type "^[A-Z]"))
