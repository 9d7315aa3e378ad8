(call_expression function: (identifier) @ref.call.whole)
(call_expression function: (selector_expression operand: (identifier)) @ref.call.whole)
(call_expression
  function: (selector_expression
    operand: [
      (selector_expression) (call_expression) (index_expression) (slice_expression) (composite_literal)
      (parenthesized_expression) (type_assertion_expression) (type_conversion_expression)
    ]) @ref.call)
(call_expression function: (parenthesized_expression (identifier) @ref.call.whole))
(call_expression
  function: (type_instantiation_expression . type: [(type_identifier) (qualified_type)] @ref.call.whole))
(call_expression function: (index_expression operand: [(identifier) (selector_expression)] @ref.call.whole))
(type_conversion_expression
  type: (generic_type type: [(type_identifier) (qualified_type)] @ref.call.whole))

; What a struct or an interface embeds, it builds on.
(field_declaration
  !name
  type: [(type_identifier) @ref.base (qualified_type) @ref.base (generic_type type: (_) @ref.base)])
(interface_type (type_elem . [(type_identifier) (qualified_type)] @ref.base .))

[(type_identifier) (qualified_type)] @ref.type.whole

; Constants, variables and functions handed around: with its package before it a name is never a local one.
(selector_expression operand: (identifier)) @ref.value.whole
(argument_list (identifier) @ref.value.whole)
(binary_expression [left: (identifier) @ref.value.whole right: (identifier) @ref.value.whole])
(assignment_statement right: (expression_list (identifier) @ref.value.whole))
(short_var_declaration right: (expression_list (identifier) @ref.value.whole))
(var_spec value: (expression_list (identifier) @ref.value.whole))
(const_spec value: (expression_list (identifier) @ref.value.whole))
(return_statement (expression_list (identifier) @ref.value.whole))
(keyed_element value: (literal_element (identifier) @ref.value.whole))
(literal_value (literal_element (identifier) @ref.value.whole))
(unary_expression operand: (identifier) @ref.value.whole)
(index_expression operand: (identifier) @ref.value.whole)
(index_expression index: (identifier) @ref.value.whole)
(range_clause right: (identifier) @ref.value.whole)
(expression_case value: (expression_list (identifier) @ref.value.whole))
(array_type length: (identifier) @ref.value.whole)
