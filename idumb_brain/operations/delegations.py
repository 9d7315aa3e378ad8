"""Delegations: a task handed to another role, with what it may use, until it is done, taken back or too late."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from idumb_brain.govern.delegations import advanced, standing_at
from idumb_brain.govern.rules.delegation import DelegationRules
from idumb_brain.graph import tasks as graph
from idumb_brain.graph.tasks import Board
from idumb_brain.model.errors import BadInput, Refused
from idumb_brain.model.work import Delegation
from idumb_brain.operations.gate import handing_on
from idumb_brain.operations.ground import ground_of
from idumb_brain.operations.plans import let_go, settle
from idumb_brain.operations.stated import checked
from idumb_brain.operations.work import Work, seconds_in, touched
from idumb_brain.store import sessions
from idumb_brain.store import work as store
from idumb_brain.store.brain import writing

_OPEN = ("assigned", "accepted")


def assign(
    work: Work,
    task: str,
    to: str,
    *,
    expected: str = "",
    context: str = "",
    tools: Sequence[str] = (),
    actions: Sequence[str] = (),
    expires: str = "",
    role: str = "",
    session: str = "",
) -> dict[str, Any]:
    """Hand a task to a role. Who may hand what to whom is in the rules of the roles."""
    with writing(work.brain):
        found = work.task(task)
        if found.state in ("completed", "failed"):
            raise BadInput(
                f"{found.id} is {found.state}", why="only what is still to be done can be handed on", instead="plan a new task"
            )
        if not graph.is_current(plan := work.plan(found.plan)):
            raise BadInput(f"{plan.id} is {plan.state}", why="nobody is to work on it any more", instead="plan a new task")
        own = sessions.session(work.brain, session) if session else None
        role = role or (own.role if own else "") or found.delegated_by
        decision, depth = handing_on(ground_of(work), to, task=found.id, role=role, session=session)
        if decision.blocks and (role or session):  # a person at the command line is bound by no role
            raise Refused(decision.what, why=decision.why, instead=decision.instead, evidence=decision.evidence)
        settle(work, found.id, "recalled")
        until = work.moment + timedelta(seconds=seconds_in("--expires", expires)) if expires else None
        made = Delegation(
            work.new_id(Delegation, to), role, to, found.id,
            checked("expected output", expected, 2_000) if expected else found.expected_output,
            checked("context", context, 20_000) if context else "", tuple(tools), tuple(actions),
            depth=depth, parent_session=session, created_at=work.now,
            expires_at=until.strftime("%Y-%m-%dT%H:%M:%SZ") if until else "",
        )  # fmt: skip
        work.keep(made, "assign", role)
        tools_now = tuple(tools) or found.allowed_tools
        work.keep(touched(found, work.now, assigned_to=to, delegated_by=made.sender, allowed_tools=tools_now), "assign", role)
        return delegation_data(made, work)


def recall(work: Work, delegation: str, *, reason: str = "") -> dict[str, Any]:
    """Take a delegation back, named by its id or by that of its task."""
    with writing(work.brain):
        found = store.at(work.brain, Delegation, delegation) or next(iter(_open(work, delegation)), None)
        if found is None:
            raise BadInput(
                f"there is no delegation {delegation}", why="neither by that id nor of that task",
                instead="idumb-brain delegate status lists them",
            )  # fmt: skip
        work.keep(advanced(found, "recalled", work.now, _rules(work)), "recall", reason)
        task = work.task(found.task)
        if task.state == "active":
            task = replace(task, state="planned", claimed_by="")
            let_go(work, task.id)
        if task.state in graph.OPEN:
            work.keep(touched(task, work.now, assigned_to=""), "recall", reason)
        return delegation_data(work_delegation(work, found.id), work)


def accepted(work: Work, task: str, child_session: str) -> dict[str, Any] | None:
    """A session began to work on what was handed to it."""
    with writing(work.brain):
        found = next((one for one in _open(work, task) if one.state == "assigned"), None)
        if found is None:
            return None
        taken = advanced(found, "accepted", work.now, _rules(work))
        work.keep(replace(taken, child_session=child_session), "accept")
        return delegation_data(work_delegation(work, found.id), work)


def ended(work: Work, child_session: str) -> dict[str, Any] | None:
    """A session that was handed something came back."""
    with writing(work.brain):
        found = store.delegation_of_child(work.brain, child_session)
        if found is None or state_of(found, work) not in _OPEN:
            return None
        work.keep(advanced(found, "completed", work.now, _rules(work)), "complete")
        return delegation_data(work_delegation(work, found.id), work)


def status(work: Work, *, everything: bool = False) -> list[dict[str, Any]]:
    board = None
    told = []
    for one in store.delegations(work.brain):
        if everything or state_of(one, work) in _OPEN:
            board = board or work.board()
            told.append(delegation_data(one, work, board))
    return told


def state_of(delegation: Delegation, work: Work) -> str:
    """An open delegation whose time is over is expired, whether or not anybody noticed."""
    return standing_at(delegation, work.now, _rules(work)).state


def open_delegations(work: Work) -> list[Delegation]:
    return [one for one in store.delegations(work.brain) if state_of(one, work) in _OPEN]


def work_delegation(work: Work, number: str) -> Delegation:
    found = store.at(work.brain, Delegation, number)
    assert found is not None
    return found


def delegation_data(one: Delegation, work: Work, board: Board | None = None) -> dict[str, Any]:
    board = board or work.board()
    task = board.tasks.get(one.task)
    return {
        "id": one.id, "from": one.sender, "to": one.receiver, "task": one.task, "taskName": task.name if task else "",
        "taskStatus": graph.state_of(task, board) if task else "", "expectedOutput": one.expected_output,
        "context": one.context, "allowedTools": list(one.allowed_tools), "allowedActions": list(one.allowed_actions),
        "status": state_of(one, work), "depth": one.depth, "parentSession": one.parent_session or None,
        "childSession": one.child_session or None, "createdAt": one.created_at, "expiresAt": one.expires_at or None,
        "endedAt": one.ended_at or None,
    }  # fmt: skip


def _open(work: Work, task: str) -> list[Delegation]:
    return [one for one in store.delegations(work.brain, task=task) if state_of(one, work) in _OPEN]


def _rules(work: Work) -> DelegationRules:
    return ground_of(work).rules.delegation
