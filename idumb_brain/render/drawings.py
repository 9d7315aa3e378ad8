"""The import graph as a drawing other tools can show: Mermaid, DOT, GraphML. Pure; the order of lines never changes by chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any

Graph = Mapping[str, Any]


def draw(graph: Graph, kind: str) -> str:
    return _DRAW[kind](graph)


def mermaid(graph: Graph) -> str:
    """Folders are boxes; edges that are part of a circle are drawn thick."""
    names = {path: f"f{number}" for number, path in enumerate(graph["nodes"])}
    circular = _circular(graph)
    lines = ["flowchart LR"]
    for number, (folder, paths) in enumerate(_by_folder(graph["nodes"]).items()):
        inner = "  " if folder == "." else "    "
        if folder != ".":
            lines.append(f'  subgraph d{number}["{_mermaid_text(folder)}"]')
        lines += [f'{inner}{names[path]}["{_mermaid_text(PurePosixPath(path).name)}"]' for path in paths]
        if folder != ".":
            lines.append("  end")
    for edge in graph["edges"]:
        arrow = "==>" if (edge["from"], edge["to"]) in circular else "-->"
        lines.append(f"  {names[edge['from']]} {arrow} {names[edge['to']]}")
    return "\n".join(lines) + "\n"


def dot(graph: Graph) -> str:
    circular = _circular(graph)
    lines = ["digraph imports {", "  rankdir=LR;", "  node [shape=box, style=rounded];"]
    for number, (folder, paths) in enumerate(_by_folder(graph["nodes"]).items()):
        lines += [f"  subgraph cluster_{number} {{", f"    label={_dot_text(folder)};"]
        lines += [f"    {_dot_text(path)} [label={_dot_text(PurePosixPath(path).name)}];" for path in paths]
        lines.append("  }")
    for edge in graph["edges"]:
        colour = ", color=red" if (edge["from"], edge["to"]) in circular else ""
        lines.append(f"  {_dot_text(edge['from'])} -> {_dot_text(edge['to'])} [tooltip={_dot_text(edge['kind'])}{colour}];")
    return "\n".join([*lines, "}"]) + "\n"


def graphml(graph: Graph) -> str:
    import networkx as nx

    drawn = nx.DiGraph()
    drawn.add_nodes_from(graph["nodes"])
    drawn.add_edges_from((edge["from"], edge["to"], {"line": edge["line"], "kind": edge["kind"]}) for edge in graph["edges"])
    return "\n".join(nx.generate_graphml(drawn)) + "\n"


_DRAW: dict[str, Callable[[Graph], str]] = {"mermaid": mermaid, "dot": dot, "graphml": graphml}


def _circular(graph: Graph) -> set[tuple[str, str]]:
    return {pair for circle in graph["cycles"] for pair in zip(circle, [*circle[1:], circle[0]], strict=True)}


def _by_folder(paths: list[str]) -> dict[str, list[str]]:
    folders: dict[str, list[str]] = {}
    for path in paths:
        folders.setdefault(str(PurePosixPath(path).parent), []).append(path)
    return dict(sorted(folders.items()))


def _mermaid_text(text: str) -> str:
    """Mermaid has no escape but entities: a file may be called whatever it likes."""
    return "".join(c if c.isalnum() or c in " ./_-@+" else f"#{ord(c)};" for c in text)


def _dot_text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
