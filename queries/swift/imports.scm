; A module is open once it is imported, and its name qualifies what is in it.
((import_declaration "import" @wildcard (identifier) @source @module) @import
  (#not-match? @import "^(?:@(?:testable|_exported)|import (?:struct|class|enum|protocol|func|var|let|typealias|actor))\\b"))
((import_declaration "import" @wildcard (identifier) @source @module) @import.testable
  (#match? @import.testable "^@testable\\b"))
((import_declaration "import" @wildcard (identifier) @source @module) @import.reexport
  (#match? @import.reexport "^@_exported\\b"))
(import_declaration ["struct" "class" "enum" "protocol" "func" "var" "let" "typealias"]
  (identifier (simple_identifier) @imported .) @source) @import
