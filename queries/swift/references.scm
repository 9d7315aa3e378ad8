; A subscript looks like a call, but for its brackets.
(call_expression
  . [(simple_identifier) (navigation_expression)] @ref.call
  . (call_suffix . [(lambda_literal) (value_arguments . "(")]))
(constructor_expression constructed_type: (user_type) @ref.call)

; @Reducer may be a macro or a type.
(macro_invocation (simple_identifier) @ref.macro)
(attribute (user_type) @ref.macro)

(inheritance_specifier inherits_from: (user_type) @ref.base)
(user_type) @ref.type

; What a type parameter is called hides what else is called so.
(type_parameter . (type_identifier) @ref.parameter)

; Kind.oak, Shelf.self: what stands before the dot may be a type.
((navigation_expression target: (simple_identifier) @ref.type) (#match? @ref.type "^[A-Z]"))
