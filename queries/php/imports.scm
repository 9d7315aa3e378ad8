(namespace_use_clause (qualified_name (name) @imported) @source alias: (name)? @alias) @import.use
(namespace_use_clause . (name) @imported @source alias: (name)? @alias) @import.use
(namespace_use_clause type: "function" . (name) @imported @source alias: (name)? @alias) @import.function
(namespace_use_clause type: "const" . (name) @imported @source alias: (name)? @alias) @import.const

; "function" and "const" come before "use" in the alphabet, so a clause they stand in is not a class as well.
(namespace_use_clause type: "function") @import.function
(namespace_use_clause type: "const") @import.const
(namespace_use_declaration type: "function" (namespace_use_group (namespace_use_clause) @import.function))
(namespace_use_declaration type: "const" (namespace_use_group (namespace_use_clause) @import.const))
(namespace_use_declaration (namespace_name) @source.start body: (namespace_use_group) @source.group)

(require_expression (_) @source) @import.require
(require_once_expression (_) @source) @import.require_once
(include_expression (_) @source) @import.include
(include_once_expression (_) @source) @import.include_once
