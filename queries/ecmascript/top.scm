(export_statement) @export

; Values are symbols at the top of a file only. What is required or imported there is no value of its own.
[(lexical_declaration) (variable_declaration)] @lead
(lexical_declaration
  kind: "const"
  (variable_declarator
    name: (identifier) @name
    value: [(number) (string) (template_string) (true) (false) (null) (undefined) (identifier) (regex) (binary_expression)
            (unary_expression) (ternary_expression) (subscript_expression) (parenthesized_expression) (assignment_expression)
            (object) @body (array) @body (new_expression arguments: (_)? @body)]) @def.constant)
(lexical_declaration
  kind: "const"
  (variable_declarator
    name: (identifier) @name
    value: (call_expression function: (_) @_made arguments: (_) @body)
    (#not-eq? @_made "require")) @def.constant)
(lexical_declaration
  kind: "const"
  (variable_declarator
    name: (identifier) @name
    value: [(member_expression) (await_expression)] @_made
    (#not-match? @_made "^(require|await import)\\(")) @def.constant)
(lexical_declaration
  kind: "const"
  (variable_declarator
    name: [(object_pattern [(shorthand_property_identifier_pattern) @name
                            (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
                            (pair_pattern value: (identifier) @name)
                            (rest_pattern (identifier) @name)])
           (array_pattern (identifier) @name)]
    value: (_) @_made @body
    (#not-match? @_made "^(require\\(|await import\\()")) @def.constant)
(lexical_declaration kind: "let" (variable_declarator name: (identifier) @name value: [(object) (array)]? @body) @def.variable)
(variable_declaration (variable_declarator name: (identifier) @name !value) @def.variable)
(variable_declaration
  (variable_declarator
    name: (identifier) @name
    value: [(number) (string) (template_string) (true) (false) (null) (undefined) (identifier) (regex) (binary_expression)
            (unary_expression) (ternary_expression) (subscript_expression) (parenthesized_expression) (this)
            (object) @body (array) @body (new_expression arguments: (_)? @body)]) @def.variable)
(variable_declaration
  (variable_declarator
    name: (identifier) @name
    value: (call_expression function: (_) @_made arguments: (_) @body)
    (#not-eq? @_made "require")) @def.variable)
(variable_declaration
  (variable_declarator
    name: (identifier) @name
    value: [(member_expression) (assignment_expression) (await_expression)] @_made
    (#not-match? @_made "^(require|await import)\\(")) @def.variable)

; The default export that has no name of its own is called what importers call it.
(export_statement "default" @name value: [(function_expression !name body: (_) @body) (arrow_function body: (_) @body)]) @def.function
(export_statement value: (function_expression name: (identifier) @name body: (_) @body) @def.function)
(export_statement "default" @name value: (class !name body: (class_body . "{" @section.public) @body)) @def.class
(export_statement value: (class name: (_) @name body: (class_body . "{" @section.public) @body) @def.class)
(export_statement "default" @name value: [(object) (array) (new_expression)] @body) @def.constant
(export_statement "default" @name value: (call_expression arguments: (_) @body)) @def.constant

(export_statement value: (identifier) @export.name)
(export_statement !source (export_clause (export_specifier name: (identifier) @export.name)))
(export_statement !source (export_clause (export_specifier
  name: (identifier) @ref.type
  alias: [(identifier) @name (string) @name.quoted "default" @name]) @def.alias))

; What an object of the file's top offers, one level deep. Only of exported ones the plain values count.
(lexical_declaration (variable_declarator value: (object [
  (method_definition name: (property_identifier) @public)
  (pair
    key: [(property_identifier) @public @name (string) @public @name.quoted]
    value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @def.method])))
(variable_declaration (variable_declarator value: (object [
  (method_definition name: (property_identifier) @public)
  (pair
    key: [(property_identifier) @public @name (string) @public @name.quoted]
    value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @def.method])))
(export_statement value: (object [
  (method_definition name: (property_identifier) @public)
  (pair
    key: [(property_identifier) @public @name (string) @public @name.quoted]
    value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @def.method]))
(export_statement [
  (lexical_declaration (variable_declarator value: (object (pair
    key: (property_identifier) @public @name
    value: [(object) (array) (call_expression)]? @body) @def.property)))
  value: (object (pair
    key: (property_identifier) @public @name
    value: [(object) (array) (call_expression)]? @body) @def.property)])

; module.exports = …
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: [(identifier) @export.name
          (object [(shorthand_property_identifier) @export.name (pair value: (identifier) @export.name)])
          (new_expression constructor: (identifier) @export.name)
          (call_expression arguments: (arguments (identifier) @export.name))
          (assignment_expression right: (identifier) @export.name)
          (function_expression name: (identifier) @public @name body: (_) @body) @def.function
          (assignment_expression right: (function_expression name: (identifier) @public @name body: (_) @body) @def.function)
          (class name: (_) @public @name body: (class_body . "{" @section.public) @body) @def.class]
  (#eq? @_module "module") (#eq? @_exports "exports")))
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (object [
    (method_definition name: (property_identifier) @public)
    (pair
      key: [(property_identifier) @public @name (string) @public @name.quoted]
      value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @def.function
    (pair
      key: (property_identifier) @public @name
      value: [(number) (string) (template_string) (true) (false) (null) (regex) (object) @body (array) @body
              (new_expression arguments: (_)? @body) (binary_expression) (member_expression)]) @def.property])
  (#eq? @_module "module") (#eq? @_exports "exports")))
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports @public @name)
  right: [(function_expression !name body: (_) @body) (arrow_function body: (_) @body)]
  (#eq? @_module "module") (#eq? @_exports "exports")) @def.function)
(expression_statement (assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports @public @name)
  right: (class !name body: (class_body . "{" @section.public) @body)
  (#eq? @_module "module") (#eq? @_exports "exports")) @def.class)

; exports.x = … and module.exports.x = …
(expression_statement (assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @_exports)
  right: (identifier) @export.name
  (#any-of? @_exports "exports" "module.exports")))
(expression_statement (assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @_exports property: (property_identifier) @public @name)
  right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]
  (#any-of? @_exports "exports" "module.exports")) @def.function)
(expression_statement (assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @_exports property: (property_identifier) @public @name)
  right: (class body: (class_body . "{" @section.public) @body)
  (#any-of? @_exports "exports" "module.exports")) @def.class)
(expression_statement (assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @_exports property: (property_identifier) @public @name)
  right: [(number) (string) (template_string) (true) (false) (null) (regex) (object) @body (array) @body (binary_expression)
          (new_expression arguments: (_)? @body) (member_expression)]
  (#any-of? @_exports "exports" "module.exports")) @def.property)
(expression_statement (assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @_exports property: (property_identifier) @public @name)
  right: (call_expression function: (_) @_made arguments: (_) @body)
  (#any-of? @_exports "exports" "module.exports") (#not-eq? @_made "require")) @def.property)

; Shelf.prototype.add = function … and Shelf.open = function …
(expression_statement (assignment_expression
  left: (member_expression
    object: [(identifier) @receiver
             (member_expression object: (identifier) @receiver property: (property_identifier) @_prototype)]
    property: (property_identifier) @name)
  right: [(function_expression body: (_) @body) (arrow_function body: (_) @body)]
  (#not-match? @receiver "^(exports|module|window|globalThis|global|self)$") (#eq? @_prototype "prototype")) @def.method)

((comment) @source @import.reference (#match? @source "^///\\s*<reference\\s+(path|types)\\s*="))
