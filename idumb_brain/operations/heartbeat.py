"""Whether a host really talks to us: a note it leaves while it does. A plugin that fails to load is silent; this is how one notices.

A note is a convenience: where it cannot be written, or two processes write at once, nobody is told and a count is lost.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from idumb_brain import __version__
from idumb_brain.operations.project import Project, now

EVERY = 30.0  # seconds between beats
HOSTS = {"opencode": "OpenCode", "claude": "Claude Code", "mcp": "MCP"}
_OURS = (b"idumb_brain", b"idumb-brain")  # in the command line of a process of ours


class Pulse:
    """One process that a host talks to. ``every`` so many seconds it leaves a note; what went wrong is noted at once."""

    def __init__(self, project: Project, host: str, *, every: float = EVERY) -> None:
        self._file = _file(project, host)
        self._host = host
        self._every = every
        self._turn = threading.Lock()
        self._beaten = 0.0
        self._answered = self._failed = 0  # since the last note
        self._problem: dict[str, str] = {}
        self.plugin = ""  # version of the host's side, where it told it

    def felt(self, event: str = "", problem: str = "") -> None:
        """The host asked for something and was answered."""
        with self._turn:
            self._answered += bool(event)
            if problem:
                self._failed += 1
                self._problem = {"at": now(), "event": event, "what": problem}
            if problem or not self._beaten or time.monotonic() - self._beaten > self._every:
                self._beaten = time.monotonic()
                with suppress(OSError):
                    self._beat(event)

    def _beat(self, event: str) -> None:
        before = _read(self._file) or {}
        mine = before.get("pid") == os.getpid()
        told = {
            "at": now(),
            "host": self._host,
            "pid": os.getpid(),
            "started": before.get("started") if mine else now(),
            "version": __version__,
            "plugin": self.plugin or (before.get("plugin", "") if mine else ""),
            "python": sys.executable,
            "pythonVersion": ".".join(map(str, sys.version_info[:3])),
            "lastHook": event or before.get("lastHook", ""),
            "answered": _number(before.get("answered")) + self._answered,
            "problems": _number(before.get("problems")) + self._failed,
            "lastProblem": self._problem or before.get("lastProblem") or {},
        }
        aside = self._file.with_suffix(f".{os.getpid()}")
        aside.write_text(json.dumps(told) + "\n", "utf-8")
        os.replace(aside, self._file)
        self._answered = self._failed = 0


def heard(project: Project, host: str) -> dict[str, Any] | None:
    """The last note, with whether the process that left it still lives; None where there never was one."""
    told = _read(_file(project, host))
    return told and told | {"running": _runs(_number(told.get("pid")))}


def _file(project: Project, host: str) -> Path:
    return project.home / "brain" / f"{host}.heartbeat"


def _read(file: Path) -> dict[str, Any] | None:
    try:
        told = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return told if isinstance(told, dict) and isinstance(told.get("at"), str) else None


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _runs(pid: int) -> bool:
    """Where the system tells its command line, of a process that is ours: numbers are given away again."""
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except OSError:
        return False  # gone, or somebody else's
    try:
        line = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return not os.path.isdir("/proc/self")
    return any(name in line for name in _OURS)
