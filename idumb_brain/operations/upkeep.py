"""The index, kept true while agents work: after their writes, and whatever else changes the tree. Nobody waits who does not ask to.

All of it is done on one lane, in order. ``watching`` is for processes that live long; where the system cannot tell of changes,
those who ask look for themselves.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any

from idumb_brain.model.errors import BrainError
from idumb_brain.operations.keeping import Keeper
from idumb_brain.operations.lanes import Turns
from idumb_brain.operations.project import Project
from idumb_brain.render import noticed

_SOON = 2.0  # seconds that somebody waits for a rescan; it goes on behind after that
_MANY = 100  # more changed paths than this are a walk's business
_SETTINGS = ".idumb/"


class Upkeep:
    def __init__(self, project: Project, lane: Turns, note: Callable[[str], None]) -> None:
        self._project = project
        self._lane = lane
        self._note = note
        self._keeper: Keeper | None = None
        self._scan: Future[Any] | None = None
        self._news: SimpleQueue[str] = SimpleQueue()
        self._stop = threading.Event()
        self._watch: threading.Thread | None = None
        self._blind = True

    def close(self) -> None:
        """On its lane."""
        self._stop.set()
        if self._keeper:
            self._keeper.__exit__()

    def watching(self) -> None:
        """From now on, what others change is noticed, too."""
        if self._watch is None:
            self.refresh()
            self._watch = threading.Thread(target=self._watched, name="watch", daemon=True)
            self._watch.start()

    def began(self) -> None:
        """A session begins: the index is brought up to date, then documents are looked at that lie."""
        self.refresh()
        self._later(lambda: self._heard(noticed.stale(self._kept().began())))

    def refresh(self) -> None:
        """Somebody wrote something, and nobody knows what."""
        self._scans(lambda: self._kept().refreshed())

    def written(self, paths: Sequence[str]) -> None:
        self._scans(partial(self._rescan, paths))
        self._later(self._look_at_drift)

    def settled(self, seconds: float = _SOON) -> None:
        """Wait until what was written is in the index, but not for ever."""
        if self._blind:
            self.refresh()
        if self._scan is not None:
            try:
                self._scan.result(seconds)
            except (NotYet, BrainError, OSError):
                return  # a failure was noted when it happened

    def news(self) -> list[str]:
        """What was noticed meanwhile; told once."""
        found = []
        while True:
            try:
                found.append(self._news.get_nowait())
            except Empty:
                return found

    def _watched(self) -> None:
        from idumb_brain.operations.watching import changes

        for paths in changes(self._project.root, self._stop, self._note):
            if paths is None:
                return  # the system cannot tell
            if self._blind:
                self._blind = False
                self.refresh()  # what changed before the watch began
            if any(path.startswith(_SETTINGS) for path in paths):
                self._scans(self._anew)
            elif len(paths) > _MANY:
                self.refresh()
            elif paths:
                self._scans(partial(self._rescan, paths))
        self._blind = True

    def _rescan(self, paths: Sequence[str]) -> None:
        self._kept().rescanned(paths)

    def _anew(self) -> None:
        """The settings are others."""
        if self._keeper:
            self._keeper.__exit__()
            self._keeper = None
        self._kept().refreshed()

    def _look_at_drift(self) -> None:
        if told := self._kept().drift_when_due():
            self._heard(noticed.drifted(told))

    def _heard(self, text: str) -> None:
        if text:
            self._news.put(text)

    def _scans(self, work: Callable[[], Any]) -> None:
        self._scan = self._later(work)

    def _later(self, work: Callable[[], Any]) -> Future[Any]:
        made = self._lane.do(work)
        made.add_done_callback(self._told_of_failure)
        return made

    def _kept(self) -> Keeper:
        """On the lane only."""
        if self._keeper is None:
            self._keeper = Keeper(self._project, notice=self._note)
        return self._keeper

    def _told_of_failure(self, scan: Future[Any]) -> None:
        if error := scan.exception():
            self._note(f"a scan failed: {type(error).__name__}: {error}")
