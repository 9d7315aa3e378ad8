"""What a tool call of an agent did, as far as its arguments tell: files it wrote, and whether it is worth a checkpoint. Records nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from idumb_brain.govern import calls
from idumb_brain.model.governance import Call
from idumb_brain.operations.project import Project


def written(project: Project, family: str, tool: str, args: Mapping[str, Any]) -> tuple[str, ...]:
    """Files of the project; of a tool that nobody knows those that are there now."""
    if family not in ("write", "unknown"):
        return ()
    root = os.path.realpath(project.root)
    named = [os.path.realpath(os.path.join(root, path)) for path in calls.named_paths(Call(tool, args)) if "\0" not in path]
    inside = [calls.inside(path, root) for path in named if family == "write" or os.path.isfile(path)]
    return tuple(dict.fromkeys(path for path in inside if not calls.leaves_the_project(path)))


def worth_a_checkpoint(
    project: Project, family: str, tool: str, args: Mapping[str, Any], files: tuple[str, ...], exit_code: int
) -> str:
    """What the checkpoint says; "" for what is none."""
    if files:
        return f"{tool} {', '.join(files)}"
    if family == "shell" and (line := calls.command_line(Call(tool, args))):
        from idumb_brain.operations.shell import check

        kind = check(line, str(project.root))["significance"]
        return f"{kind}: {line} (exit {exit_code})" if kind else ""
    return ""
