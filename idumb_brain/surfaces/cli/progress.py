"""How far a scan is, on stderr: a bar on a terminal, a line now and then elsewhere, nothing for what is over at once."""

from __future__ import annotations

import sys
import time
from typing import Any

_PATIENCE = 0.7  # seconds; what takes less needs no bar
_EVERY = 10.0  # seconds between lines where there is no terminal


class Progress:
    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._began = self._told = time.monotonic()
        self._phase_began = self._began
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def at(self, done: int, total: int, what: str) -> None:
        if self._quiet:
            return
        now = time.monotonic()
        if not done:
            self._phase_began = now
        if now - self._began < _PATIENCE:
            return
        if sys.stderr.isatty():
            self._draw(done, total, what)
        elif now - self._told >= _EVERY and done:
            self._told = now
            rate = done / max(now - self._phase_began, 1e-6)
            left = (total - done) / rate
            print(f"{done}/{total} files, {rate:.0f} a second, about {left:.0f} s left", file=sys.stderr)

    def note(self, message: str) -> None:
        if not self._quiet:
            print(f"note: {message}", file=sys.stderr)

    def _draw(self, done: int, total: int, what: str) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(
                TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"),
                TimeRemainingColumn(), console=Console(stderr=True), transient=True,
            )  # fmt: skip
            self._task = self._bar.add_task("", total=None, rate="")
            self._bar.start()
        seconds = time.monotonic() - self._phase_began
        rate = f"{done / seconds:.0f} files/s" if done and seconds > 0 else ""
        self._bar.update(
            self._task,
            completed=done,
            total=total or None,
            rate=rate,
            description="reading" if total else what,
        )
