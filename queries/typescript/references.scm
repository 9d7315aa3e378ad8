(extends_clause value: [(identifier) (member_expression)] @ref.base)
(extends_clause value: (call_expression arguments: (arguments [(identifier) (member_expression)] @ref.base)))
(implements_clause [(type_identifier) @ref.base (nested_type_identifier) @ref.base (generic_type name: (_) @ref.base)])
(extends_type_clause type: [(type_identifier) @ref.base (nested_type_identifier) @ref.base (generic_type name: (_) @ref.base)])

[(type_identifier) (nested_type_identifier)] @ref.type.whole
(type_query [(identifier) (member_expression)] @ref.type)
