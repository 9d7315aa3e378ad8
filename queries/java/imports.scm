; Both patterns find a static import; of two kinds the first in the alphabet counts.
(import_declaration "static") @import.static
(import_declaration (scoped_identifier name: (identifier) @imported) @source . ";") @import.type
(import_declaration (identifier) @imported @source . ";") @import.type
(import_declaration [(scoped_identifier) (identifier)] @source (asterisk) @wildcard) @import.type

(requires_module_directive module: (_) @source) @import.requires
