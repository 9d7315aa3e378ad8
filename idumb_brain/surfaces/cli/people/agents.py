"""Setting up hosts, as people see it."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from idumb_brain.surfaces.cli.people.ink import Views, plain

_DID = {
    "written": "{file} is in place. It is loaded when {host} starts the next time.",
    "updated": "{file} is up to date again. It is loaded when {host} starts the next time.",
    "unchanged": "Nothing to do: {file} is as it should be.",
    "removed": "{file} is gone.",
    "checked": "{file} is in place.",
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
