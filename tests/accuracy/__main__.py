"""Measures the code map against other people's tools on trees nobody here wrote.

Runs every command of this package and prints one table. Trees come from package registries and are kept in
$IDUMB_ACCURACY_CACHE (~/.cache/idumb-brain-accuracy unless set). Exit code 1: a bar was missed.
For the list of disagreements of one command: python -m tests.accuracy.COMMAND
"""

from __future__ import annotations

import sys
from importlib import import_module
from pkgutil import iter_modules

import tests.accuracy
from tests.accuracy.measure import Measure, main_of_all


def commands() -> dict[str, Measure]:
    """Every module of this package that measures something, by its name."""
    names = sorted(found.name for found in iter_modules(tests.accuracy.__path__) if found.name != "__main__")
    modules = {name: import_module(f"tests.accuracy.{name}") for name in names}
    return {name: module.measure for name, module in modules.items() if callable(getattr(module, "measure", None))}


if __name__ == "__main__":
    sys.exit(main_of_all(commands(), __doc__))
