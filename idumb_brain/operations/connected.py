"""Whether what ``setup`` wrote still starts, and whether its host was heard of. Changes nothing."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from typing import Any

from idumb_brain.operations.heartbeat import HOSTS, heard
from idumb_brain.operations.project import Project

_PATIENCE = 10.0  # seconds for a command to say its version
_SAYS = re.compile(r"^idumb-brain \S+$")


def checked(project: Project, host: str, problems: Sequence[str], *, version: str = "") -> dict[str, Any]:
    """What ``setup HOST --check`` tells. ``version``: of the plugin as it is shipped."""
    told = heard(project, host)
    problems = [*problems, *([older] if (older := runs_older(told, version)) and not problems else [])]
    return {"did": "checked", "problems": problems, "heard": told, "alive": bool(told and told["running"])}


def runs_older(told: dict[str, Any] | None, version: str) -> str:
    """What a host that runs now loaded before the plugin was brought up to date; "" where it did not."""
    loaded = (told or {}).get("plugin")
    if not told or not told["running"] or not version or not loaded or loaded == version:
        return ""
    return f"{HOSTS[told['host']]} runs with an older plugin: start it anew"


@cache
def _answer(command: tuple[str, ...]) -> str:
    try:
        run = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=_PATIENCE, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f"does not answer within {_PATIENCE:g} s"
    except (OSError, ValueError) as error:
        return f"cannot be run ({error})"
    if run.returncode or not _SAYS.match(run.stdout.strip()):
        return f"cannot be run ({(run.stderr.strip().splitlines() or ['it is another program'])[-1]})"
    return ""


def does_not_run(command: Sequence[str]) -> str:
    """The program with why it does not start us; "" where it does."""
    if not shutil.which(command[0]):
        return f"{command[0]}, which is not there any more"
    told = _answer(tuple(command))
    return f"{command[0]}, which {told}" if told else ""
