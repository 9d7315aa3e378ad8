(import_statement name: (dotted_name) @source @import)
(import_statement name: (aliased_import name: (dotted_name) @source alias: (identifier) @module) @import)

(import_from_statement
  module_name: [(dotted_name) (relative_import)] @source
  name: [(dotted_name) @imported
         (aliased_import name: (dotted_name) @imported alias: (identifier) @alias)]) @import.from
(import_from_statement
  module_name: [(dotted_name) (relative_import)] @source
  (wildcard_import) @wildcard) @import.from
(future_import_statement) @_future
