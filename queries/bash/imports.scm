(command
  name: (command_name (word) @_source)
  . argument: (_) @source
  (#any-of? @_source "source" ".")) @import.source
