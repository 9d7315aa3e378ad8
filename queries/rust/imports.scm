(use_declaration . "use" argument: (_) @source) @import.use
(use_declaration . (visibility_modifier) argument: (_) @source) @import.reexport
(extern_crate_declaration name: (identifier) @source !alias) @import.extern
(extern_crate_declaration name: (identifier) @source alias: (identifier) @module) @import.extern

(mod_item !body name: (identifier) @source) @import.mod
; cfg_if! { if #[cfg(unix)] { mod unix; } }
(token_tree "mod" . (identifier) @import.hidden @source . ";")

((macro_invocation macro: (identifier) @_include (token_tree . (string_literal) @source)) @import.include
  (#match? @_include "^include(_str|_bytes)?$"))
