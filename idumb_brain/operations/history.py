"""What history adds to the map: files that change often, and who answers for what."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from idumb_brain.model.errors import StoreDamaged, StoreLocked
from idumb_brain.model.history import History
from idumb_brain.operations.project import Project
from idumb_brain.scan.history import read_history
from idumb_brain.scan.owners import code_owners
from idumb_brain.store import code as store
from idumb_brain.store import history as history_store


def project_history(project: Project) -> History:
    """Commits by file. Kept in the index: what was read once is not read again."""
    stated = project.config.history
    settings = f"{stated.commits} {stated.since}"
    with project.reading() as connection:
        known = history_store.history(connection, settings)
    found = read_history(project.root, known, commits=stated.commits, since=stated.since)
    if found.head and (known is None or known.head != found.head):
        try:
            history_store.keep_history(project.index, found, settings)
        except (StoreLocked, StoreDamaged):
            pass  # somebody is writing, or nobody may: the answer is right all the same, the next one only slower
    return found


def folder_owners(project: Project, known: History | None = None, depth: int = 2) -> dict[str, dict[str, Any]]:
    """The same for folders, as deep as told: owners of most of their files, authors of most of their commits."""
    known = known or project_history(project)
    rules = code_owners(project.root)
    with project.reading() as connection:
        paths = [record.path for record in store.files(connection, "status != 'skipped'")]
    files: Counter[str] = Counter()
    owners: dict[str, Counter[str]] = defaultdict(Counter)
    authors: dict[str, Counter[str]] = defaultdict(Counter)
    for path in paths:
        named = rules.of(path)
        one = known.files.get(path)
        for folder in _folders(path, depth):
            files[folder] += 1
            owners[folder].update(named)
            if one is not None:
                authors[folder].update(dict(one.authors))
    return {
        folder: {"files": files[folder], "owners": _shares(owners[folder], files[folder]), "authors": _shares(authors[folder])}
        for folder in sorted(files)
    }


def _folders(path: str, depth: int) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[:length]) for length in range(min(depth, len(parts)) + 1)]


def _shares(counted: Mapping[str, int], total: int = 0) -> list[dict[str, Any]]:
    total = total or sum(counted.values())
    ranked = sorted(counted.items(), key=lambda one: (-one[1], one[0]))[:3]
    return [{"name": name, "share": round(count / total, 3)} for name, count in ranked]
