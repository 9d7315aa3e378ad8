"""The graph of files that import files: cycles, layers, orphans, neighbourhoods, impact. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from idumb_brain.model.code import Edge

if TYPE_CHECKING:
    import networkx as nx


def import_graph(edges: Iterable[Edge], nodes: Iterable[str] = ()) -> nx.DiGraph:
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from((edge.source, edge.target, {"line": edge.line, "kind": edge.kind}) for edge in edges)
    return graph


def cycles(graph: nx.DiGraph) -> list[list[str]]:
    """Short circles of dependencies: every file that is in any circle is in one of these.

    A knot of two hundred files is no help as one list, and its simple cycles cannot be counted; so each file that is
    not yet in a listed circle contributes the shortest one through itself.
    """
    import networkx as nx

    found: list[list[str]] = []
    for knot in nx.strongly_connected_components(graph):
        if len(knot) < 2:
            continue
        covered: set[str] = set()
        within = {node: sorted(other for other in graph.succ[node] if other in knot) for node in knot}
        for node in sorted(knot):
            if node not in covered:
                circle = _shortest_circle(within, node)
                covered.update(circle)
                found.append(circle)
    return sorted(found, key=lambda circle: (len(circle), circle))


def layers(graph: nx.DiGraph) -> list[list[str]]:
    """Files by how far they stand above the files that import nothing; a circle is one step."""
    import networkx as nx

    whole = nx.condensation(graph)
    height: dict[int, int] = {}
    for component in reversed(list(nx.topological_sort(whole))):
        height[component] = 1 + max((height[below] for below in whole.successors(component)), default=-1)
    rows: list[list[str]] = [[] for _ in range(max(height.values(), default=-1) + 1)]
    for component, level in height.items():
        rows[level].extend(whole.nodes[component]["members"])
    return [sorted(row) for row in rows]


def orphans(graph: nx.DiGraph) -> list[str]:
    """Files that neither import nor are imported."""
    return sorted(node for node in graph if graph.degree(node) == 0)


def neighbourhood(graph: nx.DiGraph, focus: str, depth: int) -> set[str]:
    """Everything at most ``depth`` steps from a file, along imports in either direction."""
    if focus not in graph:
        return set()  # known and not read: a link, a binary
    near = set(_distances(graph.succ, [focus], depth))
    return near | set(_distances(graph.pred, [focus], depth))


def dependents(graph: nx.DiGraph, start: Sequence[str], depth: int | None = None) -> dict[str, int]:
    """Files that need any of ``start``, directly or through others, with their distance."""
    far = _distances(graph.pred, [node for node in start if node in graph], depth)
    return {node: steps for node, steps in far.items() if steps}


def paths_of_impact(graph: nx.DiGraph, start: str) -> list[tuple[str, int, str, int]]:
    """Every file that needs ``start``: how many steps away, through which file, and the line where it imports that. The nearest first."""
    if start not in graph:
        return []
    far = dependents(graph, [start])
    far[start] = 0
    found = []
    for node, steps in far.items():
        if steps:
            via = min(other for other in graph.succ[node] if far.get(other) == steps - 1)
            found.append((node, steps, via, graph.edges[node, via]["line"]))
    return sorted(found, key=lambda one: (one[1], one[0]))


def _distances(adjacent: object, start: Sequence[str], depth: int | None) -> dict[str, int]:
    distance = dict.fromkeys(start, 0)
    queue = deque(start)
    while queue:
        node = queue.popleft()
        if depth is not None and distance[node] >= depth:
            continue
        for other in sorted(adjacent[node]):  # type: ignore[index]
            if other not in distance:
                distance[other] = distance[node] + 1
                queue.append(other)
    return distance


def _shortest_circle(within: Mapping[str, Sequence[str]], start: str) -> list[str]:
    came_from: dict[str, str] = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for other in within[node]:
            if other == start:
                circle = [node]
                while circle[-1] != start:
                    circle.append(came_from[circle[-1]])
                return circle[::-1]
            if other not in came_from:
                came_from[other] = node
                queue.append(other)
    return [start]
