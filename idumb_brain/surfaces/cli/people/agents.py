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
        heard = data["heard"]
        out.print(
            f"Last heard of: {heard['at']}, version {heard['version']}" if heard else f"{data['host']} was never heard of here."
        )


VIEWS: Views = {"setup": _setup}
