(class_declaration declaration_kind: "class" name: (type_identifier) @name body: (class_body) @body) @def.class
(class_declaration declaration_kind: "struct" name: (type_identifier) @name body: (class_body) @body) @def.struct
(class_declaration declaration_kind: "actor" name: (type_identifier) @name body: (class_body) @body) @def.actor
(class_declaration declaration_kind: "enum" name: (type_identifier) @name body: (enum_class_body) @body) @def.enum
(protocol_declaration name: (type_identifier) @name body: (protocol_body "{" @section.public) @body) @def.protocol

; An extension hides nothing: its members say for themselves, unless it speaks for all of them.
(class_declaration declaration_kind: "extension" @public name: (user_type) @name body: (class_body) @body) @def.extension
(class_declaration
  (modifiers (visibility_modifier "public"))
  declaration_kind: "extension"
  body: (class_body "{" @section.public))

(enum_entry "case" @public name: (simple_identifier) @name) @def.member
(typealias_declaration name: (type_identifier) @name) @def.type
(associatedtype_declaration name: (type_identifier) @name) @def.type

(function_declaration
  name: [(simple_identifier) (custom_operator) (bang)
         "+" "-" "*" "/" "%" "==" "!=" "===" "!==" "<" ">" "<=" ">=" "+=" "-=" "*=" "/=" "%=" "++" "--"
         "!" "~" "&" "|" "^" "<<" ">>"] @name
  body: (function_body)? @body) @def.function
(protocol_function_declaration name: (simple_identifier) @name) @def.function
(init_declaration name: "init" @name body: (function_body)? @body) @def.constructor
(deinit_declaration "deinit" @name body: (function_body) @body) @def.destructor
(subscript_declaration "subscript" @name) @def.subscript
(subscript_declaration (computed_property [(statements) (computed_getter (statements))]) @body)
(macro_declaration (simple_identifier) @name definition: (_)? @body) @def.macro
(operator_declaration (custom_operator) @name) @def.operator
(precedence_group_declaration (simple_identifier) @name) @def.precedencegroup

; Names bound in functions are nobody else's business: only those of a type or of the file count.
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @def.property)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @def.property)
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @def.property
(source_file
  (property_declaration
    (value_binding_pattern mutability: "let")
    name: [(pattern bound_identifier: (simple_identifier) @name) (pattern (pattern (simple_identifier) @name))]) @def.constant)
(source_file
  (property_declaration
    (value_binding_pattern mutability: "var")
    name: [(pattern bound_identifier: (simple_identifier) @name) (pattern (pattern (simple_identifier) @name))]) @def.variable)
(property_declaration computed_value: (_) @body)
(property_declaration value: (lambda_literal) @body)
(property_declaration (willset_didset_block) @body)

(modifiers . (attribute)+ @prefix)
(visibility_modifier ["public" "open"]) @public
(visibility_modifier ["private" "fileprivate" "internal" "package"]) @private
