"""The long-lived process: lines from its host in, answers out, and an end as soon as the host is gone. Leaves nothing behind."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import BinaryIO

from idumb_brain.operations.project import find_project
from idumb_brain.operations.warm import stay_warm
from idumb_brain.surfaces.serve.journal import Journal
from idumb_brain.surfaces.serve.methods import Methods
from idumb_brain.surfaces.serve.protocol import Protocol

_GRACE = 5.0  # seconds for what still runs when the host hangs up
_LOOK = 1.0  # seconds between looks whether the host still lives


def serve(root: str | None = None) -> int:
    answers, questions = _private_pipes()
    project = find_project(root).prepared()
    stay_warm()
    journal = Journal(project.home / "brain" / "brain.log")
    methods = Methods(project, journal.note)
    protocol = Protocol(answers, methods.table(), journal.note)
    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGINT, _end)
    threading.Thread(target=outlive_nobody, args=(os.getppid(),), name="parent", daemon=True).start()
    try:
        protocol.receive(questions)
        protocol.settle(_GRACE)
    except SystemExit:
        pass  # asked to end: what is committed is kept
    finally:
        threading.Thread(target=_end_anyway, name="end", daemon=True).start()
        methods.close()
        os._exit(0)  # a thread that hangs must not keep a process that nobody wants
    return 0


def outlive_nobody(parent: int) -> None:
    """The end of stdin tells that the host is gone, unless another process still holds the other end."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os.kill(os.getpid(), signal.SIGTERM)


def _private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes of the protocol. Whoever else prints, be it native code, prints to stderr; whoever else reads finds nothing."""
    answers = os.fdopen(os.dup(1), "wb")
    questions = os.fdopen(os.dup(0), "rb")
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    return answers, questions


def _end(*_: object) -> None:
    raise SystemExit(0)


def _end_anyway() -> None:
    time.sleep(_GRACE)
    os._exit(0)
