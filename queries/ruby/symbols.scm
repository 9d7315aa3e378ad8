; "private" above a class, a constant or "def self.x" hides none of them: their own keyword says @public,
; and inside a class the sections start anew.
(module "module" @public @section.public name: (constant) @name @ref.scope) @def.module
(module "module" @public @section.public name: (scope_resolution scope: (_)? @receiver name: (constant) @name @ref.scope)) @def.module
(module body: (body_statement) @body)
(module "end" @body)

(class "class" @public @section.public name: (constant) @name @ref.scope) @def.class
(class "class" @public @section.public name: (scope_resolution scope: (_)? @receiver name: (constant) @name @ref.scope)) @def.class
(class body: (body_statement) @body)
(class "end" @body)
(singleton_class "class" @section.public) @scope

(method name: (_) @name) @def.method
(method body: (_) @body)
(method "end" @body)
(singleton_method "def" @public name: (_) @name) @def.method
(singleton_method body: (_) @body)
(singleton_method "end" @body)

(alias name: [(identifier) (constant) (operator) (setter) (simple_symbol)] @name.quoted) @def.method
(call !receiver method: (identifier) @_alias
  arguments: (argument_list . [(simple_symbol) (string . (string_content) .)] @name.quoted)
  (#eq? @_alias "alias_method")) @def.method
(call !receiver method: (identifier) @_define
  arguments: (argument_list . [(simple_symbol) (string . (string_content) .)] @name.quoted)
  block: (_)? @body
  (#any-of? @_define "define_method" "define_singleton_method")) @def.method
(call !receiver method: (identifier) @_attribute
  arguments: (argument_list (simple_symbol) @name.quoted)
  (#any-of? @_attribute "attr_reader" "attr_writer" "attr_accessor" "attr" "mattr_accessor" "mattr_reader"
    "cattr_accessor" "cattr_reader" "class_attribute" "thread_mattr_accessor")) @def.property

(assignment left: (constant) @public @name) @def.constant
(assignment left: (left_assignment_list (constant) @public @name)) @def.constant
(assignment left: (scope_resolution scope: (_) @receiver name: (constant) @public @name)) @def.constant
(operator_assignment left: (constant) @public @name) @def.constant
(program (assignment left: (global_variable) @name) @def.variable)

; Classes made by a call. "class" comes before "constant", so it is not one as well.
(assignment left: (constant) @public @section.public @name @ref.scope
  right: (call receiver: (constant) @_maker method: (identifier) @_make arguments: (argument_list)? block: (_)? @body)
  (#any-of? @_maker "Struct" "Data" "Class") (#any-of? @_make "new" "define")) @def.class
(assignment left: (constant)
  right: (call receiver: (constant) @_maker method: (identifier) @_make
    arguments: (argument_list (simple_symbol) @def.property @name.quoted))
  (#any-of? @_maker "Struct" "Data") (#any-of? @_make "new" "define"))

(body_statement (identifier) @section.private (#any-of? @section.private "private" "protected"))
(body_statement (identifier) @section.public (#any-of? @section.public "public" "module_function"))

(call !receiver method: (identifier) @_private
  arguments: (argument_list
    [(method "def" @private)
     (singleton_method "def" @private)
     (call method: (identifier) @private)])
  (#any-of? @_private "private" "protected" "private_class_method"))
(call !receiver method: (identifier) @_public arguments: (argument_list (method "def" @public)) (#eq? @_public "public"))
(call !receiver method: (identifier) @_private
  arguments: (argument_list [(simple_symbol) @private.name (symbol_array (bare_symbol) @private.name)])
  (#any-of? @_private "private" "protected" "private_class_method" "private_constant"))
