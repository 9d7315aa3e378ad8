(package_header (identifier) @package)

; Java sees what stands at the top of a file as members of a class, which may be given a name.
((file_annotation (constructor_invocation
  (user_type (type_identifier) @_annotation)
  (value_arguments (value_argument (string_literal (string_content) @name))))) @def.class
  (#eq? @_annotation "JvmName"))

; No field tells an enum from a class, and of two kinds the first in the alphabet would count.
((class_declaration "class" (type_identifier) @name [(class_body) (enum_class_body)]? @body) @def.class
  (#not-match? @def.class "^(?:@[\\w.:]+(?:[(][^)]*[)])?\\s*|\\w+\\s+)*?enum\\s"))
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @def.enum
(class_declaration "interface" (type_identifier) @name (class_body)? @body) @def.interface
(object_declaration (type_identifier) @name (class_body)? @body) @def.object
; Without a name its members are reached through the class alone.
(companion_object (type_identifier)? @name (class_body)? @body) @def.object
(type_alias (type_identifier) @name) @def.type
(enum_entry (simple_identifier) @name (value_arguments)? @body (class_body)? @body) @def.member

(function_declaration (simple_identifier) @name (function_body)? @body) @def.function
(function_declaration receiver: (receiver_type [
  (user_type (type_identifier) @receiver .)
  (user_type (type_identifier) @receiver . (type_arguments))
  (nullable_type [(user_type (type_identifier) @receiver .) (user_type (type_identifier) @receiver . (type_arguments))])]))
(secondary_constructor "constructor" @name (constructor_delegation_call)? @body (statements)? @body) @def.constructor

(source_file (property_declaration (variable_declaration (simple_identifier) @name)) @def.property)
(class_body (property_declaration (variable_declaration (simple_identifier) @name)) @def.property)
(class_body (ERROR (property_declaration (variable_declaration (simple_identifier) @name)) @def.property))
(enum_class_body (property_declaration (variable_declaration (simple_identifier) @name)) @def.property)
(source_file (property_declaration (multi_variable_declaration (variable_declaration (simple_identifier) @name))) @def.property)
(property_declaration (modifiers (property_modifier) @_const) (#eq? @_const "const")) @def.constant
(property_declaration receiver: (receiver_type [
  (user_type (type_identifier) @receiver .)
  (user_type (type_identifier) @receiver . (type_arguments))
  (nullable_type [(user_type (type_identifier) @receiver .) (user_type (type_identifier) @receiver . (type_arguments))])]))
(property_declaration [(getter) (setter) (property_delegate)] @body)
(property_declaration "=" @body . [
  (call_expression) (navigation_expression) (lambda_literal) (object_literal) (when_expression) (if_expression)
  (try_expression) (infix_expression) (elvis_expression) (collection_literal)])
(class_parameter (binding_pattern_kind) . (simple_identifier) @name) @def.property

(modifiers . (annotation)+ @prefix)
(visibility_modifier ["private" "internal" "protected"]) @private
