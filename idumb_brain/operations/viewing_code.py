"""What the page shows of the code: the graph of imports, one file with what hangs on it, the project map. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from idumb_brain.graph.architecture import NO_CODE
from idumb_brain.graph.imports import cycles, import_graph, paths_of_impact
from idumb_brain.model.code import SCANNED, Edge, FileRecord
from idumb_brain.model.roles import role_of
from idumb_brain.operations.codemap import known_file
from idumb_brain.operations.project import find_project
from idumb_brain.store import anchors, knowledge
from idumb_brain.store import code as store
from idumb_brain.store import project as packages

_SHOWN = 400  # of each list about one file; their number is told, too
_SYMBOLS = 200


def graph(root: str | None = None) -> dict[str, Any]:
    """Which file imports which. Files are named once; everything else names them by their number."""
    project = find_project(root)
    with project.reading() as connection:
        edges = store.edges(connection)
        linked = {edge.source for edge in edges} | {edge.target for edge in edges}
        files = [one for one in store.files(connection) if one.path in linked or _is_code(one)]
        own = packages.packages(connection)
        scanned = store.meta(connection, "scanned") or store.meta(connection, "scannedFull")
    number = {one.path: at for at, one in enumerate(files)}
    return {
        "root": str(project.root),
        "name": project.root.name,
        "scannedAt": scanned or None,
        "files": [[one.path, one.language, one.lines, role_of(one.path)] for one in files],
        "edges": [at for edge in edges for at in (number[edge.source], number[edge.target])],
        "cycles": [[number[path] for path in circle] for circle in cycles(import_graph(edges))],
        "packages": sorted(
            ({"path": one.path, "name": one.name or one.path or ".", "ecosystem": one.ecosystem} for one in own),
            key=lambda one: (one["path"], one["name"]),
        ),
    }


def file(root: str | None = None, *, path: str) -> dict[str, Any]:
    """One file: what it imports, who imports it, what a change of it may break and why, what is known about it."""
    project = find_project(root)
    with project.reading() as connection:
        record = known_file(project, connection, str(project.root / path))
        edges = store.edges(connection)
        symbols = store.symbols_of(connection, record)
        imports = store.imports_of(connection, record)
    whole = import_graph(edges)
    with project.remembering() as brain:
        entries = knowledge.citing(brain, [record.path])
        lines = [one for one in anchors.anchors(brain) if one.file == record.path]
    affected = paths_of_impact(whole, record.path)
    return {
        "path": record.path,
        "language": record.language,
        "lines": record.lines,
        "package": record.package or None,
        "role": role_of(record.path),
        "symbols": [
            {"name": one.qualified_name, "kind": one.kind, "line": one.line, "exported": one.exported, "doc": one.doc or None}
            for one in symbols[:_SYMBOLS]
        ],
        "symbolCount": len(symbols),
        "imports": _ends(edges, source=record.path),
        "external": sorted({one.external for one in imports if one.external}),
        "unresolved": [
            {"text": one.text, "line": one.line, "reason": one.reason} for one in imports if _is_lost(one.targets, one)
        ],
        "dependents": _ends(edges, target=record.path),
        "impact": [{"path": hit, "depth": depth, "via": via, "line": line} for hit, depth, via, line in affected[:_SHOWN]],
        "impactCount": len(affected),
        "entries": [{"id": one.id, "title": one.title, "type": one.type} for one in entries],
        "anchors": [{"id": one.id, "content": one.content, "priority": one.priority, "line": one.line} for one in lines],
    }


def project(root: str | None = None) -> dict[str, Any]:
    """The project map, without what is too long to look at."""
    from idumb_brain.operations.mapping import project_map

    told = project_map(root)
    dependencies = {name: rows for name, rows in told["dependencies"].items() if name != "declared"}
    documents = [
        {name: value for name, value in one.items() if name not in ("sections", "frontMatter", "linkedTo")}
        | {"sections": len(one["sections"]), "linkedTo": len(one["linkedTo"])}
        for one in told["documents"]
    ]
    return told | {
        "dependencies": dependencies | {"declared": len(told["dependencies"]["declared"])},
        "documents": documents,
        "documentRelations": len(told["documentRelations"]),
    }


def _is_code(one: FileRecord) -> bool:
    return one.status == SCANNED and bool(one.language) and one.language not in NO_CODE


def _is_lost(targets: Iterable[str], one: Any) -> bool:
    return not targets and not one.external and bool(one.reason)


def _ends(edges: Iterable[Edge], *, source: str = "", target: str = "") -> list[dict[str, Any]]:
    """The other ends of what begins or ends at a file, with the line that says so."""
    if source:
        return [{"path": one.target, "line": one.line, "kind": one.kind} for one in edges if one.source == source]
    return [{"path": one.source, "line": one.line, "kind": one.kind} for one in edges if one.target == target]
