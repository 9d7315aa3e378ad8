(package_declaration [(identifier) (scoped_identifier)] @package)
(module_declaration "module" @public name: (_) @name body: (module_body) @body) @def.module

(class_declaration name: (identifier) @name body: (class_body) @body) @def.class
(record_declaration name: (identifier) @name body: (class_body) @body) @def.record
(enum_declaration name: (identifier) @name body: (enum_body) @body) @def.enum
(interface_declaration name: (identifier) @name body: (interface_body "{" @section.public) @body) @def.interface
(annotation_type_declaration name: (identifier) @name body: (annotation_type_body "{" @section.public) @body) @def.interface

; A component of a record is read from outside by its name.
(record_declaration parameters: (formal_parameters
  [(formal_parameter type: (_) @public name: (identifier) @name)
   (spread_parameter "..." @public (variable_declarator name: (identifier) @name))] @def.property))

(enum_constant
  name: (identifier) @public @name
  arguments: (_)? @body
  body: (class_body)? @body) @def.member

(method_declaration name: (identifier) @name body: (block)? @body) @def.method
(annotation_type_element_declaration name: (identifier) @name) @def.method
(constructor_declaration name: (identifier) @name body: (constructor_body) @body) @def.constructor
(compact_constructor_declaration name: (identifier) @name body: (block) @body) @def.constructor

(field_declaration declarator: (variable_declarator name: (identifier) @name)) @def.field
(field_declaration (modifiers "static" "final")) @def.constant
(field_declaration (modifiers "final" "static")) @def.constant
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @def.constant

; Values that say little and may be long are no part of a signature.
(field_declaration declarator: (variable_declarator value: [
  (object_creation_expression) (method_invocation) (lambda_expression) (array_initializer) (array_creation_expression)
  (ternary_expression) (switch_expression) (cast_expression) (binary_expression) (parenthesized_expression)] @body))
(constant_declaration declarator: (variable_declarator value: [
  (object_creation_expression) (method_invocation) (lambda_expression) (array_initializer) (array_creation_expression)] @body))

(modifiers . [(marker_annotation) (annotation)]+ @prefix)
(modifiers "public" @public)
(modifiers "private" @private)
(module_declaration . [(marker_annotation) (annotation)]+ @prefix)
