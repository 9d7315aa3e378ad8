"""Answers that are asked for again and again and take a while to find. Whoever cannot wait gets the one before. Finds nothing itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from typing import Generic, TypeVar

from idumb_brain.operations.lanes import AtOnce, Turns

T = TypeVar("T")
_PATIENCE = 1.0  # seconds for the first answer to a question
_QUESTIONS = 16  # that are kept in mind
_REST = 5.0  # seconds before the same is looked for again: it takes time from those who wait


class Lately(Generic[T]):
    """Without ``aside`` everybody waits, and every answer is the newest."""

    def __init__(self, aside: Turns | None, nothing: T) -> None:
        self._turns = aside or AtOnce()
        self._rest = _REST if aside else 0.0
        self._nothing = nothing
        self._rested: dict[object, float] = {}
        self._known: dict[object, tuple[object, T]] = {}
        self._sought: dict[object, tuple[object, Future[T]]] = {}

    def answer(self, about: object, as_of: object, find: Callable[[], T]) -> T:
        """``as_of``: what the answer depends on besides. While that alone changed, the answer before serves until there is a new one."""
        self._found(about)
        if about in self._known and self._known[about][0] == as_of:
            return self._known[about][1]
        if about not in self._sought and time.monotonic() >= self._rested.get(about, 0.0):
            self._sought[about] = as_of, self._turns.do(find)
        if about not in self._known:
            try:
                self._sought[about][1].exception(_PATIENCE)
            except NotYet:
                return self._nothing
        self._found(about)
        return self._known[about][1] if about in self._known else self._nothing

    def _found(self, about: object) -> None:
        if about in self._sought and self._sought[about][1].done():
            as_of, future = self._sought.pop(about)
            while len(self._known) >= _QUESTIONS:
                del self._known[oldest := next(iter(self._known))], self._rested[oldest]
            self._rested[about] = time.monotonic() + self._rest
            self._known[about] = as_of, future.result()
