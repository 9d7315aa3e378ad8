"""``hook EVENT``: one event and its answer, for hosts that start a process each time. Whatever goes wrong, the agent goes on."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable
from typing import Any

from idumb_brain.model.errors import BrainError
from idumb_brain.operations.lanes import AtOnce
from idumb_brain.operations.project import find_project


def answer(event: str, root: str | None) -> dict[str, Any]:
    from idumb_brain.operations.companion import Companion
    from idumb_brain.surfaces.hooks.opencode import OpenCode
    from idumb_brain.surfaces.serve.journal import Journal

    note: Callable[[str], None] = _silent
    try:
        told = json.loads(sys.stdin.buffer.read() or b"{}")
        project = find_project(root).prepared()
        note = Journal(project.home / "brain" / "brain.log").note
        companion = Companion(project, AtOnce(), note)
        hooks = OpenCode(companion).table()
        if event not in hooks or not isinstance(told, dict):
            return _unharmed(f"there is no hook {event!r}; known are {', '.join(hooks)}")
        try:
            return hooks[event](told.get("input") or {}, told.get("output") or {})
        finally:
            companion.close()
    except BrainError as error:
        note(f"{event} failed: {error}")
        return _unharmed(str(error))
    except Exception as error:  # promised to the agent's host: a hook answers, whatever happens
        note(f"{event} failed\n{traceback.format_exc()}")
        return _unharmed(f"{type(error).__name__}: {error}")


def _unharmed(reason: str) -> dict[str, Any]:
    return {"output": {}, "problem": reason}


def _silent(_: str) -> None:
    return None
