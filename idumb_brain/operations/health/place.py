"""Where things are kept: folders that take files, databases that git leaves alone, what dead processes left, room on the disk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from idumb_brain.model.health import Finding
from idumb_brain.operations.health.patient import Patient
from idumb_brain.operations.leftovers import leftovers, take_out
from idumb_brain.operations.project import IGNORED
from idumb_brain.scan.git import ask

_AREA = "place"
_LEAST_ROOM = 200_000_000  # bytes


def examined(patient: Patient) -> Iterator[Finding]:
    project = patient.project
    if project.note:
        yield Finding(_AREA, "warning", project.note, "the project's folder takes no files", "make the folder writable")
    if not project.home.is_dir():
        yield Finding(
            _AREA, "note", f"{project.home} is not there yet", "nothing was scanned or written here", "idumb-brain init",
        )  # fmt: skip
        return
    yield from _ignored(patient)
    yield from _tracked(patient)
    if left := leftovers(project):
        names = ", ".join(file.name for file in left[:3])
        yield Finding(
            _AREA, "warning", f"{len(left)} files were left by processes that died", f"for example {names}",
            "idumb-brain gc, or doctor --fix", lambda: f"took out {take_out(left)} files",
        )  # fmt: skip
    room = shutil.disk_usage(project.home).free
    if room < _LEAST_ROOM:
        yield Finding(
            _AREA, "warning", f"{room / 1e6:,.0f} MB are free on the disk",
            "databases need room to be written and copied", "free some",
        )  # fmt: skip


def _ignored(patient: Patient) -> Iterator[Finding]:
    ignore = patient.project.home / ".gitignore"
    there = ignore.read_text("utf-8", "replace") if ignore.exists() else ""
    missing = [one for one in IGNORED if one not in there.splitlines()]
    if not missing:
        return

    def mend() -> str:
        ignore.write_text(
            there + ("\n" if there and not there.endswith("\n") else "") + "".join(f"{one}\n" for one in missing), "utf-8"
        )
        return f"added {', '.join(missing)}"

    yield Finding(
        _AREA, "warning", f"{ignore} does not ignore {', '.join(missing)}", "databases of this machine could be committed",
        "idumb-brain doctor --fix", mend,
    )  # fmt: skip


def _tracked(patient: Patient) -> Iterator[Finding]:
    """What git was told to keep is not ignored, whatever stands in an ignore file."""
    tracked = ask(patient.project.root, "ls-files", "--", *(f".idumb/{one}" for one in IGNORED)).split("\n")
    if names := [name for name in tracked if name]:
        yield Finding(
            _AREA, "warning", f"git tracks {', '.join(names[:3])}", "it changes with every command, and is private to this machine",
            f"git rm --cached {names[0]}; what others need is written by idumb-brain export",
        )  # fmt: skip
