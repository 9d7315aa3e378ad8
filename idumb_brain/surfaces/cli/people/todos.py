"""Todos as people see them: one table, or groups by age or by owner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.text import Text

from idumb_brain.surfaces.cli.people.ink import Views, counted, line, plain, table

_BUCKETS = ((730, "older than two years"), (365, "one to two years"), (180, "six to twelve months"), (30, "one to six months"))
_STYLES = {"fixme": "red", "bug": "red", "hack": "yellow", "xxx": "yellow", "todo": "cyan", "note": "dim"}


def _todos(out: Console, data: list[dict[str, Any]]) -> None:
    _table(out, data)
    _total(out, data)


def _by_age(out: Console, data: list[dict[str, Any]]) -> None:
    _groups(out, data, _bucket)


def _by_owner(out: Console, data: list[dict[str, Any]]) -> None:
    _groups(out, data, lambda todo: plain(todo["owner"] or "nobody"))


def _groups(out: Console, data: list[dict[str, Any]], title: Callable[[dict[str, Any]], str]) -> None:
    most = max(Counter(map(title, data)).values(), default=1)
    for name, group in groupby(data, title):
        todos = list(group)
        out.print(Text.assemble((name, "bold"), f"  {len(todos):,}  ", ("█" * max(1, 24 * len(todos) // most), "cyan")))
        _table(out, todos)
        out.print()
    _total(out, data)


def _bucket(todo: dict[str, Any]) -> str:
    if todo["age"] is None:
        return "age unknown"
    return next((name for least, name in _BUCKETS if todo["age"] >= least), "younger than a month")


def _table(out: Console, data: list[dict[str, Any]]) -> None:
    if not data:
        return
    made = table("where", "type", "what", "who", "ticket", "days>")
    for todo in data:
        due = f" (due {todo['due']}{', overdue' if todo['overdue'] else ''})" if todo["due"] else ""
        made.add_row(
            f"{plain(todo['file'])}:{todo['line']}", Text(todo["type"], _STYLES.get(todo["type"], "")),
            line(todo["content"])[:120] + due, plain(todo["owner"] or ""), plain(todo["ticket"] or ""), _days(todo),
        )  # fmt: skip
    out.print(made)


def _days(todo: dict[str, Any]) -> str:
    if todo["age"] is None:
        return ""
    return f"≥{todo['age']}" if todo["ageFrom"] == "shallow" else str(todo["age"])


def _total(out: Console, data: list[dict[str, Any]]) -> None:
    out.print(counted(len(data), "todo"))
    if any(todo["ageFrom"] == "shallow" for todo in data):
        out.print("note: this is a shallow clone; ages marked ≥ may be greater (git fetch --unshallow)")


VIEWS: Views = {"todos": _todos, "by age": _by_age, "by owner": _by_owner}
