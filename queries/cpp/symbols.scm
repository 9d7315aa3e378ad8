(function_definition declarator: (_) @declarator) @def.function
(function_definition [(field_initializer_list) (compound_statement) (try_statement)] @body)
(function_definition (storage_class_specifier "static") @private.file)

; Declarations of files, namespaces and classes, under conditions or not. Those inside functions name nothing.
(translation_unit (declaration declarator: [
  (identifier) @declarator (qualified_identifier) @declarator (pointer_declarator) @declarator (reference_declarator) @declarator
  (array_declarator) @declarator (function_declarator) @declarator (parenthesized_declarator) @declarator
  (attributed_declarator) @declarator (operator_cast) @declarator
  (init_declarator declarator: (_) @declarator value: [(initializer_list) (lambda_expression)]? @body)
]) @def.variable)
(preproc_ifdef (declaration declarator: [
  (identifier) @declarator (qualified_identifier) @declarator (pointer_declarator) @declarator (reference_declarator) @declarator
  (array_declarator) @declarator (function_declarator) @declarator (parenthesized_declarator) @declarator
  (attributed_declarator) @declarator (operator_cast) @declarator
  (init_declarator declarator: (_) @declarator value: [(initializer_list) (lambda_expression)]? @body)
]) @def.variable)
(preproc_if (declaration declarator: [
  (identifier) @declarator (qualified_identifier) @declarator (pointer_declarator) @declarator (reference_declarator) @declarator
  (array_declarator) @declarator (function_declarator) @declarator (parenthesized_declarator) @declarator
  (attributed_declarator) @declarator (operator_cast) @declarator
  (init_declarator declarator: (_) @declarator value: [(initializer_list) (lambda_expression)]? @body)
]) @def.variable)
(preproc_else (declaration declarator: [
  (identifier) @declarator (qualified_identifier) @declarator (pointer_declarator) @declarator (reference_declarator) @declarator
  (array_declarator) @declarator (function_declarator) @declarator (parenthesized_declarator) @declarator
  (attributed_declarator) @declarator (operator_cast) @declarator
  (init_declarator declarator: (_) @declarator value: [(initializer_list) (lambda_expression)]? @body)
]) @def.variable)
(preproc_elif (declaration declarator: [
  (identifier) @declarator (qualified_identifier) @declarator (pointer_declarator) @declarator (reference_declarator) @declarator
  (array_declarator) @declarator (function_declarator) @declarator (parenthesized_declarator) @declarator
  (attributed_declarator) @declarator (operator_cast) @declarator
  (init_declarator declarator: (_) @declarator value: [(initializer_list) (lambda_expression)]? @body)
]) @def.variable)
(preproc_elifdef (declaration declarator: [
  (identifier) @declarator (qualified_identifier) @declarator (pointer_declarator) @declarator (reference_declarator) @declarator
  (array_declarator) @declarator (function_declarator) @declarator (parenthesized_declarator) @declarator
  (attributed_declarator) @declarator (operator_cast) @declarator
  (init_declarator declarator: (_) @declarator value: [(initializer_list) (lambda_expression)]? @body)
]) @def.variable)
(declaration_list (declaration declarator: [
  (identifier) @declarator (qualified_identifier) @declarator (pointer_declarator) @declarator (reference_declarator) @declarator
  (array_declarator) @declarator (function_declarator) @declarator (parenthesized_declarator) @declarator
  (attributed_declarator) @declarator (operator_cast) @declarator
  (init_declarator declarator: (_) @declarator value: [(initializer_list) (lambda_expression)]? @body)
]) @def.variable)
(linkage_specification (declaration declarator: [
  (identifier) @declarator (qualified_identifier) @declarator (pointer_declarator) @declarator (reference_declarator) @declarator
  (array_declarator) @declarator (function_declarator) @declarator (parenthesized_declarator) @declarator
  (attributed_declarator) @declarator (operator_cast) @declarator
  (init_declarator declarator: (_) @declarator value: [(initializer_list) (lambda_expression)]? @body)
]) @def.variable)
(template_declaration (declaration declarator: [
  (identifier) @declarator (qualified_identifier) @declarator (pointer_declarator) @declarator (reference_declarator) @declarator
  (array_declarator) @declarator (function_declarator) @declarator (parenthesized_declarator) @declarator
  (attributed_declarator) @declarator (operator_cast) @declarator
  (init_declarator declarator: (_) @declarator value: [(initializer_list) (lambda_expression)]? @body)
]) @def.variable)
(ERROR (declaration declarator: [
  (identifier) @declarator (qualified_identifier) @declarator (pointer_declarator) @declarator (reference_declarator) @declarator
  (array_declarator) @declarator (function_declarator) @declarator (parenthesized_declarator) @declarator
  (attributed_declarator) @declarator (operator_cast) @declarator
  (init_declarator declarator: (_) @declarator value: [(initializer_list) (lambda_expression)]? @body)
]) @def.variable)
(field_declaration_list (declaration declarator: [(function_declarator) (operator_cast)] @declarator) @def.variable)
(declaration (storage_class_specifier "static") @private.file)
(declaration (storage_class_specifier "extern") @forward)
(declaration (type_qualifier ["const" "constexpr"]) @constant)

(template_declaration) @whole

(namespace_definition name: (_) @name body: (_) @body) @def.namespace
(namespace_definition "namespace" @private !name body: (_) @body) @def.namespace
(namespace_alias_definition name: (_) @name) @def.namespace
(class_specifier name: [
  (type_identifier) @name (template_type name: (_) @name) (qualified_identifier) @declarator
] (base_class_clause)? body: (field_declaration_list "{" @section.private) @body) @def.class
(class_specifier !name body: (field_declaration_list "{" @section.private) @body) @def.class
(struct_specifier name: [
  (type_identifier) @name (template_type name: (_) @name) (qualified_identifier) @declarator
] (base_class_clause)? body: (field_declaration_list "{" @section.public) @body) @def.struct
(struct_specifier !name body: (field_declaration_list "{" @section.public) @body) @def.struct
(union_specifier name: [
  (type_identifier) @name (template_type name: (_) @name) (qualified_identifier) @declarator
] (base_class_clause)? body: (field_declaration_list "{" @section.public) @body) @def.union
(union_specifier !name body: (field_declaration_list "{" @section.public) @body) @def.union
(enum_specifier name: [(type_identifier) @name (qualified_identifier) @declarator] body: (_) @body) @def.enum
(enum_specifier !name body: (_) @body) @def.enum
(enumerator name: (_) @name) @def.member

(field_declaration_list (access_specifier "public") @section.public)
(field_declaration_list (access_specifier ["private" "protected"]) @section.private)
(field_declaration declarator: (_) @declarator default_value: (initializer_list)? @body) @def.field
(field_declaration (type_qualifier ["const" "constexpr"]) @constant)
; struct Plank { … } left; declares two things beside each other.
(field_declaration type: [
  (class_specifier name: (_) @lift body: (_)) (struct_specifier name: (_) @lift body: (_))
  (union_specifier name: (_) @lift body: (_)) (enum_specifier name: (_) @lift body: (_))
] declarator: (_))
(declaration type: [
  (class_specifier name: (_) @lift body: (_)) (struct_specifier name: (_) @lift body: (_))
  (union_specifier name: (_) @lift body: (_)) (enum_specifier name: (_) @lift body: (_))
] declarator: (_))
(type_definition type: [
  (class_specifier name: (_) @lift body: (_)) (struct_specifier name: (_) @lift body: (_))
  (union_specifier name: (_) @lift body: (_)) (enum_specifier name: (_) @lift body: (_))
] declarator: (_))
(type_definition type: (class_specifier !name body: (_)) declarator: (_) @declarator) @def.class
(type_definition type: (struct_specifier !name body: (_)) declarator: (_) @declarator) @def.struct
(type_definition type: (union_specifier !name body: (_)) declarator: (_) @declarator) @def.union
(type_definition type: (enum_specifier !name body: (_)) declarator: (_) @declarator) @def.enum
(type_definition type: [
  (type_identifier) (primitive_type) (sized_type_specifier) (qualified_identifier) (template_type) (dependent_type)
  (decltype) (placeholder_type_specifier)
  (class_specifier !body) (struct_specifier !body) (union_specifier !body) (enum_specifier !body)
  (class_specifier name: (_) body: (_)) (struct_specifier name: (_) body: (_))
  (union_specifier name: (_) body: (_)) (enum_specifier name: (_) body: (_))
] declarator: (_) @declarator) @def.type
(alias_declaration name: (_) @name) @def.type
(concept_definition name: (_) @name) @def.concept

(preproc_def name: (identifier) @name) @def.macro
(preproc_function_def name: (identifier) @name value: (_)? @body) @def.macro
; The guard of a header is nobody's business.
((preproc_ifdef name: (identifier) @_guard . (preproc_def name: (identifier) @private !value))
  (#eq? @_guard @private))

; What a module exports others import; its other parts belong to it as if they imported it.
(module_declaration "export" name: (_) @package partition: (_)? @package.part)
