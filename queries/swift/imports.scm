((import_declaration (identifier) @source) @import
  (#not-match? @import "^@(testable|_exported)\\b"))
((import_declaration (identifier) @source) @import.testable
  (#match? @import.testable "^@testable\\b"))
((import_declaration (identifier) @source) @import.reexport
  (#match? @import.reexport "^@_exported\\b"))
