"""Anchors, as people see them."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from idumb_brain.surfaces.cli.people.ink import Views, counted, line, plain

_STYLES = {"critical": "bold red", "high": "yellow", "medium": "", "low": "dim"}


def _added(out: Console, data: dict[str, Any]) -> None:
    out.print(f"{plain(data['id'])}  added")


def _updated(out: Console, data: dict[str, Any]) -> None:
    _row(out, data)


def _removed(out: Console, data: dict[str, Any]) -> None:
    for id in data["removed"]:
        out.print(f"{plain(id)}  removed")


def _list(out: Console, data: dict[str, Any]) -> None:
    for one in data["anchors"]:
        _row(out, one)
    out.print(counted(len(data["anchors"]), "anchor"))


def _row(out: Console, one: dict[str, Any]) -> None:
    where = f"  {plain(one['file'])}{':' + str(one['line']) if one['line'] else ''}" if one["file"] else ""
    gone = "  removed" if one["purgedAt"] else ""
    out.print(
        Text.assemble(
            (f"{one['priority']:<8}", _STYLES[one["priority"]]), f"  {one['type']:<10}  {line(one['content'])}{where}{gone}"
        )
    )
    stale = f"; stale since {one['staleSince']}: {line(one['staleReason'] or 'as last seen')}" if one["staleSince"] else ""
    out.print(f"          {plain(one['id'])}{stale}", style="dim")


VIEWS: Views = {"added": _added, "updated": _updated, "removed": _removed, "list": _list}
