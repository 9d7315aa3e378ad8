; Everything in Elixir is a call: what it defines is told by the name of the called.
(call target: (identifier) @_module
  (arguments . [(alias) @name @ref.scope (dot right: (alias) @name @ref.scope)])
  (do_block) @body
  (#eq? @_module "defmodule")) @def.module
(call target: (identifier) @_protocol
  (arguments . (alias) @name @ref.scope) (do_block) @body
  (#eq? @_protocol "defprotocol")) @def.protocol
(call target: (identifier) @_impl
  (arguments . (alias) @receiver @ref.base
    (keywords (pair key: (keyword) @_for value: [(alias) @name @ref.type (list (alias) @name @ref.type) (identifier) @name])))
  (do_block) @body
  (#eq? @_impl "defimpl") (#match? @_for "^for:")) @def.implementation
(call target: (identifier) @_impl
  (arguments . (alias) @name @ref.base .) (do_block) @body
  (#eq? @_impl "defimpl")) @def.implementation

; Names and kinds apart: one deep pattern for all of them is cheaper than one for each.
(call target: (identifier) @_def
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name (arguments (_)* @parameter))
    (unary_operator operator: _ @name)
    (binary_operator
      left: [(identifier) @name (call target: (identifier) @name (arguments (_)* @parameter))]
      operator: "when")
    (binary_operator left: (binary_operator operator: _ @name) operator: "when")
    (binary_operator operator: _ @name (#not-eq? @name "when"))])
  (#any-of? @_def "def" "defp" "defdelegate" "defmacro" "defmacrop" "defguard" "defguardp")
  (#not-eq? @name "unquote"))
((call target: (identifier) @_def (arguments)) @def.function
  (#any-of? @_def "def" "defp" "defdelegate"))
((call target: (identifier) @_def (arguments)) @def.macro
  (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp"))
((call target: (identifier) @private (arguments))
  (#any-of? @private "defp" "defmacrop" "defguardp"))
(call target: (identifier) @_def
  (arguments "," @body (keywords))
  (#any-of? @_def "def" "defp" "defmacro" "defmacrop"))
(call target: (identifier) @_def
  (do_block) @body
  (#any-of? @_def "def" "defp" "defmacro" "defmacrop"))

; What a struct, an exception or an Ecto schema holds.
(call target: (identifier) @_struct
  (arguments . [
    (list (atom) @def.field @name.quoted)
    (list (keywords (pair key: (keyword) @name.quoted) @def.field))
    (keywords (pair key: (keyword) @name.quoted) @def.field)] .)
  (#any-of? @_struct "defstruct" "defexception"))
(do_block
  (call target: (identifier) @_field (arguments . (atom) @name.quoted)
    (#any-of? @_field "field" "belongs_to" "has_many" "has_one" "many_to_many" "embeds_one" "embeds_many")) @def.field)

(unary_operator operand: (call target: (identifier) @_type
  (arguments . [
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")
    (binary_operator left: (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::") operator: "when")])
  (#any-of? @_type "type" "typep" "opaque"))) @def.type
(unary_operator operand: (call target: (identifier) @private (#eq? @private "typep")))
(unary_operator operand: (call target: (identifier) @_callback
  (arguments . [
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")
    (binary_operator left: (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::") operator: "when")])
  (#any-of? @_callback "callback" "macrocallback"))) @def.callback

(do_block
  (unary_operator "@" @private operand: (call target: (identifier) @name (arguments)
    (#not-match? @name "^(moduledoc|doc|typedoc|spec|type|typep|opaque|callback|macrocallback|impl|behaviour|optional_callbacks|derive|enforce_keys|deprecated|since|dialyzer|compile|external_resource|on_load|on_definition|before_compile|after_compile|after_verify|vsn|file|nifs|tag|moduletag|describetag|primary_key|foreign_key_type|schema_prefix|timestamps_opts|fallback_to_any|shortdoc|requirements)$"))) @def.constant)

(call target: (identifier) @private
  (arguments . (string) @name.quoted) (do_block) @body
  (#any-of? @private "test" "describe" "property" "feature")) @def.test

(unary_operator operand: (call target: (identifier) @_spec (#eq? @_spec "spec"))) @spec.next
