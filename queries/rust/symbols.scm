; What says that more may come; who matches or builds it must expect that.
((attribute_item (attribute (identifier) @_open)) @head (#eq? @_open "non_exhaustive"))
; What `mod name;` may be preceded by says where the file is; inline modules nest names and folders.
((attribute_item (attribute (identifier) @_path value: (string_literal))) @head (#eq? @_path "path"))
(mod_item name: (identifier) @name body: (declaration_list)? @body) @def.module
(mod_item "mod" @ref.opens body: (declaration_list "{" @ref.scope))
((attribute (identifier) @_path value: (string_literal (string_content) @ref.path)) (#eq? @_path "path"))
((attribute
  (identifier) @_attribute
  arguments: (token_tree (identifier) @_path . "=" . (string_literal (string_content) @ref.path)))
  (#eq? @_attribute "cfg_attr") (#eq? @_path "path"))

(function_item name: (identifier) @name body: (block) @body) @def.function
(function_signature_item name: (identifier) @name) @def.function

(struct_item name: (type_identifier) @name body: (field_declaration_list)? @body) @def.struct
(union_item name: (type_identifier) @name body: (field_declaration_list) @body) @def.union
(field_declaration name: (field_identifier) @name) @def.field

(enum_item name: (type_identifier) @name body: (enum_variant_list "{" @section.public) @body) @def.enum
(enum_variant name: (identifier) @name body: (field_declaration_list "{" @section.public)?) @def.member

(trait_item name: (type_identifier) @name body: (declaration_list "{" @section.public) @body) @def.trait
(associated_type name: (type_identifier) @name) @def.type
(type_item name: (type_identifier) @name) @def.type

(const_item name: (identifier) @name) @def.constant
(static_item name: (identifier) @name) @def.variable

(impl_item
  type: [
    (type_identifier) @name
    (primitive_type) @name
    (scoped_type_identifier name: (type_identifier) @name)
    (generic_type type: [(type_identifier) @name (scoped_type_identifier name: (type_identifier) @name)])
    (reference_type type: [
      (type_identifier) @name
      (primitive_type) @name
      (generic_type type: (type_identifier) @name)
      (dynamic_type) @name
      (array_type) @name
      (tuple_type) @name
    ])
    (pointer_type) @name
    (array_type) @name
    (tuple_type) @name
    (dynamic_type) @name
    (function_type) @name
    (macro_invocation) @name
    (never_type) @name
    (unit_type) @name
  ]
  body: (declaration_list)) @scope
; The methods of a trait are as public as trait and type, and never say so.
(impl_item trait: (_) body: (declaration_list "{" @section.public))

(macro_definition name: (identifier) @name . (macro_rule) @body) @def.macro
((attribute_item (attribute (identifier) @_export)) . (attribute_item)* . (macro_definition name: (identifier) @export.name)
  (#eq? @_export "macro_export"))

((visibility_modifier) @public (#eq? @public "pub"))
