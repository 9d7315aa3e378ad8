"""One scan at a time per index, across processes. The operating system lets go of the lock when its holder dies."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from idumb_brain.model.errors import StoreLocked

_PATIENCE = 60.0


@contextlib.contextmanager
def exclusive(file: Path, notice: Callable[[str], None], patience: float = _PATIENCE) -> Iterator[None]:
    handle = os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
    try:
        deadline = time.monotonic() + patience
        told = False
        while not _take(handle):
            if not told:
                notice("another scan is running here; waiting for it")
                told = True
            if time.monotonic() > deadline:
                raise StoreLocked(
                    f"{file.parent} is being scanned by another process",
                    why=f"it has held {file.name} for more than {patience:g} s",
                    instead="wait for that scan to end, or stop it",
                )
            time.sleep(0.02)
        yield
    finally:
        os.close(handle)


if os.name == "nt":  # pragma: no cover
    import msvcrt

    def _take(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True

else:
    import fcntl

    def _take(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
