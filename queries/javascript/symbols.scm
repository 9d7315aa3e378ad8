(class_declaration decorator: (decorator) @prefix)
(method_definition decorator: (decorator) @prefix)
(field_definition decorator: (decorator) @prefix)

(field_definition property: [(property_identifier) @name (private_property_identifier) @private @name]) @def.property
(field_definition property: [(string) (computed_property_name)] @name.quoted) @def.property
(field_definition
  property: [(property_identifier) @name (private_property_identifier) @private @name]
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @def.method
(field_definition value: [(object) (array) (class)] @body)
