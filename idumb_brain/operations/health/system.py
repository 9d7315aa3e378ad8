"""What we run on: Python, SQLite with its text index, the packages that were asked for, the grammars of this project."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version

from idumb_brain.model.errors import NotScanned, StoreDamaged
from idumb_brain.model.health import Finding
from idumb_brain.operations.health.patient import Patient
from idumb_brain.store import code
from idumb_brain.store.database import without_text_index

_AREA = "system"
_OLDEST_PYTHON = (3, 11)
_NAME = re.compile(r"[\w.-]+")


def examined(patient: Patient) -> Iterator[Finding]:
    yield from _python()
    yield from _sqlite()
    yield from _packages()
    yield from _grammars(patient)


def _python() -> Iterator[Finding]:
    if sys.version_info < _OLDEST_PYTHON:
        told, least = (".".join(map(str, one[:2])) for one in (sys.version_info, _OLDEST_PYTHON))
        yield Finding(_AREA, "error", f"Python {told} is too old", f"{least} is the oldest that is tested", "install a newer one")


def _sqlite() -> Iterator[Finding]:
    if why := without_text_index():
        yield Finding(_AREA, "error", "SQLite has no text index", why, "use a Python whose SQLite was built with FTS5")


def _packages() -> Iterator[Finding]:
    """Those that a plain installation brings along."""
    try:
        needed = [one for one in requires("idumb-brain") or () if "extra ==" not in one]
    except PackageNotFoundError:
        yield Finding(_AREA, "note", "idumb-brain runs from a folder", "it is not installed as a package", "pip install it")
        return
    for one in needed:
        match = _NAME.match(one)
        name = match[0] if match else one
        try:
            version(name)
        except PackageNotFoundError:
            yield Finding(_AREA, "error", f"{name} is missing", f"idumb-brain needs {one}", f"pip install '{one}'")


def _grammars(patient: Patient) -> Iterator[Finding]:
    from idumb_brain.scan.grammar import unusable
    from idumb_brain.scan.languages import load_languages, query_folders

    try:
        with patient.project.reading() as index:
            used = code.totals(index).languages
    except (NotScanned, StoreDamaged):
        return  # told of elsewhere
    known = load_languages(query_folders(str(patient.project.root))).by_name
    for name in used:
        if name in known and (why := unusable(known[name])):
            yield Finding(
                _AREA, "error", f"the grammar of {name} cannot be used", why, "install idumb-brain anew, or mend .idumb/queries"
            )
