"""What belongs together, as people see it."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from idumb_brain.surfaces.cli.people.ink import MANY, Views, counted, line, plain, some, table

_TITLE = 80  # characters: an anchor calls itself by its whole content


def _related(out: Console, data: dict[str, Any]) -> None:
    some(out, [f"{plain(one['id'])}  {one['kind']}" for one in data["from"]], MANY)
    if not data["related"]:
        out.print("Nothing is related to it.")
        return
    made = table("steps>", "kind", "what", "why")
    for one in data["related"]:
        of_brain = one["kind"] in ("entry", "anchor")
        name = f"{plain(one['id'])}  {line(one['title'])[:_TITLE]}" if of_brain and one["title"] else plain(one["id"])
        made.add_row(str(one["distance"]), one["kind"], name, line(one["reasons"][-1]))
    out.print(made)
    out.print(counted(len(data["related"]), "neighbour"))


VIEWS: Views = {"related": _related}
