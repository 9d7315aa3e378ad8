"""What files and symbols have to do with each other: imports, tests, definitions, neighbours by place. Reads the index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import groupby

from idumb_brain.graph.landmarks import nearest_subject, subject_name
from idumb_brain.model.entities import Link, Node
from idumb_brain.model.roles import TEST, is_product, role_of
from idumb_brain.model.selection import DOCUMENT, FILE, SYMBOL
from idumb_brain.store import links as store
from idumb_brain.store.database import Connection

_ALIKE = 100  # files of one name
_BY_THE_WAY = 0.7  # strength of a test that is named after something else
_Row = tuple[int, int, str, int, int]  # ordinal, ordinal of the parent, qualified name, line, exported
_NEARBY = 2000  # files below a folder that are looked through for those directly in it
_role = lru_cache(1 << 16)(role_of)
_is_product = lru_cache(1 << 16)(is_product)


class Code:
    """Sources over one index. Each method is given nodes and tells links as they are seen from them."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._symbols: dict[str, list[_Row]] = {}

    def file(self, path: str) -> Node:
        return Node(DOCUMENT if path in self._documents else FILE, path)

    def imports(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """Imports both ways; that of a test is its subject."""
        asked = {node.id: node for node in nodes}
        down = sorted(store.imported_by(self.connection, list(asked)))
        for _, rows in groupby(down, key=lambda row: row[0]):
            own = list(rows)
            for path, target, line in own if len(own) <= most else ():
                yield self._import(asked[path], path, target, line)
        for path, importer, line in store.importers_of(self.connection, list(asked), most):
            yield self._import(asked[path], importer, path, line)

    def names(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """Tests and what they are named after, where they need no import for that."""
        for node in nodes:
            subject = subject_name(node.id).lower()
            if subject and _role(node.id) == TEST:
                for path in self._subject_of(node.id, subject):
                    yield Link(node, "tests", self.file(path), True, 1.0, "by its name")
            elif _is_product(node.id):
                stem = _stem(node.id).lower()
                named = [path for path in _alike(self._tests, stem, node.id) if _role(path) == TEST]
                tests = [path for path in named if self._subject_of(path, stem) == [node.id]] if len(named) <= most else []
                for path in tests:
                    yield Link(node, "tests", self.file(path), False, 1.0, "by its name")

    def definitions(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """What a file defines at its top."""
        asked = {node.id: node for node in nodes}
        for path, rows in groupby(store.symbols_at_the_top(self.connection, list(asked)), key=lambda row: row[0]):
            own = list(rows)
            for _, name, line, exported in own if len(own) <= most else ():
                yield Link(asked[path], "defines", Node(SYMBOL, f"{path}#{name}"), True, 1.0 if exported else 0.7, f"line {line}")

    def owners(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """What a symbol consists of, and what it is a part of: a class, or its file."""
        for node in nodes:
            path, own, found = self._among(node)
            if found is None:
                continue
            ordinal, parent, _, line, _ = found
            parts = [row for row in own if row[1] == ordinal]
            for _, _, name, at, exported in parts if len(parts) <= most else ():
                yield Link(node, "defines", Node(SYMBOL, f"{path}#{name}"), True, 1.0 if exported else 0.7, f"line {at}")
            above = Node(SYMBOL, f"{path}#{own[parent][2]}") if parent >= 0 else self.file(path)
            yield Link(node, "defines", above, False, 1.0, f"line {line}")

    def siblings(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """Symbols of the same class, or at the top of the same file."""
        for node in nodes:
            path, own, found = self._among(node)
            beside = [name for ordinal, parent, name, *_ in own if found and parent == found[1] and ordinal != found[0]]
            for name in beside if len(beside) <= most else ():
                yield Link(node, "same owner", Node(SYMBOL, f"{path}#{name}"), True)

    def folder(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        for node in nodes:
            beside = store.files_beside(self.connection, node.id, max(_NEARBY, most))
            for path in beside if len(beside) <= most else ():
                yield Link(node, "same folder", self.file(path), True)

    def _subject_of(self, test: str, subject: str) -> list[str]:
        return nearest_subject(test, [path for path in _alike(self._stems, subject, test) if _is_product(path)])

    def _import(self, here: Node, source: str, target: str, line: int) -> Link:
        outward = source == here.id
        there = self.file(target if outward else source)
        if _role(source) != TEST or not _is_product(target):
            return Link(here, "imports", there, outward, 1.0, f"line {line}")
        named = subject_name(source).lower() == _stem(target).lower()
        return Link(here, "tests", there, outward, 1.0 if named else _BY_THE_WAY, f"line {line}")

    def _among(self, node: Node) -> tuple[str, list[_Row], _Row | None]:
        """A symbol among all of its file."""
        path, _, name = node.id.partition("#")
        if path not in self._symbols:
            self._symbols[path] = store.symbols_in(self.connection, path)
        return path, self._symbols[path], next((row for row in self._symbols[path] if row[2] == name), None)

    @cached_property
    def _stems(self) -> dict[str, list[str]]:
        """Files by what they are called, without suffix and case; alone and with the folder they lie in."""
        found: dict[str, list[str]] = {}
        for path in store.all_paths(self.connection):
            stem = _stem(path).lower()
            found.setdefault(stem, []).append(path)
            found.setdefault(f"{_folder(path)}/{stem}", []).append(path)
        return found

    @cached_property
    def _tests(self) -> dict[str, list[str]]:
        """What may be a test, by what it is named after; alone and with the folder."""
        found: dict[str, list[str]] = {}
        for stem, paths in self._stems.items():
            if subject := subject_name(paths[0]).lower():
                folder, slash, _ = stem.rpartition("/")
                found.setdefault(f"{folder}{slash}{subject}", []).extend(paths)
        return found

    @cached_property
    def _documents(self) -> frozenset[str]:
        return frozenset(store.document_paths(self.connection))


def _alike(called: Mapping[str, list[str]], name: str, path: str) -> Sequence[str]:
    """Files of a name. Where a hundred have it, it says something only together with that of the folder."""
    found = called.get(name, ())
    return found if len(found) < _ALIKE else called.get(f"{_folder(path)}/{name}", ())


def _folder(path: str) -> str:
    return path.rpartition("/")[0].rpartition("/")[2]


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name
