"""Whether a role may use a tool this way: the family, the action, the command, the place. Knows nothing of tasks."""

from __future__ import annotations

from idumb_brain.govern import calls
from idumb_brain.govern.rules import Rules
from idumb_brain.govern.rules.roles import UNKNOWN_FAMILY, plain_tool
from idumb_brain.model.governance import Call, Decision, Facts, Role

_SHOWN = 6  # of a list in a message; whoever wants all of it looks into the rules


def permission(call: Call, facts: Facts, rules: Rules) -> Decision:
    role, family = facts.role, calls.family(call, rules.roles)
    decision = _tool(call, role, family)
    if decision.blocks:
        return decision
    if family == "shell" and calls.command_line(call) and (refused := _commands(call, role)).blocks:
        return refused
    return _places(call, facts, family) if family in ("write", "shell") else decision


def protection(call: Call, facts: Facts, rules: Rules) -> Decision:
    """Files that no role writes but those that are named for it."""
    for path in calls.touched(call, calls.family(call, rules.roles), facts.root):
        for row in rules.roles.protected:
            pattern = next((pattern for pattern in row.paths if calls.fits(path, pattern)), "")
            if pattern and facts.role.name not in row.exceptions:
                return Decision.block(
                    what=f'You tried to use "{call.tool}" on {path}.', why=f"{row.why[0].upper()}{row.why[1:]}.",
                    instead=_sentence(row.instead), evidence=(f"{path} is one of {pattern}",), rule=row.rule,
                )  # fmt: skip
    return Decision.allow()


def visible(tools: tuple[str, ...], role: Role, rules: Rules) -> dict[str, tuple[str, ...] | None]:
    """Of some tools those that a role may use at all, each with the actions it is limited to; None: all of them."""
    seen: dict[str, tuple[str, ...] | None] = {}
    for tool in tools:
        name = plain_tool(tool)
        if name in role.actions:
            if role.actions[name]:
                seen[tool] = role.actions[name]
        elif rules.roles.family(tool) in role.families:
            seen[tool] = None
    return seen


def _tool(call: Call, role: Role, family: str) -> Decision:
    tool = plain_tool(call.tool)
    if tool in role.actions:
        return _action(call, role, role.actions[tool])
    if family in role.families:
        return Decision.allow()
    if family == UNKNOWN_FAMILY and "write" in role.families:
        return Decision.warn(
            what=f'"{call.tool}" is a tool that no rule knows.', why=f"{_told(role)} may write, so it passes.",
            instead="If it should be governed, name it in .idumb/queries/governance/roles.toml below [tools].",
            evidence=(f"{call.tool} is in no family of roles.toml",), rule="UNKNOWN_TOOL",
        )  # fmt: skip
    why = f"{_told(role)} may use: {', '.join(role.families)}."
    if family == UNKNOWN_FAMILY:
        why = f"No rule knows this tool, and {_told(role)} may not write: it could be one that does."
    elif not role.known:
        why = f"No rule describes the role {role.name!r}. " + why
    return Decision.block(
        what=f'You tried to use "{call.tool}" as {role.name}.', why=why,
        instead=_instead(role, family), evidence=(f"{call.tool} is a tool of the family {family}", f"role {role.name}: {role.mode}"),
        rule="TOOL_NOT_FOR_ROLE",
    )  # fmt: skip


def _action(call: Call, role: Role, allowed: tuple[str, ...]) -> Decision:
    asked = calls.action(call)
    if asked in allowed:
        return Decision.allow()
    said = f" action={asked}" if asked else ""
    if not allowed:
        why, instead = f"{_told(role)} may not use this tool at all.", _instead(role, "shell")
    else:
        why = f"{_told(role)} may use it only with: {', '.join(allowed)}."
        instead = f"Use {call.tool} action={allowed[0]}, or hand the rest to a role that may do it."
    return Decision.block(
        what=f'You tried to use "{call.tool}"{said} as {role.name}.', why=why, instead=instead,
        evidence=(f"actions of {plain_tool(call.tool)} for {role.name}: {', '.join(allowed) or 'none'}",), rule="ACTION_NOT_FOR_ROLE",
    )  # fmt: skip


def _commands(call: Call, role: Role) -> Decision:
    for command in calls.commands(call):
        denied = next((pattern for pattern in role.bash_denied if calls.command_fits(command, pattern)), "")
        if denied:
            return _refused_command(command, role, f"{_told(role)} may never run {denied}.", denied)
        if "*" in role.bash:
            continue
        if call.commands is None and calls.is_composed(command):
            return _refused_command(
                command, role, f"{_told(role)} may run single commands; this line is made of several parts.", "no pattern"
            )
        if not any(calls.command_fits(command, pattern) for pattern in role.bash):
            shown = ", ".join(role.bash[:_SHOWN]) + (" and others" if len(role.bash) > _SHOWN else "")
            return _refused_command(command, role, f"{_told(role)} may run: {shown or 'nothing'}.", "no pattern")
    return Decision.allow()


def _refused_command(command: str, role: Role, why: str, pattern: str) -> Decision:
    return Decision.block(
        what=f"You tried to run `{command}` as {role.name}.", why=why,
        instead="Read with read, glob and grep, or hand the command to a role that may run it.",
        evidence=(f"`{command}` fits {pattern} of {role.name}",), rule="COMMAND_NOT_FOR_ROLE",
    )  # fmt: skip


def _places(call: Call, facts: Facts, family: str) -> Decision:
    role = facts.role
    outside = Decision.allow()
    for path in calls.touched(call, family, facts.root):
        if "write" not in role.families:
            return _refused_command(
                calls.command_line(call), role, f"It writes {path}, and {_told(role)} may not write.", "no pattern"
            )
        if role.paths and not any(calls.fits(path, pattern) for pattern in role.paths):
            return Decision.block(
                what=f'You tried to use "{call.tool}" on {path} as {role.name}.', why=f"{_told(role)} may write: {', '.join(role.paths)}.",
                instead="Write there, or describe the change and hand it to a role that may write this file.",
                evidence=(f"{path} fits none of {', '.join(role.paths)}",), rule="PATH_NOT_FOR_ROLE",
            )  # fmt: skip
        if calls.leaves_the_project(path):
            outside = Decision.warn(
                what=f'"{call.tool}" writes {path}, which is outside the project.', why="Nothing of the project's rules holds there.",
                instead="Make sure that it is meant.", evidence=(f"the project is {facts.root or 'here'}",), rule="OUTSIDE_PROJECT",
            )  # fmt: skip
    return outside


def _instead(role: Role, family: str) -> str:
    if role.delegates and family in ("write", "shell"):
        fitting = "executor" if role.delegates == ("*",) else role.delegates[0]
        return f"Delegate it, for example to {fitting}, as a task with an expected output."
    if not role.known:
        return (
            "Read and search, and report what you find; the user can describe the role in .idumb/queries/governance/roles.toml."
        )
    return "Report what is needed to whoever gave you the task; they can hand it to a role that may do it."


def _told(role: Role) -> str:
    return f"The role {role.name}" if role.known else f"The unknown role {role.name}"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
