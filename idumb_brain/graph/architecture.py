"""Modules, the layers they form, and the imports that go against them. Pure.

A module is a folder: the tree is cut where it says most. Layers come from who imports whom; where two modules import
each other, the direction of fewer imports goes against the layers and is told of, not hidden.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from idumb_brain.model.code import Edge, FileRecord
from idumb_brain.model.roles import is_product

NO_CODE = frozenset({"json", "toml", "yaml", "markdown", "html", "css", "xml", "ini", "csv", "rst"})
_FEW_MODULES, _MOST_MODULES = 4, 16
_TOO_LARGE = 0.25  # of all lines: such a module is cut once more, if it can be
_DOMINANT = 0.35  # even if that gives more modules than one likes to see


@dataclass(frozen=True, slots=True)
class Module:
    path: str  # a folder, "" for files that lie at the top
    files: int
    lines: int
    language: str
    layer: int  # 0 imports no other module
    needs: tuple[tuple[str, int], ...]  # module, number of imports


@dataclass(frozen=True, slots=True)
class Against:
    """Imports from a lower layer to a higher one."""

    source: str
    target: str
    imports: int
    example: Edge


@dataclass(frozen=True, slots=True)
class Architecture:
    modules: tuple[Module, ...]
    layers: tuple[tuple[str, ...], ...]  # the lowest first
    against: tuple[Against, ...]


def architecture(files: Sequence[FileRecord], edges: Iterable[Edge]) -> Architecture:
    product = [file for file in files if file.status == "scanned" and file.lines and is_code(file)]
    home = _modules(product)
    between: dict[tuple[str, str], list[Edge]] = defaultdict(list)
    for edge in edges:
        source, target = home.get(edge.source), home.get(edge.target)
        if source is not None and target is not None and source != target:
            between[source, target].append(edge)
    members: dict[str, list[FileRecord]] = defaultdict(list)
    for file in product:
        members[home[file.path]].append(file)
    weights = {pair: len(found) for pair, found in between.items()}
    order = _top_down(sorted(members), weights)
    forward = {(a, b) for a, b in weights if order[a] < order[b]}
    layer = _heights(sorted(members), forward)
    modules = tuple(
        Module(
            path,
            len(inside),
            sum(file.lines for file in inside),
            _main_language(inside),
            layer[path],
            tuple(sorted(((b, n) for (a, b), n in weights.items() if a == path), key=lambda row: (-row[1], row[0]))),
        )
        for path, inside in sorted(members.items())
    )
    rows: list[list[str]] = [[] for _ in range(max(layer.values(), default=-1) + 1)]
    for path in sorted(members):
        rows[layer[path]].append(path)
    against = tuple(
        Against(a, b, len(found), min(found, key=lambda edge: (edge.source, edge.line, edge.target)))
        for (a, b), found in sorted(between.items(), key=lambda item: (len(item[1]), item[0]))
        if (a, b) not in forward
    )
    return Architecture(modules, tuple(tuple(row) for row in rows), against)


def is_code(file: FileRecord) -> bool:
    """Whether a file is a part of the program, and not of what lies around it."""
    return is_product(file.path) and file.language not in NO_CODE


def _modules(files: Sequence[FileRecord]) -> dict[str, str]:
    """file → its module: the largest folder is cut into its parts until none is too large or there are enough."""
    groups: dict[str, list[FileRecord]] = {"": list(files)}
    total = sum(file.lines for file in files) or 1
    whole: set[str] = set()  # cannot be cut, or would fall into too many
    while candidates := [path for path in groups if path not in whole]:
        largest = max(candidates, key=lambda path: (sum(file.lines for file in groups[path]), path))
        share = sum(file.lines for file in groups[largest]) / total
        parts = {_part(largest, file.path) for file in groups[largest]}
        if share <= _TOO_LARGE and len(groups) >= _FEW_MODULES:
            break
        if parts == {largest} or len(groups) + len(parts) > (_MOST_MODULES if share < _DOMINANT else 2 * _MOST_MODULES):
            whole.add(largest)
            continue
        inside = groups.pop(largest)
        for file in inside:
            groups.setdefault(_part(largest, file.path), []).append(file)
        whole.add(largest)  # from now on the files that lie directly in it
    return {file.path: path for path, inside in groups.items() for file in inside}


def _part(folder: str, path: str) -> str:
    rest = path[len(folder) + 1 :] if folder else path
    name, slash, _ = rest.partition("/")
    if not slash:
        return folder
    return f"{folder}/{name}" if folder else name


def _main_language(files: Iterable[FileRecord]) -> str:
    lines: Counter[str] = Counter()
    for file in files:
        lines[file.language] += file.lines
    return min(lines, key=lambda name: (-lines[name], name))


def _top_down(nodes: Sequence[str], weights: Mapping[tuple[str, str], int]) -> dict[str, int]:
    """Positions such that little goes upwards: importers before what they import (the heuristic of Eades, Lin and Smyth)."""
    out: dict[str, dict[str, int]] = {node: {} for node in nodes}
    into: dict[str, dict[str, int]] = {node: {} for node in nodes}
    for (a, b), weight in weights.items():
        out[a][b] = weight
        into[b][a] = weight
    left, first, last = set(nodes), [], []
    while left:
        sinks = sorted(node for node in left if not any(other in left for other in out[node]))
        sources = sorted(node for node in left if not any(other in left for other in into[node]))
        if sinks:
            last.extend(sinks)
            left.difference_update(sinks)
        elif sources:
            first.extend(sources)
            left.difference_update(sources)
        else:
            surplus = {
                node: sum(w for other, w in out[node].items() if other in left)
                - sum(w for other, w in into[node].items() if other in left)
                for node in left
            }
            chosen = min(left, key=lambda node: (-surplus[node], node))
            first.append(chosen)
            left.remove(chosen)
    ordered = _improved([*first, *reversed(last)], weights)
    return {node: position for position, node in enumerate(ordered)}


def _improved(order: list[str], weights: Mapping[tuple[str, str], int]) -> list[str]:
    """Single modules moved to where less goes upwards, until no move helps."""

    def upwards(candidate: Sequence[str]) -> int:
        at = {node: position for position, node in enumerate(candidate)}
        return sum(weight for (a, b), weight in weights.items() if at[a] > at[b])

    best = upwards(order)
    moved = best > 0
    while moved:
        moved = False
        for node in sorted(order):
            rest = [other for other in order if other != node]
            for position in range(len(order)):
                candidate = [*rest[:position], node, *rest[position:]]
                if (cost := upwards(candidate)) < best:
                    best, order, moved = cost, candidate, True
    return order


def _heights(nodes: Sequence[str], downward: Iterable[tuple[str, str]]) -> dict[str, int]:
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(downward)
    height: dict[str, int] = {}
    for node in reversed(list(nx.lexicographical_topological_sort(graph))):
        height[node] = 1 + max((height[below] for below in graph.successors(node)), default=-1)
    return height
