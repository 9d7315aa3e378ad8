(comment) @comment
(documentation_comment) @comment
(program (annotation) @attribute)
(class_body (annotation) @attribute)
(extension_body (annotation) @attribute)
(enum_body (annotation) @attribute)
