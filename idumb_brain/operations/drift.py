"""Drift: how the project differs from what was scanned, or from a git revision, and whom the difference breaks."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from idumb_brain.model.changes import BREAKING, UNCLEAR, VERDICTS, ApiChange, DependencyChange, FileApi, FileChanges
from idumb_brain.model.code import SymbolRow
from idumb_brain.operations.project import find_project

if TYPE_CHECKING:
    from idumb_brain.operations.changes import Difference


def drift(revision: str | None = None, root: str | None = None) -> dict[str, Any]:
    """What changed since the last scan, or since a git revision (REV), or between two (REV..REV)."""
    from idumb_brain.operations.changes import difference

    return drift_data(difference(find_project(root), revision))


def diff(revision: str | None = None, root: str | None = None) -> dict[str, Any]:
    """The same with every symbol that changed, public or not."""
    from idumb_brain.operations.changes import difference

    found = difference(find_project(root), revision)
    return drift_data(found) | {
        "added": list(found.files.added),
        "removed": list(found.files.deleted),
        "modified": list(found.files.modified),
        "renamed": _renamed(found.files),
        "symbols": _symbols(found),
    }


def drift_data(found: Difference) -> dict[str, Any]:
    """The ``data`` of ``scan drift``."""
    files, verdicts = found.files, Counter(change.verdict for change in found.api)
    return {
        "since": found.since,
        "files": {
            "added": list(files.added),
            "modified": list(files.modified),
            "deleted": list(files.deleted),
            "renamed": _renamed(files),
            "outside": [{"path": path, "change": what} for path, what in files.outside],
        },
        "api": [_api_data(change) for change in found.api],
        "dependencies": [_dependency_data(change) for change in found.dependencies],
        "summary": {
            "files": {what: len(getattr(files, what)) for what in ("added", "modified", "deleted", "renamed")},
            "api": {verdict: verdicts[verdict] for verdict in VERDICTS},
            "dependencies": len(found.dependencies),
            "drift": bool(files.added or files.modified or files.deleted or files.renamed),
        },
    }


def _renamed(files: FileChanges) -> list[dict[str, Any]]:
    return [{"from": one.source, "to": one.target, "similarity": one.similarity} for one in files.renamed]


def _api_data(change: ApiChange) -> dict[str, Any]:
    return {
        "file": change.file,
        "name": change.name,
        "kind": change.kind,
        "change": change.change,
        "breaking": None if change.verdict == UNCLEAR else change.verdict == BREAKING,
        "verdict": change.verdict,
        "reason": change.reason,
        "before": change.before or None,
        "after": change.after or None,
        "line": change.line,
    }


def _dependency_data(change: DependencyChange) -> dict[str, Any]:
    return {
        "name": change.name,
        "ecosystem": change.ecosystem,
        "change": change.change,
        "manifest": change.manifest,
        "line": change.line,
        "group": change.group,
        "before": change.before or None,
        "after": change.after or None,
        "lockedBefore": change.locked_before or None,
        "lockedAfter": change.locked_after or None,
    }


def _symbols(found: Difference) -> dict[str, list[dict[str, Any]]]:
    """Every symbol that came, went or changed, with its file."""
    old_name = {one.target: one.source for one in found.files.renamed}
    came: list[dict[str, Any]] = []
    went: list[dict[str, Any]] = []
    changed: list[dict[str, Any]] = []
    for path in sorted({*found.files.added, *found.files.modified, *old_name}):
        old = _by_name(found.before.get(old_name.get(path, path)))
        new = _by_name(found.after.get(path))
        came += [_symbol(path, row) for name, row in new.items() if name not in old]
        went += [_symbol(path, row) for name, row in old.items() if name not in new]
        changed += [
            _symbol(path, row) | {"before": old[name][6], "after": row[6]}
            for name, row in new.items()
            if name in old and (old[name][6], old[name][7]) != (row[6], row[7])
        ]
    for path in found.files.deleted:
        went += [_symbol(path, row) for row in (found.before[path].symbols if path in found.before else ())]
    return {"added": came, "removed": went, "changed": changed}


def _by_name(api: FileApi | None) -> dict[tuple[str, int], SymbolRow]:
    """Symbols by qualified name; overloads by the order they come in."""
    counted: Counter[str] = Counter()
    named: dict[tuple[str, int], SymbolRow] = {}
    for row in api.symbols if api else ():
        named[row[2], counted[row[2]]] = row
        counted[row[2]] += 1
    return named


def _symbol(path: str, row: SymbolRow) -> dict[str, Any]:
    return {
        "file": path,
        "name": row[2],
        "kind": row[3],
        "line": row[4],
        "signature": row[6],
        "exported": bool(row[7]),
    }
