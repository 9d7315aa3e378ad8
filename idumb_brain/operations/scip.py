"""``codemap scip``: the index as a SCIP file, for tools that read that. Leaves out what changed since it was scanned, and says so."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from idumb_brain import __version__
from idumb_brain.graph.occurrences import DEFINITION, occurrences
from idumb_brain.graph.references import Scopes
from idumb_brain.model.code import SCANNED, FileRecord, Symbol
from idumb_brain.model.errors import BadInput
from idumb_brain.operations.project import Project, find_project
from idumb_brain.render import scip as render
from idumb_brain.store import code as store

_CHANGED = "changed since the last scan"
_NAMELESS = "its name is not UTF-8, which SCIP asks for"
_UNREADABLE = "cannot be read: {}"


def scip(file: str | None = None, root: str | None = None) -> dict[str, Any]:
    """Write the index to a file, whole or not at all."""
    project = find_project(root)
    to = Path(file) if file else project.root / "index.scip"
    left_out: list[dict[str, str]] = []
    used: set[str] = set()
    told: set[str] = set()
    counts = {"documents": 0, "symbols": 0, "occurrences": 0}
    aside = to.with_name(f".{to.name}.{os.getpid()}")
    try:
        with project.reading() as connection, aside.open("wb") as out:
            out.write(render.metadata(project.root.as_uri(), __version__))
            scopes = Scopes(connection)

            @cache
            def names_in(path: str) -> Sequence[str]:
                return render.symbol_names(project.root.name, path, scopes.symbols(path))

            def name(path: str, symbol: Symbol | None) -> str:
                return names_in(path)[-1 if symbol is None else symbol.ordinal]

            for record in store.files(connection, "status = ?", (SCANNED,)):
                lines, why = _lines(project, record) if store.raw_path(connection, record) == record.path else ([], _NAMELESS)
                if why:
                    left_out.append({"path": record.path, "reason": why})
                    continue
                found = occurrences(scopes, record.path, store.imports_of(connection, record), lines)
                out.write(render.document(record.path, record.language, name, scopes.symbols(record.path), found, lines, told))
                used.update(name(one.file, one.symbol) for one in found)
                counts["documents"] += 1
                counts["symbols"] += sum(one.role == DEFINITION for one in found)
                counts["occurrences"] += len(found)
            out.write(render.outside(used - told))
        os.replace(aside, to)
    except OSError as error:
        raise BadInput(
            f"{to} cannot be written", why=error.strerror or str(error), instead="name a file in a folder that can be written to"
        ) from error
    finally:
        aside.unlink(missing_ok=True)
    return {"file": str(to), **counts, "bytes": to.stat().st_size, "leftOut": left_out}


def _lines(project: Project, record: FileRecord) -> tuple[list[str], str]:
    """The text as it was scanned, or why there is none."""
    from idumb_brain.scan.read import ReadLimits, read

    try:
        text = read(str(project.root / record.path), ReadLimits(generated=True))
    except OSError as error:
        return [], _UNREADABLE.format(error.strerror)
    return (text.source.decode().split("\n"), "") if text.hash == record.hash else ([], _CHANGED)
