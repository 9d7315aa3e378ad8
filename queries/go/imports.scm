(import_spec !name path: (_) @source) @import
(import_spec name: [(package_identifier) (blank_identifier)] @module path: (_) @source) @import
(import_spec name: (dot) @wildcard path: (_) @source) @import
