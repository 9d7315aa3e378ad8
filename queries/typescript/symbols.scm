(class_declaration decorator: (decorator) @prefix)
(abstract_class_declaration decorator: (decorator) @prefix)
(public_field_definition decorator: (decorator) @prefix)
(required_parameter decorator: (decorator) @prefix)
(optional_parameter decorator: (decorator) @prefix)
(class_body (decorator) @attribute)

(abstract_class_declaration name: (_) @name body: (class_body . "{" @section.public) @body) @def.class
(interface_declaration name: (_) @name body: (interface_body . ["{" "{|"] @section.public) @body) @def.interface
(enum_declaration name: (identifier) @name body: (enum_body . "{" @section.public) @body) @def.enum
(type_alias_declaration name: (_) @name) @def.type
(type_alias_declaration value: (object_type . ["{" "{|"] @section.public))

; Overloads and declarations without a body.
(function_signature name: (identifier) @name) @def.function
(class_body (method_signature
  name: [(property_identifier) @name (private_property_identifier) @private @name (computed_property_name) @name.quoted]) @def.method)
(class_body (method_signature name: (property_identifier) @kind.constructor (#eq? @kind.constructor "constructor")))
(abstract_method_signature name: [(property_identifier) @name (computed_property_name) @name.quoted]) @def.method
(abstract_method_signature ["get" @kind.getter "set" @kind.setter])

(public_field_definition
  name: [(property_identifier) @name
         (private_property_identifier) @private @name
         (string) @name.quoted
         (computed_property_name) @name.quoted]) @def.property
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @kind.method
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
(public_field_definition value: [(object) (array) (class)] @body)
(accessibility_modifier ["private" "protected"] @private)

; constructor(private readonly shelf: Shelf) declares a property of the class.
(required_parameter (accessibility_modifier) pattern: (identifier) @name @lift) @def.property
(required_parameter "readonly" pattern: (identifier) @name @lift) @def.property
(optional_parameter (accessibility_modifier) pattern: (identifier) @name @lift) @def.property
(optional_parameter "readonly" pattern: (identifier) @name @lift) @def.property

(interface_body [
  (property_signature name: [(property_identifier) @name (string) @name.quoted (computed_property_name) @name.quoted]) @def.property
  (method_signature name: [(property_identifier) @name (string) @name.quoted (computed_property_name) @name.quoted]) @def.method])
(interface_body (method_signature ["get" @kind.getter "set" @kind.setter]))
(type_alias_declaration value: (object_type [
  (property_signature name: [(property_identifier) @name (string) @name.quoted]) @def.property
  (method_signature name: [(property_identifier) @name (string) @name.quoted]) @def.method]))
(type_alias_declaration value: (intersection_type (object_type [
  (property_signature name: [(property_identifier) @public @name (string) @public @name.quoted]) @def.property
  (method_signature name: [(property_identifier) @public @name (string) @public @name.quoted]) @def.method])))
(enum_body [name: (property_identifier) @name @def.member
            name: (string) @name.quoted @def.member
            (enum_assignment name: [(property_identifier) @name (string) @name.quoted]) @def.member])

; Inside a namespace only what says so is public; inside a declared one everything is.
(internal_module name: (_) @name body: (statement_block)? @body) @def.namespace
(module name: [(identifier) (nested_identifier)] @name body: (statement_block)? @body) @def.namespace
(module name: (string) @public @name.quoted body: (statement_block . "{" @section.public)? @body) @def.module
(ambient_declaration [(internal_module body: (statement_block . "{" @section.public))
                      (module body: (statement_block . "{" @section.public))])
(ambient_declaration "global" @public @name (statement_block . "{" @section.public) @body) @def.namespace
(internal_module body: (statement_block [
  (lexical_declaration (variable_declarator name: (identifier) @name) @def.variable) @lead
  (export_statement [(lexical_declaration (variable_declarator name: (identifier) @name) @def.variable) @lead (_)]) @export]))
(module body: (statement_block [
  (lexical_declaration (variable_declarator name: (identifier) @name) @def.variable) @lead
  (export_statement [(lexical_declaration (variable_declarator name: (identifier) @name) @def.variable) @lead (_)]) @export]))
(internal_module body: (statement_block (lexical_declaration kind: "const" (variable_declarator !value) @def.constant)))
(module body: (statement_block (lexical_declaration kind: "const" (variable_declarator !value) @def.constant)))
(ambient_declaration (statement_block [
  (lexical_declaration (variable_declarator name: (identifier) @name) @def.variable) @lead
  (variable_declaration (variable_declarator name: (identifier) @name) @def.variable) @lead]))

; import Oak = Woods.Oak
(import_alias . (identifier) @name . [(identifier) (nested_identifier)] @ref.type) @def.alias
