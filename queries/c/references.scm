(call_expression function: [(identifier) (field_expression)] @ref.call)
(type_identifier) @ref.type.whole
