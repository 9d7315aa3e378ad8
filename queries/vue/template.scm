(comment) @comment

; <script src="./shelf.ts">
(script_element (start_tag (attribute
  (attribute_name) @_src
  (quoted_attribute_value (attribute_value) @source))) @import (#eq? @_src "src"))
(style_element (start_tag (attribute
  (attribute_name) @_src
  (quoted_attribute_value (attribute_value) @source))) @import (#eq? @_src "src"))

; <Shelf/> uses Shelf; small letters are elements of the document.
((tag_name) @ref.call (#match? @ref.call "^[A-Z]"))
