(preproc_include path: (string_literal) @source) @import.include
(preproc_include path: (system_lib_string) @source) @import.system
(preproc_include path: [(identifier) (call_expression)] @source) @import.computed
((preproc_call directive: (preproc_directive) @_next argument: (preproc_arg) @source) @import.next
  (#any-of? @_next "#include_next" "#import" "#embed"))

(import_declaration name: (_) @source) @import.module
(import_declaration partition: (_) @source) @import.module
(import_declaration header: (string_literal) @source) @import.include
(import_declaration header: (system_lib_string) @source) @import.system
(module_declaration . "module" name: (_) @source) @import.module
