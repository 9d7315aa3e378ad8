"""``hook EVENT``: one event and its answer, for hosts that start a process each time. Whatever goes wrong, the agent goes on."""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Callable
from typing import Any

from idumb_brain.model.errors import BadInput, BrainError
from idumb_brain.operations.companion import Companion
from idumb_brain.operations.heartbeat import Pulse
from idumb_brain.operations.lanes import AtOnce
from idumb_brain.operations.project import find_project
from idumb_brain.operations.upkeep import Upkeep
from idumb_brain.surfaces.serve.journal import Journal

Told = dict[str, Any]
Note = Callable[[str], None]


def answered(event: str, raw: bytes, root: str | None = None) -> Told:
    """``raw`` is what the host said of the event."""
    try:
        if root is None and _of_claude(event):
            _go_to_project(raw)
        project = find_project(root).prepared()
    except (BrainError, OSError) as error:
        return _unharmed(event, str(error))
    note = Journal(project.home / "brain" / "brain.log").note
    companion = Companion(project, Upkeep(project, AtOnce(), note), note)
    try:
        return told_to(companion, event, raw, note, Pulse(project, "claude", every=0))
    finally:
        companion.close()


def told_to(companion: Companion, event: str, raw: bytes, note: Note, pulse: Pulse) -> Told:
    """``pulse``: of Claude Code."""
    problem = ""
    try:
        told = _read(raw)
        return _claude(companion, event, told) if _of_claude(event) else _opencode(companion, event, told)
    except BrainError as error:
        problem = str(error)
        note(f"{event} failed: {problem}")
        return _unharmed(event, problem)
    except Exception as error:  # promised to the agent's host: a hook answers, whatever happens
        problem = f"{type(error).__name__}: {error}"
        note(f"{event} failed\n{traceback.format_exc()}")
        return _unharmed(event, problem)
    finally:
        if _of_claude(event):
            pulse.felt(event, problem)


def _read(raw: bytes) -> Told:
    try:
        told = json.loads(raw or b"{}")
    except (ValueError, RecursionError) as error:
        raise BadInput("what came in is not JSON", why=str(error), instead="a hook is told of in JSON") from error
    if not isinstance(told, dict):
        raise BadInput("what came in is no object", why="a hook is told of by name and value")
    return told


def _opencode(companion: Companion, event: str, told: Told) -> Told:
    from idumb_brain.surfaces.hooks.opencode import OpenCode

    return _hook(OpenCode(companion).table(), event)(told.get("input") or {}, told.get("output") or {})


def _claude(companion: Companion, event: str, told: Told) -> Told:
    from idumb_brain.surfaces.hooks.claude import Claude

    return _hook(Claude(companion).table(), event)({"hook_event_name": event, **told})


def _hook(hooks: dict[str, Callable[..., Told]], event: str) -> Callable[..., Told]:
    if event not in hooks:
        raise BadInput(f"there is no hook {event!r}", why="none has that name", instead=f"known are {', '.join(hooks)}")
    return hooks[event]


def _of_claude(event: str) -> bool:
    """OpenCode's begin in small letters."""
    return event[:1].isupper()


def _go_to_project(raw: bytes) -> None:
    """Where Claude Code was started; the shell of an agent may be anywhere."""
    try:
        folder = os.environ.get("CLAUDE_PROJECT_DIR") or json.loads(raw)["cwd"]
    except (ValueError, KeyError, TypeError):
        return
    if os.path.isdir(folder):
        os.chdir(folder)


def _unharmed(event: str, reason: str) -> Told:
    """Claude Code knows no key for problems; its user is told once, when the session starts."""
    if not _of_claude(event):
        return {"output": {}, "problem": reason}
    if event != "SessionStart":
        return {}
    return {"systemMessage": f"idumb-brain: {reason}\nThe work goes on without it; see idumb-brain doctor."}
