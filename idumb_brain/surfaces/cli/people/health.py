"""What the doctor found, the worst first; what was taken out."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from idumb_brain.surfaces.cli.people.ink import Views, counted, plain

_MARKS = {"error": "✗", "warning": "!", "note": "·"}
_WIDTH = 10
_KINDS = {
    "sessions": ("session", "sessions"), "halts": ("halt", "halts"), "files": ("exported file", "exported files"),
    "leftovers": ("file of a dead process", "files of dead processes"), "copies": ("old copy", "old copies"),
}  # fmt: skip


def _doctor(out: Console, data: dict[str, Any]) -> None:
    out.print(plain(data["root"]), style="bold")
    for one in data["mended"]:
        done = f"✓ mended: {plain(one['what'])}: {plain(one['did'])}"
        out.print(f"✗ not mended: {plain(one['what'])}: {plain(one['failed'])}" if one["failed"] else done)
    for copy in data["backups"]:
        out.print(f"  as it was: {plain(copy)}")
    sick = {one["area"] for one in data["findings"] if one["severity"] != "note"}
    for area in data["examined"]:
        if area["area"] not in sick:
            out.print(f"✓ {area['area']:<{_WIDTH}}{area['what']}")
    for one in data["findings"]:
        out.print(f"{_MARKS[one['severity']]} {one['area']:<{_WIDTH}}{plain(one['what'])}")
        out.print(f"  {'':<{_WIDTH}}{plain(one['why'])}", style="dim")
        out.print(f"  {'':<{_WIDTH}}→ {plain(one['instead'])}")
    mendable = sum(one["mendable"] for one in data["findings"])
    if mendable:
        out.print(f"{counted(mendable, 'finding')} can be mended: idumb-brain doctor --fix")
    elif data["ok"]:
        out.print("All is well.")


def _gc(out: Console, data: dict[str, Any]) -> None:
    would = "would go" if data["dryRun"] else "gone"
    for name, (one, many) in _KINDS.items():
        if data[name]:
            out.print(f"{len(data[name]):,} {one if len(data[name]) == 1 else many} {would}")
    if data["blocks"]:
        out.print(f"{counted(data['blocks'], 'block')} that agents were handed {would}")
    for one in data["compacted"]:
        out.print(f"{plain(one['file'])}: {one['note'] or 'made smaller'}")
    if data["freedBytes"]:
        out.print(f"{data['freedBytes'] / 1e6:.1f} MB {'would be free' if data['dryRun'] else 'freed'}")
    elif not any(data[name] for name in (*_KINDS, "blocks", "compacted")):
        out.print("Nothing to take out.")


VIEWS: Views = {"doctor": _doctor, "gc": _gc}
