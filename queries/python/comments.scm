(comment) @comment

; The first statement of a body, when it is nothing but a string.
(module . (comment)* . [(string) (concatenated_string)] @doc)
(function_definition body: (block . (comment)* . [(string) (concatenated_string)] @doc))
(class_definition body: (block . (comment)* . [(string) (concatenated_string)] @doc))
