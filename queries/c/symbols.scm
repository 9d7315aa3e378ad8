(function_definition declarator: (_) @declarator body: (_) @body) @def.function
(function_definition (storage_class_specifier "static") @private.file)

; Declarations of the whole file, under conditions or not. Those inside functions name nothing.
(translation_unit (declaration declarator: [
  (identifier) @declarator (pointer_declarator) @declarator (array_declarator) @declarator (function_declarator) @declarator
  (parenthesized_declarator) @declarator (attributed_declarator) @declarator
  (init_declarator declarator: (_) @declarator value: (initializer_list)? @body)
]) @def.variable)
(preproc_ifdef (declaration declarator: [
  (identifier) @declarator (pointer_declarator) @declarator (array_declarator) @declarator (function_declarator) @declarator
  (parenthesized_declarator) @declarator (attributed_declarator) @declarator
  (init_declarator declarator: (_) @declarator value: (initializer_list)? @body)
]) @def.variable)
(preproc_if (declaration declarator: [
  (identifier) @declarator (pointer_declarator) @declarator (array_declarator) @declarator (function_declarator) @declarator
  (parenthesized_declarator) @declarator (attributed_declarator) @declarator
  (init_declarator declarator: (_) @declarator value: (initializer_list)? @body)
]) @def.variable)
(preproc_else (declaration declarator: [
  (identifier) @declarator (pointer_declarator) @declarator (array_declarator) @declarator (function_declarator) @declarator
  (parenthesized_declarator) @declarator (attributed_declarator) @declarator
  (init_declarator declarator: (_) @declarator value: (initializer_list)? @body)
]) @def.variable)
(preproc_elif (declaration declarator: [
  (identifier) @declarator (pointer_declarator) @declarator (array_declarator) @declarator (function_declarator) @declarator
  (parenthesized_declarator) @declarator (attributed_declarator) @declarator
  (init_declarator declarator: (_) @declarator value: (initializer_list)? @body)
]) @def.variable)
(preproc_elifdef (declaration declarator: [
  (identifier) @declarator (pointer_declarator) @declarator (array_declarator) @declarator (function_declarator) @declarator
  (parenthesized_declarator) @declarator (attributed_declarator) @declarator
  (init_declarator declarator: (_) @declarator value: (initializer_list)? @body)
]) @def.variable)
(declaration_list (declaration declarator: [
  (identifier) @declarator (pointer_declarator) @declarator (array_declarator) @declarator (function_declarator) @declarator
  (parenthesized_declarator) @declarator (attributed_declarator) @declarator
  (init_declarator declarator: (_) @declarator value: (initializer_list)? @body)
]) @def.variable)
(linkage_specification (declaration declarator: [
  (identifier) @declarator (pointer_declarator) @declarator (array_declarator) @declarator (function_declarator) @declarator
  (parenthesized_declarator) @declarator (attributed_declarator) @declarator
  (init_declarator declarator: (_) @declarator value: (initializer_list)? @body)
]) @def.variable)
(ERROR (declaration declarator: [
  (identifier) @declarator (pointer_declarator) @declarator (array_declarator) @declarator (function_declarator) @declarator
  (parenthesized_declarator) @declarator (attributed_declarator) @declarator
  (init_declarator declarator: (_) @declarator value: (initializer_list)? @body)
]) @def.variable)
(declaration (storage_class_specifier "static") @private.file)
(declaration (storage_class_specifier "extern") @forward)
(declaration (type_qualifier ["const" "constexpr"]) @constant)
(declaration type: [(struct_specifier name: (_) @lift body: (_)) (union_specifier name: (_) @lift body: (_)) (enum_specifier name: (_) @lift body: (_))])

(struct_specifier name: (_) @name body: (_) @body) @def.struct
(union_specifier name: (_) @name body: (_) @body) @def.union
(enum_specifier name: (_) @name body: (_) @body) @def.enum
(enumerator name: (_) @name) @def.member
(field_declaration declarator: (_) @declarator) @def.field
(field_declaration (type_qualifier "const") @constant)
(field_declaration type: [(struct_specifier name: (_) @lift body: (_)) (union_specifier name: (_) @lift body: (_)) (enum_specifier name: (_) @lift body: (_))])
; What has no name is part of what is around: struct { int width; } size;
(struct_specifier !name body: (_) @body) @def.struct
(union_specifier !name body: (_) @body) @def.union
(enum_specifier !name body: (_) @body) @def.enum

; A type without a name of its own goes by its typedef's; one with a name stands beside it.
(type_definition type: (struct_specifier !name body: (_)) declarator: (_) @declarator) @def.struct
(type_definition type: (union_specifier !name body: (_)) declarator: (_) @declarator) @def.union
(type_definition type: (enum_specifier !name body: (_)) declarator: (_) @declarator) @def.enum
(type_definition type: [
  (type_identifier) (primitive_type) (sized_type_specifier) (macro_type_specifier)
  (struct_specifier !body) (union_specifier !body) (enum_specifier !body)
  (struct_specifier name: (_) @lift body: (_)) (union_specifier name: (_) @lift body: (_)) (enum_specifier name: (_) @lift body: (_))
] declarator: (_) @declarator) @def.type

(preproc_def name: (identifier) @name) @def.macro
(preproc_function_def name: (identifier) @name value: (_)? @body) @def.macro
; The guard of a header is nobody's business.
((preproc_ifdef name: (identifier) @_guard . (preproc_def name: (identifier) @private !value))
  (#eq? @_guard @private))
