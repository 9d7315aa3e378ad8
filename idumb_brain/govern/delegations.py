"""Whether work may be handed on, to whom and how deep, and what becomes of a delegation.

Depth is how sessions really nest; nothing is counted here that somebody could forget to count back.
"""

from __future__ import annotations

from dataclasses import replace

from idumb_brain.govern import calls
from idumb_brain.govern.clock import elapsed, later
from idumb_brain.govern.rules import Rules
from idumb_brain.govern.rules.delegation import DelegationRules
from idumb_brain.model.errors import BadInput
from idumb_brain.model.governance import Call, Decision, Facts, Role
from idumb_brain.model.work import Delegation

_USUAL = "general"  # where hosts send work that names nobody


def delegation(call: Call, facts: Facts, rules: Rules) -> Decision:
    if not calls.hands_on(call, rules.roles):
        return Decision.allow()
    receiver = rules.roles.named(calls.target(call) or _USUAL)
    chain = facts.chain or (facts.role.name,)
    for check in (_depth, _leaf, _circle, _receiver, _category, _task):
        decision = check(call, facts, rules, receiver, chain)
        if decision.blocks:
            return decision
    return Decision.allow()


def redirected(call: Call, facts: Facts, rules: Rules) -> str:
    """The role that takes work of this category, where the one that was named does not."""
    if not calls.hands_on(call, rules.roles):
        return ""
    takers = _takers(call, facts, rules)
    receiver = rules.roles.named(calls.target(call) or _USUAL).name
    if not takers or receiver in takers:
        return ""
    may = facts.role.delegates
    return next((taker for taker in takers if "*" in may or taker in may), "")


def level(depth: int, rules: DelegationRules) -> int:
    """The level of a session so deep below the user's, which is 0 deep and of level 1."""
    return min(1 + max(0, depth), rules.levels)


def advanced(delegation: Delegation, event: str, now: str, rules: DelegationRules) -> Delegation:
    """The delegation after something happened to it. What cannot happen to it is refused with the reason."""
    standing = standing_at(delegation, now, rules)
    state = rules.steps.get((standing.state, event))
    if state is None:
        possible = [name for (before, name) in rules.steps if before == standing.state]
        raise BadInput(
            f"delegation {delegation.id} cannot be {event}", why=f"it is {standing.state}",
            instead=f"it can be {', '.join(possible)}" if possible else "delegate the work anew",
        )  # fmt: skip
    return replace(standing, state=state, ended_at="" if state == "accepted" else now)


def standing_at(delegation: Delegation, now: str, rules: DelegationRules) -> Delegation:
    """The delegation as it stands now: one that nobody ended in time is over."""
    expires = bool(delegation.expires_at) and delegation.expires_at <= now
    forgotten = not delegation.expires_at and elapsed(delegation.created_at, now) >= rules.expires_after > 0
    if (delegation.state, "expired") in rules.steps and delegation.created_at and (expires or forgotten):
        return replace(delegation, state=rules.steps[delegation.state, "expired"], ended_at=delegation.expires_at or now)
    return delegation


def ends_at(delegation: Delegation, rules: DelegationRules) -> str:
    """When it will be over where nobody ends it before; "" where that is never, or not known."""
    if delegation.expires_at or not delegation.created_at or rules.expires_after <= 0:
        return delegation.expires_at
    return later(delegation.created_at, rules.expires_after)


def _depth(call: Call, facts: Facts, rules: Rules, receiver: Role, chain: tuple[str, ...]) -> Decision:
    most = rules.delegation.max_depth
    if len(chain) <= most:
        return Decision.allow()
    return Decision.block(
        what=f"You tried to delegate to {receiver.name}, {len(chain)} levels below the user.",
        why=f"Delegations nest {most} deep at most: below that nobody sees what happens.",
        instead="Do the work yourself, or return what you have and say what is still to be done.",
        evidence=(f"delegation chain: {' → '.join((*chain, receiver.name))}",), rule="MAX_DELEGATION_DEPTH_EXCEEDED",
    )  # fmt: skip


def _leaf(call: Call, facts: Facts, rules: Rules, receiver: Role, chain: tuple[str, ...]) -> Decision:
    if not facts.role.leaf:
        return Decision.allow()
    return Decision.block(
        what=f"You tried to delegate to {receiver.name} as {facts.role.name}.",
        why=f"{facts.role.name} is a leaf: it does the work it was given and hands none on.",
        instead="Do it yourself, or report to whoever delegated it that it needs another role.",
        evidence=(f"role {facts.role.name}: leaf",), rule="LEAF_DELEGATES",
    )  # fmt: skip


def _circle(call: Call, facts: Facts, rules: Rules, receiver: Role, chain: tuple[str, ...]) -> Decision:
    if receiver.name not in chain:
        return Decision.allow()
    return Decision.block(
        what=f"You tried to delegate to {receiver.name}, which this work came from.",
        why="Work that comes back to where it was handed out goes round for ever.",
        instead=f"Return what you have; {receiver.name} gets it as your result.",
        evidence=(f"delegation chain: {' → '.join((*chain, receiver.name))}",), rule="CIRCULAR_DELEGATION",
    )  # fmt: skip


def _receiver(call: Call, facts: Facts, rules: Rules, receiver: Role, chain: tuple[str, ...]) -> Decision:
    may = facts.role.delegates
    if "*" in may or receiver.name in may:
        return Decision.allow()
    return Decision.block(
        what=f"You tried to delegate to {receiver.name} as {facts.role.name}.",
        why=f"{facts.role.name} may hand work to: {', '.join(may) or 'nobody'}.",
        instead=f"Delegate to {may[0]}." if may else "Report to whoever gave you the task what is still to be done.",
        evidence=(f"delegates of {facts.role.name}: {', '.join(may) or 'none'}",), rule="TARGET_NOT_FOR_ROLE",
    )  # fmt: skip


def _category(call: Call, facts: Facts, rules: Rules, receiver: Role, chain: tuple[str, ...]) -> Decision:
    takers = _takers(call, facts, rules)
    if not takers or receiver.name in takers:
        return Decision.allow()
    kind = _category_of(call, facts)
    other = redirected(call, facts, rules)
    return Decision.block(
        what=f"You tried to delegate {kind} to {receiver.name}.", why=f"Work of the category {kind} goes to: {', '.join(takers)}.",
        instead=f"Delegate it to {other}." if other else "Report that none of those you may delegate to takes such work.",
        evidence=(f"category {kind}: {', '.join(takers)}",), rule="CATEGORY_NOT_FOR_ROLE",
    )  # fmt: skip


def _task(call: Call, facts: Facts, rules: Rules, receiver: Role, chain: tuple[str, ...]) -> Decision:
    if not rules.delegation.needs_task or facts.named_task or facts.task or facts.store_task:
        return Decision.allow()
    return Decision.block(
        what=f"You tried to delegate to {receiver.name} without a task.",
        why="Work is handed on as a task, so that both sides know what is expected and what was done.",
        instead="Create the task first: govern_plan action=plan_tasks, then govern_delegate action=assign.",
        evidence=("no task is named, none is active in this session or the project",), rule="DELEGATION_WITHOUT_TASK",
    )  # fmt: skip


def _takers(call: Call, facts: Facts, rules: Rules) -> tuple[str, ...]:
    return rules.delegation.categories.get(_category_of(call, facts), ())


def _category_of(call: Call, facts: Facts) -> str:
    return calls.category(call) or (facts.named_task.category if facts.named_task else "")
