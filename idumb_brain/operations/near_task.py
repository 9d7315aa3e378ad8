"""What has to do with the task at hand: entries, anchors and files, looked for once and kept until something changes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

from idumb_brain.graph.entities import distances
from idumb_brain.model.entities import Node
from idumb_brain.model.knowledge import Anchor
from idumb_brain.model.selection import ANCHOR, TASK, Candidate, Score
from idumb_brain.model.work import Task
from idumb_brain.operations.entities import entities
from idumb_brain.operations.lanes import Turns
from idumb_brain.operations.lately import Lately
from idumb_brain.operations.project import Project
from idumb_brain.operations.recalling import related_entries
from idumb_brain.operations.warm import searching
from idumb_brain.render import told
from idumb_brain.store.brain import Brain

_ENTRIES, _FILES, _SYMBOLS = 12, 8, 3
_FILE = 75.0  # what the best file is worth, by what a high anchor is: less
_PATHS = 4  # of what the task produced, the first: what it is about shows early, and need not be asked again with every file


class NearTask:
    """Keeps the last answer to each of the questions. ``index`` is the mark of what is indexed; "" where nothing is.

    What takes a walk through the whole index is looked for ``aside``, and may be as old as the turn before.
    """

    def __init__(self, project: Project, aside: Turns | None = None) -> None:
        self._project = project
        self._entries: tuple[object, Mapping[str, Score]] = ((), {})
        self._depths: Lately[Mapping[str, int]] = Lately(aside, {})
        self._files: Lately[tuple[Candidate, ...]] = Lately(aside, ())

    def entries(self, brain: Brain, task: Task, known: int) -> Mapping[str, Score]:
        """As of the beginning of the day: what has to do with a task does not depend on the hour."""
        today = replace(brain, now=f"{brain.now[:10]}T00:00:00Z")
        key = (_words(task), _paths(task), known, today.now)
        if self._entries[0] != key:
            hits = related_entries(today, _words(task), paths=_paths(task), limit=_ENTRIES)
            self._entries = key, {hit.id: hit.score for hit in hits}
        return self._entries[1]

    def depths(self, task: Task, anchors: Sequence[Anchor], known: int, index: str) -> Mapping[str, int]:
        """How many things stand between the task and an anchor; those that no way leads to are left out."""
        ids = tuple(sorted(one.id for one in anchors))
        if not index or not ids:
            return {}
        return self._depths.answer(task.id, (task, ids, known, index), lambda: _depths(self._project, task.id, ids))

    def files(self, task: Task, index: str) -> tuple[Candidate, ...]:
        """By its words, from the files it produced."""
        return self.files_about(_words(task), index, _paths(task))

    def files_about(self, words: str, index: str, paths: Sequence[str] = ()) -> tuple[Candidate, ...]:
        """What a text is about, from files that have to do with it."""
        if not index:
            return ()
        as_of = (tuple(paths), index, _commits(self._project))
        return self._files.answer(words, as_of, lambda: _files(self._project, words, paths))


def _words(task: Task) -> str:
    return f"{task.name}\n{task.expected_output}"


def _paths(task: Task) -> tuple[str, ...]:
    return task.artifacts[:_PATHS]


def _commits(project: Project) -> tuple[int, int]:
    """Changes with every commit, as far as git keeps a log of them here: what commits said is searched too."""
    try:
        told = os.stat(project.root / ".git" / "logs" / "HEAD")
    except OSError:
        return 0, 0
    return told.st_size, told.st_mtime_ns


def _files(project: Project, words: str, paths: Sequence[str]) -> tuple[Candidate, ...]:
    with searching(project) as searcher:
        found = searcher.find(words, limit=_FILES, seeds=dict.fromkeys(paths, 1.0))
    symbols = {hit.path: [one for one in found.symbols if one.path == hit.path][:_SYMBOLS] for hit in found.files}
    return tuple(
        Candidate(
            hit.kind, hit.id, Score(_FILE * hit.score.value, hit.score.reasons), told.file(hit, symbols.get(hit.path, ())),
            section="files", says=hit.path,
        )
        for hit in (*found.files, *found.documents)
    )  # fmt: skip


def _depths(project: Project, task: str, ids: Sequence[str]) -> dict[str, int]:
    with entities(project) as known:
        found = distances(known.graph, Node(TASK, task), [Node(ANCHOR, id) for id in ids])
    return {node.id: max(0, steps - 1) for node, steps in found.items() if steps is not None}
