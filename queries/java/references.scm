(type_parameter (type_identifier) @ref.parameter.whole)
[(type_identifier) (scoped_type_identifier)] @ref.type.whole

[(superclass [(type_identifier) @ref.base.whole (scoped_type_identifier) @ref.base.whole (generic_type . (_) @ref.base.whole)])
 (super_interfaces (type_list [(type_identifier) @ref.base.whole (scoped_type_identifier) @ref.base.whole (generic_type . (_) @ref.base.whole)]))
 (extends_interfaces (type_list [(type_identifier) @ref.base.whole (scoped_type_identifier) @ref.base.whole (generic_type . (_) @ref.base.whole)]))]

(object_creation_expression
  type: [(type_identifier) @ref.call.whole (scoped_type_identifier) @ref.call.whole (generic_type . (_) @ref.call.whole)])

(method_invocation !object name: (identifier) @ref.call)
(method_invocation
  object: [(identifier) (this) (super) (field_access object: [(identifier) (this) (super) (field_access)])] @ref.start
  name: (identifier) @ref.call)
; Of a call on what another call gave, only the last name says anything.
(method_invocation
  object: [
    (method_invocation) (object_creation_expression) (parenthesized_expression) (array_access) (string_literal) (class_literal)
    (array_creation_expression) (field_access object: [(method_invocation) (object_creation_expression) (parenthesized_expression) (array_access)])]
  . "." @ref.start
  name: (identifier) @ref.call)

(marker_annotation name: (_) @ref.type)
(annotation name: (_) @ref.type)
(record_pattern . (identifier) @ref.type)
(uses_module_directive type: (_) @ref.type)
(provides_module_directive [(identifier) (scoped_identifier)] @ref.type)

; Shelf.MAX, Kind.OAK, Shelf::new: what stands before the dot may be a type.
((field_access object: (identifier) @ref.type) (#match? @ref.type "^[A-Z]"))
((field_access object: (field_access object: [(identifier) (field_access)] field: (identifier) @_type) @ref.type) (#match? @_type "^[A-Z]"))
((method_invocation object: (identifier) @ref.type type_arguments: (_)) (#match? @ref.type "^[A-Z]"))
((method_reference . [(identifier) (field_access)] @ref.type) (#match? @ref.type "(^|[.])[A-Z][^.]*$"))
