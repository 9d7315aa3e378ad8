"""How a worker process comes to be: a fresh interpreter, or a copy of this one where that is safe. Knows nothing of its work.

A copy costs a few milliseconds where a fresh interpreter costs a tenth of a second, and shares what was prepared before
it was made. It is safe only in a process with a single thread.
"""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol


class Process(Protocol):
    def kill(self) -> None: ...

    def wait(self, timeout: float | None = None) -> int: ...


class Started(NamedTuple):
    process: Process
    tasks: BinaryIO  # to it, unbuffered
    answers: BinaryIO  # from it, unbuffered


def can_copy() -> bool:
    return sys.platform == "linux" and threading.active_count() == 1


def fresh(command: tuple[str, ...]) -> Started:
    """Another program, or this package's worker in an interpreter of its own."""
    package_home = str(Path(__file__).resolve().parent.parent.parent)
    process = subprocess.Popen(
        command or (sys.executable, "-m", "idumb_brain.scan.worker"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(os.environ, PYTHONPATH=os.pathsep.join([package_home, *filter(None, sys.path)])),
        bufsize=0,
    )
    assert process.stdin and process.stdout
    return Started(process, process.stdin, process.stdout)  # type: ignore[arg-type]


def copied(work: Callable[[BinaryIO, BinaryIO], None]) -> Started:
    """This process once more, doing ``work`` on its two pipes and nothing else."""
    its_tasks, our_tasks = os.pipe()
    our_answers, its_answers = os.pipe()
    pid = os.fork()
    if pid == 0:
        _work_and_die(work, its_tasks, its_answers)
    os.close(its_tasks)
    os.close(its_answers)
    return Started(_Copy(pid), os.fdopen(our_tasks, "wb", 0), os.fdopen(our_answers, "rb", 0))


def _work_and_die(work: Callable[[BinaryIO, BinaryIO], None], tasks: int, answers: int) -> None:
    """Never returns: what the parent has open, buffered or registered for its end is none of the copy's business."""
    try:
        gc.freeze()  # what is inherited stays: looking through it again and again would copy all its pages
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):  # a grammar that prints must not be heard
            os.dup2(nowhere, stream)
        # A pipe to another worker, or the lock of the scan, must not stay open here when its owner is gone.
        low, high = sorted((tasks, answers))
        for first, last in ((3, low), (low + 1, high), (high + 1, os.sysconf("SC_OPEN_MAX"))):
            os.closerange(first, last)
        work(os.fdopen(tasks, "rb"), os.fdopen(answers, "wb", 1 << 18))
        os._exit(0)
    finally:
        os._exit(1)


class _Copy:
    """What ``subprocess`` offers, for a copy of this process."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._code: int | None = None

    def kill(self) -> None:
        if self._code is None:
            os.kill(self._pid, signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        deadline = None if timeout is None else time.monotonic() + timeout
        while self._code is None:
            done, status = os.waitpid(self._pid, 0 if deadline is None else os.WNOHANG)
            if done:
                self._code = os.waitstatus_to_exitcode(status)
            elif deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("worker", timeout or 0)
            else:
                time.sleep(0.001)
        return self._code
