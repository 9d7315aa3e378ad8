"""The index as a long-lived caller looks at it: kept open, with a mark that tells whether it is still the same."""

from __future__ import annotations

import os

from idumb_brain.operations.lanes import Turns
from idumb_brain.operations.lately import Lately
from idumb_brain.operations.mapping import summary_of
from idumb_brain.operations.project import Project
from idumb_brain.store import code as store
from idumb_brain.store.database import Connection, explained, others_wrote


class Indexed:
    def __init__(self, project: Project, aside: Turns | None = None) -> None:
        self._project = project
        self._connection: Connection | None = None
        self._file = self._others = -1
        self._mark = ""
        self._summary = Lately(aside, "")

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def mark(self) -> str:
        """Changes whenever the files in the index do; "" while there is no index."""
        try:
            file = os.stat(self._project.index).st_ino
        except OSError:
            file = 0
        if file != self._file or self._connection is None:
            self.close()
            self._file, self._others = file, -1
            self._connection = store.open_for_reading(self._project.index)
        if self._connection is None:
            return ""
        with explained(self._project.index):
            others = others_wrote(self._connection)
            if others != self._others:
                self._others, self._mark = others, store.content_mark(self._connection)
        return self._mark

    def summary(self, mark: str) -> str:
        """The project in a line; "" while there is no index."""
        return self._summary.answer("summary", mark, self._summed_up) if mark else ""

    def _summed_up(self) -> str:
        with self._project.reading() as connection:
            return summary_of(self._project, connection)
