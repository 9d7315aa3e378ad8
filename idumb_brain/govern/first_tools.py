"""What a role has to look at before it acts: the first tool of a turn. Reminds, never stands in the way."""

from __future__ import annotations

from idumb_brain.govern import calls
from idumb_brain.govern.rules import Rules
from idumb_brain.model.governance import Call, Decision, Facts


def first_tool(call: Call, facts: Facts, rules: Rules) -> Decision:
    role = facts.role
    family = calls.family(call, rules.roles)
    if facts.session.first_tool or not role.first or family in role.first:
        return Decision.allow()
    wanted = [tool for first in role.first for tool, kind in rules.roles.tools.items() if kind == first]
    shown = " or ".join(wanted[:2])
    return Decision.warn(
        what=f'The first tool of this turn is "{call.tool}".',
        why=f"{role.name} looks before it acts: {', '.join(role.first)} come first.",
        instead=f"Begin with {shown}.", evidence=(f"first tools of {role.name}: {', '.join(role.first)}",), rule="FIRST_TOOL",
    )  # fmt: skip
