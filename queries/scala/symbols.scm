; Clauses follow one another, each inside the one before; one with a body is a symbol that qualifies what is inside.
(package_clause !body name: (package_identifier) @package.more @ref.namespace)
(package_clause name: (package_identifier) @name @ref.namespace body: (template_body) @body) @def.namespace
(package_object name: (_) @name body: (template_body)? @body) @def.object

(class_definition name: (_) @name body: (template_body)? @body) @def.class
(trait_definition name: (_) @name body: (template_body)? @body) @def.trait
(object_definition name: (_) @name body: (template_body)? @body) @def.object
(enum_definition name: (_) @name body: (enum_body) @body) @def.enum
(enum_case_definitions [(simple_enum_case name: (_) @name) (full_enum_case name: (_) @name)] @def.member)
(type_definition name: (_) @name) @def.type

(class_parameter ["val" "var"] name: (_) @name) @def.property
; The first parameters of a case class are read from outside by their names.
(class_definition "case" name: (_) . type_parameters: (_)? . class_parameters: (class_parameters (class_parameter name: (_) @name) @def.property))
(full_enum_case class_parameters: (class_parameters (class_parameter name: (_) @name) @def.property))

((function_definition name: (_) @name body: (_) @body) @def.function (#not-eq? @name "this"))
(function_definition name: (identifier) @name body: (_) @body (#eq? @name "this")) @def.constructor
(function_declaration name: (_) @name) @def.function
(given_definition name: (_) @name body: (_)? @body) @def.given
(given_definition !name return_type: (_) @name body: (_)? @body) @def.given
(extension_definition parameters: (parameters (parameter type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (stable_type_identifier) @name]))) @scope

; What functions bind is nobody else's business.
(compilation_unit [
  (val_definition pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name) (operator_identifier) @name])
  (var_definition pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)])] @def.property)
(template_body [
  (val_definition pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name) (operator_identifier) @name])
  (var_definition pattern: [(identifier) @name (identifiers (identifier) @name) (tuple_pattern (identifier) @name)])
  (val_declaration name: (_) @name)
  (var_declaration name: (_) @name)] @def.property)
(with_template_body [
  (val_definition pattern: [(identifier) @name (identifiers (identifier) @name)])
  (var_definition pattern: [(identifier) @name (identifiers (identifier) @name)])] @def.property)
(enum_body [
  (val_definition pattern: [(identifier) @name (identifiers (identifier) @name)])
  (var_definition pattern: [(identifier) @name (identifiers (identifier) @name)])] @def.property)
(template_body [(val_definition value: [
  (call_expression) (field_expression) (instance_expression) (infix_expression) (block) (indented_block) (match_expression)
  (if_expression) (lambda_expression) (generic_function) (for_expression) (try_expression)] @body)
  (var_definition value: [(call_expression) (instance_expression) (infix_expression) (block)] @body)])
(compilation_unit (val_definition value: [
  (call_expression) (field_expression) (instance_expression) (infix_expression) (block) (indented_block) (match_expression)
  (if_expression) (lambda_expression) (generic_function) (for_expression) (try_expression)] @body))

(annotation) @prefix
(access_modifier) @private
