(call target: (dot left: [(alias) (atom)] right: (identifier)) @ref.call)
(call target: (dot right: (identifier)) @ref.call (arguments))
; "#not-any-of?" lets everything through in the binding we use.
(call target: (identifier) @ref.call.whole
  (#not-match? @ref.call.whole "^(def|defp|defmacro|defmacrop|defguard|defguardp|defdelegate|defmodule|defprotocol|defimpl|defstruct|defexception|defoverridable|alias|import|require|use|if|unless|case|cond|with|for|quote|unquote|unquote_splicing|receive|try|raise|test|describe|assert|refute|doc|moduledoc|spec|type|typep|typedoc|opaque|callback|macrocallback|optional_callbacks|impl|behaviour|derive|enforce_keys|deprecated|dialyzer|tag|moduletag|describetag)$"))
(unary_operator operand: (call target: (identifier) @_behaviour (arguments . (alias) @ref.base)
  (#eq? @_behaviour "behaviour")))

; Every module that is named is used.
(alias) @ref.type.whole
