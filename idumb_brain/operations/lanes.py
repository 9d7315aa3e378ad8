"""Threads that work takes its turn on: what has to stay in order, or must not be in the way of others. Knows nothing of the work."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Turns(Protocol):
    def do(self, work: Callable[[], T]) -> Future[T]: ...


class Lane:
    """Work in the order it came, on threads that never keep the process from ending."""

    def __init__(self, name: str, threads: int = 1) -> None:
        self._waiting: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = queue.SimpleQueue()
        for number in range(threads):
            threading.Thread(target=self._run, name=f"{name}-{number}", daemon=True).start()

    def do(self, work: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        self._waiting.put((future, work))
        return future

    def _run(self) -> None:
        while True:
            _carry_out(*self._waiting.get())


class AtOnce:
    """The same for those who live for one piece of work only: everything is done when it is asked for."""

    def do(self, work: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        _carry_out(future, work)
        return future


def _carry_out(future: Future[T], work: Callable[[], T]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:  # whoever waits for the future gets it
        future.set_exception(error)
