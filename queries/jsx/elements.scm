; <Shelf/> calls Shelf; small letters are elements of the document.
((jsx_opening_element name: (identifier) @ref.call) (#match? @ref.call "^[A-Z_$]"))
((jsx_self_closing_element name: (identifier) @ref.call) (#match? @ref.call "^[A-Z_$]"))
(jsx_opening_element name: (member_expression) @ref.call)
(jsx_self_closing_element name: (member_expression) @ref.call)
