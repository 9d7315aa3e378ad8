"""Setting up hosts, as people see it."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from idumb_brain.surfaces.cli.people.ink import Views, plain

_DID = {
    "written": "Written: {file}. {host} loads it when it starts the next time.",
    "updated": "Brought up to date: {file}. {host} loads it when it starts the next time.",
    "unchanged": "Nothing to do: {file} as it should be.",
    "removed": "Taken out: {file}.",
    "checked": "In place: {file}.",
}


def _setup(out: Console, data: dict[str, Any]) -> None:
    for problem in data["problems"]:
        out.print(plain(problem))
    if not data["problems"]:
        out.print(plain(_DID[data["did"]].format(**data)))
    if data["did"] == "checked":
        out.print(plain(_heard(data)))


def _heard(data: dict[str, Any]) -> str:
    told = data["heard"]
    if not told:
        return f"{data['host']} was never heard of here."
    running = "It runs now. " if data["alive"] else ""
    problems = f", {told['problems']:,} with a problem" if told.get("problems") else ""
    answered = f"; {told['answered']:,} calls answered{problems}" if told.get("answered") else ""
    return f"{running}Last heard of: {told['at']}, version {told['version']}{answered}."


VIEWS: Views = {"setup": _setup}
