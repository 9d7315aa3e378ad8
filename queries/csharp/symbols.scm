; A block namespace is a symbol that qualifies what is inside; a file-scoped one is the package of its file.
(namespace_declaration "namespace" @public name: (_) @name body: (declaration_list) @body) @def.namespace
(file_scoped_namespace_declaration name: (_) @package)

(class_declaration name: (identifier) @name body: (declaration_list)? @body) @def.class
(struct_declaration name: (identifier) @name body: (declaration_list)? @body) @def.struct
(interface_declaration name: (identifier) @name body: (declaration_list "{" @section.public)? @body) @def.interface
(record_declaration name: (identifier) @name body: (declaration_list)? @body) @def.record
(enum_declaration name: (identifier) @name body: (enum_member_declaration_list "{" @section.public) @body) @def.enum
(enum_member_declaration name: (identifier) @name) @def.member
(delegate_declaration name: (identifier) @name) @def.delegate

; What a record says in brackets is a public property of it.
(record_declaration (parameter_list (parameter type: (_) @public name: (identifier) @name) @def.property))

(method_declaration
  (explicit_interface_specifier (_) @receiver)?
  name: (identifier) @name
  body: (_)? @body) @def.method
(local_function_statement name: (identifier) @name body: (_)? @body) @def.function
(constructor_declaration name: (identifier) @name (constructor_initializer)? @body body: (_)? @body) @def.constructor
(destructor_declaration name: (identifier) @name body: (_) @body) @def.destructor
(operator_declaration operator: _ @name body: (_)? @body) @def.operator
(conversion_operator_declaration type: (_) @name body: (_)? @body) @def.operator

; Accessors without a body are part of the signature: { get; init; }
(property_declaration (explicit_interface_specifier (_) @receiver)? name: (identifier) @name value: (_)? @body) @def.property
(property_declaration accessors: (accessor_list (accessor_declaration body: (_))) @body)
(indexer_declaration (explicit_interface_specifier (_) @receiver)? "this" @name value: (_)? @body) @def.indexer
(indexer_declaration accessors: (accessor_list (accessor_declaration body: (_))) @body)
(event_declaration (explicit_interface_specifier (_) @receiver)? name: (identifier) @name accessors: (_) @body) @def.event
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @def.event

((field_declaration
  (variable_declaration (variable_declarator name: (identifier) @name))) @def.field
  (#not-match? @def.field "^[^=;]*\\bconst\\b"))
((field_declaration (modifier "const")
  (variable_declaration (variable_declarator name: (identifier) @name))) @def.constant)

(attribute_list) @prefix
(modifier "public") @public
