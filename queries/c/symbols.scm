(function_definition declarator: (_) @declarator body: (_) @body) @def.function
(function_definition (storage_class_specifier "static") @private.file)

(declaration declarator: [
  (identifier) @declarator (pointer_declarator) @declarator (array_declarator) @declarator (function_declarator) @declarator
  (parenthesized_declarator) @declarator (attributed_declarator) @declarator
  (init_declarator declarator: (_) @declarator value: (initializer_list)? @body)
]) @def.variable.outside
(declaration (storage_class_specifier "static") @private.file)
(declaration (storage_class_specifier "extern") @forward)
(declaration (type_qualifier ["const" "constexpr"]) @constant)
(declaration type: [(struct_specifier name: (_) @lift body: (_)) (union_specifier name: (_) @lift body: (_)) (enum_specifier name: (_) @lift body: (_))])

; "clock_fn (*now)(void);" reads like a call, "plank *(*pick)(shelf *);" like a product.
(expression_statement (call_expression function: (call_expression
  arguments: (argument_list . (pointer_expression argument: (identifier) @name) .)))) @def.variable.outside
(expression_statement (assignment_expression left: (call_expression function: (call_expression
  arguments: (argument_list . (pointer_expression argument: (identifier) @name) .))))) @def.variable.outside
(expression_statement (binary_expression right: (call_expression function:
  (parenthesized_expression (pointer_expression argument: (identifier) @name))))) @def.variable.outside

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

; What is left of functions in code that could not be read.
(ERROR (function_declarator declarator: (identifier) @name) @def.function)
(ERROR (parameter_declaration declarator: (function_declarator declarator: (identifier) @name)) @def.function)
