(function_declaration "local"? @private name: (identifier) @name parameters: (parameters) body: (_)? @body "end" @body) @def.function
(function_declaration
  name: [(dot_index_expression table: (_) @receiver field: (identifier) @name)
         (method_index_expression table: (_) @receiver method: (identifier) @name)]
  body: (_)? @body "end" @body) @def.function

; local lend = function() … end, at any depth, as function lend() … end is
(variable_declaration
  "local" @private
  (assignment_statement
    (variable_list . name: (identifier) @name .)
    (expression_list . value: (function_definition body: (_)? @body "end" @body)))) @def.function
(chunk (assignment_statement
  (variable_list . name: [(identifier) @name (dot_index_expression table: (_) @receiver field: (identifier) @name)] .)
  (expression_list . value: (function_definition body: (_)? @body "end" @body))) @def.function)
(block (assignment_statement
  (variable_list . name: [(identifier) @name (dot_index_expression table: (_) @receiver field: (identifier) @name)] .)
  (expression_list . value: (function_definition body: (_)? @body "end" @body))) @def.function)
(field name: (identifier) @name value: (function_definition body: (_)? @body "end" @body)) @def.function

; Values of the whole file. A local that holds another module or another name for something makes no symbol.
(chunk (variable_declaration
  "local" @private
  (assignment_statement
    (variable_list name: (identifier) @name)
    (expression_list . value: [(number) (string) (true) (false) (nil) (binary_expression) (unary_expression) (vararg_expression)]))) @def.variable)
(chunk (variable_declaration
  "local" @private
  (assignment_statement
    (variable_list . name: (identifier) @name)
    (expression_list . value: (table_constructor) @body))) @def.variable)
(chunk (variable_declaration
  "local" @private
  (assignment_statement
    (variable_list . name: (identifier) @name)
    (expression_list . value: (function_call name: (_) @_made)))
  (#not-match? @_made "^(require|dofile|pcall|select|unpack|assert)$")) @def.variable)
(chunk (variable_declaration
  "local" @private
  (assignment_statement
    (variable_list name: (identifier) @name attribute: (attribute))
    (expression_list))) @def.constant)
(chunk (variable_declaration
  "local" @private
  (assignment_statement
    (variable_list . name: (identifier) @name)
    (expression_list . value: [(number) (string) (binary_expression) (table_constructor) @body]))
  (#match? @name "^[A-Z][A-Z0-9_]+$")) @def.constant)

; Globals and what is put into tables.
(chunk (assignment_statement
  (variable_list name: (identifier) @name)
  (expression_list . value: [(number) (string) (true) (false) (binary_expression) (function_call) (identifier) (dot_index_expression)])) @def.variable)
(chunk (assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (table_constructor) @body)) @def.variable)
(chunk (assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @receiver field: (identifier) @name) .)
  (expression_list . value: [(number) (string) (true) (false) (nil) (binary_expression) (unary_expression) (function_call) (identifier)
                             (dot_index_expression) (table_constructor) @body]))
  @def.field
  (#not-match? @receiver "^(package|_G|vim\\..*)$"))
(chunk (assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @_global field: (identifier) @name) .)
  (expression_list . value: (_)))
  @def.variable
  (#eq? @_global "_G"))

; One level of keys in tables of the whole file, or in the table it returns.
(chunk [
  (variable_declaration (assignment_statement (expression_list value: (table_constructor
    (field name: (identifier) @name value: [(number) (string) (true) (false) (binary_expression) (function_call) (identifier) (dot_index_expression) (table_constructor)]) @def.field))))
  (assignment_statement (expression_list value: (table_constructor
    (field name: (identifier) @name value: [(number) (string) (true) (false) (binary_expression) (function_call) (identifier) (dot_index_expression) (table_constructor)]) @def.field)))
  (return_statement (expression_list (table_constructor
    (field name: (identifier) @name value: [(number) (string) (true) (false) (binary_expression) (function_call) (identifier) (dot_index_expression) (table_constructor)]) @def.field)))
])

; Classes: told by an annotation right above, or made by one of the usual words.
(chunk
  (comment) @_told
  . [(variable_declaration "local" @private (assignment_statement (variable_list . name: (identifier) @name) (expression_list . (_) @body)))
     (assignment_statement (variable_list . name: (identifier) @name) (expression_list . (_) @body))] @def.class
  (#match? @_told "^--+\\s*@(class|field|operator)\\b"))
(chunk
  (comment) @_told
  . [(variable_declaration "local" @private (assignment_statement (variable_list . name: (identifier) @name) (expression_list . (_) @body)))
     (assignment_statement (variable_list . name: (identifier) @name) (expression_list . (_) @body))
     (assignment_statement (variable_list . name: (dot_index_expression table: (_) @receiver field: (identifier) @name)) (expression_list . (_) @body))] @def.enum
  (#match? @_told "^--+\\s*@enum\\b"))
(chunk (variable_declaration
  "local" @private
  (assignment_statement
    (variable_list . name: (identifier) @name)
    (expression_list . value: (function_call name: [(identifier) @_class (method_index_expression method: (identifier) @_class)])))
  (#any-of? @_class "class" "Class" "extend" "subclass")) @def.class)

(chunk (return_statement (expression_list (identifier) @export.name)))
(chunk (return_statement (expression_list (table_constructor (field value: (identifier) @export.name)))))
(chunk (return_statement (expression_list (function_call name: (identifier) @_set arguments: (arguments . (identifier) @export.name)))
  (#eq? @_set "setmetatable")))
(chunk (assignment_statement
  (variable_list . name: (dot_index_expression field: (identifier) @_key))
  (expression_list . value: (identifier) @export.name)
  (#eq? @_key @export.name)))
