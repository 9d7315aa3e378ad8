(class_heritage [(identifier) (member_expression)] @ref.base)
(class_heritage (call_expression arguments: (arguments [(identifier) (member_expression)] @ref.base)))
