"""What agents were handed lately, for whoever asks why: ``context last``. Written behind the answer; never in an agent's way."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from idumb_brain.model.errors import BadInput, BrainError
from idumb_brain.model.selection import Injection
from idumb_brain.operations.project import Project, find_project, now
from idumb_brain.render.blocks import BLOCKS
from idumb_brain.render.quoting import inline
from idumb_brain.store import injected as store

_GATHERED = 0.25  # seconds in which further blocks are written along
_DROPPED = 60  # of what was not chosen; the rest is counted
_WEEK = 6  # days before today
Data = dict[str, Any]


class Recorder:
    """Keeps what one process hands over."""

    def __init__(self, project: Project, note: Callable[[str], None]) -> None:
        self._project = project
        self._note = note
        self._waiting: deque[tuple[str, str, str, str, Mapping[str, Any]]] = deque()
        self._told = threading.Event()
        self._turn = threading.Lock()
        self._thread: threading.Thread | None = None

    def keep(self, at: str, session: str, role: str, kind: str, made: Mapping[str, Any]) -> None:
        """``made`` is the data of ``context``. It is written a moment later, when its reader has it."""
        self._waiting.append((at, session, role, kind, made))
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="injected", daemon=True)
            self._thread.start()
        self._told.set()

    def close(self) -> None:
        self._write()

    def _run(self) -> None:
        while self._told.wait():
            self._told.clear()
            time.sleep(_GATHERED)
            self._write()

    def _write(self) -> None:
        with self._turn:
            those = [self._waiting.popleft() for _ in range(len(self._waiting))]
            if not those:
                return
            try:
                store.keep(self._project.injected, [_injection(*one) for one in those], _days_before(those[-1][0], store.DAYS))
            except (BrainError, OSError, ValueError) as error:
                self._note(f"what agents were handed could not be kept: {error}")


def last(
    root: str | None = None, *, session: str = "", kind: str = "", role: str = "", limit: int = 10, text: bool = False
) -> Data:
    """The last blocks that were handed over, the newest first, with why each thing was told or not."""
    if kind and kind not in BLOCKS:
        raise BadInput(
            f"{kind!r} is no block", why="none of that kind is handed over", instead=f"choose from {', '.join(BLOCKS)}"
        )
    project = find_project(root)
    found = store.last(project.injected, session=session, kind=kind, role=role, limit=limit)
    return {"blocks": [_block_data(one, text) for one in found], **handed_over(project)}


def handed_over(project: Project) -> Data:
    """How much it was: today, and within a week."""
    today = now()
    return {
        "today": _counts(store.counted(project.injected, today[:10])),
        "week": _counts(store.counted(project.injected, _days_before(today, _WEEK))),
    }


def _injection(at: str, session: str, role: str, kind: str, made: Mapping[str, Any]) -> Injection:
    dropped = made["dropped"]
    return Injection(
        at, inline(session), inline(role), kind, made["chars"], made["budget"], made["tokens"], made["text"],
        _titled(made["selected"]), _titled(dropped[:_DROPPED]), max(0, len(dropped) - _DROPPED), at,
    )  # fmt: skip


def _titled(rows: Iterable[Mapping[str, Any]]) -> tuple[Data, ...]:
    return tuple({**row, "title": inline(row["title"])} for row in rows)


def _block_data(one: Injection, text: bool) -> Data:
    told = asdict(one) | {"selected": list(one.selected), "dropped": list(one.dropped)}
    return {name: value for name, value in told.items() if text or name != "text"}


def _counts(by_kind: Mapping[str, tuple[int, int, int]]) -> Data:
    return {
        "blocks": sum(blocks for blocks, _, _ in by_kind.values()),
        "tokens": sum(tokens for _, _, tokens in by_kind.values()),
        "kinds": {kind: {"blocks": blocks, "tokens": tokens} for kind, (blocks, _, tokens) in sorted(by_kind.items())},
    }


def _days_before(time: str, days: int) -> str:
    return (datetime.fromisoformat(time) - timedelta(days=days)).strftime("%Y-%m-%d")
