"""Answers as people like to read them, one module an area: each view takes the ``data`` of a command and prints it."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from rich.console import Console

from idumb_brain.surfaces.cli.people.ink import Views


def show(view: str, data: Any) -> None:
    """``view`` is written AREA.NAME: only that area is loaded."""
    area, _, name = view.partition(".")
    views: Views = import_module(f"{__name__}.{area}").VIEWS
    wide = None if sys.stdout.isatty() else 400  # a pipe has no width; lines must not be broken for it
    views[name](Console(highlight=False, markup=False, emoji=False, width=wide, soft_wrap=wide is not None), data)
