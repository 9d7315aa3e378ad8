(comment) @comment

; The first statement of a body, when it is nothing but a string.
(module . [(string) (concatenated_string)] @doc)
(function_definition body: (block . [(string) (concatenated_string)] @doc))
(class_definition body: (block . [(string) (concatenated_string)] @doc))
(module . (comment)+ . [(string) (concatenated_string)] @doc)
(function_definition body: (block . (comment)+ . [(string) (concatenated_string)] @doc))
(class_definition body: (block . (comment)+ . [(string) (concatenated_string)] @doc))
