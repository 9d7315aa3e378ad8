"""Files that processes made aside and did not live to move into place: each has the number of its process in its name."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from idumb_brain.operations.heartbeat import HOSTS
from idumb_brain.operations.project import Project

_MADE_ASIDE = re.compile(
    r"(?:brain\.db\.(?:new|salvage)|\.[\w.-]+\.new)-(?P<pid>\d+)(?:-wal|-shm|-journal)?"
    rf"|(?:{'|'.join(HOSTS)})\.(?P<beat>\d+)"
)


def leftovers(project: Project) -> list[Path]:
    """Those whose process is gone."""
    folders = {home / "brain" for home in (project.home, project.shared or project.home)}
    found = [file for folder in folders if folder.is_dir() for file in sorted(folder.rglob("*")) if file.is_file()]
    return [file for file in found if (made := _MADE_ASIDE.fullmatch(file.name)) and not _lives(int(made["pid"] or made["beat"]))]


def take_out(files: Sequence[Path]) -> int:
    for file in files:
        file.unlink(missing_ok=True)
    return len(files)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # somebody else's, or a number that is none: let it be
    return True
