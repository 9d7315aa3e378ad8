"""Ways through the entity graph: what is around a node, how far two are apart, what is near to several. Knows no kind of node.

Every walk is bounded. It takes one step at a time from all nodes it has reached, the likeliest first and no more than ``WIDTH`` of
them, and never *through* a crowd: a node that more than ``CROWD`` others are related to in the same way may be reached, but says
nothing about what is behind it. Ties are broken by name, so that the same graph gives the same answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from idumb_brain.graph.entities.kept import Kept
from idumb_brain.model.entities import RELATIONS, SIDEWAYS, WAYS, Link, Node, Reached
from idumb_brain.model.selection import Score

WIDTH = 40
CROWD = 100
EVERYTHING = 1 << 30
_DECAY = 0.6  # of what a node is worth, so much is left a step further
_LEAST = 1e-4  # worth less, it is not gone on from


Links = Callable[[Sequence[Node], int], Iterable[Link]]


@dataclass(frozen=True, slots=True)
class Source:
    """Who tells of some relations.

    ``links`` is given nodes of these kinds, at most ``width`` of them a step, and a number: where a node has more links of one
    relation and way than that, none of these are told.
    """

    kinds: frozenset[str]
    relations: frozenset[str]
    links: Links
    width: int = WIDTH


class Graph:
    """``kept`` outlives it: links that a graph over the same sources has been told of."""

    def __init__(self, sources: Iterable[Source], kept: Kept | None = None) -> None:
        self._sources = tuple(sources)
        self._kept = kept

    def around(
        self, nodes: Sequence[Node], ways: Collection[str] = WAYS, *, most: int = CROWD, loose: bool = True
    ) -> dict[Node, list[Link]]:
        """The links of each node, by name of what they lead to; of two that say the same, the stronger."""
        found: dict[Node, dict[tuple[Node, str, bool], Link]] = {node: {} for node in nodes}
        for number, source in enumerate(self._sources):
            if not any(_may_go(relation, ways, loose) for relation in source.relations):
                continue
            concerned = [node for node in nodes if node.kind in source.kinds][: source.width]
            for link in self._told(number, source, concerned, most) if concerned else ():
                if link.there == link.here or link.way not in ways or (RELATIONS[link.relation].loose and not loose):
                    continue
                known = found[link.here].get(key := (link.there, link.relation, link.outward))
                if known is None or link.strength > known.strength:
                    found[link.here][key] = link
        return {node: [links[key] for key in sorted(links)] for node, links in found.items()}

    def spread(self, start: Node, depth: int) -> Mapping[Node, _Trace]:
        """All nodes within so many steps along links that are no mere likeness."""

        def go(seen: set[Node]) -> dict[Node, _Trace]:
            return _spread(self, {start: 1.0}, depth, WAYS, loose=False, seen=seen)

        if self._kept is None:
            return go(set())
        found: Mapping[Node, _Trace] = self._kept.walk((start, depth), go)
        return found

    def changed(self, nodes: Iterable[Node]) -> None:
        """What is kept of these, and of what has to do with them, is forgotten."""
        if self._kept is not None:
            self._kept.changed(nodes, lambda node: (link for links in self._all(node) for link in links))

    def _all(self, node: Node) -> Iterator[Iterable[Link]]:
        return (source.links([node], EVERYTHING) for source in self._sources if node.kind in source.kinds)

    def _told(self, number: int, source: Source, nodes: Sequence[Node], most: int) -> Iterable[Link]:
        return source.links(nodes, most) if self._kept is None else self._kept.links(number, source.links, nodes, most)


def traverse(
    graph: Graph,
    start: Sequence[Node],
    *,
    depth: int = 2,
    ways: Collection[str] = WAYS,
    kinds: Collection[str] = (),
    limit: int = 50,
) -> list[Reached]:
    """What can be reached in so many steps, the closest first. ``kinds``: only these are told, all are gone through."""
    reached = _spread(graph, dict.fromkeys(start, 1.0), depth, ways)
    return _ranked(reached, {node: one.best for node, one in reached.items()}, kinds, limit)


def near(
    graph: Graph,
    seeds: Mapping[Node, float],
    *,
    depth: int = 2,
    ways: Collection[str] = WAYS,
    kinds: Collection[str] = (),
    limit: int = 200,
) -> list[Reached]:
    """What the seeds have to do with, the most first: all ways there count together, the best one is told. Seeds are left out."""
    reached = _spread(graph, seeds, depth, ways)
    return _ranked(reached, {node: one.total for node, one in reached.items()}, kinds, limit)


def distance(graph: Graph, one: Node, other: Node, *, limit: int = 4) -> int | None:
    """Steps between two nodes, the same from either side; None where there is no way of at most ``limit`` steps."""
    return distances(graph, one, [other], limit=limit)[other]


def distances(graph: Graph, start: Node, others: Iterable[Node], *, limit: int = 4) -> dict[Node, int | None]:
    """The same for several nodes. Both sides go half of the way, so that a crowd between them is reached and not gone through."""
    half = (limit + 1) // 2
    mine = graph.spread(start, half)
    found: dict[Node, int | None] = {}
    for other in others:
        theirs = graph.spread(other, half)
        met = [len(mine[node].route) + len(theirs[node].route) for node in mine.keys() & theirs.keys()]
        found[other] = min((steps for steps in met if steps <= limit), default=None)
    return found


@dataclass(slots=True)
class _Trace:
    total: float  # of all ways
    best: float  # of the best
    route: tuple[Link, ...] = ()


def _spread(
    graph: Graph,
    seeds: Mapping[Node, float],
    depth: int,
    ways: Collection[str],
    *,
    loose: bool = True,
    seen: set[Node] | None = None,
) -> dict[Node, _Trace]:
    """All nodes within so many steps. Each gives on what it has when it is first reached, once; so circles end, nothing echoes.

    ``seen`` becomes those whose links were looked at.
    """
    reached = {node: _Trace(weight, weight) for node, weight in seeds.items()}
    front = _strongest(reached, reached)
    for step in range(depth):
        arrived: dict[Node, _Trace] = {}
        if seen is not None:
            seen.update(front)
        given = {node: reached[node].total for node in front}
        # Who asks about a crowd itself wants to hear of it.
        for node, links in graph.around(front, ways, most=CROWD if step else EVERYTHING, loose=loose).items():
            alike = Counter((link.relation, link.outward) for link in links)
            here = reached[node]
            for link in links:
                share = _share(link, alike)
                there = reached.get(link.there) or arrived.get(link.there)
                if there is None:
                    arrived[link.there] = _Trace(given[node] * share, here.best * share, (*here.route, link))
                    continue
                there.total += given[node] * share
                if link.there in arrived and here.best * share > there.best:
                    there.best, there.route = here.best * share, (*here.route, link)
        reached.update(arrived)
        front = _strongest(arrived, reached)
        if not front:
            break
    return reached


def _strongest(nodes: Iterable[Node], reached: Mapping[Node, _Trace]) -> list[Node]:
    worth = [node for node in nodes if reached[node].total >= _LEAST]
    return sorted(worth, key=lambda node: (-reached[node].total, node))[:WIDTH]


def _share(link: Link, alike: Mapping[tuple[str, bool], int]) -> float:
    """One of two imports says much, one of forty symbols little."""
    number: int = alike[link.relation, link.outward]
    return float(RELATIONS[link.relation].weight * link.strength * _DECAY / number**0.5)


def _ranked(reached: Mapping[Node, _Trace], scores: Mapping[Node, float], kinds: Collection[str], limit: int) -> list[Reached]:
    wanted = [node for node, trace in reached.items() if trace.route and (not kinds or node.kind in kinds)]
    wanted.sort(key=lambda node: (-round(scores[node], 9), len(reached[node].route), node))
    return [
        Reached(node, Score(round(scores[node], 6), tuple(link.reason for link in reached[node].route)), reached[node].route)
        for node in wanted[:limit]
    ]


def _may_go(relation: str, ways: Collection[str], loose: bool) -> bool:
    one = RELATIONS[relation]
    return (loose or not one.loose) and (SIDEWAYS in ways if one.way == SIDEWAYS else set(ways) != {SIDEWAYS})
