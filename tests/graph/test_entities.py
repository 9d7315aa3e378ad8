"""Walks through graphs made up at random: bounded, the same every time, with every step in its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idumb_brain.graph.entities import Graph, Source, distance, near, traverse
from idumb_brain.graph.entities.walk import CROWD, WIDTH
from idumb_brain.model.entities import BACK, DOWN, RELATIONS, SIDEWAYS, UP, WAYS, Link, Node

Triples = list[tuple[int, str, int]]
triples = st.lists(st.tuples(st.integers(0, 12), st.sampled_from(sorted(RELATIONS)), st.integers(0, 12)), max_size=60)
ways = st.sets(st.sampled_from(WAYS), min_size=1)


def made(links: Triples) -> Graph:
    """A graph of these relations, told in the order they are given in."""

    def told(nodes: Sequence[Node], most: int) -> Iterator[Link]:
        for node in nodes:
            for outward in (True, False):
                for name in RELATIONS:
                    own = [
                        b if outward else a
                        for a, relation, b in links
                        if relation == name and (a if outward else b) == number(node)
                    ]
                    for other in own if len(own) <= most else ():
                        yield Link(node, name, at(other), outward)

    return Graph([Source(frozenset({"file"}), frozenset(RELATIONS), told)])


def at(number: int) -> Node:
    return Node("file", f"{number:05}")


def number(node: Node) -> int:
    return int(node.id)


@given(triples, ways, st.integers(1, 4))
def test_every_hit_has_a_way_that_leads_to_it(links: Triples, asked: set[str], depth: int) -> None:
    known = {(at(a), name, at(b)) for a, name, b in links}
    found = traverse(made(links), [at(0)], depth=depth, ways=asked)
    assert len({one.node for one in found}) == len(found) and at(0) not in {one.node for one in found}
    for one in found:
        assert 1 <= one.distance <= depth and one.route[0].here == at(0) and one.route[-1].there == one.node
        assert all(before.there == after.here for before, after in zip(one.route, one.route[1:], strict=False))
        for link in one.route:
            ends = (link.here, link.relation, link.there) if link.outward else (link.there, link.relation, link.here)
            assert ends in known and link.way in asked
        assert one.score.reasons == tuple(link.reason for link in one.route) and 0 < one.score.value <= 1


@given(triples, st.randoms(use_true_random=False))
def test_the_order_things_are_told_in_changes_nothing(links: Triples, random: object) -> None:
    shuffled = list(links)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert traverse(made(links), [at(0)], depth=3) == traverse(made(shuffled), [at(0)], depth=3)
    seeds = {at(0): 1.0, at(1): 0.5}
    assert near(made(links), seeds) == near(made(shuffled), dict(reversed(seeds.items())))


@given(triples, st.integers(1, 5))
def test_a_distance_is_the_same_from_either_side(links: Triples, limit: int) -> None:
    graph, firm = made(links), {(a, b) for a, name, b in links if not RELATIONS[name].loose}
    steps = {0: 0}
    for step in range(1, limit + 1):
        reached = {b for a, b in firm if a in steps} | {a for a, b in firm if b in steps}
        steps |= {node: step for node in reached if node not in steps}
    for other in range(5):
        assert distance(graph, at(0), at(other), limit=limit) == steps.get(other)
        assert distance(graph, at(other), at(0), limit=limit) == steps.get(other)


@given(triples)
def test_up_is_the_way_back_from_down(links: Triples) -> None:
    graph = made(links)
    for way in WAYS:
        below = {one.node for one in traverse(graph, [at(0)], depth=1, ways={way})}
        assert all(at(0) in {one.node for one in traverse(graph, [node], depth=1, ways={BACK[way]})} for node in below)


@pytest.mark.parametrize("relation", ["part", "supersedes", "imports", "related"])
def test_circles_end(relation: str) -> None:
    circle: Triples = [(n, relation, (n + 1) % 5) for n in range(5)] + [(0, relation, 0)]
    found = traverse(made(circle), [at(0)], depth=50, ways={DOWN, SIDEWAYS})
    assert {one.node for one in found} == {at(n) for n in range(1, 5)}


def test_a_crowd_is_an_end_and_no_way_through() -> None:
    """Three hundred files import one; it says nothing about what they have in common, but may itself be asked."""
    hub, importers = 0, range(1, CROWD + 200)
    graph = made([(n, "imports", hub) for n in importers])
    assert [one.node for one in traverse(graph, [at(1)], depth=3)] == [at(hub)]
    assert len(traverse(graph, [at(hub)], depth=1, limit=1000)) == len(importers)
    assert distance(graph, at(1), at(2)) == 2, "both reach it, neither goes through it"


def test_a_walk_takes_no_more_than_so_many_with_it() -> None:
    """Every step goes on from the likeliest only: the rest is told, what is behind it is not."""
    wide = [(0, "imports", n) for n in range(1, 2 * WIDTH + 1)] + [(n, "uses", n + 1000) for n in range(1, 2 * WIDTH + 1)]
    found = traverse(made(wide), [at(0)], depth=2, limit=1000)
    assert sum(one.distance == 1 for one in found) == 2 * WIDTH and sum(one.distance == 2 for one in found) == WIDTH


def test_what_two_seeds_share_is_nearest() -> None:
    graph = made([(1, "imports", 10), (2, "imports", 10), (1, "imports", 11), (2, "imports", 12)])
    found = near(graph, {at(1): 1.0, at(2): 1.0})
    assert [number(one.node) for one in found] == [10, 11, 12] and found[0].score.value > found[1].score.value


@pytest.mark.parametrize(("ways", "expected"), [({UP}, {1}), ({DOWN}, {2}), ({SIDEWAYS}, {3}), (set(WAYS), {1, 2, 3})])
def test_ways(ways: set[str], expected: set[int]) -> None:
    graph = made([(1, "imports", 0), (0, "imports", 2), (3, "tests", 0)])
    assert {number(one.node) for one in traverse(graph, [at(0)], depth=1, ways=ways)} == expected
