"""What is known about what, as links: entries with their relations and evidence, anchors with their subjects. Reads the brain."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, TypeVar

from idumb_brain.model.entities import Link, Node
from idumb_brain.model.selection import ANCHOR, COMMIT, ENTRY, TASK
from idumb_brain.store import relations as store
from idumb_brain.store.brain import Brain

_Row = TypeVar("_Row", bound=tuple[Any, ...])


class Knowledge:
    """``file`` makes a node of a path: only who knows the index can tell a document from other files."""

    def __init__(self, brain: Brain, file: Callable[[str], Node]) -> None:
        self._brain = brain
        self._file = file

    def relations(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """Entries among each other."""
        ids = [node.id for node in nodes]
        for id, kind, other in store.linked(self._brain, ids):
            yield Link(_entry(id), kind, _entry(other), True)
        for id, whole in store.parents(self._brain, ids):
            yield Link(_entry(id), "part", _entry(whole), False)
        for own in _by_first(store.parts(self._brain, ids)):
            for id, part in own if len(own) <= most else ():
                yield Link(_entry(id), "part", _entry(part), True)
        for id, successor in store.successors(self._brain, ids):
            yield Link(_entry(id), "supersedes", _entry(successor), False)

    def evidence(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """Entries and what they rest on, both ways."""
        entries = [node.id for node in nodes if node.kind == ENTRY]
        commits = [node.id for node in nodes if node.kind == COMMIT]
        files = {node.id: node for node in nodes if node.kind not in (ENTRY, COMMIT)}
        for id, path, line, commit in store.cited(self._brain, entries):
            if path:
                yield Link(_entry(id), "cites", self._file(path), True, 1.0, _line(line))
            if commit:
                yield Link(_entry(id), "cites", Node(COMMIT, commit), True)
        for own in _by_first(store.citing(self._brain, list(files))):
            for path, id, line in own if len(own) <= most else ():
                yield Link(files[path], "cites", _entry(id), False, 1.0, _line(line))
        for named in _by_first(store.resting_on(self._brain, commits)) if commits else ():
            for commit, id in named if len(named) <= most else ():
                yield Link(Node(COMMIT, commit), "cites", _entry(id), False)

    def anchors(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """Anchors and what they are about: a file, a task, anything they are related to."""
        anchors = [node.id for node in nodes if node.kind == ANCHOR]
        for id, file, line, task, written in store.subjects(self._brain, anchors):
            here = Node(ANCHOR, id)
            if file:
                yield Link(here, "about", self._file(file), True, 1.0, _line(line))
            if task:
                yield Link(here, "about", Node(TASK, task), True)
            related = json.loads(written)
            kinds = store.kinds_of(self._brain, related)
            for other in related:
                if other in kinds:
                    yield Link(here, "related", Node(kinds[other], other), True)
        others = {node.id: node for node in nodes}
        for own in _by_first(store.anchored(self._brain, list(others))):
            for id, anchor, line in own if len(own) <= most else ():
                relation = "related" if others[id].kind in (ENTRY, ANCHOR) else "about"
                yield Link(others[id], relation, Node(ANCHOR, anchor), False, 1.0, _line(line))


def _entry(id: str) -> Node:
    return Node(ENTRY, id)


def _line(line: int) -> str:
    return f"line {line}" if line else ""


def _by_first(rows: Iterable[_Row]) -> Iterator[list[_Row]]:
    for _, own in groupby(sorted(rows), key=lambda row: row[0]):
        yield list(own)
