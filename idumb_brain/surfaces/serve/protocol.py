"""JSON-RPC 2.0 over lines: requests to methods, results to answers, each in its time. Knows no method itself.

Methods run on lanes; answers go out when they are ready, in whatever order. Where a method has a time limit its answer is
given when the limit is over, whatever the method is still doing.
"""

from __future__ import annotations

import json
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from idumb_brain.model.errors import BrainError
from idumb_brain.operations.lanes import Turns

LONGEST = 64 * 1024 * 1024  # bytes of a message
PARSE, INVALID, UNKNOWN, PARAMS, FAILED = -32700, -32600, -32601, -32602, -32000
_TICK = 0.02  # seconds between looks at the clock while something with a limit runs


@dataclass(frozen=True, slots=True)
class Method:
    """``otherwise``: the answer, from a reason, where it fails or takes too long; without one that is an error.
    ``unheard``: what is done after an answer that came too late."""

    run: Callable[[dict[str, Any]], Any]
    lane: Turns
    limit: float = 0.0
    otherwise: Callable[[str], Any] | None = None
    unheard: Callable[[], None] = lambda: None


class Problem(Exception):
    """What a request did wrong."""

    def __init__(self, code: int, what: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(what)
        self.code = code
        self.data = data


class Request:
    """One message that waits for its answer. The first answer counts."""

    def __init__(self, id: Any, answers: bool, write: Callable[[dict[str, Any]], None]) -> None:
        self._id = id
        self._answers = answers
        self._write = write
        self._open = threading.Lock()

    def answer(self, result: Any) -> bool:
        return self._say({"result": result})

    def fail(self, code: int, what: str, data: dict[str, Any] | None = None) -> bool:
        return self._say({"error": {"code": code, "message": what} | ({"data": data} if data else {})})

    def _say(self, told: dict[str, Any]) -> bool:
        first = self._open.acquire(blocking=False)
        if first and self._answers:
            self._write({"jsonrpc": "2.0", "id": self._id, **told})
        return first


class Protocol:
    def __init__(self, answers: BinaryIO, methods: Mapping[str, Method], note: Callable[[str], None]) -> None:
        self._answers = answers
        self._methods = methods
        self._note = note
        self._writing = threading.Lock()
        self._running: dict[Request, tuple[float, Method]] = {}
        self._changed = threading.Condition()
        threading.Thread(target=self._watch, name="limits", daemon=True).start()

    def receive(self, lines: BinaryIO) -> None:
        """Every message until the end of the stream."""
        while line := lines.readline(LONGEST):
            if not line.endswith(b"\n") and len(line) == LONGEST:
                while (rest := lines.readline(LONGEST)) and not rest.endswith(b"\n"):
                    pass
                self._reject(INVALID, f"a message is longer than {LONGEST} bytes")
            elif line.strip():
                self.take(line)

    def take(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            self._reject(PARSE, f"not JSON: {error}")
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
            id = message.get("id") if isinstance(message, dict) else None
            self._reject(INVALID, 'a request is {"jsonrpc":"2.0","id":…,"method":…,"params":{…}}, one a line', id)
            return
        name, params = message["method"], message.get("params", {})
        request = Request(message.get("id"), "id" in message, self._write)
        method = self._methods.get(name)
        if method is None:
            request.fail(UNKNOWN, f"there is no method {name!r}; known are {', '.join(self._methods)}")
        elif not isinstance(params, dict):
            request.fail(PARAMS, "params has to be an object")
        else:
            self._start(request, name, method, params)

    def settle(self, seconds: float) -> None:
        """Wait for what still runs, but not for ever."""
        with self._changed:
            self._changed.wait_for(lambda: not self._running, seconds)

    def _start(self, request: Request, name: str, method: Method, params: dict[str, Any]) -> None:
        with self._changed:
            self._running[request] = (time.monotonic() + method.limit if method.limit else float("inf"), method)
            self._changed.notify_all()
        method.lane.do(lambda: self._run(request, name, method, params))

    def _run(self, request: Request, name: str, method: Method, params: dict[str, Any]) -> None:
        try:
            if not request.answer(method.run(params)):
                method.unheard()
        except Problem as problem:
            request.fail(problem.code, str(problem), problem.data)
        except Exception as error:  # a fault of ours is an answer: whoever asked must not wait for ever
            self._failed(request, name, method, error)
        finally:
            with self._changed:
                self._running.pop(request, None)
                self._changed.notify_all()

    def _failed(self, request: Request, name: str, method: Method, error: Exception) -> None:
        known = isinstance(error, BrainError)
        told = f"{type(error).__name__}: {error}"
        self._note(f"{name} failed: {told}" if known else f"{name} failed\n{''.join(traceback.format_exception(error))}")
        if method.otherwise:
            request.answer(method.otherwise(told))
        else:
            request.fail(FAILED, str(getattr(error, "what", error)), told_error(error))

    def _watch(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: any(method.limit for _, method in self._running.values()))
                late = [(one, method) for one, (until, method) in self._running.items() if until <= time.monotonic()]
                for request, _ in late:
                    del self._running[request]
            for request, method in late:
                reason = f"no answer within {method.limit:g} s"
                if request.answer(method.otherwise(reason)) if method.otherwise else request.fail(FAILED, reason):
                    self._note(f"a hook took too long: {reason}")
            time.sleep(_TICK)

    def _reject(self, code: int, what: str, id: Any = None) -> None:
        Request(id, True, self._write).fail(code, what)

    def _write(self, message: dict[str, Any]) -> None:
        line = json.dumps(message, ensure_ascii=True, separators=(",", ":"), default=str).encode() + b"\n"
        with self._writing:
            try:
                self._answers.write(line)
                self._answers.flush()
            except (BrokenPipeError, ValueError):
                return  # the host is gone; the end of its other pipe ends us


def told_error(error: Exception) -> dict[str, Any]:
    """An error as the data of JSON-RPC's."""
    if isinstance(error, BrainError):
        return {"kind": error.kind, "what": error.what, "why": error.why, "instead": error.instead}
    return {
        "kind": "internal", "what": f"{type(error).__name__}: {error}", "why": "this is a fault of idumb-brain",
        "instead": "see .idumb/brain/brain.log, and please report it",
    }  # fmt: skip
