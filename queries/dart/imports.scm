(library_import
  (import_specification
    (configurable_uri . (uri) @source)
    (identifier)? @module
    (combinator "show" (identifier) @imported)?)) @import
(library_export
  (configurable_uri . (uri) @source)
  (combinator "show" (identifier) @imported)?) @import.reexport
; One of these takes the place of the import on some platform.
(library_import (import_specification (configurable_uri (configuration_uri (uri) @source @import.conditional))))
(library_export (configurable_uri (configuration_uri (uri) @source @import.conditional)))

(part_directive (uri) @source) @import.part
(part_of_directive [(uri) (dotted_identifier_list)] @source) @import.part_of
(library_name (dotted_identifier_list) @package)
