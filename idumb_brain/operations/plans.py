"""Plans: made, filled with tasks, looked at, put away. Each verb returns the plan or the task as JSON-ready data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from idumb_brain.govern.delegations import advanced, standing_at
from idumb_brain.graph import tasks as graph
from idumb_brain.graph.tasks import Board
from idumb_brain.model.errors import BadInput, Refused
from idumb_brain.model.work import Gate, Plan, Task
from idumb_brain.operations.ground import ground_of
from idumb_brain.operations.stated import MOST_TITLE, checked
from idumb_brain.operations.work import Work, plan_data, task_data, touched
from idumb_brain.store import sessions
from idumb_brain.store import work as store
from idumb_brain.store.brain import writing

_MOST = 2_000  # characters of what is expected, accepted, given as a reason


def create(
    work: Work,
    name: str,
    *,
    acceptance: Sequence[str] = (),
    category: str = "",
    governance: str = "",
    depends: Sequence[str] = (),
    owner: str = "",
    parent: str = "",
) -> dict[str, Any]:
    """A new plan, a draft until its first task is started."""
    name = checked("name of the plan", name, MOST_TITLE, lines=False)
    with writing(work.brain):
        plan = Plan(
            work.new_id(Plan, name), name, tuple(checked("criterion of acceptance", one, _MOST) for one in acceptance), category,
            governance, depends_on=tuple(dict.fromkeys(work.plan(one).id for one in depends)), owned_by=owner,
            parent=work.plan(parent).id if parent else "", created_at=work.now, modified_at=work.now,
        )  # fmt: skip
        work.keep(plan, "create")
        return plan_data(plan, work.board())


def add(
    work: Work,
    plan: str,
    name: str,
    *,
    expected: str,
    assign: str = "",
    by: str = "",
    after: str = "",
    reason: str = "",
    depends: Sequence[str] = (),
    decisions: Sequence[str] = (),
    discovered_from: str = "",
    tools: Sequence[str] = (),
    paths: Sequence[str] = (),
    ahead: bool = False,
) -> dict[str, Any]:
    """A new task of a plan. What it waits for has to exist, and must not in the end wait for it."""
    if after and not reason:
        raise BadInput("--after needs a --reason", why="nobody can judge an order that nobody gave a reason for",
                       instead="say in a sentence why that task has to be completed first")  # fmt: skip
    if reason and not after:
        raise BadInput("--reason goes with --after", why="it tells why a task comes after another", instead="add --after TASK")
    name = checked("name of the task", name, MOST_TITLE, lines=False)
    with writing(work.brain):
        home = work.plan(plan)
        if not graph.is_current(home):
            raise BadInput(
                f"{home.id} is {home.state}", why="nothing is added to a plan that was put away", instead="make a new plan"
            )
        task = Task(
            work.new_id(Task, name), home.id, name,
            checked("expected output", expected, _MOST),
            ahead=ahead, delegated_by=by or home.owned_by, assigned_to=assign, allowed_tools=tuple(tools), paths=tuple(paths),
            depends_on=tuple(dict.fromkeys(work.task(one).id for one in depends)),
            gate=Gate(work.task(after).id, checked("reason", reason, _MOST)) if after else None,
            discovered_from=work.task(discovered_from).id if discovered_from else "", decisions=tuple(decisions),
            created_at=work.now, modified_at=work.now,
        )  # fmt: skip
        if home.state == "completed" and not ahead:
            may_reopen(work, home)
            work.keep(touched(home, work.now, state="active", completed_at=""), "reopen")
        board = work.board()
        joined = replace(board, tasks={**board.tasks, task.id: task})
        _refuse_circle(task.id, graph.needs(task, joined), joined)
        work.keep(task, "plan")
        return task_data(task, work.board())


def link(work: Work, one: str, depends: str) -> dict[str, Any]:
    """Make a task wait for a task, or a plan for a plan. Circles are refused, with the circle; so is work that has begun."""
    with writing(work.brain):
        found, board = _either(work, one), work.board()
        other = work.plan(depends) if isinstance(found, Plan) else work.task(depends)
        _refuse_circle(found.id, (other.id,), board)
        mine = board.of_plan(found.id) if isinstance(found, Plan) else [found]
        begun = [task for task in mine if task.state in ("active", "review") or (task.id == found.id and task.completed_at)]
        if begun and not other.completed_at:
            raise Refused(
                f"{found.id} cannot depend on {other.id}", why=f"work on it has begun: {begun[0].id} is {begun[0].state}",
                instead="link what has not been started; or fail it, and start it again when the other is done",
                evidence=tuple(f"{task.id}.status = {task.state}" for task in begun[:5]),
            )  # fmt: skip
        return _depending(work, found, (*found.depends_on, other.id), "depend")


def unlink(work: Work, one: str, depends: str) -> dict[str, Any]:
    """Let a task or a plan no longer wait for another; what came after it by a gate is set free, too. The other may be gone."""
    with writing(work.brain):
        found = _either(work, one)
        after = found.gate.after if isinstance(found, Task) and found.gate else ""
        if depends not in (*found.depends_on, after):
            known = ", ".join(dict.fromkeys((*found.depends_on, *([after] if after else ()))))
            raise BadInput(
                f"{found.id} does not depend on {depends}", why=f"it depends on {known or 'nothing'}",
                instead="idumb-brain plan status shows what waits for what",
            )  # fmt: skip
        if isinstance(found, Task) and after == depends:
            found = replace(found, gate=None)
        return _depending(work, found, (other for other in found.depends_on if other != depends), "undepend")


def status(work: Work, plan: str | None = None, *, everything: bool = False) -> dict[str, Any]:
    """Plans with their tasks, what is ready, what waits, what lies there, what broke."""
    board = work.board()
    chosen = [work.plan(plan)] if plan else list(board.plans.values())
    shown = [one for one in chosen if plan or everything or graph.is_current(one)]
    named = {one.id for one in shown}
    current = active_plan(work)
    return {
        "activePlan": current.id if current else None,
        "plans": [plan_data(one, board) for one in shown],
        "ready": [task.id for task in graph.ready(board) if task.plan in named],
        "stale": [
            {"task": task.id, "idleSeconds": round(idle)}
            for task, idle in graph.stale(board, store.last_checkpoints(work.brain), work.moment)
            if task.plan in named
        ],
        "chainBreaks": [
            {"task": task.id, "needs": needs, "why": why} for task, needs, why in graph.chain_breaks(board) if task.plan in named
        ],
    }


def archive(work: Work, plan: str, *, reason: str = "") -> dict[str, Any]:
    """Put a plan away that is done."""
    with writing(work.brain):
        found = work.plan(plan)
        unfinished = [task.id for task in work.board().of_plan(found.id) if task.state in graph.OPEN and not task.ahead]
        if found.state not in ("completed", "archived") and unfinished:
            raise Refused(
                f"{found.id} is not archived", why=f"{len(unfinished)} of its tasks are not done: {', '.join(unfinished[:5])}",
                instead=f"complete them, or give the plan up: idumb-brain plan abandon {found.id}",
            )  # fmt: skip
        return _put_away(work, found, "archived", "archive", reason)


def abandon(work: Work, plan: str, *, reason: str = "") -> dict[str, Any]:
    """Give a plan up. Its tasks that others build on leave every context at once, the rest after two days."""
    with writing(work.brain):
        found = work.plan(plan)
        if found.state in ("completed", "archived"):
            raise BadInput(f"{found.id} is {found.state}", why="what is done cannot be given up", instead="make a new plan")
        return _put_away(work, replace(found, abandoned_at=found.abandoned_at or work.now), "abandoned", "abandon", reason)


def purge(work: Work, hours: float = 48) -> list[str]:
    """Both tiers, as a session starts: plans long abandoned, and tasks that break others' chains. Kept for audit."""
    with writing(work.brain):
        old = graph.to_purge(work.board(), work.moment, hours)
        for plan in old:
            work.keep(replace(plan, purged_at=work.now), "purge", "scan")
        return [plan.id for plan in old] + archive_breakers(work)


def archive_breakers(work: Work) -> list[str]:
    broken = graph.chain_breakers(work.board())
    for task in broken:
        work.keep(replace(task, archived_at=work.now), "archive", "scan")
    return [task.id for task in broken]


def may_reopen(work: Work, plan: Plan) -> None:
    """Refuses to make a plan unfinished again on which others already rely."""
    begun = graph.begun_on(plan.id, work.board())
    if plan.state == "completed" and begun:
        raise Refused(
            f"{plan.id} stays completed", why=f"{begun[0].id} could start because it was completed, and is {begun[0].state}",
            instead="make a new plan for what is still to be done", evidence=tuple(f"{one.id}.status = {one.state}" for one in begun),
        )  # fmt: skip


def active_plan(work: Work) -> Plan | None:
    """The plan somebody works on."""
    return graph.active_plan(work.board())


def _put_away(work: Work, plan: Plan, state: str, action: str, reason: str) -> dict[str, Any]:
    work.keep(touched(plan, work.now, state=state), action, reason)
    for task in work.board().of_plan(plan.id):
        if task.state in ("active", "review"):
            work.keep(touched(task, work.now, state="planned", claimed_by=""), "release", action)
            let_go(work, task.id)
        settle(work, task.id, "recalled")
    archive_breakers(work)
    return plan_data(work.plan(plan.id), work.board())


def settle(work: Work, task: str, event: str) -> None:
    """Whoever was handed a task need not go on with it: it was done, given up or put away."""
    rules = ground_of(work).rules.delegation
    for one in store.delegations(work.brain, task=task):
        if (standing_at(one, work.now, rules).state, event) in rules.steps:
            work.keep(advanced(one, event, work.now, rules), {"completed": "complete", "recalled": "recall"}[event])


def let_go(work: Work, task: str) -> None:
    """Nobody works on it any more: sessions are free to take up another."""
    for session in sessions.working_on(work.brain, task):
        sessions.keep(work.brain, replace(session, task=""))


def _either(work: Work, given: str) -> Plan | Task:
    return store.at(work.brain, Plan, given) or work.task(given)


def _refuse_circle(id: str, depends: Iterable[str], board: Board) -> None:
    if circle := graph.circle_with(id, depends, board):
        raise BadInput(
            f"{circle[0]} cannot depend on {circle[1]}", why=f"they would wait for each other: {' → '.join(circle)}",
            instead="drop one of these dependencies first: plan unlink",
        )  # fmt: skip


def _depending(work: Work, found: Plan | Task, on: Iterable[str], action: str) -> dict[str, Any]:
    changed = touched(found, work.now, depends_on=tuple(dict.fromkeys(on)))
    work.keep(changed, action)
    return plan_data(changed, work.board()) if isinstance(changed, Plan) else task_data(changed, work.board())
