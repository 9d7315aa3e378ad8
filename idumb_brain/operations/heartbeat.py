"""Whether a host really talks to us: a note it leaves while it does. A plugin that fails to load is silent; this is how one notices."""

from __future__ import annotations

import json
import os
from typing import Any

from idumb_brain import __version__
from idumb_brain.operations.project import Project, now

EVERY = 30.0  # seconds between beats


def beat(project: Project, host: str) -> None:
    told = {"at": now(), "host": host, "pid": os.getpid(), "version": __version__}
    file = project.home / "brain" / f"{host}.heartbeat"
    aside = file.with_suffix(f".{os.getpid()}")
    aside.write_text(json.dumps(told) + "\n", "utf-8")
    os.replace(aside, file)


def heard(project: Project, host: str) -> dict[str, Any] | None:
    """The last beat, or None where there never was one."""
    try:
        told = json.loads((project.home / "brain" / f"{host}.heartbeat").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return told if isinstance(told, dict) else None
