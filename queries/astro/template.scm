(comment) @comment

; <Shelf/> uses Shelf; small letters are elements of the document.
((tag_name) @ref.call (#match? @ref.call "^[A-Z]"))
