"""Scanning and watching, as people see them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rich.console import Console

from idumb_brain.surfaces.cli.people.ink import MANY, Views, counted, line, plain, seconds, some, table


def _init(out: Console, data: dict[str, Any]) -> None:
    _scan(out, data["scan"])
    out.print(f"\n{'Wrote' if data['created'] else 'Kept'} {plain(data['config'])}")
    out.print("Next:")
    for command in data["next"]:
        out.print(f"  {command}")


def _scan(out: Console, data: dict[str, Any]) -> None:
    files, imports = data["files"], data["imports"]
    parts = [f"{files['scanned']:,} read", f"{files['unchanged']:,} unchanged"]
    parts += [f"{files[what]:,} {what}" for what in ("removed", "skipped") if files[what]]
    out.print(
        f"{plain(data['root'])}: {data['mode']} scan in {seconds(data['durationMs'])}; {', '.join(parts)}",
        style="bold",
    )
    out.print(
        f"{data['symbols']:,} symbols, {data['comments']:,} comments; imports: {imports['resolved']:,} resolved,"
        f" {imports['external']:,} external, {imports['unresolved']:,} unresolved"
    )
    for note in data["notes"]:
        out.print(f"note: {plain(note)}")
    _languages(out, data["languages"])
    reasons = Counter(_kind_of(skip["reason"]) for skip in data["skipped"])
    if reasons:
        out.print("\nSkipped: " + ", ".join(f"{count:,} {plain(reason)}" for reason, count in reasons.most_common(MANY)))
    if data["problems"]:
        out.print(f"\n{counted(len(data['problems']), 'problem')}:")
        some(out, [f"  {plain(p['path'])}:{p['line']}  {line(p['message'])}" for p in data["problems"]])


def _kind_of(reason: str) -> str:
    """The reason without its particulars, so that like ones can be counted together."""
    return reason.split(":", 1)[0].split(" (", 1)[0]


def _languages(out: Console, languages: dict[str, Any]) -> None:
    if not languages:
        return
    made = table("language", "files>", "lines>", "kB>")
    for name, row in list(languages.items())[: 2 * MANY]:
        made.add_row(name, f"{row['files']:,}", f"{row['lines']:,}", f"{row['bytes'] / 1000:,.0f}")
    out.print()
    out.print(made)
    if len(languages) > 2 * MANY:
        out.print(f"… and {len(languages) - 2 * MANY} more")


def _watch(out: Console, data: dict[str, Any]) -> None:
    if data["about"] == "start":
        out.print(f"{counted(data['files'], 'file')} known in {seconds(data['durationMs'])}; watching")
        return
    changed = [*data["scanned"], *data["removed"]]
    gone = set(data["removed"])
    named = ", ".join(("-" if path in gone else "") + plain(path) for path in changed[:3])
    more = f" and {len(changed) - 3:,} more" if len(changed) > 3 else ""
    out.print(f"{named}{more}  {seconds(data['durationMs'])}")


VIEWS: Views = {
    "init": _init,
    "scan": _scan,
    "watch": _watch,
}
