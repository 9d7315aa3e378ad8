; Directives speak to the compiler; they may stand between a declaration and its documentation.
((comment) @comment (#not-match? @comment "^//(go:[a-z]|export |line )"))
((comment) @attribute (#match? @attribute "^//(go:[a-z]|export |line )"))
