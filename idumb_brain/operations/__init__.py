"""The verbs, one typed function each. Every surface is made of them; only here the clock and the environment are read.

Each returns the ``data`` of the command of its name as JSON-ready values, in the shape others rely on.
"""

from idumb_brain.operations.codemap import (
    code_map,
    comments,
    cycles,
    exports,
    graph,
    impact,
    outline,
    show,
)
from idumb_brain.operations.drift import diff, drift
from idumb_brain.operations.project import Project, find_project
from idumb_brain.operations.scanning import Workspace, init, scan, status
from idumb_brain.operations.todos import todos
from idumb_brain.operations.watching import watch

__all__ = [
    "Project", "Workspace", "code_map", "comments", "cycles", "diff", "drift", "exports", "find_project", "graph", "impact", "init",
    "outline", "scan", "show", "status", "todos", "watch",
]  # fmt: skip
