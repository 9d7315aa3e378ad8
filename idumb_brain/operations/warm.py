"""Search stores that stay open between questions, for processes that live long. All others open one and close it again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from idumb_brain.operations.project import Project

if TYPE_CHECKING:
    from idumb_brain.operations.searching import Notice, Searcher

_kept: dict[Path, tuple[threading.Lock, Searcher]] = {}
_lasting = threading.Event()
_making = threading.Lock()


def stay_warm() -> None:
    """This process will be asked again."""
    _lasting.set()


@contextmanager
def searching(project: Project, notice: Notice = lambda _: None) -> Iterator[Searcher]:
    """Of a project there is one at a time: its decoded words are the larger part of what a process holds."""
    from idumb_brain.operations.searching import Searcher

    if not _lasting.is_set():
        with Searcher(project, notice=notice) as once:
            yield once
        return
    with _making:
        turn, searcher = _kept.setdefault(project.root, (threading.Lock(), Searcher(project)))
    with turn:
        try:
            yield searcher
        except BaseException:
            searcher.close()  # whatever it was, the next question begins anew
            raise
