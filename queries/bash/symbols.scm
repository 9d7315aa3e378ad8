(function_definition
  name: (word) @name
  body: (_) @body) @def.function

; Variables of the whole script. What a function or a block sets is not part of its outline.
(program (declaration_command "export" (variable_assignment name: (variable_name) @name)) @def.variable)
(program (declaration_command "readonly" (variable_assignment name: (variable_name) @name)) @def.constant)
(program (declaration_command ["declare" "typeset"] (variable_assignment name: (variable_name) @name)) @def.variable)
(program
  (declaration_command ["declare" "typeset"] (word) @_flags (variable_assignment name: (variable_name) @name)) @def.constant
  (#match? @_flags "^-\\w*r"))
; `declare -A shelf` makes a variable; `declare -f shelve` only shows a function.
(program
  (declaration_command ["declare" "typeset"] (word) @_flags (variable_name) @name) @def.variable
  (#match? @_flags "^-[aAilngrtuxU]+$"))
; Plain assignments count where they are written like settings.
(program
  (variable_assignment name: (variable_name) @name) @def.variable
  (#match? @name "^_?[A-Z][A-Z0-9_]*$"))

(command
  name: (command_name (word) @_alias)
  argument: [(word) (concatenation . (word))] @name.assigned
  (#eq? @_alias "alias")
  (#match? @name.assigned "^[^-=].*=")) @def.alias

; A function that the grammar cannot read to its end is still told by its first words.
(program . (command name: (command_name (word) @name)) @def.function . (ERROR . "(" . ")"))
(ERROR . (word) @name . "(" . ")" . _ @body) @def.function
(ERROR . (command_name (word) @name) . "(" . ")" . _ @body) @def.function
