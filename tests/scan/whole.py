"""Everything an index says, without the numbers and times that may differ between two ways to the same state."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from idumb_brain.scan.refresh import ScanSettings, Workspace
from idumb_brain.store import code as store
from idumb_brain.store import facts as facts_store

NOW = "2026-02-04T10:30:00Z"


def workspace(root: Path, index: Path, settings: ScanSettings | None = None, **more: Any) -> Workspace:
    return Workspace(str(root), index, settings or ScanSettings(jobs=2), environ={}, now=lambda: NOW, **more)


def contents(index: Path) -> dict[str, Any]:
    """path → all facts and edges of it."""
    connection = store.open_for_reading(index)
    assert connection is not None
    try:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert not store.meta(connection, "linking")
        path_of = store.paths(connection)
        documents = dict(connection.execute("SELECT file, facts FROM documents"))
        names = dict(connection.execute("SELECT rowid, names FROM mentions"))
        whole: dict[str, Any] = {}
        for file in store.files(connection):
            wants = connection.execute("SELECT key FROM wants WHERE file = ? ORDER BY key", (file.id,)).fetchall()
            edges = connection.execute(
                "SELECT ordinal, line, kind, target, external, reason FROM edges WHERE id >> 20 = ?", (file.id,)
            ).fetchall()
            whole[file.path] = {
                "file": (file.status, file.reason, file.hash, file.size, file.lines, file.language, file.package),
                "symbols": store.symbols_of(connection, file),
                "comments": store.comments(connection, file),
                "imports": store.imports_of(connection, file),
                "references": sorted((r.owner, r.kind, r.line, r.name) for r in store.references_of(connection, file)),
                "keys": sorted(facts_store.keys_of(connection, file.id)),
                "wants": wants,
                "edges": sorted((*row[:3], path_of.get(row[3], ""), *row[4:]) for row in edges),
                "document": documents.get(file.id),
                "mentions": sorted(names.get(file.id, "").split()),
            }
        return whole
    finally:
        connection.close()


def fresh(root: Path, scratch: Path, settings: ScanSettings | None = None) -> dict[str, Any]:
    """What a first scan of the tree as it is now would say."""
    index = scratch / f"fresh-{len(os.listdir(scratch))}.db"
    with workspace(root, index, settings) as made:
        made.refresh()
    return contents(index)


def assert_equal(got: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert sorted(got) == sorted(wanted)
    for path, facts in wanted.items():
        for what, value in facts.items():
            assert got[path][what] == value, f"{path}: {what}\n{got[path][what]}\n{value}"
