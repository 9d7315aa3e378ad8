"""Which agents' hosts are set up here, and when each was heard of. Starts none of them."""

from __future__ import annotations

from typing import Any

from idumb_brain.model.errors import BrainError
from idumb_brain.operations.connected import runs_older
from idumb_brain.operations.heartbeat import HOSTS, heard
from idumb_brain.operations.installing import PLUGIN, plugin_version
from idumb_brain.operations.project import Project
from idumb_brain.operations.registering import CLAUDE, MCP, is_set_up


def hosts(project: Project, template: str) -> list[dict[str, Any]]:
    """Each that is set up or was ever heard of. ``template``: the plugin as it is shipped."""
    found = []
    for name, title in HOSTS.items():
        told = heard(project, name)
        there = _is_set_up(project, name)
        if there or told:
            older = runs_older(told, plugin_version(template) if name == "opencode" else "")
            found.append(
                {
                    "host": name,
                    "title": title,
                    "setUp": there,
                    "running": bool(told and told["running"]),
                    "older": older,
                    "heard": told,
                }
            )
    return found


def _is_set_up(project: Project, name: str) -> bool:
    if name == "opencode":
        return (project.root / PLUGIN).exists()
    try:
        return is_set_up({"claude": CLAUDE, "mcp": MCP}[name], project.root)
    except (BrainError, OSError):
        return False  # settings that cannot be read have nothing of ours that works
