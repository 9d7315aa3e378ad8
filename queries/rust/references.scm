(call_expression function: [(identifier) (scoped_identifier)] @ref.call.whole)
(call_expression function: (field_expression) @ref.call)
(call_expression function: (generic_function function: [(identifier) (scoped_identifier)] @ref.call.whole))
(call_expression function: (generic_function function: (field_expression) @ref.call))
(macro_invocation macro: [(identifier) (scoped_identifier)] @ref.call.whole)

(impl_item trait: [
  (type_identifier) @ref.base
  (scoped_type_identifier) @ref.base
  (generic_type type: (_) @ref.base)
])
(trait_item bounds: (trait_bounds [
  (type_identifier) @ref.base
  (scoped_type_identifier) @ref.base
  (generic_type type: (_) @ref.base)
]))

[(type_identifier) (scoped_type_identifier)] @ref.type.whole
(scoped_identifier) @ref.value.whole
