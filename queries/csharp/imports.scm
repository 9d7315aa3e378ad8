; An anchor does not see the keywords in between, so the text has to tell the three forms apart.
((using_directive !name [(identifier) (qualified_name)] @source) @import.using
  (#not-match? @import.using "^(global\\b|using\\s+static\\b)"))
((using_directive !name [(identifier) (qualified_name)] @source) @import.global
  (#match? @import.global "^global\\s+using\\s+(?!static\\b)"))
(using_directive "static" [(identifier) (qualified_name)] @source) @import.static

(using_directive
  name: (identifier) @module
  "=" . [(identifier) (qualified_name) (generic_name) (alias_qualified_name)] @source) @import.alias

(extern_alias_directive name: (identifier) @source @module) @import.extern
