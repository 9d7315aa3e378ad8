(call !receiver method: (identifier) @_require
  arguments: (argument_list . (string) @source)
  (#any-of? @_require "require" "require_dependency")) @import.require
(call !receiver method: (identifier) @_require
  arguments: (argument_list . (string) @source)
  (#eq? @_require "require_relative")) @import.require_relative
(call !receiver method: (identifier) @_require
  arguments: (argument_list . (string) @source)
  (#eq? @_require "load")) @import.load

; A path computed from nothing but literals and the place of this file.
(call !receiver method: (identifier) @_require
  arguments: (argument_list . (call receiver: (constant) @_file) @source)
  (#any-of? @_require "require" "load" "require_dependency") (#eq? @_file "File")) @import.require
(call !receiver method: (identifier) @_require
  arguments: (argument_list . (call receiver: (call receiver: (constant) @_rails) method: (identifier) @_join) @source)
  (#any-of? @_require "require" "load" "require_dependency") (#eq? @_rails "Rails") (#eq? @_join "join")) @import.require

(call method: (identifier) @_autoload
  arguments: (argument_list . (simple_symbol) @imported . [(string) (call)] @source)
  (#eq? @_autoload "autoload")) @import.autoload
(call !receiver method: (identifier) @_autoload
  arguments: (argument_list . (simple_symbol) @imported @source .)
  (#eq? @_autoload "autoload")) @import.autoload
