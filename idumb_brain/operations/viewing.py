"""``view``: the data of each view of the page, made of what other verbs answer; and a pulse that tells when to ask again.

Changes nothing. One table says what can be asked, by which words, and what makes an answer old.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from idumb_brain.model.errors import BadInput, BrainError
from idumb_brain.operations.indexed import Indexed
from idumb_brain.operations.project import Project, now
from idumb_brain.operations.viewing_code import file, graph, project
from idumb_brain.operations.viewing_memory import brain, entry
from idumb_brain.operations.viewing_work import context, handed, session, sessions, tasks
from idumb_brain.store.brain import Brain, opened
from idumb_brain.store.database import identity, others_wrote

INDEX, BRAIN, HANDED = "index", "brain", "handed"
Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    answer: Callable[..., Data]
    words: tuple[str, ...] = ()  # what may be said with it
    needed: tuple[str, ...] = ()  # what has to be
    kept: bool = False  # costly and of the index alone: the answer is the same as long as that is


QUESTIONS: Mapping[str, Question] = {
    "graph": Question(graph, kept=True),
    "file": Question(file, needed=("path",)),
    "project": Question(project, kept=True),
    "brain": Question(brain, ("text", "type", "every")),
    "entry": Question(entry, needed=("id",)),
    "tasks": Question(tasks),
    "sessions": Question(sessions),
    "session": Question(session, needed=("id",)),
    "context": Question(context, ("block", "session")),
    "handed": Question(handed, ("session", "block")),
}


class Viewer:
    """Answers for as long as a page is open. May be asked by many threads; what is costly is made by one of them."""

    def __init__(self, project: Project) -> None:
        self.name = project.root.name
        self._root = str(project.root)
        self._indexed = Indexed(project)
        self._looking = Lock()
        self._making = {name: Lock() for name, one in QUESTIONS.items() if one.kept}
        self._kept: dict[str, tuple[str, Data]] = {}

    def ask(self, name: str, words: Mapping[str, str]) -> Data:
        asked = QUESTIONS.get(name)
        if asked is None:
            raise BadInput(f"there is no view {name!r}", why="", instead=f"one of {', '.join(QUESTIONS)}")
        known = (*asked.needed, *asked.words)
        odd = [*sorted(words.keys() - set(known)), *(word for word in asked.needed if not words.get(word))]
        if odd:
            raise BadInput(
                f"{name} cannot be asked so", why=f"{odd[0]!r} is {'missing' if odd[0] in known else 'not known'}",
                instead=f"it is asked by {', '.join(known) or 'nothing'}",
            )  # fmt: skip
        if not asked.kept:
            return asked.answer(self._root, **words)
        with self._making[name]:
            with self._looking:
                mark = self._indexed.mark()
            before = self._kept.get(name)
            if before is None or before[0] != mark or not mark:
                before = self._kept[name] = mark, asked.answer(self._root)
            return before[1]


class Pulse:
    """Tells by a word for each store whether anybody has written since. Of one thread."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._indexed = Indexed(project)
        self._file: tuple[str, int] = ("", 0)  # which file the brain is, and how often it was another one
        self._brain: Brain | None = None
        self._open = ExitStack()

    def close(self) -> None:
        self._indexed.close()
        self._open.close()

    def marks(self) -> dict[str, str]:
        return {INDEX: _told(self._indexed.mark), BRAIN: _told(self._brain_mark), HANDED: _stamp(self._project.injected)}

    def _brain_mark(self) -> str:
        file: Path = self._project.brain
        found = identity(file)
        if found != self._file[0]:
            self._open.close()
            self._file = found, self._file[1] + 1
            self._brain = self._open.enter_context(opened(file, now())) if found else None
        return f"{self._file[1]} {others_wrote(self._brain.connection)}" if self._brain else ""


def _told(mark: Callable[[], str]) -> str:
    """A store that cannot be read now has a mark, too; when it can be read again that is a change."""
    try:
        return mark()
    except BrainError as error:
        return error.kind


def _stamp(file: Path) -> str:
    """When a database was last written: it may be begun anew at any moment, so nobody keeps it open for this."""
    told = []
    for one in (file, file.with_name(f"{file.name}-wal")):
        try:
            stat = one.stat()
        except OSError:
            continue
        told.append(f"{stat.st_mtime_ns} {stat.st_size}")
    return " ".join(told)
