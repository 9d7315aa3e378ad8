"""Documents, as people see them: what there is, by type, and what is stale about it."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from idumb_brain.surfaces.cli.people.ink import MANY, Views, counted, line, plain, some


def _documents(out: Console, data: dict[str, Any]) -> None:
    found = data["documents"]
    if not data["types"]:
        out.print("No documents.")
        return
    told = ", ".join(f"{number:,} {name}" for name, number in data["types"].items())
    if data["staleOnly"]:
        out.print(f"{len(found):,} of {counted(sum(data['types'].values()), 'document')}", style="bold")
    else:
        out.print(f"{counted(len(found), 'document')}: {told}", style="bold")
    if not data["staleOnly"]:
        for name in data["types"]:
            mine = [one for one in found if one["type"] == name]
            out.print(f"\n{name}")
            some(out, [f"  {plain(one['path'])}{_about(one)}" for one in mine], MANY)
    if data["stale"]:
        out.print(
            f"\n{counted(data['stale'], 'stale place')}" if not data["staleOnly"] else f"{counted(data['stale'], 'stale place')}"
        )
        places = [
            f"  {plain(one['path'])}:{stale['line']}  {stale['kind']}  {line(stale['text'])}  ({line(stale['why'])})"
            for one in found
            for stale in one["staleIndicators"]
        ]
        some(out, places, len(places) if data["staleOnly"] else 2 * MANY)
    else:
        out.print("\nNothing stale was found.")
    if not data["staleOnly"] and data["governanceDetected"]:
        out.print("\nGovernance")
        some(out, [f"  {_governance(one)}" for one in data["governanceDetected"]], 2 * MANY)


def _about(one: dict[str, Any]) -> str:
    title = f"  {line(one['title'])}" if one["title"] else ""
    stale = f"  ({len(one['staleIndicators'])} stale)" if one["staleIndicators"] else ""
    return title + stale


def _governance(one: dict[str, Any]) -> str:
    counts = ", ".join(f"{number} {name}" for name, number in one["counts"].items())
    where = f" in {plain(one['scope'])}" if one["scope"] else ""
    return f"{one['name']}{where}  {plain(one['evidence'][0]['path'])}" + (f"  ({counts})" if counts else "")


VIEWS: Views = {"documents": _documents}
