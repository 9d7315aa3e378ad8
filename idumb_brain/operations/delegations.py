"""Delegations: a task handed to another role, with what it may use, until it is done, taken back or too late."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from idumb_brain.graph import tasks as graph
from idumb_brain.model.errors import BadInput, Refused
from idumb_brain.model.work import Delegation, Task
from idumb_brain.operations.gate import handing_on
from idumb_brain.operations.ground import ground_of
from idumb_brain.operations.stated import checked
from idumb_brain.operations.work import Work, seconds_in, touched
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
        decision, depth = handing_on(ground_of(work), to, task=found.id, role=role or found.delegated_by, session=session)
        if decision.blocks and (role or session):  # a person at the command line is bound by no role
            raise Refused(decision.what, why=decision.why, instead=decision.instead, evidence=decision.evidence)
        for open_one in _open(work, found.id):
            work.keep(replace(open_one, state="recalled", ended_at=work.now), "recall", role)
        until = work.moment + timedelta(seconds=seconds_in("--expires", expires)) if expires else None
        made = Delegation(
            work.new_id(Delegation, to), role or found.delegated_by, to, found.id,
            checked("expected output", expected, 2_000) if expected else found.expected_output, context, tuple(tools), tuple(actions),
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
        if found.state not in _OPEN:
            raise BadInput(
                f"{found.id} is {found.state}", why="only an open delegation can be taken back", instead="nothing is left to do"
            )
        work.keep(replace(found, state="recalled", ended_at=work.now), "recall", reason)
        task = work.task(found.task)
        if task.state == "active":
            task = replace(task, state="planned", claimed_by="")
        work.keep(touched(task, work.now, assigned_to=""), "recall", reason)
        return delegation_data(work_delegation(work, found.id), work)


def accepted(work: Work, task: str, child_session: str) -> dict[str, Any] | None:
    """A session began to work on what was handed to it."""
    with writing(work.brain):
        found = next(iter(_open(work, task)), None)
        if found is None:
            return None
        work.keep(replace(found, state="accepted", child_session=child_session), "accept")
        return delegation_data(work_delegation(work, found.id), work)


def ended(work: Work, child_session: str) -> dict[str, Any] | None:
    """A session that was handed something came back."""
    with writing(work.brain):
        found = store.delegation_of_child(work.brain, child_session)
        if found is None or found.state not in _OPEN:
            return None
        work.keep(replace(found, state="completed", ended_at=work.now), "complete")
        return delegation_data(work_delegation(work, found.id), work)


def status(work: Work, *, everything: bool = False) -> list[dict[str, Any]]:
    known = [delegation_data(one, work) for one in store.delegations(work.brain)]
    return [one for one in known if everything or one["status"] in _OPEN]


def state_of(delegation: Delegation, work: Work) -> str:
    """An open delegation whose time is over is expired, whether or not anybody noticed."""
    if delegation.state in _OPEN and delegation.expires_at and delegation.expires_at <= work.now:
        return "expired"
    return delegation.state


def open_delegations(work: Work) -> list[Delegation]:
    return [one for one in store.delegations(work.brain) if state_of(one, work) in _OPEN]


def work_delegation(work: Work, number: str) -> Delegation:
    found = store.at(work.brain, Delegation, number)
    assert found is not None
    return found


def delegation_data(one: Delegation, work: Work) -> dict[str, Any]:
    task = store.at(work.brain, Task, one.task)
    return {
        "id": one.id, "from": one.sender, "to": one.receiver, "task": one.task, "taskName": task.name if task else "",
        "taskStatus": graph.state_of(task, work.board()) if task else "", "expectedOutput": one.expected_output,
        "context": one.context, "allowedTools": list(one.allowed_tools), "allowedActions": list(one.allowed_actions),
        "status": state_of(one, work), "depth": one.depth, "parentSession": one.parent_session or None,
        "childSession": one.child_session or None, "createdAt": one.created_at, "expiresAt": one.expires_at or None,
        "endedAt": one.ended_at or None,
    }  # fmt: skip


def _open(work: Work, task: str) -> list[Delegation]:
    return [one for one in store.delegations(work.brain, task=task) if one.state in _OPEN]
