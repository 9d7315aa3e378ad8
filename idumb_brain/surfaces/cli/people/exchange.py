"""What was written and what was taken over, as people see it."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from idumb_brain.surfaces.cli.people.ink import Views, counted, plain


def _exported(out: Console, data: dict[str, Any]) -> None:
    for path in data["written"]:
        out.print(f"written  {plain(path)}")
    for path in data["removed"]:
        out.print(f"removed  {plain(path)}")
    known = ", ".join(f"{count:,} {kind}" for kind, count in data["counts"].items() if count)
    out.print(f"{plain(data['folder'])}: {known or 'nothing is known yet'}; {counted(data['unchanged'], 'file')} as before")


def _imported(out: Console, data: dict[str, Any]) -> None:
    for file in data["files"]:
        out.print(f"{file['read']:>6,}  {plain(file['format'])}  {plain(file['file'])}")
    for problem in data["problems"]:
        out.print(f"! {plain(problem['file'])}: {plain(problem['reason'])}")
    for note in data["notes"]:
        out.print(f"note: {plain(note)}")
    for kind, counts in data["changed"].items():
        out.print(f"{kind}: {', '.join(f'{count:,} {how}' for how, count in counts.items() if count)}")
    if not data["changed"]:
        out.print("Nothing is new." if data["files"] else f"Nothing to import in {plain(data['folder'])}.")


VIEWS: Views = {"exported": _exported, "imported": _imported}
