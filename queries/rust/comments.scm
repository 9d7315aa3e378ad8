[(line_comment) (block_comment)] @comment
(attribute_item) @attribute
