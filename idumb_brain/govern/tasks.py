"""Whether the task at hand allows a call: active, its tools, its places, what it waits for. The task graph tells the facts."""

from __future__ import annotations

from idumb_brain.govern import calls
from idumb_brain.govern.rules import Rules
from idumb_brain.govern.rules.roles import plain_tool
from idumb_brain.model.governance import Call, Decision, Facts, TaskFacts

_ALWAYS = ("task", "todo", "ask", "state")  # without these nobody could finish a task or say that its tools are too few


def task_at_hand(facts: Facts, rules: Rules) -> tuple[TaskFacts | None, bool]:
    """The task that a call is for, and whether it is taken over from the project because the session has none of its own."""
    if facts.task:
        return facts.task, False
    active = facts.store_task
    if active and active.state == "active" and not active.held_by and not _waiting(active) and _is_for(active, facts, rules):
        return active, True
    return None, False


def task_gate(call: Call, facts: Facts, rules: Rules) -> Decision:
    family = calls.family(call, rules.roles)
    if family == "task":
        return _start(call, facts, rules) if calls.action(call) == "start" else Decision.allow()
    task, _ = task_at_hand(facts, rules)
    writes = family == "write" or bool(calls.touched(call, family, facts.root))
    if task is None:
        return _without(call, facts) if writes else Decision.allow()
    if writes and (decision := _startable(f'use "{call.tool}"', task)).blocks:
        return decision
    if writes and task.state != "active":
        return Decision.block(
            what=f'You tried to use "{call.tool}" but task "{task.id}" has status "{task.state}".',
            why="Only an active task is written for.",
            instead="Start it with govern_task action=start, or another one.", evidence=_evidence(task), rule="TASK_NOT_ACTIVE",
        )  # fmt: skip
    decision = _scope(call, facts, family, task)
    return _undecided(call, task) if writes and task.undecided and not decision.blocks else decision


def _undecided(call: Call, task: TaskFacts) -> Decision:
    return Decision.warn(
        what=f'You use "{call.tool}" for task "{task.name}", which rests on a decision that does not hold.',
        why=f"It rests on what does not hold: {'; '.join(task.undecided)}.",
        instead="Stop and ask whoever gave you the task how it is decided now.",
        evidence=_evidence(task), rule="DECISION_OPEN",
    )  # fmt: skip


def _without(call: Call, facts: Facts) -> Decision:
    active = facts.store_task
    evidence: tuple[str, ...]
    if active is None:
        why, evidence = (
            "Nothing is written without an active task: there is none.",
            ("no active task in this session or the project",),
        )
    elif active.held_by:
        why = f'The active task "{active.name}" is held by session {active.held_by}, which goes on with it.'
        evidence = (f"{active.id}.claimedBy = {active.held_by}", *_evidence(active))
    elif _waiting(active):
        why, evidence = f'Nothing is written without an active task: "{active.name}" waits.', _evidence(active)
    else:
        why = f'The active task "{active.name}" is assigned to {active.assigned_to}, and you are {facts.role.name}.'
        evidence = _evidence(active)
    return Decision.block(
        what=f'You tried to use "{call.tool}" without an active task.', why=why,
        instead="See govern_task action=status and start a task of yours, or ask the coordinator for one.",
        evidence=evidence, rule="NO_ACTIVE_TASK",
    )  # fmt: skip


def _start(call: Call, facts: Facts, rules: Rules) -> Decision:
    task = facts.named_task
    if task is None:
        return Decision.allow()  # the task graph itself says that there is none of that id
    if not _is_for(task, facts, rules):
        return Decision.block(
            what=f'You tried to start task "{task.name}" but you are "{facts.role.name}".',
            why=f'This task is assigned to "{task.assigned_to}".',
            instead=f"Report your findings and let the coordinator delegate it to the {task.assigned_to}.",
            evidence=(f'{task.id} assignedTo = "{task.assigned_to}", your role = "{facts.role.name}"',), rule="NOT_ASSIGNED",
        )  # fmt: skip
    return _startable(f'start "{task.name}"', task)


def _startable(doing: str, task: TaskFacts) -> Decision:
    if task.waits_for:
        return Decision.block(
            what=f'You tried to {doing} but task "{task.id}" has status "blocked".', why=f"It depends on {', '.join(task.waits_for)}.",
            instead="Wait until that is completed, work on it, or ask the coordinator to adjust the dependencies.",
            evidence=_evidence(task), rule="TASK_BLOCKED",
        )  # fmt: skip
    if task.gate:
        return Decision.block(
            what=f'You tried to {doing} but task "{task.id}" has to come later.',
            why=f"First comes {task.gate}: {task.gate_reason}",
            instead="Wait until that is completed, or ask the coordinator to adjust the gate.",
            evidence=_evidence(task), rule="TEMPORAL_GATE",
        )  # fmt: skip
    return Decision.allow()


def _scope(call: Call, facts: Facts, family: str, task: TaskFacts) -> Decision:
    allowed = {tool.lower() for tool in task.allowed_tools}
    if allowed and family not in _ALWAYS and not allowed & {plain_tool(call.tool), family, call.tool.lower(), "*"}:
        return Decision.block(
            what=f'You tried to use "{call.tool}" for task "{task.name}".', why=f"The task allows: {', '.join(task.allowed_tools)}.",
            instead=f"Use {', '.join(task.allowed_tools)}, or ask whoever delegated it to allow more.",
            evidence=(f"{task.id} allowedTools = {', '.join(task.allowed_tools)}",), rule="TOOL_NOT_IN_TASK",
        )  # fmt: skip
    if task.paths:
        for path in calls.touched(call, family, facts.root):
            if not any(calls.fits(path, pattern) for pattern in task.paths):
                return Decision.block(
                    what=f'You tried to use "{call.tool}" on {path} for task "{task.name}".',
                    why=f"The task is about {', '.join(task.paths)}.",
                    instead="Write there, or record what you discovered as a new task.",
                    evidence=(f"{task.id} paths = {', '.join(task.paths)}",), rule="PATH_NOT_IN_TASK",
                )  # fmt: skip
    return Decision.allow()


def _is_for(task: TaskFacts, facts: Facts, rules: Rules) -> bool:
    return not task.assigned_to or rules.roles.named(task.assigned_to).name == facts.role.name


def _waiting(task: TaskFacts) -> bool:
    return bool(task.waits_for or task.gate)


def _evidence(task: TaskFacts) -> tuple[str, ...]:
    told = [f'{task.id} "{task.name}" is {task.state}', *(f"{task.id} depends on {one}" for one in task.waits_for)]
    if task.gate:
        told.append(f"{task.id} gate: after {task.gate}")
    return (*told, *task.chain)
