"""Where comments contradict code, asked of the index; functions nobody looked at yet are looked at first."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from idumb_brain.graph import inconsistencies as rules
from idumb_brain.graph.inconsistencies import FileView
from idumb_brain.model.documented import SEVERITIES, Finding
from idumb_brain.operations.project import Project, find_project
from idumb_brain.store import code as store
from idumb_brain.store import examined as kept
from idumb_brain.store.database import Connection, connect, explained, transaction

_CERTAIN_ENOUGH = 0.5
_WRITE_EVERY = 200
Progress = Callable[[int, int, str], None]


def inconsistencies(
    path: str | None = None,
    root: str | None = None,
    *,
    kinds: Sequence[str] = (),
    doubtful: bool = False,
    progress: Progress = lambda *_: None,
) -> list[dict[str, Any]]:
    """What comments say that is not so; ``doubtful`` also tells what may well be right."""
    from idumb_brain.operations.codemap import _must_know, _relative

    project = find_project(root)
    within = _relative(project, path) if path else ""
    within = "" if within == "." else within
    with project.reading() as connection:
        if within:
            _must_know(project, connection, within)
    return [
        _data(one)
        for one in findings(project, within, progress)
        if (not kinds or one.kind in kinds) and (doubtful or one.confidence >= _CERTAIN_ENOUGH)
    ]


def findings(project: Project, within: str = "", progress: Progress = lambda *_: None) -> list[Finding]:
    """Everything the rules find below a path, the doubtful too, in order of file and line."""
    examine(project, progress)
    with project.reading() as connection:
        return sorted(
            _found(project, connection, within),
            key=lambda one: (one.file, one.line, SEVERITIES.index(one.severity), one.kind, one.message),
        )


def examine(project: Project, progress: Progress) -> None:
    """Have the functions of files that are new or changed looked at, in processes of their own, and keep what was seen."""
    from idumb_brain.scan.languages import load_languages, query_folders
    from idumb_brain.scan.pool import Pool, PoolSettings, Task
    from idumb_brain.scan.read import ReadLimits

    folders = query_folders(str(project.root))
    languages = load_languages(folders)
    wanted = [name for name, language in languages.by_name.items() if language.examined]
    with project.reading() as connection:
        todo = kept.unexamined(connection, wanted)
    if not todo:
        return
    stated = project.config.scan
    limits = ReadLimits(stated.maxBytes, stated.minifiedLine, generated=stated.generated)
    settings = PoolSettings(str(project.root), folders, limits, stated.secondsPerFile, examines=True)
    tasks: list[Task] = [(path, digest, None) for _, path, digest in todo]
    known = {path: (number, digest) for number, path, digest in todo}
    rows: list[tuple[int, str, str]] = []
    with explained(project.index), Pool(settings, stated.jobs or os.cpu_count() or 1) as pool:
        writing = connect(project.index)
        try:
            for done, (path, answer) in enumerate(pool.run(tasks, lambda *_: ("examined", "[]")), 1):
                if answer[0] == "examined":
                    rows.append((*known[path], answer[1]))
                if len(rows) >= _WRITE_EVERY or done == len(tasks):
                    with transaction(writing):
                        kept.write_examined(writing, rows)
                    rows.clear()
                progress(done, len(tasks), path)
        finally:
            writing.close()


def _found(project: Project, connection: Connection, within: str) -> Iterator[Finding]:
    lines = _Lines(project)
    for view in _views(connection, within, lines):
        yield from rules.in_signatures(view)


def _views(connection: Connection, within: str, lines: _Lines) -> Iterator[FileView]:
    for record in store.files(connection, "status = 'scanned'"):
        if within and record.path != within and not record.path.startswith(within + "/"):
            continue
        comments = kept.comments_of(connection, record)
        if not comments:
            continue
        yield FileView(
            record, store.symbols_of(connection, record), comments, kept.functions_of(connection, record),
            store.imports_of(connection, record), lines,
        )  # fmt: skip


class _Lines:
    """Files as lines, the last few kept: findings quote what they are about."""

    def __init__(self, project: Project) -> None:
        self._root = project.root
        self._kept: dict[str, list[str]] = {}

    def __call__(self, path: str) -> Sequence[str]:
        found = self._kept.get(path)
        if found is None:
            try:
                found = (self._root / path).read_bytes().decode("utf-8", "replace").split("\n")
            except OSError:
                found = []
            if len(self._kept) > 8:
                self._kept.clear()
            self._kept[path] = found
        return found


def _data(one: Finding) -> dict[str, Any]:
    return {
        "file": one.file,
        "line": one.line,
        "kind": one.kind,
        "severity": one.severity,
        "message": one.message,
        "evidence": [{"path": e.path, "line": e.line, "text": e.text} for e in one.evidence],
        "symbol": one.symbol or None,
        "confidence": one.confidence,
    }
