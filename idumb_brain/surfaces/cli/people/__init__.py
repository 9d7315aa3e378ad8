"""Answers as people like to read them, one module an area: each view takes the ``data`` of a command and prints it."""

from __future__ import annotations

import sys
from typing import Any

from rich.console import Console

from idumb_brain.surfaces.cli.people import changes, codemap, scanning, todos
from idumb_brain.surfaces.cli.people.ink import Views

_VIEWS: Views = {**scanning.VIEWS, **codemap.VIEWS, **changes.VIEWS, **todos.VIEWS}


def show(view: str, data: Any) -> None:
    wide = None if sys.stdout.isatty() else 400  # a pipe has no width; lines must not be broken for it
    _VIEWS[view](Console(highlight=False, markup=False, emoji=False, width=wide, soft_wrap=wide is not None), data)
