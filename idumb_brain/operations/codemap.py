"""Questions about the code map. Each answer is the ``data`` of a ``codemap`` command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from idumb_brain.graph import imports as import_graphs
from idumb_brain.graph.references import uses_of
from idumb_brain.model.code import Comment, FileRecord, Import, Symbol
from idumb_brain.model.errors import BadInput
from idumb_brain.operations.project import Project, find_project, relative_path
from idumb_brain.store import code as store
from idumb_brain.store.database import Connection


def show(file: str, root: str | None = None) -> dict[str, Any]:
    """Everything about one file."""
    project = find_project(root)
    with project.reading() as connection:
        return _entry(connection, known_file(project, connection, file))


def code_map(root: str | None = None) -> Iterator[dict[str, Any]]:
    """Everything about every file, one at a time."""
    with find_project(root).reading() as connection:
        for record in store.files(connection, "status = 'scanned'"):
            yield _entry(connection, record)


def outline(file: str, root: str | None = None) -> dict[str, Any]:
    """The symbols of a file as a tree."""
    project = find_project(root)
    with project.reading() as connection:
        record = known_file(project, connection, file)
        nodes: list[dict[str, Any]] = []
        top: list[dict[str, Any]] = []
        for symbol in store.symbols_of(connection, record):
            node = _symbol_data(symbol) | {"children": []}
            nodes.append(node)
            (nodes[symbol.parent]["children"] if symbol.parent >= 0 else top).append(node)
        return {"file": record.path, "language": record.language, "symbols": top}


def comments(file: str | None = None, root: str | None = None) -> list[dict[str, Any]]:
    project = find_project(root)
    with project.reading() as connection:
        record = known_file(project, connection, file) if file else None
        return [{"file": comment.file} | _comment_data(comment) for comment in store.comments(connection, record)]


def exports(path: str | None = None, root: str | None = None) -> list[dict[str, Any]]:
    """The public API of a file, a folder or the whole project."""
    project = find_project(root)
    within = relative_path(project, path) if path else ""
    with project.reading() as connection:
        if within not in ("", "."):
            must_know(project, connection, within)
        return [
            {"file": symbol.file, **_export_data(symbol)}
            for symbol in store.exported_symbols(connection, "" if within == "." else within)
        ]


def graph(root: str | None = None, *, focus: str | None = None, depth: int = 1) -> dict[str, Any]:
    """Which file imports which."""
    project = find_project(root)
    with project.reading() as connection:
        edges = store.edges(connection)
        nodes = [record.path for record in store.files(connection, "status = 'scanned'")]
        external = store.externals(connection)
        unresolved = store.unresolved(connection)
        if focus is not None:
            focus = known_file(project, connection, focus).path
    whole = import_graphs.import_graph(edges, nodes)
    if focus is not None:
        near = import_graphs.neighbourhood(whole, focus, depth)
        whole = whole.subgraph(near)
        edges = [edge for edge in edges if edge.source in near and edge.target in near]
        external = [row for row in external if row[0] in near]
        unresolved = [row for row in unresolved if row[0] in near]
    return {
        "nodes": sorted(whole),
        "edges": [{"from": e.source, "to": e.target, "line": e.line, "kind": e.kind} for e in edges],
        "external": [{"from": path, "package": package, "line": line} for path, package, line in external],
        "unresolved": [{"from": path, "text": text, "line": line, "reason": why} for path, text, line, why in unresolved],
        "cycles": import_graphs.cycles(whole),
        "layers": import_graphs.layers(whole),
        "orphans": import_graphs.orphans(whole),
    }


def cycles(root: str | None = None) -> list[list[str]]:
    with find_project(root).reading() as connection:
        return import_graphs.cycles(import_graphs.import_graph(store.edges(connection)))


def impact(target: str, root: str | None = None, *, depth: int | None = None) -> dict[str, Any]:
    """Everything that depends on a file, or on a symbol written FILE#SYMBOL, directly or through others."""
    project = find_project(root)
    path, _, name = target.partition("#")
    with project.reading() as connection:
        record = known_file(project, connection, path)
        whole = import_graphs.import_graph(store.edges(connection))
        if not name:
            found = import_graphs.dependents(whole, [record.path], depth)
            ranked = sorted(found.items(), key=lambda item: (item[1], item[0]))
            return {
                "target": record.path,
                "files": [{"path": file, "depth": steps} for file, steps in ranked],
                "uses": [],
                "direct": sum(steps == 1 for steps in found.values()),
            }
        symbol = known_symbol(connection, record, name)
        uses = uses_of(connection, symbol)
        direct = sorted({use.file for use in uses})
        beyond = import_graphs.dependents(whole, [file for file in direct if file != record.path], depth)
        files = {file: 0 if file == record.path else 1 for file in direct}
        for file, steps in beyond.items():
            files.setdefault(file, steps + 1)
        return {
            "target": f"{record.path}#{symbol.qualified_name}",
            "files": [{"path": file, "depth": steps} for file, steps in sorted(files.items(), key=lambda item: (item[1], item[0]))],
            "uses": [
                {
                    "file": use.file, "line": use.line, "symbol": use.owner or None, "kind": use.kind, "name": use.name,
                    "provenance": use.provenance, "confidence": use.confidence,
                }
                for use in uses
            ],
            "direct": len(direct),
        }  # fmt: skip


def _entry(connection: Connection, record: FileRecord) -> dict[str, Any]:
    symbols = store.symbols_of(connection, record)
    written = store.imports_of(connection, record)
    return {
        "file": record.path,
        "hash": record.hash,
        "language": record.language,
        "lines": record.lines,
        "package": record.package or None,
        "comments": [_comment_data(comment) for comment in store.comments(connection, record)],
        "exports": [_export_data(symbol) for symbol in symbols if symbol.exported] + _reexports(written),
        "symbols": [_symbol_data(symbol) for symbol in symbols],
        "imports": [_import_data(one) for one in written],
        "dependencies": [edge.target for edge in store.edges(connection, source=record.id)],
        "dependents": [edge.source for edge in store.edges(connection, target=record.id)],
        "lastScannedAt": record.scanned_at,
    }


def _symbol_data(symbol: Symbol) -> dict[str, Any]:
    return {
        "name": symbol.name,
        "qualifiedName": symbol.qualified_name,
        "kind": symbol.kind,
        "line": symbol.line,
        "endLine": symbol.end_line,
        "signature": symbol.signature,
        "exported": symbol.exported,
        "doc": symbol.doc or None,
    }


def _export_data(symbol: Symbol) -> dict[str, Any]:
    return {
        "name": symbol.qualified_name,
        "kind": symbol.kind,
        "signature": symbol.signature,
        "line": symbol.line,
        "endLine": symbol.end_line,
        "doc": symbol.doc or None,
    }


def _reexports(written: list[Import]) -> list[dict[str, Any]]:
    return [
        {
            "name": binding.local or binding.imported,
            "kind": "reexport",
            "signature": f"{binding.imported} from {one.text}",
            "line": one.line,
            "endLine": one.line,
            "doc": None,
        }
        for one in written
        if one.kind == "reexport"
        for binding in one.bindings
    ]


def _comment_data(comment: Comment) -> dict[str, Any]:
    return {
        "line": comment.line,
        "endLine": comment.end_line,
        "type": comment.type,
        "content": comment.content,
        "relatedFunction": comment.owner or None,
    }


def _import_data(one: Import) -> dict[str, Any]:
    return {
        "text": one.text,
        "line": one.line,
        "kind": one.kind,
        "names": [{"name": binding.imported, "as": binding.local} for binding in one.bindings],
        "target": one.targets[0] if one.targets else None,
        "targets": list(one.targets),
        "external": one.external or None,
        "reason": one.reason or None,
    }


def known_file(project: Project, connection: Connection, file: str) -> FileRecord:
    path = relative_path(project, file)
    record = store.file_at(connection, path)
    if record is not None:
        return record
    if (project.root / path).is_dir():
        raise BadInput(
            f"{path} is a folder",
            why="this question is about one file",
            instead=f"idumb-brain codemap exports {path}",
        )
    near = similar(path, store.paths(connection).values())
    exists = (project.root / path).exists()
    raise BadInput(
        f"{path} is not in the index",
        why="it was ignored, or came after the last scan" if exists else "there is no such file",
        instead=f"did you mean {near}?" if near else "run idumb-brain scan" if exists else "give a path relative to the project",
    )


def must_know(project: Project, connection: Connection, within: str) -> None:
    if not (project.root / within).is_dir():
        known_file(project, connection, within)


def similar(wrong: str, paths: Any) -> str:
    from rapidfuzz import fuzz, process

    found = process.extractOne(wrong, list(paths), scorer=fuzz.WRatio, score_cutoff=80)
    return str(found[0]) if found else ""


def known_symbol(connection: Connection, record: FileRecord, name: str) -> Symbol:
    symbols = store.symbols_of(connection, record)
    exact = [s for s in symbols if s.qualified_name == name] or [s for s in symbols if s.name == name]
    if not exact:
        near = similar(name, [s.qualified_name for s in symbols])
        raise BadInput(
            f"{record.path} defines no {name}",
            why=f"it has {len(symbols)} symbols, none of that name",
            instead=f"did you mean {near}?" if near else f"idumb-brain codemap outline {record.path}",
        )
    return exact[0]
