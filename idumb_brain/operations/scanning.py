"""Scanning: make the index equal to the tree, and say what it holds."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from idumb_brain.model.code import ScanReport, Totals
from idumb_brain.model.errors import BadInput, BrainError
from idumb_brain.operations.project import Project, discover_settings, find_project, now
from idumb_brain.store import code as store
from idumb_brain.store import facts as facts_store
from idumb_brain.store.database import Connection

Notice = Callable[[str], None]
Progress = Callable[[int, int, str], None]


def silent(*_: object) -> None:
    return None


class Workspace:
    """A project kept open, for those who live long and rescan often; ``once`` says that this one does not."""

    def __init__(
        self,
        root: str | None = None,
        *,
        jobs: int | None = None,
        notice: Notice = silent,
        project: Project | None = None,
        once: bool = False,
    ) -> None:
        from idumb_brain.scan.read import ReadLimits
        from idumb_brain.scan.refresh import ScanSettings
        from idumb_brain.scan.refresh import Workspace as Scanner

        now()  # a clock that cannot be read is better found out before the work than after it
        self.project = (project or find_project(root)).prepared()
        stated = self.project.config.scan
        settings = ScanSettings(
            discover=discover_settings(self.project),
            limits=ReadLimits(stated.maxBytes, stated.minifiedLine, generated=stated.generated),
            jobs=jobs or stated.jobs,
            seconds_a_file=stated.secondsPerFile,
            fences=stated.markdownFences,
        )
        root_folder = str(self.project.root)
        self._scanner = Scanner(
            root_folder, self.project.index, settings, environ=os.environ, now=now, notice=notice, copies=once
        )

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self._scanner.close()

    def refresh(self, *, full: bool = False, progress: Progress = silent) -> ScanReport:
        return self._scanner.refresh(full=full, progress=progress)

    def rescan(self, paths: Iterable[str]) -> ScanReport:
        """Bring single files up to date; paths are absolute or relative to the root."""
        return self._scanner.rescan([self._relative(path) for path in paths])

    def totals(self) -> Totals:
        return self._scanner.totals()

    def _relative(self, path: str) -> str:
        if not os.path.isabs(path):
            return Path(os.path.normpath(path)).as_posix()
        relative = os.path.relpath(path, self.project.root)
        if relative.startswith(".."):
            raise BadInput(f"{path} is not in {self.project.root}", instead="give a path inside the project")
        return Path(relative).as_posix()


def scan(
    root: str | None = None,
    paths: Iterable[str] = (),
    *,
    full: bool = False,
    jobs: int | None = None,
    progress: Progress = silent,
    notice: Notice = silent,
) -> dict[str, Any]:
    """Scan a project, incrementally unless told otherwise; files named in ``paths`` only, if any are."""
    project, files = _what_to_scan(root, list(paths))
    if project.note:
        notice(project.note)
    with Workspace(project=project, jobs=jobs, notice=notice, once=True) as workspace:
        report = workspace.rescan(files) if files and not full else workspace.refresh(full=full, progress=progress)
        return report_data(workspace.project, report, workspace.totals())


def init(
    root: str | None = None,
    *,
    jobs: int | None = None,
    progress: Progress = silent,
    notice: Notice = silent,
) -> dict[str, Any]:
    """Settings, a full scan, the words that questions look for, and what to do next."""
    from idumb_brain.operations.word_index import bring_up_to_date

    project = find_project(root)
    created = not (project.home / "config.json").exists()
    report = scan(str(project.root), full=True, jobs=jobs, progress=progress, notice=notice)
    notice("reading words and history, so that the first question need not")
    with project.reading() as index:
        bring_up_to_date(project, index, notice)
    return {
        "root": str(project.root),
        "config": str(project.home / "config.json"),
        "created": created,
        "scan": report,
        "next": [
            "idumb-brain map",
            'idumb-brain query "what you want to know, or an error"',
            "idumb-brain brain learn",
            "idumb-brain setup opencode (or: claude, mcp)",
        ],
    }


def report_data(project: Project, report: ScanReport, totals: Totals) -> dict[str, Any]:
    """The ``data`` of ``scan``."""
    return {
        "root": str(project.root),
        "mode": report.mode,
        "files": {
            "seen": report.seen,
            "scanned": len(report.scanned),
            "unchanged": report.unchanged,
            "removed": len(report.removed),
            "skipped": report.skipped,
        },
        "skipped": [{"path": path, "reason": reason} for path, reason in totals.skipped],
        "problems": [{"path": p.file, "line": p.line, "message": p.message} for p in totals.problems],
        "languages": language_data(totals.languages),
        "symbols": totals.symbols,
        "comments": totals.comments,
        "imports": imports_data(totals),
        "durationMs": report.duration_ms,
        "notes": list(report.notes),
    }


def imports_data(totals: Totals) -> dict[str, int]:
    return {"resolved": totals.resolved, "external": totals.external, "unresolved": totals.unresolved}


def language_data(languages: Mapping[str, tuple[int, int, int]]) -> dict[str, Any]:
    return {name: {"files": files, "lines": lines, "bytes": size} for name, (files, lines, size) in languages.items()}


def freshness(project: Project) -> dict[str, Any]:
    """What is indexed and how fresh it is. Looks at the tree, changes nothing."""
    data: dict[str, Any] = {
        "root": str(project.root),
        "index": str(project.index),
        "scanned": False,
        "note": project.note,
    }
    try:
        with project.reading() as connection:
            known = facts_store.known_files(connection)
            changes = Counter(change for _, change in _changed_since(project, connection, known))
            totals = store.totals(connection)
            return data | {
                "scanned": True,
                "lastScannedAt": store.meta(connection, "scanned"),
                "lastFullScanAt": store.meta(connection, "scannedFull") or None,
                "complete": not store.meta(connection, "linking"),
                "files": {
                    "indexed": len(known),
                    "skipped": sum(row[5] == "skipped" for row in known.values()),
                    "added": changes["added"],
                    "changed": changes["modified"],
                    "removed": changes["deleted"],
                },
                "fresh": not changes,
                "languages": language_data(totals.languages),
                "symbols": totals.symbols,
                "comments": totals.comments,
                "imports": imports_data(totals),
                "problems": len(totals.problems),
                "repositories": json.loads(store.meta(connection, "repositories") or "[]"),
                "indexBytes": project.index.stat().st_size,
            }
    except BrainError as error:
        if error.kind != "not-scanned":
            raise
        return data | {"next": error.instead}


def changed_files(project: Project) -> list[tuple[str, str]]:
    """(path, added | modified | deleted) of files that are no longer what was scanned, as far as a look at each tells."""
    with project.reading() as connection:
        return _changed_since(project, connection, facts_store.known_files(connection))


def _changed_since(project: Project, connection: Connection, known: Mapping[str, Any]) -> list[tuple[str, str]]:
    from idumb_brain.scan.discover import discover_again

    rules = store.meta(connection, "ignored")
    seen = discover_again(str(project.root), discover_settings(project), known, rules, environ=os.environ)
    found = {file.path: file for file in seen.found}
    changes = [(path, "added") for path in found if path not in known]
    changes += [
        (path, "modified")
        for path, file in found.items()
        if path in known and (file.size, file.mtime_ns) != (known[path][1], known[path][2])
    ]
    changes += [(path, "deleted") for path, row in known.items() if path not in found and row[5] != "skipped"]
    return sorted(changes)


def _what_to_scan(root: str | None, paths: list[str]) -> tuple[Project, list[str]]:
    """Folders name a project, files name what to look at in it."""
    missing = [path for path in paths if not os.path.lexists(path)]
    if root is None and len(paths) == 1 and os.path.isdir(paths[0]):
        folder = Path(paths[0]).resolve()
        around = next(
            (up for up in (folder, *folder.parents) if (up / ".idumb").is_dir() or (up / ".git").exists()),
            folder,
        )
        return find_project(str(around)), []
    project = find_project(root)
    if any(os.path.isdir(path) for path in paths):
        return (
            project,
            [],
        )  # a refresh of the whole tree costs little more than one of a folder, and is never stale
    for path in missing:
        if not _was_there(project, path):
            raise BadInput(
                f"{path} does not exist", why="nor is it in the index", instead="give files or a folder of the project"
            )
    return project, [os.path.abspath(path) for path in paths]


def _was_there(project: Project, path: str) -> bool:
    """Whether the index still knows a path that is gone."""
    relative = os.path.relpath(os.path.abspath(path), project.root)
    try:
        with project.reading() as connection:
            return bool(facts_store.known_files_at(connection, [relative]) or facts_store.known_files_under(connection, relative))
    except BrainError:
        return False
