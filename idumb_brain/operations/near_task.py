"""What has to do with the task at hand: entries, anchors and files, looked for once and kept until something changes."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from idumb_brain.graph.entities import distances
from idumb_brain.graph.entities.kept import Kept
from idumb_brain.model.entities import Node
from idumb_brain.model.knowledge import Anchor, Change
from idumb_brain.model.selection import ANCHOR, ENTRY, PLAN, TASK, Candidate, Score
from idumb_brain.model.work import Task
from idumb_brain.operations.entities import entities
from idumb_brain.operations.lanes import Turns
from idumb_brain.operations.lately import Lately
from idumb_brain.operations.project import Project
from idumb_brain.operations.recalling import related_entries
from idumb_brain.operations.warm import searching
from idumb_brain.render import told
from idumb_brain.store import knowledge, work_relations
from idumb_brain.store.brain import Brain

_ENTRIES, _FILES, _SYMBOLS = 12, 8, 3
_FILE = 75.0  # what the best file is worth, by what a high anchor is: less
_OTHERS = 100  # entries that come before what has to do with a task is looked for again, whatever they say
# What may happen to a thing without a link of it being lost.
_KEEPING = {
    "write", "add", "validate", "stale", "fresh", "create", "plan", "start", "complete", "fail", "review", "assign", "release",
}  # fmt: skip
_PATHS = 4  # of what the task produced, the first: what it is about shows early, and need not be asked again with every file


class NearTask:
    """Keeps the last answer to each of the questions. ``index`` is the mark of what is indexed; "" where nothing is.

    What takes a walk through the whole index is looked for ``aside``, and may be as old as the turn before.
    """

    def __init__(self, project: Project, aside: Turns | None = None) -> None:
        self._project = project
        self._entries: tuple[tuple[object, ...], Mapping[str, Score]] = ((), {})
        self._since = 0  # entries that came since, of which none had to do with the task
        self._depths: Lately[Mapping[str, int]] = Lately(aside, {})
        self._files: Lately[tuple[Candidate, ...]] = Lately(aside, ())
        self._kept = Kept()
        self._kept_of = ""  # the index it is of
        self._news: list[Change | None] = []  # that the walks have not heard yet
        self._heard = 0
        self._step = 0  # the last checkpoint that was heard of
        self._written: list[str] | None = []  # entries that came since they were asked for; None where more than that happened

    def hear(self, news: Sequence[Change] | None) -> None:
        """What happened to knowledge and work; None where that is not known."""
        self._heard += 1
        self._news += [None] if news is None else news
        if news is None or any(one.kind == ENTRY and one.action != "write" for one in news):
            self._written = None
        elif self._written is not None:
            self._written += [one.id for one in news if one.kind == ENTRY]

    def entries(self, brain: Brain, task: Task, known: int) -> Mapping[str, Score]:
        """As of the beginning of the day: what has to do with a task does not depend on the hour."""
        today = replace(brain, now=f"{brain.now[:10]}T00:00:00Z")
        key = (_words(task), _paths(task), known, today.now)
        before = self._entries[0]
        written, self._written = self._written, []
        if before != key and before[:2] + before[3:] == key[:2] + key[3:] and self._has_nothing_to_do(brain, task, written):
            self._entries = key, self._entries[1]
        elif before != key:
            self._since = 0
            hits = related_entries(today, _words(task), paths=_paths(task), limit=_ENTRIES)
            self._entries = key, {hit.id: hit.score for hit in hits}
        return self._entries[1]

    def _has_nothing_to_do(self, brain: Brain, task: Task, written: Sequence[str] | None) -> bool:
        """Whether none of these has a word of the task, rests on a file, or leads to another entry: then no other is found for them.

        How rare a word is changes with every entry, a little: after some of them it is asked anew.
        """
        if written is None or self._since + len(written) > _OTHERS:
            return False
        self._since += len(written)
        words = _beginnings(_words(task))
        return not any(
            words & _beginnings(f"{one.title}\n{one.content}")
            or any(cited.path for cited in one.evidence)
            or (one.parent, one.related, one.contradicts, one.supersedes) != ("", (), (), ())
            for one in knowledge.entries_of(brain, list(written))
        )

    def depths(self, task: Task, anchors: Sequence[Anchor], index: str) -> Mapping[str, int]:
        """How many things stand between the task and an anchor; those that no way leads to are left out."""
        ids = tuple(sorted(one.id for one in anchors))
        if not index or not ids:
            return {}
        return self._depths.answer(task.id, (task, ids, self._heard, index), lambda: self._walked(task.id, ids, index))

    def _walked(self, task: str, ids: Sequence[str], index: str) -> dict[str, int]:
        news, self._news = self._news, []
        if index != self._kept_of or any(one is None or _may_cut(one) for one in news):
            self._kept.clear()
            self._kept_of = index
        with entities(self._project, kept=self._kept) as known:
            steps = work_relations.stepped_since(known.brain, self._step)
            self._step = steps[-1][0] if steps else self._step
            changed = {Node(one.kind, one.id) for one in news if one} | {Node(TASK, stepped) for _, stepped in steps}
            if self._kept.is_empty:  # nothing is kept that could be wrong
                changed = set()
            known.graph.changed(changed)
            found = distances(known.graph, Node(TASK, task), [Node(ANCHOR, id) for id in ids])
        return {node.id: max(0, steps - 1) for node, steps in found.items() if steps is not None}

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


def _may_cut(change: Change) -> bool:
    """Whether a link may be gone: of that, those it led to are told by nobody."""
    return change.kind in (ENTRY, ANCHOR, PLAN, TASK) and change.action not in _KEEPING


def _beginnings(text: str) -> set[str]:
    """Of its words: two that have none in common are no forms of the same word."""
    return {word[:4] for word in re.findall(r"\w+", text.lower())}
