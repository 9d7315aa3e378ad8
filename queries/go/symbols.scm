(package_clause (package_identifier) @package)

(function_declaration name: (identifier) @name body: (block)? @body) @def.function

(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @receiver
        (generic_type type: (type_identifier) @receiver)
        (pointer_type [(type_identifier) @receiver (generic_type type: (type_identifier) @receiver)])
        (parenthesized_type (pointer_type (type_identifier) @receiver))
      ]))
  name: (field_identifier) @name
  body: (block)? @body) @def.method
; Add on an unexported type is nobody's business but its package's.
((method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @private
        (generic_type type: (type_identifier) @private)
        (pointer_type [(type_identifier) @private (generic_type type: (type_identifier) @private)])
      ])))
  (#match? @private "^[a-z_]"))

; A declaration by itself starts with its keyword; one in a group with its name.
; (An anchor between keyword and name would pass over the bracket that opens a group.)
((source_file (type_declaration "type" @head) @_alone) (#match? @_alone "^type\\s+[^(\\s]"))
((source_file (const_declaration "const" @head) @_alone) (#match? @_alone "^const\\s+[^(\\s]"))
(source_file (var_declaration "var" @head . (var_spec)))

(type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @def.struct
(type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @def.interface
(type_spec name: (type_identifier) @name
  type: [
    (type_identifier) (qualified_type) (generic_type) (function_type) (map_type) (slice_type) (array_type)
    (implicit_length_array_type) (pointer_type) (channel_type) (parenthesized_type)
  ]) @def.type
(type_alias name: (type_identifier) @name) @def.type

(type_spec type: (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name) @def.field)))
(field_declaration
  type: (struct_type (field_declaration_list (field_declaration name: (field_identifier) @name) @def.field) @body))
(type_spec type: (interface_type (method_elem name: (field_identifier) @name) @def.method))

; Only at the top: what a function keeps to itself is no symbol. (The one named _ is none either, but it takes its @head.)
(source_file (const_declaration (const_spec) @def.constant))
((source_file (const_declaration (const_spec (identifier) @name))) (#not-eq? @name "_"))
(source_file (var_declaration (var_spec) @def.variable))
((source_file (var_declaration (var_spec name: (identifier) @name))) (#not-eq? @name "_"))
(source_file (var_declaration (var_spec_list (var_spec) @def.variable)))
((source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name)))) (#not-eq? @name "_"))
(var_spec value: (expression_list [
  (composite_literal body: (literal_value) @body)
  (unary_expression operand: (composite_literal body: (literal_value) @body))
  (func_literal body: (block) @body)
]))
