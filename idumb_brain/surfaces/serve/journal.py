"""``brain.log``: what went wrong where nobody was looking. Small: the older half goes when it is full."""

from __future__ import annotations

import threading
from pathlib import Path

from idumb_brain.operations.project import now
from idumb_brain.store.secrets import redacted

FULL = 256 * 1024


class Journal:
    def __init__(self, file: Path) -> None:
        self._file = file
        self._turn = threading.Lock()

    def note(self, text: str) -> None:
        """Never in the way: where nothing can be written, nothing is."""
        line = f"{now()} {redacted(text.rstrip())}\n"
        with self._turn:
            try:
                if self._file.stat().st_size > FULL:
                    self._file.replace(self._file.with_suffix(".1.log"))
            except OSError:
                pass  # there is none yet
            try:
                with self._file.open("a", encoding="utf-8", errors="backslashreplace") as log:
                    log.write(line)
            except OSError:
                return
