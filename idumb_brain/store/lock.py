"""One at a time, across processes. The operating system lets go of a lock when its holder dies."""

from __future__ import annotations

import contextlib
import os
import threading
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


@contextlib.contextmanager
def in_turn(file: Path, patience: float) -> Iterator[None]:
    """First come, first served: SQLite's own waiting is by lot, and among many the unlucky wait for long."""
    handle = os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
    try:
        if not _take(handle) and not _queued(handle, patience):
            raise StoreLocked(
                f"{file.parent} is locked",
                why=f"another process has held {file.name} for more than {patience:g} s",
                instead="try again when it is done, or stop it",
            )
        yield
    finally:
        os.close(handle)


def _queued(handle: int, patience: float) -> bool:
    """Wait among others until the lock is ours. A wait in the system has no end of its own, so a thread does it."""
    taken = threading.Event()
    own = os.dup(handle)

    def wait() -> None:
        try:
            _take_at_last(own)
            taken.set()
        finally:
            os.close(own)  # the lock stays with ``handle``, or goes if that one is closed by now

    threading.Thread(target=wait, daemon=True).start()
    return taken.wait(patience)


if os.name == "nt":  # pragma: no cover
    import msvcrt

    def _take(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True

    def _take_at_last(handle: int) -> None:
        while not _take(handle):
            time.sleep(0.002)

else:
    import fcntl

    def _take(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _take_at_last(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX)
