"""Files to facts: the only layer that knows tree-sitter.

``discover`` finds the files, ``worker`` reads and parses them in processes of their own, ``extract`` turns syntax
trees into facts, ``resolve`` turns import texts into files, ``refresh`` keeps the index equal to the tree.
"""
