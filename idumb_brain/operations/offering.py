"""Which tools an agent is not even shown, because its role may not use them. Forbids nothing: the gate does."""

from __future__ import annotations

from collections.abc import Iterable

from idumb_brain.govern.permissions import visible
from idumb_brain.govern.rules import Rules
from idumb_brain.model.governance import OBSERVE
from idumb_brain.operations.ground import mode_of, rules_of
from idumb_brain.operations.project import Project


def unseen(project: Project, tools: tuple[str, ...], agents: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Of each agent that lacks any. One whose role nobody described is shown everything; so is everybody where we only look on."""
    if mode_of(project) == OBSERVE:
        return {}
    rules = rules_of(project.root)
    return {agent: lacking for agent in agents if (lacking := _lacking(agent, tools, rules))}


def _lacking(agent: str, tools: tuple[str, ...], rules: Rules) -> tuple[str, ...]:
    role = rules.roles.named(agent)
    seen = visible(tools, role, rules) if role.known else tools
    return tuple(tool for tool in tools if tool not in seen)
