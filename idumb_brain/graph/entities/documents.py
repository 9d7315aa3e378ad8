"""What documents lead to, as links: to other documents, to files of code, to symbols. Reads the index and looks at the disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from idumb_brain.graph.documents import Leads
from idumb_brain.graph.entities.code import Code
from idumb_brain.model.documents import Relation
from idumb_brain.model.entities import Link, Node
from idumb_brain.model.selection import DOCUMENT, SYMBOL
from idumb_brain.store import links as store


class Documents:
    """``folders`` are asked for, not given: only a document that leads somewhere needs the rules in them."""

    def __init__(self, code: Code, root: Path, folders: Callable[[], tuple[Path, ...]]) -> None:
        self._code = code
        self._root = root
        self._folders = folders
        self._read: dict[str, tuple[Relation, ...]] = {}

    def links(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        for node in nodes:
            out = self._relations(node.id) if node.kind == DOCUMENT else ()
            for one in out if len(out) <= most else ():
                yield Link(node, "mentions", self._node(one.target), True, 1.0, f"line {one.line}")
            back = [one for path in store.documents_saying(self._code.connection, _sign(node)) for one in self._relations(path)]
            back = [one for one in back if one.target == node.id]
            for one in back if len(back) <= most else ():
                yield Link(node, "mentions", self._node(one.source), False, 1.0, f"line {one.line}")

    def _relations(self, path: str) -> tuple[Relation, ...]:
        if path not in self._read:
            self._read[path] = self._leads.of(path)
        return self._read[path]

    def _node(self, target: str) -> Node:
        return Node(SYMBOL, target) if "#" in target else self._code.file(target)

    @cached_property
    def _leads(self) -> Leads:
        return Leads(self._code.connection, self._root, self._folders())


def _sign(node: Node) -> str:
    """What a document that leads there must have written. A suffix may be left out, a folder stand for its index."""
    if node.kind == SYMBOL:
        return node.id.partition("#")[2].rpartition(".")[2]
    folder, _, name = node.id.rpartition("/")
    stem = name.partition(".")[0]
    if stem.lower() in ("index", "readme", "_index", "__init__") and folder:
        return folder.rpartition("/")[2]
    return stem or name
