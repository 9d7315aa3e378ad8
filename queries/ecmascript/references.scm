(call_expression function: [(identifier) (member_expression)] @ref.call)
(new_expression constructor: [(identifier) (member_expression)] @ref.call)
(decorator [(identifier) (member_expression)] @ref.call)
