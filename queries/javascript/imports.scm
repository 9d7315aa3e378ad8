; In TypeScript nobody writes this, and every call would have to be looked at.
((call_expression function: (identifier) @_require arguments: (arguments . (_) @source .)) @import.runtime (#eq? @_require "require"))
