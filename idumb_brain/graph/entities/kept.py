"""Links and walks that were asked for before, kept until something they rest on changes. Asks sources only for what it does not know.

Whoever changes something says which node it was. What is forgotten then is what is known of that node, and of those it has other links
with than before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from idumb_brain.model.entities import Link, Node

_MOST = 20_000  # links of one source and node; more, and all are forgotten
_Key = tuple[int, int, Node]
_Seen = tuple[str, bool, float, str]  # a link as the one it leads to sees it
_Ask = Callable[[Sequence[Node], int], Iterable[Link]]


class Kept:
    def __init__(self) -> None:
        self._links: dict[_Key, tuple[Link, ...]] = {}
        self._of: dict[Node, set[_Key]] = defaultdict(set)
        self._to: dict[Node, set[Node]] = defaultdict(set)
        self._now: dict[Node, frozenset[Link]] = {}  # all links of what changed, as they were then
        self._walks: dict[object, tuple[frozenset[Node], Any]] = {}

    @property
    def is_empty(self) -> bool:
        return not self._links

    def clear(self) -> None:
        for known in (self._links, self._of, self._to, self._walks, self._now):
            known.clear()

    def links(self, source: int, ask: _Ask, nodes: Sequence[Node], most: int) -> Iterable[Link]:
        """As the source would tell them, which must tell of each node what it would if that were asked for alone."""
        if unknown := [node for node in nodes if (source, most, node) not in self._links]:
            if len(self._links) > _MOST:
                self.clear()
                unknown = list(nodes)
            told: dict[Node, list[Link]] = {node: [] for node in unknown}
            for link in ask(unknown, most):
                told[link.here].append(link)
            for node, links in told.items():
                self._links[source, most, node] = tuple(links)
                self._of[node].add((source, most, node))
                for link in links:
                    self._to[link.there].add(node)
        return (link for node in nodes for link in self._links[source, most, node])

    def walk(self, asked: object, go: Callable[[set[Node]], Any]) -> Any:
        """What ``go`` finds; it notes the nodes whose links it has looked at."""
        if asked not in self._walks:
            seen: set[Node] = set()
            found = go(seen)
            self._walks[asked] = frozenset(seen), found
        return self._walks[asked][1]

    def changed(self, nodes: Iterable[Node], links_of: Callable[[Node], Iterable[Link]]) -> None:
        """``links_of``: all that a node has now."""
        touched: set[Node] = set()
        for node in nodes:
            now = frozenset(links_of(node))
            if self._now.get(node) != now:
                self._now[node] = now
                touched |= {node, *self._others(node, now)}
        for node in touched:
            for key in self._of.pop(node, ()):
                self._links.pop(key, None)
        if touched:
            self._walks = {asked: known for asked, known in self._walks.items() if not touched & known[0]}

    def _others(self, node: Node, now: Iterable[Link]) -> Iterator[Node]:
        """Those of which something else is kept than is so now."""
        so: dict[Node, set[_Seen]] = defaultdict(set)
        for link in now:
            so[link.there].add((link.relation, not link.outward, link.strength, link.detail))
        for other in {*so, *self._to.get(node, ())} & self._of.keys():
            kept = (link for key in self._of[other] for link in self._links[key] if link.there == node)
            if {(link.relation, link.outward, link.strength, link.detail) for link in kept} != so.get(other, set()):
                yield other
