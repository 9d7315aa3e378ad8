"""Work as links: plans and their tasks, what waits for what, what was done, written and decided, and in which session. Reads the brain."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from idumb_brain.model.entities import Link, Node
from idumb_brain.model.selection import CHECKPOINT, ENTRY, PLAN, SESSION, TASK
from idumb_brain.store import work_relations as store
from idumb_brain.store.brain import Brain


class Work:
    """``file`` makes a node of a path: only who knows the index can tell a document from other files."""

    def __init__(self, brain: Brain, file: Callable[[str], Node]) -> None:
        self._brain = brain
        self._file = file

    def plans(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """Plans and the tasks they are made of, both ways."""
        yield from _links("contains", PLAN, TASK, store.tasks_of(self._brain, _ids(nodes, PLAN)), True, most)
        yield from _links("contains", TASK, PLAN, store.plans_of(self._brain, _ids(nodes, TASK)), False, most)

    def order(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """What has to be done before what."""
        tasks = _ids(nodes, TASK)
        yield from _links("needs", TASK, TASK, store.needed(self._brain, tasks), True, most)
        yield from _links("needs", TASK, TASK, store.needing(self._brain, tasks), False, most)

    def siblings(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """Tasks of the same plan."""
        yield from _links("same plan", TASK, TASK, store.beside(self._brain, _ids(nodes, TASK)), True, most)

    def decisions(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """Tasks and the entries they rest on, both ways."""
        yield from _links("cites", TASK, ENTRY, store.decided(self._brain, _ids(nodes, TASK)), True, most)
        yield from _links("cites", ENTRY, TASK, store.resting_on(self._brain, _ids(nodes, ENTRY)), False, most)

    def produced(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """Tasks and the files that came of them, both ways."""
        for task, path in _few(store.files_of(self._brain, _ids(nodes, TASK)), most):
            yield Link(Node(TASK, task), "produced", self._file(path), True)
        files = {node.id: node for node in nodes if node.kind != TASK}
        for path, task in _few(store.producing(self._brain, list(files)), most):
            yield Link(files[path], "produced", Node(TASK, task), False)

    def checkpoints(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """Tasks, what was recorded of them, and the files it touched."""
        for task, checkpoint in _first(store.checkpoints_of(self._brain, _ids(nodes, TASK)), most):
            yield Link(Node(TASK, task), "recorded", Node(CHECKPOINT, checkpoint), True)
        for checkpoint, task, files in store.task_and_files_of(self._brain, _ids(nodes, CHECKPOINT)):
            yield Link(Node(CHECKPOINT, checkpoint), "recorded", Node(TASK, task), False)
            for path in json.loads(files):
                yield Link(Node(CHECKPOINT, checkpoint), "changed", self._file(path), True)

    def sessions(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """Tasks and the sessions that were at them; sessions and those that sent them."""
        yield from _links("worked on", TASK, SESSION, store.sessions_on(self._brain, _ids(nodes, TASK)), False, most)
        for session, task, parent in store.of_sessions(self._brain, _ids(nodes, SESSION)):
            if task:
                yield Link(Node(SESSION, session), "worked on", Node(TASK, task), True)
            if parent:
                yield Link(Node(SESSION, session), "part", Node(SESSION, parent), False)


def _ids(nodes: Sequence[Node], kind: str) -> list[str]:
    return [node.id for node in nodes if node.kind == kind]


def _links(relation: str, here: str, there: str, rows: Iterable[tuple[str, str]], outward: bool, most: int) -> Iterator[Link]:
    for one, other in _few(rows, most):
        yield Link(Node(here, one), relation, Node(there, other), outward)


def _few(rows: Iterable[tuple[str, str]], most: int) -> Iterator[tuple[str, str]]:
    """Rows of those that have no crowd of neighbours."""
    for _, group in groupby(sorted(rows), lambda row: row[0]):
        own = list(group)
        if len(own) <= most:
            yield from own


def _first(rows: Iterable[tuple[str, str]], most: int) -> Iterator[tuple[str, str]]:
    """As many of each as may be, in the order they come."""
    told: dict[str, int] = {}
    for one, other in rows:
        told[one] = told.get(one, 0) + 1
        if told[one] <= most:
            yield one, other
