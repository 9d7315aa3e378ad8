(export_statement "=" (identifier) @export.name)

; Values of kinds that only this grammar has.
(lexical_declaration
  kind: "const"
  (variable_declarator
    name: (identifier) @name
    value: [(as_expression [(object) (array)]? @body) (satisfies_expression [(object) (array)]? @body) (non_null_expression)]) @def.constant)
(export_statement (lexical_declaration (variable_declarator value: [
  (as_expression (object (pair key: (property_identifier) @public @name value: [(object) (array)]? @body) @def.property))
  (satisfies_expression (object (pair key: (property_identifier) @public @name value: [(object) (array)]? @body) @def.property))])))
(export_statement "default" @name value: [(as_expression . (object)? @body) (satisfies_expression . (object)? @body)]) @def.constant
(ambient_declaration (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @def.constant))
