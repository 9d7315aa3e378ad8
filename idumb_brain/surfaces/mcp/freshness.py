"""The index, brought up to date before somebody asks it. Nobody waits for long: what takes longer goes on behind."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from typing import Any

from idumb_brain.model.errors import BrainError
from idumb_brain.operations.lanes import Turns
from idumb_brain.operations.project import Project
from idumb_brain.operations.scanning import Workspace

_SOON = 3.0  # seconds that a question waits for what changed
_FIRST = 30.0  # and where there is no index yet, for the first one; clients give up after a minute


class Freshness:
    def __init__(self, project: Project, lane: Turns, note: Callable[[str], None]) -> None:
        self._project = project
        self._note = note
        self._lane = lane
        self._workspace: Workspace | None = None
        self._waiting: Future[Any] | None = None
        self._turn = threading.Lock()

    def begin(self) -> Future[Any]:
        """A look at what changed. Those who ask before it has begun share it: it sees what they see."""
        with self._turn:
            if self._waiting is None:
                self._waiting = self._lane.do(self._look)
            return self._waiting

    def wait(self) -> bool:
        """Whether the index is as the files are now."""
        looking = self.begin()
        try:
            looking.result(_SOON if self._project.index.exists() else _FIRST)
        except NotYet:
            return False
        except (BrainError, OSError) as error:  # an answer from an older index says itself that it is old
            self._note(f"a scan failed: {type(error).__name__}: {error}")
            return False
        return True

    def _look(self) -> None:
        with self._turn:
            self._waiting = None
        if self._workspace is None:
            self._workspace = Workspace(project=self._project, notice=self._note)
        self._workspace.refresh()
