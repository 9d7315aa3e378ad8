"""``status`` on one screen: a line or two for each question one has."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from idumb_brain.surfaces.cli.people.ink import Views, counted, line, plain

_LANGUAGES = 5
_WIDTH = 10


def _status(out: Console, data: dict[str, Any]) -> None:
    out.print(plain(data["root"]), style="bold")
    for note in [data["note"], *data["notes"]]:
        if note:
            out.print(f"note: {plain(note)}")
    for name, lines in (
        ("index", _index(data)), ("stale", _stale(data["stale"])), ("work", _work(data["work"], data["sessions"])),
        ("agents", _agents(data["agents"])), ("handed", _injected(data["injected"])), ("stores", _stores(data["stores"])),
    ):  # fmt: skip
        for number, text in enumerate(lines):
            out.print(f"{'' if number else name:<{_WIDTH}}{text}")


def _index(data: dict[str, Any]) -> list[str]:
    if not data["scanned"]:
        return [f"✗ none yet; {plain(data['next'])}"]
    files, imports = data["files"], data["imports"]
    named = [f"{name} {told['files']:,}" for name, told in list(data["languages"].items())[:_LANGUAGES]]
    more = len(data["languages"]) - _LANGUAGES
    full = data["lastFullScanAt"]
    return [
        f"{counted(files['indexed'], 'file')}, {data['symbols']:,} symbols, {data['comments']:,} comments;"
        f" {', '.join(named)}{f' and {more} more languages' if more > 0 else ''}",
        f"imports: {imports['resolved']:,} resolved, {imports['external']:,} external, {imports['unresolved']:,} unresolved;"
        f" {counted(data['problems'], 'problem')}",
        f"{_fresh(data)} Scanned {data['lastScannedAt']}{f', in full {full}' if full and full != data['lastScannedAt'] else ''}.",
    ]


def _fresh(data: dict[str, Any]) -> str:
    if data["fresh"] and data["complete"]:
        return "✓ The index is up to date."
    files = data["files"]
    parts = [f"{files[what]:,} {what}" for what in ("added", "changed", "removed") if files[what]]
    parts += [] if data["complete"] else ["the last scan was interrupted"]
    return f"✗ Out of date: {', '.join(parts)}. Run idumb-brain scan."


def _stale(stale: dict[str, Any]) -> list[str]:
    parts = []
    for what, verb in (
        ("entries", "brain stale"),
        ("anchors", "anchor list"),
        ("documents", "scan documents --stale"),
        ("tasks", "task status"),
    ):
        told = stale[what]
        if told and told["stale"]:
            parts.append(f"✗ {told['stale']:,} of {told.get('lookedAt', told['of']):,} {what}: idumb-brain {verb}")
    known = ", ".join(f"{stale[what]['of']:,} {what}" for what in ("entries", "anchors", "documents") if stale[what])
    return parts or [f"✓ nothing ({known})"]


def _work(work: dict[str, Any], sessions: dict[str, Any]) -> list[str]:
    plan, task = work["plan"], work["task"]
    lines = [f"plan {line(plan['name'])}, {plan['done']} of {plan['total']} done"] if plan else []
    if task:
        who = f", held by {line(task['claimedBy'])}" if task["claimedBy"] else ""
        lines.append(f"task {line(task['name'])} ({task['id']}), {task['status']}{who}")
    lately = len(sessions["lately"])
    lines.append(f"{counted(sessions['known'], 'session')} known, {lately:,} within the last hour")
    return lines


def _agents(agents: list[dict[str, Any]]) -> list[str]:
    lines = []
    for one in agents:
        heard = one["heard"]
        if not one["setUp"]:
            state = "✗ not set up any more"
        elif one["older"]:
            state = f"✗ {one['older']}"
        else:
            state = "✓ runs now" if one["running"] else "✓ heard of" if heard else "✗ set up, never heard of"
        told = f"; last heard of {heard['at']}, {counted(heard.get('answered', 0), 'call')}" if heard else ""
        lines.append(f"{state}: {one['title']}{told}")
    return lines or ["none; idumb-brain setup opencode (or: claude, mcp)"]


def _injected(injected: dict[str, Any] | None) -> list[str]:
    if injected is None:
        return ["✗ cannot be read: idumb-brain doctor"]
    today, week = injected["today"], injected["week"]
    return [
        f"{counted(today['blocks'], 'block')} to agents today, about {today['tokens']:,} tokens;"
        f" {week['blocks']:,} and {week['tokens']:,} in 7 days"
    ]


def _stores(stores: dict[str, int]) -> list[str]:
    return [", ".join(f"{name}, {size / 1e6:.1f} MB" for name, size in stores.items()) or "none"]


VIEWS: Views = {"status": _status}
