"""What was recalled, as people see it: a line of each entry and why it is there; ``brain show`` has the rest."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from idumb_brain.surfaces.cli.people.ink import Views, line, plain

_LONG = 110


def _query(out: Console, data: dict[str, Any]) -> None:
    for one in data["entries"]:
        state = "purged" if one["purgedAt"] else "replaced" if one["supersededBy"] else f"{one['effectiveConfidence']} %"
        out.print(Text.assemble((line(one["title"])[:_LONG], "bold"), f"  {one['type']}, {state}"))
        if said := line(one["content"]):
            out.print(f"  {said if len(said) <= _LONG else said[: _LONG - 1] + '…'}")
        out.print(Text(f"  {plain(one['id'])}: {'; '.join(line(reason) for reason in one['reasons'])}", "dim"))
    if data["entries"]:
        out.print("All that one says: idumb-brain brain show ID")
    else:
        out.print("Nothing is known about that.")


VIEWS: Views = {"query": _query}
