"""Command lines as people see them: the decision, its reasons, and what each part does."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from idumb_brain.surfaces.cli.people.ink import Views, line, plain, table

_STYLES = {"block": "bold red", "warn": "yellow", "allow": "green"}


def _check(out: Console, data: dict[str, Any]) -> None:
    _decision(out, data)
    if data["parts"]:
        made = table("part", "kind", "why")
        for part in data["parts"]:
            made.add_row(
                line(part["command"])[:60], Text(part["kind"], "red" if part["kind"] == "destructive" else ""), plain(part["why"])
            )
        out.print(made)


def _run(out: Console, data: dict[str, Any]) -> None:
    if not data["ran"] or data["decision"] == "warn":
        _decision(out, data)
    if data["output"]:
        out.print(plain(data["output"]).rstrip("\n"))
    if data["timedOut"]:
        out.print(f"ended after {data['durationMs'] / 1000:.1f} s: the time was over")
    elif data["exitCode"]:
        out.print(f"exit code {data['exitCode']}")


def _decision(out: Console, data: dict[str, Any]) -> None:
    out.print(Text(plain(data["what"]), _STYLES[data["decision"]]))
    if data["why"]:
        out.print(f"  why: {plain(data['why'])}")
    if data["instead"]:
        out.print(f"  instead: {plain(data['instead'])}")
    if data["problems"]:
        out.print(f"  not understood: {plain('; '.join(data['problems']))}")


VIEWS: Views = {"check": _check, "run": _run}
