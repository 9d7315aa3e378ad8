"""Worker processes and the files given to them. A worker that crashes or hangs costs the file it was on, never the scan."""

from __future__ import annotations

import marshal
import os
import selectors
import signal
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from idumb_brain.model.errors import BadInput, BrainError
from idumb_brain.scan.processes import can_copy, copied, fresh
from idumb_brain.scan.read import ReadLimits

_BATCH = 12
_AHEAD = 2 * _BATCH  # files a worker may have waiting, so that it never idles while we write
_CHUNK = 1 << 16  # what a pipe holds; a larger buffer would be new memory from the system for every look into it

_COMMON = 24  # files of a language: more than one worker will meet it
_HOPELESS = 25  # workers that died without a single answer, in a row

Task = tuple[str, str, bytes | None]  # path, known hash, content where it is not the file's own


@dataclass(frozen=True, slots=True)
class PoolSettings:
    root: str
    folders: tuple[Path, ...]
    limits: ReadLimits = ReadLimits()
    seconds_a_file: float = 20.0
    memory: int = 3 << 30
    fences: bool = False
    copies: bool = False  # workers may be copies of this process: only where it is short-lived and has no threads
    examines: bool = False  # ask for functions (``worker.functions_of``) instead of facts
    command: tuple[str, ...] = ()  # another worker program, for tests


class _Worker:
    def __init__(self, settings: PoolSettings) -> None:
        if settings.copies and not settings.command and can_copy():
            from idumb_brain.scan.worker import work

            self.process, self.tasks, self.answers = copied(work)
        else:
            self.process, self.tasks, self.answers = fresh(settings.command)
        os.set_blocking(self.answers.fileno(), False)
        self.waiting: deque[Task] = deque()
        self.batches: deque[list[int]] = deque()  # of what waits: [files not answered yet, files given]
        self.buffer = bytearray()
        self.since = time.monotonic()
        self.ready = False
        limits = settings.limits
        self._send((
            settings.root, [str(folder) for folder in settings.folders],
            (limits.max_bytes, limits.minified_line, limits.minified_from, limits.generated), settings.memory, settings.fences,
            settings.examines,
        ))  # fmt: skip

    def give(self, tasks: Sequence[Task]) -> None:
        if not self.waiting:
            self.since = time.monotonic()
        self.waiting.extend(tasks)
        self.batches.append([len(tasks), len(tasks)])
        self._send(list(tasks))

    def _send(self, message: Any) -> None:
        try:
            self.tasks.write(marshal.dumps(message))
        except OSError:
            pass  # it died; whoever reads its answers will notice

    def messages(self) -> Iterator[tuple[Any, ...]]:
        """Complete answers that have arrived. Raises EOFError when the worker is gone."""
        gone = False
        while True:
            try:
                chunk = os.read(self.answers.fileno(), _CHUNK)
            except BlockingIOError:
                break
            if not chunk:
                gone = True
                break
            self.buffer += chunk
            if len(chunk) < _CHUNK:
                break
        at = 0
        while len(self.buffer) - at >= 4:
            end = at + 4 + int.from_bytes(self.buffer[at : at + 4], "little")
            if len(self.buffer) < end:
                break
            answer = marshal.loads(memoryview(self.buffer)[at + 4 : end])
            at = end
            if self.ready:
                self.batches[0][0] -= 1
                if not self.batches[0][0]:
                    self.batches.popleft()
                yield answer
            self.ready = True
        if at:
            del self.buffer[:at]
            self.since = time.monotonic()
        if gone:
            raise EOFError

    def end(self) -> int:
        for pipe in (self.tasks, self.answers):
            try:
                pipe.close()
            except OSError:
                pass
        try:
            return self.process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


class Pool:
    """A few workers, started when first needed and kept until closed."""

    def __init__(self, settings: PoolSettings, jobs: int) -> None:
        self.settings = settings
        self.jobs = max(1, jobs)
        self._workers: list[_Worker] = []
        self._deaths = 0

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    def run(self, tasks: Iterable[Task], failed: Callable[[str, str], tuple[Any, ...]]) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """(path, facts) of every task in no particular order; ``failed`` makes the facts of a file that cost its worker."""
        todo = deque(tasks)
        alone: deque[Task] = deque()  # files of a batch that cost a worker: tried one by one, to know which one it was
        if not todo:
            return
        wanted = min(self.jobs, max(1, len(todo) // 4))
        if wanted > 1 and self.settings.copies and can_copy():
            _prepare(self.settings.folders, todo)
        while len(self._workers) < wanted:
            self._workers.append(_Worker(self.settings))
        with selectors.DefaultSelector() as selector:
            for worker in self._workers:
                selector.register(worker.answers, selectors.EVENT_READ, worker)
                self._feed(worker, todo, alone)
            while todo or alone or any(worker.waiting for worker in self._workers):
                ready = selector.select(timeout=0.25)
                for key, _ in ready:
                    worker = key.data
                    try:
                        for answer in worker.messages():
                            if answer[0] == "unusable":
                                raise BadInput(answer[1], why=answer[2], instead=answer[3])
                            yield worker.waiting.popleft()[0], answer
                            if len(worker.waiting) <= _AHEAD - _BATCH:
                                self._feed(worker, todo, alone)
                    except EOFError:
                        yield from self._bury(worker, selector, todo, alone, failed, "")
                late = time.monotonic() - self.settings.seconds_a_file
                for worker in list(self._workers):
                    if worker.waiting and worker.since < late:
                        worker.process.kill()
                        told = f"parsing took longer than {self.settings.seconds_a_file:g} s"
                        yield from self._bury(worker, selector, todo, alone, failed, told)

    def _feed(self, worker: _Worker, todo: deque[Task], alone: deque[Task]) -> None:
        while alone and len(worker.waiting) < _BATCH:
            worker.give([alone.popleft()])
        if todo and todo[0][2] is not None:
            # Contents may be more than a pipe holds: sent to a worker that is still answering, both would wait for ever.
            if not worker.waiting:
                worker.give([todo.popleft()])
            return
        # Small batches at the end keep all workers busy until the last file.
        size = min(_BATCH, max(1, len(todo) // (2 * self.jobs)))
        while todo and len(worker.waiting) + size <= _AHEAD:
            worker.give([todo.popleft() for _ in range(min(size, len(todo)))])

    def _bury(
        self,
        worker: _Worker,
        selector: selectors.BaseSelector,
        todo: deque[Task],
        alone: deque[Task],
        failed: Callable[[str, str], tuple[Any, ...]],
        reason: str,
    ) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """Replace a dead worker. The file it was on, once that is certain, is told of; the others get another chance."""
        selector.unregister(worker.answers)
        self._workers.remove(worker)
        code = worker.end()
        self._deaths = 0 if worker.ready else self._deaths + 1
        if self._deaths > _HOPELESS:
            raise BrainError(
                "workers cannot be started",
                why=f"{self._deaths} in a row ended before they were ready ({_death(code)})",
                instead=f"see what `{sys.executable} -m idumb_brain.scan.worker </dev/null` says",
            )
        waiting = list(worker.waiting)
        left, given = worker.batches[0] if worker.batches else (0, 0)
        if not worker.ready:
            left = 0
        elif given == 1:
            yield waiting[0][0], failed(waiting[0][0], reason or f"the parser crashed ({_death(code)})")
        else:
            alone.extend(waiting[:left])
        todo.extendleft(reversed(waiting[left:]))
        replacement = _Worker(self.settings)
        self._workers.append(replacement)
        selector.register(replacement.answers, selectors.EVENT_READ, replacement)
        self._feed(replacement, todo, alone)


def _prepare(folders: tuple[Path, ...], tasks: Iterable[Task]) -> None:
    """Compile the queries of common languages here, once, and not in every copy."""
    from idumb_brain.scan.grammar import grammar_of
    from idumb_brain.scan.languages import load_languages

    languages = load_languages(folders)
    for name, count in Counter(languages.of_path(path) for path, _, _ in tasks).items():
        if count >= _COMMON and name in languages.by_name and languages.by_name[name].outline:
            grammar_of(languages.by_name[name])


def _death(code: int) -> str:
    if code < 0:
        try:
            return signal.Signals(-code).name
        except ValueError:
            return f"signal {-code}"
    return f"exit code {code}"
