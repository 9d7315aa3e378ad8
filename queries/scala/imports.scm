; An import inside a body may open a value; one at the top of a file never does.
(compilation_unit (import_declaration) @source @import)
(import_declaration) @source @import.local
(export_declaration) @source @import.export
