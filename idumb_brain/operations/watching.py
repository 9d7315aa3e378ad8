"""Keeps the index true while the tree changes. Believes the operating system's word that something changed, never its silence.

Small batches of changes are rescanned file by file; large ones (a branch switch, an install) cost one walk, however
large. Since an event may be lost (a full queue, a folder made and filled at once), a walk checks when things have
calmed down, and now and then anyway.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from idumb_brain.model.code import ScanReport
from idumb_brain.operations.project import Project, find_project
from idumb_brain.operations.scanning import Notice, Workspace, silent
from idumb_brain.scan.discover import never_read

_STEP_MS = 25  # quiet this long ends a batch
_LONGEST_MS = 400  # a batch is handed on after this, however busy the tree is
_LOOK_MS = 250  # how often to look whether the root is still the same folder
_MANY = 100  # more changed paths than this are a walk's business
_CALM = 2.0  # seconds without a change after which a walk checks what the events said
_NOW_AND_THEN = 60.0
_POLL = 1.0  # seconds between walks where the system cannot tell of changes


@dataclass(frozen=True, slots=True)
class Batch:
    """What one round of watching did, and what it was about: start, changes, walk, check, settings."""

    about: str
    report: ScanReport


def watch(
    root: str | None = None, *, jobs: int | None = None, stop: threading.Event | None = None, notice: Notice = silent
) -> Iterator[dict[str, Any]]:
    """One answer a batch, until told to stop; batches that changed nothing are not worth one, but the first is."""
    project = find_project(root)
    for batch in batches(project, jobs=jobs, stop=stop or threading.Event(), notice=notice):
        if batch.about == "start" or batch.report.scanned or batch.report.removed:
            yield batch_data(batch)


def batch_data(batch: Batch) -> dict[str, Any]:
    return {
        "about": batch.about,
        "scanned": list(batch.report.scanned),
        "removed": list(batch.report.removed),
        "files": batch.report.seen,
        "durationMs": batch.report.duration_ms,
    }


class Watcher:
    """Watches in a thread of its own, for servers: ``told`` hears of every batch there."""

    def __init__(self, project: Project, told: Callable[[Batch], None], notice: Notice = silent) -> None:
        self._stop = threading.Event()
        self._project, self._told, self._notice = project, told, notice
        self._thread = threading.Thread(target=self._run, name="idumb-brain-watch", daemon=True)

    def start(self) -> Watcher:
        self._thread.start()
        return self

    def close(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        for batch in batches(self._project, stop=self._stop, notice=self._notice):
            self._told(batch)


def batches(project: Project, *, stop: threading.Event, jobs: int | None = None, notice: Notice = silent) -> Iterator[Batch]:
    """Every batch, the idle checks included. Goes on when the root goes away, and starts over when it is back."""
    about = "start"
    while not stop.is_set():
        if not project.root.is_dir():
            stop.wait(_LOOK_MS / 1000)
            continue
        with Workspace(project=project, jobs=jobs, notice=notice) as workspace:
            yield Batch(about, workspace.refresh())
            again = yield from _while_it_stays(workspace, stop, notice)
        about = again


def changes(root: Path, stop: threading.Event, notice: Notice) -> Iterator[list[str] | None]:
    """Paths that changed, relative to the root; [] when nothing did for a while; None where nobody can tell."""
    import watchfiles  # loads a native library

    top = f"{root}{os.sep}"

    def matters(_: object, path: str) -> bool:
        return path.startswith(top) and not never_read(path[len(top) :])

    try:
        for changed in watchfiles.watch(
            root, watch_filter=matters, debounce=_LONGEST_MS, step=_STEP_MS, rust_timeout=_LOOK_MS, yield_on_timeout=True,
            stop_event=stop, raise_interrupt=True, ignore_permission_denied=True,
        ):  # fmt: skip
            yield sorted({path[len(top) :].replace(os.sep, "/") for _, path in changed})
    except FileNotFoundError:
        return  # the root went away before the watch could begin
    except OSError as error:
        notice(f"the system cannot watch {root} ({error}); looking for changes every {_POLL:g} s instead")
        while not stop.wait(_POLL):
            yield None


def _while_it_stays(workspace: Workspace, stop: threading.Event, notice: Notice) -> Generator[Batch, None, str]:
    """Rounds of watching while the root is the folder it was and its settings are what they were; then what ended it."""
    root = workspace.project.root
    folder = _identity(root)
    last_change = last_walk = time.monotonic()
    unchecked = True  # nobody told of what changed between the first walk and the beginning of the watch
    for changed in changes(root, stop, notice):
        now = time.monotonic()
        if _identity(root) != folder:
            return "start"
        if changed is None or len(changed) > _MANY:
            yield Batch("walk", workspace.refresh())
        elif any(path.startswith(".idumb/") for path in changed):
            return "settings"
        elif changed:
            yield Batch("changes", workspace.rescan(changed))
        elif (unchecked and now - last_change > _CALM) or now - last_walk > _NOW_AND_THEN:
            yield Batch("check", workspace.refresh())
            last_walk, unchecked = now, False
            continue
        else:
            continue
        last_change, unchecked = now, True
    return "start"


def _identity(root: Path) -> tuple[int, int] | None:
    try:
        status = root.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
