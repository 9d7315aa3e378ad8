(import_statement (import_require_clause (identifier) @module source: (string) @source)) @import.require

; In a module this adds to another one; elsewhere it declares it.
(ambient_declaration
  (module name: (string) @source) @import.augment
  (#not-match? @source "[*]"))
