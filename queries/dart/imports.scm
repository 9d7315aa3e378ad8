; One of the URIs in brackets takes the place of the first on some platform.
(library_import (import_specification [(configurable_uri . (uri) @source) (uri) @source])) @import
(library_export (configurable_uri . (uri) @source)) @import.reexport
(configuration_uri (uri) @source)

(import_specification (identifier) @module)
(import_specification (combinator "show" (identifier) @imported))
(library_export (combinator "show" (identifier) @imported))
(import_specification "import" @wildcard . (configurable_uri) . (combinator "hide")* . ";")
(library_export "export" @wildcard . (configurable_uri) . (combinator "hide")* . ";")

(part_directive (uri) @source) @import.part
(part_of_directive [(uri) (dotted_identifier_list)] @source) @import.part_of
(library_name (dotted_identifier_list) @package)
