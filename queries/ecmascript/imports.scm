(import_statement source: (string) @source) @import
(import_clause (identifier) @default)
(namespace_import (identifier) @module)
(import_specifier name: _ @imported alias: (_)? @alias)

(export_statement source: (string) @source) @import.reexport
(export_statement "*" @wildcard source: (string))
(namespace_export (_) @module)
(export_statement (export_clause (export_specifier name: _ @imported alias: _? @alias)) source: (string))

; The brackets stand for the call: a pattern that starts at the rare word costs less than one that starts at every call.
; No anchor inside: bundlers read comments that stand before the name of the module.
((import) . (arguments (string) @source) @import.dynamic)
((import) . (arguments (template_string . (string_fragment) .) @source) @import.dynamic)
(call_expression
  function: (identifier) @_require
  arguments: (arguments . (string) @source)
  (#eq? @_require "require")) @import.require

; What only a run can tell: reported, not resolved. Of several kinds the first in the alphabet counts, so this is the last.
; One pattern each: captures of an alternative that comes to nothing would be reported all the same.
((import) . (arguments (identifier) @source) @import.runtime)
((import) . (arguments (member_expression) @source) @import.runtime)
((import) . (arguments (binary_expression) @source) @import.runtime)
((import) . (arguments (call_expression) @source) @import.runtime)
((import) . (arguments (template_string (template_substitution)) @source) @import.runtime)
((call_expression function: (identifier) @_require arguments: (arguments . (binary_expression) @source .)) @import.runtime (#eq? @_require "require"))
((call_expression function: (identifier) @_require arguments: (arguments . (template_string) @source .)) @import.runtime (#eq? @_require "require"))

; The names a loaded module is bound to.
(variable_declarator
  name: [(identifier) @module
         (object_pattern [(shorthand_property_identifier_pattern) @imported
                          (object_assignment_pattern left: (shorthand_property_identifier_pattern) @imported)
                          (pair_pattern
                            key: (property_identifier) @imported
                            value: [(identifier) @alias (assignment_pattern left: (identifier) @alias)])])]
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) .))
  (#eq? @_require "require")) @import.require
(variable_declarator
  name: [(identifier) @module
         (object_pattern [(shorthand_property_identifier_pattern) @imported
                          (pair_pattern key: (property_identifier) @imported value: (identifier) @alias)])]
  value: (await_expression (call_expression function: (import) arguments: (arguments (string))))) @import.dynamic
(variable_declarator
  name: (identifier) @_local
  value: (member_expression
    object: (call_expression function: (identifier) @_require arguments: (arguments . (string) .))
    property: (property_identifier) @imported)
  (#eq? @_require "require") (#eq? @_local @imported)) @import.require

