(section . (atx_heading heading_content: (inline) @name) . (_)? @body) @def.heading
(setext_heading heading_content: (paragraph (inline) @name)) @def.heading
((html_block) @comment (#match? @comment "^\\s*<!--"))
