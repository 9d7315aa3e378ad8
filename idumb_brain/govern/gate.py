"""The gate: one tool call, its facts, one verdict. An ordered table of checks, each of which says its own reasons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from idumb_brain.govern import calls
from idumb_brain.govern.chains import chain
from idumb_brain.govern.clock import within
from idumb_brain.govern.delegations import delegation, redirected
from idumb_brain.govern.first_tools import first_tool
from idumb_brain.govern.permissions import permission, protection
from idumb_brain.govern.rules import Rules
from idumb_brain.govern.rules.roles import plain_tool
from idumb_brain.govern.tasks import task_at_hand, task_gate
from idumb_brain.model.governance import ENFORCE, GUIDE, MODES, WARN, Call, Decision, Facts, Verdict
from idumb_brain.model.work import Session

Check = Callable[[Call, Facts, Rules], Decision]


def _shell(call: Call, facts: Facts, rules: Rules) -> Decision:
    return facts.shell or Decision.allow()


def _halted(call: Call, facts: Facts, rules: Rules) -> Decision:
    if facts.halt is None or calls.family(call, rules.roles) not in ("write", "shell", "delegate"):
        return Decision.allow()
    return Decision.block(
        what=f'You tried to use "{call.tool}" in a session that was halted.',
        why=f"It was halted by {facts.halt.rule}: {facts.halt.what}", instead=facts.halt.how_to_resume,
        evidence=(f"halt {facts.halt.id} of {facts.halt.at}", *facts.halt.evidence), rule="SESSION_HALTED",
    )  # fmt: skip


CHECKS: tuple[Check, ...] = (protection, _shell, delegation, _halted, permission, chain, task_gate, first_tool)


def judge(call: Call, facts: Facts, rules: Rules) -> Verdict:
    """All checks are made. A refusal that takes effect outweighs one that does not; among equals the first is told."""
    decisions = [check(call, facts, rules) for check in CHECKS]
    blocks = [decision for decision in decisions if decision.blocks]
    warnings = tuple(decision for decision in decisions if decision.decision == WARN)
    mode = effective_mode(facts.mode, facts.session)
    if not blocks:
        told = warnings[0] if warnings else Decision.allow()
        return Verdict(told, warnings=warnings, inherits=_inherited(call, facts, rules))
    told = next((decision for decision in blocks if takes_effect(decision, mode, rules)), blocks[0])
    enforced = takes_effect(told, mode, rules)
    repeated = _repeats(told, call, facts, rules)
    return Verdict(
        _again(told, repeated, rules) if repeated else told,
        enforced,
        warnings,
        inherits="" if enforced else _inherited(call, facts, rules),
        redirect=redirected(call, facts, rules) if told.rule == "CATEGORY_NOT_FOR_ROLE" else "",
        halts=enforced and told.rule in rules.modes.halts,
        repeated=repeated,
    )


def effective_mode(mode: str, session: Session) -> str:
    """The project's mode, or the next stricter one for a session in which something went wrong."""
    place = MODES.index(mode) + (1 if session.strict else 0)
    return MODES[min(place, len(MODES) - 1)]


def takes_effect(decision: Decision, mode: str, rules: Rules) -> bool:
    return decision.blocks and (mode == ENFORCE or (mode == GUIDE and decision.rule in rules.modes.never_right))


def _inherited(call: Call, facts: Facts, rules: Rules) -> str:
    task, from_the_project = task_at_hand(facts, rules)
    return task.id if task and from_the_project and calls.family(call, rules.roles) in ("write", "shell") else ""


def _repeats(told: Decision, call: Call, facts: Facts, rules: Rules) -> int:
    tool, aim = plain_tool(call.tool), calls.about(call, rules.roles, facts.root)
    return sum(
        (past.rule, past.tool, past.target) == (told.rule, tool, aim) and within(past.at, facts.now, rules.modes.retry_within)
        for past in facts.refusals
    )


def _again(told: Decision, repeated: int, rules: Rules) -> Decision:
    times = "once" if repeated == 1 else f"{repeated} times"
    advice = rules.modes.instead_of_again(told.rule)
    return replace(
        told, what=f"{told.what} It was refused {times} a moment ago.", why=f"Nothing has changed since. {told.why}",
        instead=f"{advice[0].upper()}{advice[1:]}.", evidence=(*told.evidence, f"refused {times} within {rules.modes.retry_within} s"),
    )  # fmt: skip
