(lexical_declaration
  kind: "const"
  (variable_declarator name: (identifier) @name value: [(jsx_element) (jsx_self_closing_element)] @body) @def.constant)
