"""What was found, as people see it: the best of each kind, one line each."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from idumb_brain.surfaces.cli.people.ink import MANY, Views, line, plain, some


def _found(out: Console, data: dict[str, Any]) -> None:
    for note in data["notes"]:
        out.print(f"note: {plain(note)}")
    shown = False
    for title, rows in (
        ("files", [f"  {plain(one['path'])}  {_why(one)}" for one in data["files"]]),
        ("symbols", [f"  {plain(one['file'])}:{one['line']}  {plain(one['name'])}  {_why(one)}" for one in data["symbols"]]),
        ("documents", [f"  {plain(one['path'])}  {_why(one)}" for one in data["documents"]]),
        ("known", [f"  {one['id']}  {line(one['title'])}  {_why(one)}" for one in data["entries"]]),
        ("tasks", [f"  {one['id']}  {line(one['name'])}  {_why(one)}" for one in data["tasks"]]),
    ):
        if rows:
            out.print(title, style="bold")
            some(out, rows, MANY)
            shown = True
    if not shown:
        out.print("Nothing in the index says any of these words.")


def _why(one: dict[str, Any]) -> str:
    return line("; ".join(one["reasons"]))


VIEWS: Views = {"found": _found}
