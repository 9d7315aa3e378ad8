"""Tasks: started, finished, given up, reviewed; and what is done for them, recorded. Each verb returns the task as JSON-ready data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from idumb_brain.govern.rules.roles import plain_name
from idumb_brain.graph import tasks as graph
from idumb_brain.graph.tasks import Board
from idumb_brain.model.errors import Refused
from idumb_brain.model.work import Checkpoint, Plan, Task
from idumb_brain.operations import plans
from idumb_brain.operations.holding import holder
from idumb_brain.operations.stated import checked, without_private
from idumb_brain.operations.work import Work, checkpoint_data, task_data, touched
from idumb_brain.store import sessions
from idumb_brain.store import work as store
from idumb_brain.store.brain import writing

# state × action → state. What is not here is refused. "planned" stands for blocked, too: whether it may start is asked apart.
MOVES = {
    ("planned", "start"): "active",
    ("active", "start"): "active",  # taken up again
    ("review", "start"): "active",  # sent back
    ("failed", "start"): "active",  # tried again
    ("active", "review"): "review",
    ("active", "complete"): "completed",
    ("review", "complete"): "completed",
    ("planned", "fail"): "failed",
    ("active", "fail"): "failed",
    ("review", "fail"): "failed",
}
_SHOWN = 20  # checkpoints told with a task
_MOST = 4_000  # characters of evidence


def move(
    work: Work,
    action: str,
    task: str,
    *,
    evidence: str = "",
    tests: str = "",
    role: str = "",
    session: str = "",
) -> dict[str, Any]:
    """``start``, ``complete``, ``fail`` or ``review`` a task."""
    with writing(work.brain):
        found = work.task(task)
        _must_be_theirs(work, found, action, role, session)
        state = _next_state(found, action)
        match action:
            case "start":
                others = [one.id for one in _active_of(work, session) if one.id != found.id]
                changed = _started(work, found, session)
            case "complete":
                changed = _completed(work, found, evidence, tests)
            case "fail":
                changed = replace(found, failure=checked("evidence", evidence, _MOST), claimed_by="")
            case _:
                changed = replace(found, evidence=_shown(evidence) or found.evidence, tests_run=_shown(tests) or found.tests_run)
        work.keep(touched(changed, work.now, state=state), action, role or session)
        if state in ("completed", "failed"):
            plans.settle(work, found.id, "completed")
            plans.let_go(work, found.id)
        elif action == "start" and (own := sessions.session(work.brain, session)):
            sessions.keep(work.brain, replace(own, task=found.id))
        _plan_follows(work, changed.plan)
        broken = plans.archive_breakers(work) if action == "fail" else []
        board = work.board()
        freed = _freed_by(board, found) if action == "complete" else []
        kept = board.tasks[found.id]
        data = task_data(kept, board, store.checkpoints_of(work.brain, kept.id, _SHOWN))
        coming = graph.next_after(kept, board)
        data |= {"unblocked": freed, "archived": broken, "next": coming.id if coming else None}
        if action == "start":
            data["alsoActive"] = others
        if action == "complete":
            data["learned"] = _learned(work, kept)
        return data


def status(work: Work, task: str | None = None, *, session: str = "") -> dict[str, Any]:
    """A task with its checkpoints; without one, that at hand."""
    found = work.task(task) if task else at_hand(work, session)
    if found is None:
        ready_now = [one.id for one in graph.ready(work.board())]
        return {"task": None, "ready": ready_now}
    return task_data(found, work.board(), store.checkpoints_of(work.brain, found.id, _SHOWN))


def ready(work: Work, *, role: str = "") -> list[dict[str, Any]]:
    """Tasks that may start now; those of a role first, then those that free the most others."""
    board = work.board()
    frees = Counter(id for _, why in graph.blocked(board) for id in {one.for_id for one in why})
    found = [
        task
        for task in graph.ready(board)
        if not role or not task.assigned_to or plain_name(task.assigned_to) == plain_name(role)
    ]
    found.sort(key=lambda task: (not (role and plain_name(task.assigned_to) == plain_name(role)), -frees[task.id]))
    return [task_data(task, board) | {"frees": frees[task.id]} for task in found]


def at_hand(work: Work, session: str = "") -> Task | None:
    """The active task of a session; where it has none, the one that was started last."""
    plans_now = {plan.id: plan for plan in store.plans(work.brain)}
    active = {task.id: task for task in store.tasks_in(work.brain, "active")}  # asked at every step: no need for all the others
    return graph.at_hand(Board(plans_now, active), session)


def record(
    work: Work, tool: str, summary: str, *, files: Sequence[str] = (), task: str = "", session: str = ""
) -> dict[str, Any] | None:
    """Something was done: a checkpoint of the task at hand, and the files it wrote. None where that is nobody's, or another's."""
    with writing(work.brain):
        found = work.task(task) if task else at_hand(work, session)
        if found is None or found.state not in ("active", "review") or holder(work.brain, found, session):
            return None
        made = Checkpoint(
            work.new_id(Checkpoint, tool),
            found.id,
            tool,
            work.now,
            _one_line(without_private(summary)),
            tuple(dict.fromkeys(files)),
            session,
        )
        store.write(work.brain, made)
        written = tuple(dict.fromkeys((*found.artifacts, *made.files)))
        if written != found.artifacts:
            store.write(work.brain, replace(found, artifacts=written))
        return checkpoint_data(made) | {"task": found.id}


def _next_state(task: Task, action: str) -> str:
    state = MOVES.get((task.state, action))
    if state is None:
        may = [known for before, known in MOVES if before == task.state]
        raise Refused(
            f"cannot {action} {task.id}",
            why=f"it is {task.state}",
            instead=f"from there one can {' or '.join(may)}" if may else "plan a new task",
            evidence=(f"{task.id}.status = {task.state}",),
        )
    return state


def _must_be_theirs(work: Work, task: Task, action: str, role: str, session: str) -> None:
    if role and task.assigned_to and plain_name(role) != plain_name(task.assigned_to) and action != "review":
        raise Refused(
            f'{role} cannot {action} "{task.name}"',
            why=f"it is assigned to {task.assigned_to}" + (f" (by {task.delegated_by})" if task.delegated_by else ""),
            instead="report what you found, and let the one it is assigned to go on",
            evidence=(f"{task.id}.assignedTo = {task.assigned_to}", f"your role = {role}"),
        )
    if taken := holder(work.brain, task, session):
        raise Refused(
            f"{task.id} is taken",
            why=f"session {taken} has been at it since {task.started_at}",
            instead="take another: idumb-brain task next",
            evidence=(f"{task.id}.claimedBy = {taken}",),
        )


def _active_of(work: Work, session: str) -> list[Task]:
    mine = [
        task for task in store.tasks_in(work.brain, "active") if session and task.claimed_by == session and not task.archived_at
    ]
    return [task for task in mine if graph.is_current(store.at(work.brain, Plan, task.plan))]


def _started(work: Work, task: Task, session: str) -> Task:
    if task.state in ("planned", "failed"):
        plan = work.plan(task.plan)
        if not graph.is_current(plan):
            raise Refused(
                f'"{task.name}" ({task.id}) cannot start',
                why=f"its plan {plan.id} is {plan.state}",
                instead="plan the task anew, in a plan that is in force",
                evidence=(f"{plan.id}.status = {plan.state}",),
            )
        plans.may_reopen(work, plan)
        waiting = graph.waits_for(task, work.board())
        if waiting:
            raise Refused(
                f'"{task.name}" ({task.id}) cannot start',
                why="; ".join(one.why for one in waiting),
                instead=waiting[0].instead,
                evidence=tuple(f"{task.id} waits for {one.for_id}" for one in waiting),
            )
    return replace(task, ahead=False, claimed_by=session or task.claimed_by, started_at=work.now, failure="", archived_at="")


def _completed(work: Work, task: Task, evidence: str, tests: str) -> Task:
    checkpoints = store.checkpoints_of(work.brain, task.id)
    if not evidence.strip() and not checkpoints:
        raise Refused(
            f"{task.id} is not completed",
            why="nothing shows that it was done: no evidence was given and no checkpoint was recorded",
            instead=f'say what shows it: idumb-brain task complete {task.id} --evidence "…"; expected was: {task.expected_output}',
            evidence=(f"{task.id} has 0 checkpoints",),
        )
    shown = _shown(evidence) or _told_by(checkpoints)
    files = tuple(dict.fromkeys((*task.artifacts, *(file for one in reversed(checkpoints) for file in one.files))))
    return replace(task, evidence=shown, tests_run=_shown(tests) or task.tests_run, artifacts=files, completed_at=work.now)


def _shown(text: str) -> str:
    return checked("evidence", text, _MOST) if text.strip() else ""


def _told_by(checkpoints: Iterable[Checkpoint]) -> str:
    told = list(checkpoints)
    return f"{len(told)} checkpoints, the last: {told[0].summary}"


def _plan_follows(work: Work, plan: str) -> None:
    """A plan is active once something in it was started, and completed when nothing in it is left to do."""
    found = work.plan(plan)
    board = work.board()
    mine = [task for task in board.of_plan(plan) if not task.ahead and not task.archived_at]
    if found.state == "draft" and any(task.state != "planned" for task in mine):
        work.keep(touched(found, work.now, state="active"), "activate", "task")
    elif found.state in ("draft", "active") and mine and all(task.state == "completed" for task in mine):
        work.keep(touched(found, work.now, state="completed", completed_at=work.now), "complete", "task")
    elif found.state == "completed" and any(task.state != "completed" for task in mine):
        work.keep(touched(found, work.now, state="active", completed_at=""), "reopen", "task")


def _freed_by(board: Board, task: Task) -> list[str]:
    """Tasks that waited for this one alone, and may start now."""
    before = replace(task, state="active")
    as_it_was = replace(board, tasks={**board.tasks, task.id: before})
    return [
        one.id
        for one in graph.in_force(board)
        if one.state == "planned" and graph.waits_for(one, as_it_was) and not graph.waits_for(one, board)
    ]


def _learned(work: Work, task: Task) -> str:
    """What came of it, for those who come later."""
    from idumb_brain.operations.learning import learned_from_task

    told = f"{task.expected_output}\n{task.evidence}" + (f"\nTests: {task.tests_run}" if task.tests_run else "")
    return learned_from_task(work.brain, work.project, task.id, task.name, told, task.artifacts)


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 300 else line[:299] + "…"
