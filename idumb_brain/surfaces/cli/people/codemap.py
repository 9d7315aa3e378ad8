"""Answers of the code map, as people see them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from idumb_brain.surfaces.cli.people.ink import MANY, Views, counted, line, plain, some, table


def _show(out: Console, data: dict[str, Any]) -> None:
    out.print(f"{plain(data['file'])}  {data['language']}, {data['lines']:,} lines", style="bold")
    if data["imports"]:
        out.print("\nImports")
        for one in data["imports"]:
            where = ", ".join(map(plain, one["targets"])) or (
                f"[{plain(one['external'])}]" if one["external"] else f"? {plain(one['reason'])}"
            )
            out.print(f"  {one['line']:>5}  {line(one['text'])} → {where}")
    if data["symbols"]:
        out.print("\nSymbols (● exported)")
        for symbol in data["symbols"]:
            depth = symbol["qualifiedName"].count(".") + symbol["qualifiedName"].count("::")
            mark = "●" if symbol["exported"] else " "
            out.print(f"  {symbol['line']:>5} {mark} {'  ' * depth}{line(symbol['signature']) or plain(symbol['name'])}")
    marked = [comment for comment in data["comments"] if comment["type"] not in ("inline", "doc")]
    if marked:
        out.print("\nMarked")
        for comment in marked:
            out.print(f"  {comment['line']:>5}  {comment['type']}: {line(comment['content'])}")
    for title, paths in (("Depends on", data["dependencies"]), ("Needed by", data["dependents"])):
        if paths:
            out.print(f"\n{title}")
            some(out, [f"  {plain(path)}" for path in paths], 3 * MANY)


def _outline(out: Console, data: dict[str, Any]) -> None:
    tree = Tree(Text(plain(data["file"]), "bold"))

    def grow(branch: Tree, symbols: list[dict[str, Any]]) -> None:
        for symbol in symbols:
            label = Text(f"{symbol['line']:>4} ", "dim") + Text(line(symbol["signature"]) or plain(symbol["name"]))
            grow(branch.add(label), symbol["children"])

    grow(tree, data["symbols"])
    out.print(tree)


def _comments(out: Console, data: list[dict[str, Any]]) -> None:
    for comment in data:
        of = f"  ({plain(comment['relatedFunction'])})" if comment["relatedFunction"] else ""
        out.print(f"{plain(comment['file'])}:{comment['line']}  {comment['type']}{of}  {line(comment['content'])}")
    if not data:
        out.print("No comments.")


def _exports(out: Console, data: list[dict[str, Any]]) -> None:
    last = None
    for one in data:
        if one["file"] != last:
            out.print(("" if last is None else "\n") + plain(one["file"]), style="bold")
            last = one["file"]
        out.print(f"  {one['line']:>5}  {one['kind']:<10} {plain(one['name'])}  {line(one['signature'])}")
    if not data:
        out.print("Nothing is exported.")


def _graph(out: Console, data: dict[str, Any]) -> None:
    out.print(
        f"{counted(len(data['nodes']), 'file')}, {counted(len(data['edges']), 'edge')},"
        f" {counted(len(data['cycles']), 'cycle')}, {counted(len(data['layers']), 'layer')},"
        f" {counted(len(data['orphans']), 'file')} alone; {len(data['unresolved']):,} imports unresolved",
        style="bold",
    )
    needed = Counter(edge["to"] for edge in data["edges"])
    needs = Counter(edge["from"] for edge in data["edges"])
    if needed:
        made = table("most needed", "needed by>", "needs>")
        for path, count in sorted(needed.items(), key=lambda item: (-item[1], item[0]))[: 2 * MANY]:
            made.add_row(plain(path), f"{count:,}", f"{needs[path]:,}")
        out.print(made)
    packages = Counter(one["package"] for one in data["external"])
    if packages:
        out.print("External: " + ", ".join(f"{plain(name)} ({count})" for name, count in packages.most_common(2 * MANY)))
    if data["unresolved"]:
        out.print("Unresolved:")
        some(
            out,
            [f"  {plain(u['from'])}:{u['line']}  {line(u['text'])}: {line(u['reason'])}" for u in data["unresolved"]],
        )
    out.print("A drawing: --format mermaid|dot|graphml; a part of it: --focus FILE --depth N")


def _scip(out: Console, data: dict[str, Any]) -> None:
    out.print(
        f"{plain(data['file'])}: {counted(data['documents'], 'file')}, {counted(data['symbols'], 'symbol')},"
        f" {counted(data['occurrences'], 'place')} where they stand; {data['bytes'] / 1e6:.1f} MB"
    )
    if data["leftOut"]:
        out.print(f"Left out: {counted(len(data['leftOut']), 'file')}")
        some(out, [f"  {plain(one['path'])}: {one['reason']}" for one in data["leftOut"]])


def _cycles(out: Console, data: list[list[str]]) -> None:
    for circle in data:
        out.print(" → ".join(plain(path) for path in [*circle, circle[0]]))
    out.print(counted(len(data), "cycle"))


def _impact(out: Console, data: dict[str, Any]) -> None:
    out.print(
        f"{plain(data['target'])}: {counted(len(data['files']), 'file')} affected, {data['direct']:,} directly",
        style="bold",
    )
    if data["uses"]:
        for use in data["uses"]:
            inside = f" in {plain(use['symbol'])}" if use["symbol"] else ""
            out.print(f"  {plain(use['file'])}:{use['line']}  {use['kind']} {plain(use['name'])}{inside}  ({use['provenance']})")
    for steps in sorted({file["depth"] for file in data["files"]}):
        here = [plain(file["path"]) for file in data["files"] if file["depth"] == steps]
        out.print("\nIn the file itself" if steps == 0 else f"\n{counted(steps, 'step')} away")
        some(out, [f"  {path}" for path in here], 3 * MANY)


VIEWS: Views = {
    "show": _show,
    "outline": _outline,
    "comments": _comments,
    "exports": _exports,
    "graph": _graph,
    "scip": _scip,
    "cycles": _cycles,
    "impact": _impact,
}
