(import_header) @source @import
