"""What files beside the code say of the packages in use: settings, commands, lock files, installed environments.

The rules are tables, ``queries/dependencies/*.toml``; the modules here read them and look where they point. None of them
decides what is unused: that is for ``graph.dependencies``.
"""
