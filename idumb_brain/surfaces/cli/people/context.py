"""A block for an agent as people see it: the text, then what was chosen and what was left out, and why."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from idumb_brain.surfaces.cli.people.ink import Views, counted, line, plain, some, table


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


def _last(out: Console, data: dict[str, Any]) -> None:
    today, week = data["today"], data["week"]
    out.print(
        f"Today {counted(today['blocks'], 'block')}, about {today['tokens']:,} tokens;"
        f" in a week {week['blocks']:,}, about {week['tokens']:,}",
        style="bold",
    )
    if not data["blocks"]:
        out.print("Nothing of that kind was handed to an agent here.")
    for one in data["blocks"]:
        out.print()
        _block(out, one)


def _block(out: Console, one: dict[str, Any]) -> None:
    whom = " as ".join(line(word) for word in (one["session"] or "no session", one["role"]) if word)
    again = f", {one['times']:,} times until {one['until']}" if one["times"] > 1 else ""
    out.print(f"{one['at']}  {one['kind']} for {whom}{again}", style="bold")
    out.print(f"{one['chars']:,} of {one['budget']:,} characters, about {one['tokens']:,} tokens")
    for row in one["selected"]:
        out.print(f"  ✓ {row['kind']} {plain(row['id'])} ({row['score']:.0f}: {line('; '.join(row['reasons']))})")
        out.print(f"      | {line(row['title'])}")
    left_out = [
        f"  ✗ {row['kind']} {plain(row['id'])} ({line(row['reason'])})\n      | {line(row['title'])}" for row in one["dropped"]
    ]
    some(out, left_out)
    if one["omitted"]:
        out.print(f"  … and {one['omitted']:,} more that were left out")
    for text in one.get("text", "").splitlines():
        out.print(f"    | {plain(text)}")


VIEWS: Views = {"context": _context, "last": _last}
