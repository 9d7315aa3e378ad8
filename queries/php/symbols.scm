; A block namespace is a symbol that qualifies what is inside; one without is the package of its file.
(namespace_definition !body name: (namespace_name) @package)
(namespace_definition name: (namespace_name) @name @ref.scope body: (compound_statement) @body) @def.namespace
(namespace_definition "namespace" @ref.scope !name) @scope
; One that another of them follows ends there: from then on the file is in the next.
(program (namespace_definition !body) (namespace_definition !body name: (namespace_name) @name @ref.namespace) @def.namespace)

(class_declaration name: (name) @name body: (declaration_list) @body) @def.class
(interface_declaration name: (name) @name body: (declaration_list) @body) @def.interface
(trait_declaration name: (name) @name body: (declaration_list) @body) @def.trait
(enum_declaration name: (name) @name body: (enum_declaration_list) @body) @def.enum
(enum_case name: (name) @name) @def.member

; Nobody can name it from elsewhere, so nothing in it is public; what it holds belongs to what surrounds it.
(anonymous_class "class" @private body: (declaration_list) @body) @def.class

(function_definition name: (name) @name body: (compound_statement) @body) @def.function
(method_declaration name: (name) @name body: (compound_statement)? @body) @def.method
((method_declaration name: (name) @_construct) @def.constructor (#eq? @_construct "__construct"))
((method_declaration name: (name) @_destruct) @def.destructor (#eq? @_destruct "__destruct"))

(property_declaration (property_element name: (variable_name (name) @name))) @def.property
(property_declaration (property_hook_list) @body)
(property_promotion_parameter name: (variable_name (name) @name)) @lift @def.property

(const_declaration (const_element . (name) @name)) @def.constant
((function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument (string (string_content)) @name.quoted))) @def.constant
  (#eq? @_define "define"))

; A script's variables are seen by whatever it includes, and by nobody who does not.
(program (expression_statement
  (assignment_expression left: (variable_name "$" @private (name) @name) right: (_) @body) @def.variable))

(attribute_list) @prefix
((visibility_modifier) @private (#any-of? @private "private" "protected"))
