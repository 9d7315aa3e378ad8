"""A block for an agent as people see it: the text, then what was chosen and what was left out, and why."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from idumb_brain.surfaces.cli.people.ink import Views, line, plain, some, table


def _context(out: Console, data: dict[str, Any]) -> None:
    out.print(plain(data["text"]) or "(nothing fits)")
    out.print()
    out.print(f"{data['chars']:,} of {data['budget']:,} characters, about {data['tokens']:,} tokens")
    chosen = table("told", "kind", "score>", "why")
    for one in data["selected"]:
        chosen.add_row(plain(one["id"]), one["kind"], f"{one['score']:.0f}", line("; ".join(one["reasons"])))
    out.print(chosen)
    if data["dropped"]:
        out.print(f"\nleft out: {len(data['dropped'])}")
        some(out, [f"  {plain(one['id'])}  {line(one['reason'])}" for one in data["dropped"]])


VIEWS: Views = {"context": _context}
