(class_definition name: (identifier) @name body: (class_body) @body) @def.class
(class_definition (mixin_application_class (identifier) @name)) @def.class
(mixin_declaration (identifier) @name (class_body) @body) @def.mixin
(enum_declaration name: (identifier) @name body: (enum_body) @body) @def.enum
(enum_constant name: (identifier) @name) @def.member
(extension_declaration name: (identifier)? @name body: (extension_body) @body) @def.extension
(extension_type_declaration name: (identifier) @name body: (_) @body) @def.class
(representation_declaration name: (identifier) @name) @def.field
(type_alias . (type_identifier) @name . (type_parameters)? . "=") @def.type
(type_alias (type_identifier) @name . (type_parameters)? . (formal_parameter_list)) @def.type

; A body stands beside the signature it belongs to.
(function_body) @tail

(program (function_signature name: (identifier) @name) @def.function)
(program (getter_signature name: (identifier) @name) @def.property)
(program (setter_signature name: (identifier) @name) @def.property)
(lambda_expression parameters: (function_signature name: (identifier) @name) body: (_) @body) @def.function

(method_signature (function_signature name: (identifier) @name)) @def.method
(method_signature (getter_signature name: (identifier) @name)) @def.property
(method_signature (setter_signature name: (identifier) @name)) @def.property
(method_signature (operator_signature [(binary_operator) "[]" "[]=" "~"] @name)) @def.operator
(method_signature
  [(constructor_signature (identifier) @name . (formal_parameter_list))
   (factory_constructor_signature (identifier) @name . (formal_parameter_list))]) @def.constructor

(declaration (function_signature name: (identifier) @name)) @def.method
(declaration (getter_signature name: (identifier) @name)) @def.property
(declaration (setter_signature name: (identifier) @name)) @def.property
(declaration (operator_signature [(binary_operator) "[]" "[]=" "~"] @name)) @def.operator
(declaration
  [(constructor_signature (identifier) @name . (formal_parameter_list))
   (constant_constructor_signature (identifier) @name . (formal_parameter_list))
   (factory_constructor_signature (identifier) @name . (formal_parameter_list))
   (redirecting_factory_constructor_signature (identifier) @name . (formal_parameter_list))]) @def.constructor
(declaration [(initializers) (redirection)] @body)
(declaration (initialized_identifier_list (initialized_identifier . (identifier) @name))) @def.field
(declaration (static_final_declaration_list (static_final_declaration . (identifier) @name))) @def.field
(declaration (const_builtin) (static_final_declaration_list (static_final_declaration . (identifier) @name))) @def.constant

; So do the type and the modifiers of a variable of the library.
(program [(const_builtin) (final_builtin) (inferred_type) (type_identifier) (function_type) (record_type) "late" "external"] @head)
(program
  (const_builtin)
  . (type_identifier)? . (type_arguments)? . (nullable_type)?
  . (static_final_declaration_list (static_final_declaration . (identifier) @name)) @def.constant)
(program (static_final_declaration_list (static_final_declaration . (identifier) @name)) @def.variable)
(program (initialized_identifier_list (initialized_identifier . (identifier) @name)) @def.variable)

(annotation) @prefix
