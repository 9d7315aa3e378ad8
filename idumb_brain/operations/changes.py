"""What changed between two states of the tree, down to signatures. Reads; changes nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from idumb_brain.model.code import FileFacts, SymbolRow
from idumb_brain.operations.project import Project
from idumb_brain.scan.discover import DiscoverSettings, discover
from idumb_brain.scan.git import changed_since, content_at
from idumb_brain.scan.languages import query_folders
from idumb_brain.scan.pool import Pool, PoolSettings, Task
from idumb_brain.scan.worker import failed_facts
from idumb_brain.store import code as store
from idumb_brain.store.database import Connection


def since_scan(project: Project) -> dict[str, Any]:
    """The tree as it is against the index as it was left."""
    with project.reading() as connection:
        known = store.known_files(connection)
        found = {file.path: file for file in discover(str(project.root), _settings(project), environ=os.environ).found}
        suspects = [
            path
            for path, file in found.items()
            if path in known and (file.size, file.mtime_ns) != (known[path][1], known[path][2])
        ]
        added = [path for path in found if path not in known]
        removed = [path for path, row in known.items() if path not in found and row[5] != "skipped"]
        now = _facts(project, [(path, known[path][4] if path in known else "", None) for path in suspects + added])
        modified = [path for path in suspects if now[path] is not None]
        before = {path: _stored(connection, path) for path in (*modified, *removed)}
        hashes = {known[path][4]: path for path in removed if known[path][4]}
    after = {path: facts.symbols for path in (*modified, *added) if (facts := now[path]) is not None}
    renamed = {hashes[facts.hash]: path for path in added if (facts := now[path]) is not None and facts.hash in hashes}
    return _difference("the last scan", added, removed, modified, renamed, before, after)


def since_revision(project: Project, revision: str) -> dict[str, Any]:
    """The tree as it is against a commit."""
    seen = {file.path for file in discover(str(project.root), _settings(project), environ=os.environ).found}
    rows = [row for row in changed_since(project.root, revision) if row[0] == "D" or row[2] in seen]
    renamed = {old: new for status, old, new in rows if status == "R"}
    added = [new for status, _, new in rows if status in "AC"]
    removed = [old for status, old, _ in rows if status == "D"]
    modified = [new for status, _, new in rows if status in "MT"]
    olds: list[Task] = [(path, "", content_at(project.root, revision, path)) for path in (*modified, *removed, *renamed)]
    then = {path: facts for path, facts in _facts(project, olds).items() if facts is not None}
    news: list[Task] = [(path, "", None) for path in (*modified, *added, *renamed.values())]
    now = {path: facts for path, facts in _facts(project, news).items() if facts is not None}
    renamed |= _moved(
        {path: then[path] for path in removed}, {path: now[path] for path in added}
    )  # git tells only of what it tracks
    before = {path: facts.symbols for path, facts in then.items()}
    after = {path: facts.symbols for path, facts in now.items()}
    return _difference(revision, [*added, *renamed.values()], [*removed, *renamed], modified, renamed, before, after)


def _moved(gone: Mapping[str, FileFacts], came: Mapping[str, FileFacts]) -> dict[str, str]:
    """Files that went and came back elsewhere with the same content."""
    by_hash = {facts.hash: path for path, facts in gone.items()}
    return {by_hash[facts.hash]: path for path, facts in came.items() if facts.size and facts.hash in by_hash}


def _settings(project: Project) -> DiscoverSettings:
    stated = project.config.scan
    return DiscoverSettings(stated.maxBytes, stated.vendored, tuple(stated.exclude), tuple(stated.include))


def _facts(project: Project, tasks: list[Task]) -> dict[str, FileFacts | None]:
    """Facts of files as they are, or of given contents; None for one whose content is what is known of it."""
    settings = PoolSettings(str(project.root), query_folders(str(project.root)))
    with Pool(settings, os.cpu_count() or 1) as pool:
        return {
            path: None if answer[0] == "same" else FileFacts(*answer)
            for path, answer in pool.run(tasks, lambda _, reason: failed_facts(reason))
        }


def _stored(connection: Connection, path: str) -> list[SymbolRow]:
    record = store.file_at(connection, store.stored_path(path)[0])
    if record is None:
        return []
    return [
        (s.parent, s.name, s.qualified_name, s.kind, s.line, s.end_line, s.signature, int(s.exported), s.doc)
        for s in store.symbols_of(connection, record)
    ]


def _difference(
    since: str,
    added: list[str],
    removed: list[str],
    modified: list[str],
    renamed: dict[str, str],
    before: dict[str, list[SymbolRow]],
    after: dict[str, list[SymbolRow]],
) -> dict[str, Any]:
    old_name = {new: old for old, new in renamed.items()}
    came: list[dict[str, Any]] = []
    went: list[dict[str, Any]] = []
    changed: list[dict[str, Any]] = []
    for path in sorted({*added, *modified}):
        old = _by_name(before.get(old_name.get(path, path), []))
        new = _by_name(after.get(path, []))
        came += [_symbol(path, row) for name, row in new.items() if name not in old]
        went += [_symbol(path, row) for name, row in old.items() if name not in new]
        changed += [
            _symbol(path, row) | {"before": old[name][6], "after": row[6]}
            for name, row in new.items()
            if name in old and (old[name][6], old[name][7]) != (row[6], row[7])
        ]
    for path in sorted(set(removed) - set(renamed)):
        went += [_symbol(path, row) for row in before.get(path, [])]
    return {
        "since": since,
        "added": sorted(set(added) - set(renamed.values())),
        "removed": sorted(set(removed) - set(renamed)),
        "modified": sorted(modified),
        "renamed": [{"from": old, "to": new} for old, new in sorted(renamed.items())],
        "symbols": {"added": came, "removed": went, "changed": changed},
    }


def _by_name(rows: list[SymbolRow]) -> dict[tuple[str, int], SymbolRow]:
    """Symbols by qualified name; overloads by the order they come in."""
    counted: dict[str, int] = {}
    named: dict[tuple[str, int], SymbolRow] = {}
    for row in rows:
        number = counted[row[2]] = counted.get(row[2], -1) + 1
        named[row[2], number] = row
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
