"""Which symbol uses which, as links. Tells what imports and the same file prove; what is only inferred counts for half."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from idumb_brain.graph.references import Scopes, Use, uses_of
from idumb_brain.model.entities import Link, Node
from idumb_brain.model.selection import SYMBOL
from idumb_brain.store import code as store
from idumb_brain.store.database import Connection

_TOO_COMMON = 40  # files that mention a name: in more, who uses it is a question of its own


class Uses:
    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._scopes = Scopes(connection)

    def down(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """What a symbol uses."""
        for node in nodes:
            path, _, name = node.id.partition("#")
            found = self._scopes.used_by(path, name)
            for used, line in found if len(found) <= most else ():
                yield Link(node, "uses", Node(SYMBOL, f"{used.file}#{used.qualified_name}"), True, 1.0, f"line {line}")

    def up(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """What uses a symbol: other symbols. Uses at the top of a file are imports of the file."""
        for node in nodes:
            path, _, name = node.id.partition("#")
            file = store.file_at(self.connection, path)
            symbol = store.symbol_called(self.connection, file, name) if file else None
            if symbol is None or len(store.files_mentioning(self.connection, symbol.name, _TOO_COMMON + 1)) > _TOO_COMMON:
                continue
            found: dict[Node, Use] = {}
            for use in uses_of(self.connection, symbol):
                if use.owner:
                    found.setdefault(Node(SYMBOL, f"{use.file}#{use.owner}"), use)
            for user, use in found.items() if len(found) <= most else ():
                yield Link(node, "uses", user, False, use.confidence, f"line {use.line}, {use.provenance}")
