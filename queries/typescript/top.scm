(export_statement "=" (identifier) @export.name)

; Values of kinds that only this grammar has.
(lexical_declaration
  kind: "const"
  (variable_declarator
    name: (identifier) @name
    value: [(as_expression [(object) (array)]? @body) (satisfies_expression [(object) (array)]? @body) (non_null_expression)]) @def.constant)
(lexical_declaration (variable_declarator value: [
  (as_expression (object (method_definition name: (property_identifier) @public)))
  (satisfies_expression (object (method_definition name: (property_identifier) @public)))]))
(lexical_declaration (variable_declarator value: (as_expression (object (pair
  key: (property_identifier) @public @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @def.method))))
(lexical_declaration (variable_declarator value: (satisfies_expression (object (pair
  key: (property_identifier) @public @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @def.method))))
(export_statement (lexical_declaration (variable_declarator value: [
  (as_expression (object (pair key: (property_identifier) @public @name value: [(object) (array)]? @body) @def.property))
  (satisfies_expression (object (pair key: (property_identifier) @public @name value: [(object) (array)]? @body) @def.property))])))
(export_statement "default" @name value: [(as_expression . (object)? @body) (satisfies_expression . (object)? @body)]) @def.constant
(ambient_declaration (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @def.constant))
