; What all grammars of the family call the same. Classes and types differ: see the folders of the languages.
(function_declaration name: (identifier) @name body: (_) @body) @def.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @def.function
(class_declaration name: (_) @name body: (class_body . "{" @section.public) @body) @def.class

(method_definition
  name: [(property_identifier) @name
         (private_property_identifier) @private @name
         (string) @name.quoted
         (number) @name.quoted
         (computed_property_name) @name.quoted]
  body: (_) @body) @def.method
(method_definition name: (property_identifier) @kind.constructor (#eq? @kind.constructor "constructor"))
(method_definition ["get" @kind.getter "set" @kind.setter])

; A function held by a name is a function wherever it stands.
(variable_declarator
  name: (identifier) @name
  value: [(arrow_function body: (_) @body)
          (function_expression body: (_) @body)
          (generator_function body: (_) @body)]) @def.function
(variable_declarator name: (identifier) @name value: (class body: (class_body . "{" @section.public) @body)) @def.class
(lexical_declaration (variable_declarator value: (arrow_function))) @lead
(lexical_declaration (variable_declarator value: (function_expression))) @lead

; Those that are handed on under a name of their own.
(return_statement (function_expression name: (identifier) @name body: (_) @body) @def.function)
(class name: (_) @name body: (class_body . "{" @section.public) @body) @def.class
