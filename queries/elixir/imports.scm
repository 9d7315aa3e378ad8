(call target: (identifier) @_alias
  (arguments . [(alias) (dot left: (identifier) right: (alias)) (identifier)] @source @module.last .)
  (#eq? @_alias "alias") (#match? @source "^(__MODULE__|[A-Z])")) @import.alias
(call target: (identifier) @_alias
  (arguments . [(alias) (atom) (dot left: (identifier) right: (alias)) (identifier)] @source
    (keywords (pair key: (keyword) @_as value: (alias) @module)))
  (#eq? @_alias "alias") (#match? @_as "^as:") (#match? @source "^(__MODULE__|[A-Z:])")) @import.alias
(call target: (identifier) @_alias
  (arguments . [(alias) (dot left: (identifier) right: (alias))] @source . (keywords))
  (#eq? @_alias "alias")) @import.alias
(call target: (identifier) @_alias
  (arguments . (dot
    left: [(alias) (identifier)] @source.start
    right: (tuple [(alias) (dot)] @import.alias @source @module.last) @source.group))
  (#eq? @_alias "alias"))

(call target: (identifier) @_import
  (arguments . [(alias) (atom) (dot left: (identifier) right: (alias))] @source @wildcard .)
  (#eq? @_import "import")) @import.import
(call target: (identifier) @_import
  (arguments . [(alias) (atom) (dot left: (identifier) right: (alias))] @source
    (keywords (pair key: (keyword) @_only value: (list (keywords (pair key: (keyword) @imported))))))
  (#eq? @_import "import") (#match? @_only "^only:")) @import.import
(call target: (identifier) @_import
  (arguments . [(alias) (atom) (dot left: (identifier) right: (alias))] @source . (keywords))
  (#eq? @_import "import")) @import.import
(call target: (identifier) @_import
  (arguments . (alias) @wildcard (keywords (pair key: (keyword) @_except)))
  (#eq? @_import "import") (#match? @_except "^except:"))
(call target: (identifier) @_import
  (arguments . (dot
    left: [(alias) (identifier)] @source.start
    right: (tuple (alias) @import.import @source @wildcard) @source.group))
  (#eq? @_import "import"))

(call target: (identifier) @_require
  (arguments . [(alias) (atom) (dot left: (identifier) right: (alias))] @source)
  (#eq? @_require "require")) @import.require
(call target: (identifier) @_require
  (arguments . (alias) (keywords (pair key: (keyword) @_as value: (alias) @module)))
  (#eq? @_require "require") (#match? @_as "^as:"))
(call target: (identifier) @_use
  (arguments . [(alias) (dot left: (identifier) right: (alias))] @source)
  (#eq? @_use "use")) @import.use
(call target: (identifier) @_use
  (arguments . (dot
    left: [(alias) (identifier)] @source.start
    right: (tuple (alias) @import.use @source) @source.group))
  (#any-of? @_use "use" "require"))

(call target: (identifier) @_config
  (arguments . (string) @source)
  (#eq? @_config "import_config")) @import.config
(call target: (dot left: (alias) @_code right: (identifier) @_require)
  (arguments . (string) @source)
  (#eq? @_code "Code") (#any-of? @_require "require_file" "eval_file" "compile_file" "load_file")) @import.file
