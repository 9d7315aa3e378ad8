"""A delegation as its receiver reads it. Decides nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idumb_brain.render.quoting import inline


def handed_over(told: Mapping[str, Any]) -> str:
    """A delegation as its receiver reads it."""
    lines = [
        "<idumb-delegation>",
        f"You work on a task that {inline(told['from']) or 'another role'} handed to {inline(told['to'])} ({told['id']}).",
        f"| Task: {inline(told['taskName'])} ({told['task']})",
        f"| Expected: {inline(told['expectedOutput'])}",
    ]
    lines += [f"| Context: {inline(told['context'])}"] if told["context"] else []
    lines += [f"| Use only: {inline(', '.join(told['allowedTools']))}"] if told["allowedTools"] else []
    lines += [f"| Do only: {inline(', '.join(told['allowedActions']))}"] if told["allowedActions"] else []
    lines += [f"| Until: {told['expiresAt']}"] if told["expiresAt"] else []
    return "\n".join([*lines, "Report what you did, with evidence, and what is still to be done.", "</idumb-delegation>"])
