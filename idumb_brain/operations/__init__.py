"""The verbs, one typed function each. Every surface is made of them; only here the clock and the environment are read.

Each returns the ``data`` of the command of its name as JSON-ready values, in the shape others rely on.
"""

from idumb_brain.operations.codemap import (
    code_map,
    comments,
    cycles,
    diff,
    exports,
    graph,
    impact,
    outline,
    show,
    todos,
)
from idumb_brain.operations.dependencies import dependencies, package_graph
from idumb_brain.operations.project import Project, find_project
from idumb_brain.operations.scanning import Workspace, init, scan, status
from idumb_brain.operations.stack import frameworks
from idumb_brain.operations.watching import watch

__all__ = [
    "Project", "Workspace", "code_map", "comments", "cycles", "dependencies", "diff", "exports", "find_project", "frameworks", "graph",
    "impact", "init", "outline", "package_graph", "scan", "show", "status", "todos", "watch",
]  # fmt: skip
