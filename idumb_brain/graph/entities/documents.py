"""What documents lead to, as links: to other documents, to files of code, to symbols. Reads the index, and the disk for what it lacks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from idumb_brain.graph.documents import leads
from idumb_brain.graph.entities.code import Code
from idumb_brain.model.documents import Relation
from idumb_brain.model.entities import Link, Node
from idumb_brain.model.selection import SYMBOL


class Documents:
    """``folders`` hold the rules of sites; they are asked for when the first question is. All documents are read then, once."""

    def __init__(self, code: Code, root: Path, folders: Callable[[], tuple[Path, ...]]) -> None:
        self._code = code
        self._root = root
        self._folders = folders

    def links(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        for node in nodes:
            for outward, known in ((True, self._leads), (False, self._led_to)):
                found = known.get(node.id, ())
                for one in found if len(found) <= most else ():
                    there = one.target if outward else one.source
                    yield Link(node, "mentions", self._node(there), outward, 1.0, f"line {one.line}")

    def _node(self, target: str) -> Node:
        return Node(SYMBOL, target) if "#" in target else self._code.file(target)

    @cached_property
    def _leads(self) -> dict[str, list[Relation]]:
        found: dict[str, list[Relation]] = defaultdict(list)
        for relation in leads(self._code.connection, self._root, self._folders()):
            found[relation.source].append(relation)
        return found

    @cached_property
    def _led_to(self) -> dict[str, list[Relation]]:
        found: dict[str, list[Relation]] = defaultdict(list)
        for relations in self._leads.values():
            for one in relations:
                found[one.target].append(one)
        return found
