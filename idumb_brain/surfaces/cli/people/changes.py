"""What changed, as people see it: what breaks somebody first."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from idumb_brain.surfaces.cli.people.ink import MANY, Views, counted, line, plain

_STYLES = {"breaking": "bold red", "unclear": "yellow", "compatible": "green"}
_TITLES = {"breaking": "Breaking", "unclear": "Perhaps breaking", "compatible": "Compatible"}


def _drift(out: Console, data: dict[str, Any]) -> None:
    summary = data["summary"]
    if not (summary["drift"] or data["api"] or data["dependencies"] or data["files"]["outside"]):
        out.print(f"Nothing changed since {plain(data['since'])}.")
        return
    parts = [f"{number:,} {what}" for what, number in summary["files"].items() if number]
    out.print(f"Since {plain(data['since'])}: {', '.join(parts) or 'no file that is read'}", style="bold")
    verdicts = [f"{number:,} {verdict}" for verdict, number in summary["api"].items() if number]
    if verdicts:
        out.print(f"Public API: {', '.join(verdicts)}")
    for verdict, title in _TITLES.items():
        _api(out, title, _STYLES[verdict], [one for one in data["api"] if one["verdict"] == verdict])
    _dependencies(out, data["dependencies"])
    _files(out, data["files"])


def _api(out: Console, title: str, style: str, changes: list[dict[str, Any]]) -> None:
    if not changes:
        return
    out.print(Text(f"\n{title}", style))
    most = len(changes) if style.startswith("bold") else 3 * MANY  # nobody should miss what breaks
    for one in changes[:most]:
        out.print(Text.assemble((f"  {one['change']:<8}", style), f"{one['kind']} {plain(one['name'])}  ", (_place(one), "dim")))
        told = Text(f"          {line(one['reason'])}")
        if one["before"] and one["after"] and line(one["before"]) != line(one["after"]):
            told.append(f"\n          - {line(one['before'])}\n          + {line(one['after'])}", "dim")
        out.print(told)
    if len(changes) > most:
        out.print(f"  … and {len(changes) - most:,} more (--json has all)")


def _place(one: dict[str, Any]) -> str:
    return f"{plain(one['file'])}:{one['line']}"


def _dependencies(out: Console, changes: list[dict[str, Any]]) -> None:
    if not changes:
        return
    out.print(Text("\nDependencies", "bold"))
    marks = {"added": "+", "removed": "-", "changed": "~"}
    for one in changes:
        before, after = (_version(one, side) for side in ("before", "after"))
        told = {"added": after, "removed": before}.get(one["change"], f"{before} → {after}")
        out.print(
            f"  {marks[one['change']]} {plain(one['name'])} {told}  ({one['ecosystem']}, {one['group']},"
            f" {plain(one['manifest'])}:{one['line']})"
        )


def _version(one: dict[str, Any], side: str) -> str:
    locked = one[f"locked{side.title()}"]
    wanted = line(one[side] or "any version")
    return f"{wanted} (locked {line(locked)})" if locked and locked not in wanted else wanted


def _files(out: Console, files: dict[str, Any]) -> None:
    out.print(Text("\nFiles", "bold"))
    rows = [f"  → {plain(one['from'])} became {plain(one['to'])} ({one['similarity']} %)" for one in files["renamed"]]
    for mark, what in (("+", "added"), ("-", "deleted"), ("~", "modified")):
        rows += [f"  {mark} {plain(path)}" for path in files[what]]
    for row in rows[: 5 * MANY]:
        out.print(row)
    if len(rows) > 5 * MANY:
        out.print(f"  … and {len(rows) - 5 * MANY:,} more (--json has all)")
    if files["outside"]:
        out.print(f"  {counted(len(files['outside']), 'change')} in files that a scan does not read")


VIEWS: Views = {"drift": _drift}
