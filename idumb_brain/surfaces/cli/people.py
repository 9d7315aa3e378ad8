"""Answers as people like to read them: short tables and trees. Text from files is shown as text, never obeyed."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

_MANY = 10  # of skipped files, problems, reasons: the rest is counted; --json has all
_UNSHOWABLE = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if code not in (9, 10)}


def show(view: str, data: Any) -> None:
    wide = None if sys.stdout.isatty() else 400  # a pipe has no width; lines must not be broken for it
    _VIEWS[view](Console(highlight=False, markup=False, emoji=False, width=wide, soft_wrap=wide is not None), data)


def plain(text: object) -> str:
    """Control characters made visible: a file name or a comment must not drive the terminal."""
    return str(text).translate(_UNSHOWABLE)


def _line(text: object) -> str:
    return " ".join(plain(text).split())


def _init(out: Console, data: dict[str, Any]) -> None:
    _scan(out, data["scan"])
    out.print(f"\n{'Wrote' if data['created'] else 'Kept'} {plain(data['config'])}")
    out.print("Next:")
    for command in data["next"]:
        out.print(f"  {command}")


def _scan(out: Console, data: dict[str, Any]) -> None:
    files, imports = data["files"], data["imports"]
    parts = [f"{files['scanned']:,} read", f"{files['unchanged']:,} unchanged"]
    parts += [f"{files[what]:,} {what}" for what in ("removed", "skipped") if files[what]]
    out.print(
        f"{plain(data['root'])}: {data['mode']} scan in {_seconds(data['durationMs'])}; {', '.join(parts)}",
        style="bold",
    )
    out.print(
        f"{data['symbols']:,} symbols, {data['comments']:,} comments; imports: {imports['resolved']:,} resolved,"
        f" {imports['external']:,} external, {imports['unresolved']:,} unresolved"
    )
    for note in data["notes"]:
        out.print(f"note: {plain(note)}")
    _languages(out, data["languages"])
    reasons = Counter(_kind_of(skip["reason"]) for skip in data["skipped"])
    if reasons:
        out.print("\nSkipped: " + ", ".join(f"{count:,} {plain(reason)}" for reason, count in reasons.most_common(_MANY)))
    if data["problems"]:
        out.print(f"\n{_counted(len(data['problems']), 'problem')}:")
        _some(out, [f"  {plain(p['path'])}:{p['line']}  {_line(p['message'])}" for p in data["problems"]])


def _kind_of(reason: str) -> str:
    """The reason without its particulars, so that like ones can be counted together."""
    return reason.split(":", 1)[0].split(" (", 1)[0]


def _languages(out: Console, languages: dict[str, Any]) -> None:
    if not languages:
        return
    table = _table("language", "files>", "lines>", "kB>")
    for name, row in list(languages.items())[: 2 * _MANY]:
        table.add_row(name, f"{row['files']:,}", f"{row['lines']:,}", f"{row['bytes'] / 1000:,.0f}")
    out.print()
    out.print(table)
    if len(languages) > 2 * _MANY:
        out.print(f"… and {len(languages) - 2 * _MANY} more")


def _watch(out: Console, data: dict[str, Any]) -> None:
    if data["about"] == "start":
        out.print(f"{_counted(data['files'], 'file')} known in {_seconds(data['durationMs'])}; watching")
        return
    changed = [*data["scanned"], *data["removed"]]
    gone = set(data["removed"])
    named = ", ".join(("-" if path in gone else "") + plain(path) for path in changed[:3])
    more = f" and {len(changed) - 3:,} more" if len(changed) > 3 else ""
    out.print(f"{named}{more}  {_seconds(data['durationMs'])}")


def _status(out: Console, data: dict[str, Any]) -> None:
    if data["note"]:
        out.print(f"note: {plain(data['note'])}")
    if not data["scanned"]:
        out.print(f"{plain(data['root'])} has no index yet; {plain(data['next'])}")
        return
    files = data["files"]
    out.print(f"{plain(data['root'])}: scanned {data['lastScannedAt']}, {files['indexed']:,} files", style="bold")
    if data["fresh"] and data["complete"]:
        out.print("The index is up to date.")
    else:
        parts = [f"{files[what]:,} {what}" for what in ("added", "changed", "removed") if files[what]]
        parts += [] if data["complete"] else ["the last scan was interrupted"]
        out.print(f"Out of date: {', '.join(parts)}. Run idumb-brain scan.")
    imports = data["imports"]
    out.print(
        f"{data['symbols']:,} symbols, {data['comments']:,} comments; imports: {imports['resolved']:,} resolved,"
        f" {imports['external']:,} external, {imports['unresolved']:,} unresolved; {_counted(data['problems'], 'problem')}"
    )
    _languages(out, data["languages"])
    out.print(f"\nIndex: {plain(data['index'])}, {data['indexBytes'] / 1e6:.1f} MB")


def _show(out: Console, data: dict[str, Any]) -> None:
    out.print(f"{plain(data['file'])}  {data['language']}, {data['lines']:,} lines", style="bold")
    if data["imports"]:
        out.print("\nImports")
        for one in data["imports"]:
            where = ", ".join(map(plain, one["targets"])) or (
                f"[{plain(one['external'])}]" if one["external"] else f"? {plain(one['reason'])}"
            )
            out.print(f"  {one['line']:>5}  {_line(one['text'])} → {where}")
    if data["symbols"]:
        out.print("\nSymbols (● exported)")
        for symbol in data["symbols"]:
            depth = symbol["qualifiedName"].count(".") + symbol["qualifiedName"].count("::")
            mark = "●" if symbol["exported"] else " "
            out.print(f"  {symbol['line']:>5} {mark} {'  ' * depth}{_line(symbol['signature']) or plain(symbol['name'])}")
    marked = [comment for comment in data["comments"] if comment["type"] not in ("inline", "doc")]
    if marked:
        out.print("\nMarked")
        for comment in marked:
            out.print(f"  {comment['line']:>5}  {comment['type']}: {_line(comment['content'])}")
    for title, paths in (("Depends on", data["dependencies"]), ("Needed by", data["dependents"])):
        if paths:
            out.print(f"\n{title}")
            _some(out, [f"  {plain(path)}" for path in paths], 3 * _MANY)


def _outline(out: Console, data: dict[str, Any]) -> None:
    tree = Tree(Text(plain(data["file"]), "bold"))

    def grow(branch: Tree, symbols: list[dict[str, Any]]) -> None:
        for symbol in symbols:
            label = Text(f"{symbol['line']:>4} ", "dim") + Text(_line(symbol["signature"]) or plain(symbol["name"]))
            grow(branch.add(label), symbol["children"])

    grow(tree, data["symbols"])
    out.print(tree)


def _comments(out: Console, data: list[dict[str, Any]]) -> None:
    for comment in data:
        of = f"  ({plain(comment['relatedFunction'])})" if comment["relatedFunction"] else ""
        out.print(f"{plain(comment['file'])}:{comment['line']}  {comment['type']}{of}  {_line(comment['content'])}")
    if not data:
        out.print("No comments.")


def _exports(out: Console, data: list[dict[str, Any]]) -> None:
    last = None
    for one in data:
        if one["file"] != last:
            out.print(("" if last is None else "\n") + plain(one["file"]), style="bold")
            last = one["file"]
        out.print(f"  {one['line']:>5}  {one['kind']:<10} {plain(one['name'])}  {_line(one['signature'])}")
    if not data:
        out.print("Nothing is exported.")


def _todos(out: Console, data: list[dict[str, Any]]) -> None:
    table = _table("where", "type", "what", "who", "ticket", "days>")
    for todo in data:
        table.add_row(
            f"{plain(todo['file'])}:{todo['line']}", todo["type"], _line(todo["content"])[:120], plain(todo["owner"] or ""),
            plain(todo["ticket"] or ""), "" if todo["age"] is None else str(todo["age"]),
        )  # fmt: skip
    if data:
        out.print(table)
    out.print(_counted(len(data), "todo"))


def _graph(out: Console, data: dict[str, Any]) -> None:
    out.print(
        f"{_counted(len(data['nodes']), 'file')}, {_counted(len(data['edges']), 'edge')},"
        f" {_counted(len(data['cycles']), 'cycle')}, {_counted(len(data['layers']), 'layer')},"
        f" {_counted(len(data['orphans']), 'file')} alone; {len(data['unresolved']):,} imports unresolved",
        style="bold",
    )
    needed = Counter(edge["to"] for edge in data["edges"])
    needs = Counter(edge["from"] for edge in data["edges"])
    if needed:
        table = _table("most needed", "needed by>", "needs>")
        for path, count in sorted(needed.items(), key=lambda item: (-item[1], item[0]))[: 2 * _MANY]:
            table.add_row(plain(path), f"{count:,}", f"{needs[path]:,}")
        out.print(table)
    packages = Counter(one["package"] for one in data["external"])
    if packages:
        out.print("External: " + ", ".join(f"{plain(name)} ({count})" for name, count in packages.most_common(2 * _MANY)))
    if data["unresolved"]:
        out.print("Unresolved:")
        _some(
            out,
            [f"  {plain(u['from'])}:{u['line']}  {_line(u['text'])}: {_line(u['reason'])}" for u in data["unresolved"]],
        )
    out.print("A drawing: --format mermaid|dot|graphml; a part of it: --focus FILE --depth N")


def _cycles(out: Console, data: list[list[str]]) -> None:
    for circle in data:
        out.print(" → ".join(plain(path) for path in [*circle, circle[0]]))
    out.print(_counted(len(data), "cycle"))


def _impact(out: Console, data: dict[str, Any]) -> None:
    out.print(
        f"{plain(data['target'])}: {_counted(len(data['files']), 'file')} affected, {data['direct']:,} directly",
        style="bold",
    )
    if data["uses"]:
        for use in data["uses"]:
            inside = f" in {plain(use['symbol'])}" if use["symbol"] else ""
            out.print(f"  {plain(use['file'])}:{use['line']}  {use['kind']} {plain(use['name'])}{inside}  ({use['provenance']})")
    for steps in sorted({file["depth"] for file in data["files"]}):
        here = [plain(file["path"]) for file in data["files"] if file["depth"] == steps]
        out.print("\nIn the file itself" if steps == 0 else f"\n{_counted(steps, 'step')} away")
        _some(out, [f"  {path}" for path in here], 3 * _MANY)


def _diff(out: Console, data: dict[str, Any]) -> None:
    out.print(f"Since {plain(data['since'])}", style="bold")
    for mark, what in (("+", "added"), ("-", "removed"), ("~", "modified")):
        for path in data[what]:
            out.print(f"{mark} {plain(path)}")
    for move in data["renamed"]:
        out.print(f"→ {plain(move['from'])} became {plain(move['to'])}")
    symbols = data["symbols"]
    public = {what: [symbol for symbol in symbols[what] if symbol["exported"]] for what in symbols}
    if any(public.values()):
        out.print("\nPublic symbols")
        for mark, what in (("+", "added"), ("-", "removed")):
            for symbol in public[what]:
                out.print(f"{mark} {plain(symbol['file'])}:{symbol['line']}  {_line(symbol['signature'])}")
        for symbol in public["changed"]:
            out.print(f"~ {plain(symbol['file'])}:{symbol['line']}  {_line(symbol['before'])}\n    → {_line(symbol['after'])}")
    if not any((data["added"], data["removed"], data["modified"], data["renamed"])):
        out.print("Nothing changed.")


_VIEWS: dict[str, Callable[[Console, Any], None]] = {
    "init": _init, "scan": _scan, "status": _status, "show": _show, "outline": _outline, "comments": _comments, "exports": _exports,
    "todos": _todos, "watch": _watch, "graph": _graph, "cycles": _cycles, "impact": _impact, "diff": _diff,
}  # fmt: skip


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        table.add_column(column.rstrip(">"), justify="right" if column.endswith(">") else "left")
    return table


def _some(out: Console, lines: list[str], many: int = _MANY) -> None:
    for line in lines[:many]:
        out.print(line)
    if len(lines) > many:
        out.print(f"  … and {len(lines) - many:,} more (--json has all)")


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _seconds(ms: float) -> str:
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"
