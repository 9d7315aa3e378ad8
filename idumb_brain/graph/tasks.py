"""What follows from plans and tasks as they stand: what may start, what waits for what, what is late, what broke. Pure; changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from idumb_brain.model.knowledge import Entry
from idumb_brain.model.work import Checkpoint, Plan, Task

OPEN = ("planned", "active", "review")
_LEFT = ("abandoned", "archived")


@dataclass(frozen=True, slots=True)
class Waiting:
    """One thing a task waits for, in words, and what would end it."""

    for_id: str
    why: str
    instead: str
    broken: bool = False  # it will never come to pass by itself


@dataclass(frozen=True, slots=True)
class Board:
    """Everything there is to know to judge one task: its neighbours, their states, the decisions they rest on."""

    plans: Mapping[str, Plan]
    tasks: Mapping[str, Task]
    entries: Callable[[str], Entry | None] = field(default=lambda _: None)
    _plans: dict[str, list[Task]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def of_plan(self, plan: str) -> list[Task]:
        if not self._plans:
            for task in self.tasks.values():
                self._plans.setdefault(task.plan, []).append(task)
        return list(self._plans.get(plan, ()))


def waits_for(task: Task, board: Board) -> list[Waiting]:
    """Why a task may not start. Empty: it may."""
    found = [waiting for other in task.depends_on if (waiting := _dependency(other, board))]
    if task.gate and (waiting := _gate(task, board)):
        found.append(waiting)
    found += [waiting for decision in task.decisions if (waiting := _decision(decision, board))]
    plan = board.plans.get(task.plan)
    if plan is not None:
        found += [waiting for other in plan.depends_on if (waiting := _plan(other, board))]
    return found


def state_of(task: Task, board: Board) -> str:
    """The state others see: "blocked" is planned and has to wait."""
    return "blocked" if task.state == "planned" and waits_for(task, board) else task.state


def ready(board: Board) -> list[Task]:
    """Tasks that may start now: of plans in force, not merely foreseen, nothing to wait for."""
    return [
        task
        for task in in_force(board)
        if task.state == "planned" and not task.ahead and not task.claimed_by and not waits_for(task, board)
    ]


def blocked(board: Board) -> list[tuple[Task, list[Waiting]]]:
    waiting = ((task, waits_for(task, board)) for task in in_force(board) if task.state == "planned")
    return [(task, why) for task, why in waiting if why]


def next_after(task: Task, board: Board) -> Task | None:
    """What comes when this one is done: what it unblocks first, else the next of its plan."""
    mine = [one for one in board.of_plan(task.plan) if one.state == "planned" and not one.archived_at]
    frees = [one for one in mine if {waiting.for_id for waiting in waits_for(one, board)} == {task.id}]
    return next(iter([one for one in frees if not one.ahead] or frees or [one for one in mine if not one.ahead] or mine), None)


def in_force(board: Board) -> list[Task]:
    """Tasks that may be spoken of: neither they nor their plan were left."""
    return [task for task in board.tasks.values() if not task.archived_at and is_current(board.plans.get(task.plan))]


def is_current(plan: Plan | None) -> bool:
    return plan is not None and plan.state not in _LEFT and not plan.purged_at


def at_hand(board: Board, session: str = "") -> Task | None:
    """The active task of a session; where it has none, the one that was started last."""
    active = [task for task in in_force(board) if task.state == "active"]
    mine = [task for task in active if session and task.claimed_by == session]
    return max(reversed(mine or active), key=lambda task: task.started_at, default=None)  # of the same second: planned last


def active_plan(board: Board) -> Plan | None:
    """The plan somebody works on: of the active ones that with the newest active task, else the one changed last."""
    current = [plan for plan in board.plans.values() if plan.state == "active" and is_current(plan)]
    started = {task.plan: task.started_at for task in board.tasks.values() if task.state == "active"}
    order = {id: number for number, id in enumerate(board.plans)}
    return max(current, key=lambda plan: (started.get(plan.id, ""), plan.modified_at, order[plan.id]), default=None)


def circle_with(start: str, depends_on: Iterable[str], board: Board) -> list[str]:
    """The circle that these dependencies of a task or a plan would close, told from where it begins; empty where they close none.

    Tasks wait for tasks and for the plans that their own plan depends on; plans wait for their tasks.
    """
    first = list(depends_on)
    starts = [start, *_unfinished(start, board)] if start in board.plans else [start]
    return next((circle for one in starts if (circle := _circle(one, first, lambda id: _waited_for(id, board)))), [])


def needs(task: Task, board: Board) -> tuple[str, ...]:
    """Tasks and plans it waits for, whatever became of them."""
    home = board.plans.get(task.plan)
    return (*_behind(task), *(home.depends_on if home else ()))


def begun_on(plan: str, board: Board) -> list[Task]:
    """Tasks at work that could only start because this plan was completed."""
    return [
        task
        for task in board.tasks.values()
        if task.state in ("active", "review") and (home := board.plans.get(task.plan)) and plan in home.depends_on
    ]


def chain_breaks(board: Board) -> list[tuple[Task, str, str]]:
    """(task, what it needs, why that will never be) of open tasks whose chain is broken."""
    return [
        (task, waiting.for_id, waiting.why)
        for task in in_force(board)
        if task.state in OPEN
        for waiting in waits_for(task, board)
        if waiting.broken
    ]


def chain_breakers(board: Board) -> list[Task]:
    """Tasks that others still build on and that will not be done, as they failed or their plan was left: they leave every context."""
    needed = {other for task in board.tasks.values() if task.state in OPEN and not task.archived_at for other in _behind(task)}
    return [
        task
        for task in board.tasks.values()
        if task.id in needed
        and not task.archived_at
        and task.state != "completed"
        and (task.state == "failed" or _was_left(board.plans.get(task.plan)))
    ]


def to_purge(board: Board, now: datetime, hours: float = 48) -> list[Plan]:
    """Plans abandoned so long ago that nobody should read of them any more."""
    return [
        plan
        for plan in board.plans.values()
        if plan.state == "abandoned" and not plan.purged_at and _age(plan.abandoned_at or plan.modified_at, now) > hours * 3600
    ]


def stale(board: Board, last: Mapping[str, Checkpoint], now: datetime) -> list[tuple[Task, float]]:
    """(task, seconds since anything happened) of active tasks that were left lying."""
    found = []
    for task in in_force(board):
        if task.state != "active" or not task.stale_after:
            continue
        seen = last[task.id].at if task.id in last else task.started_at or task.modified_at
        idle = _age(seen, now)
        if idle > task.stale_after:
            found.append((task, idle))
    return found


def ended_at(task: Task) -> str:
    """When it came to an end: completed, failed or put away; "" where it did not."""
    if task.state not in ("completed", "failed") and not task.archived_at:
        return ""
    return max(task.archived_at, task.completed_at or (task.modified_at if task.state == "failed" else ""))


def progress(plan: Plan, board: Board) -> tuple[int, int]:
    """(done, all) of a plan; what is merely foreseen does not count yet."""
    mine = [task for task in board.of_plan(plan.id) if not task.ahead and not task.archived_at]
    return sum(task.state == "completed" for task in mine), len(mine)


def _dependency(other: str, board: Board) -> Waiting | None:
    task = board.tasks.get(other)
    if task is None:
        return Waiting(other, f"it depends on {other}, which does not exist", f"remove the dependency on {other}", broken=True)
    if task.state == "completed":
        return None
    told = f'it depends on {other} ("{task.name}"), which is {task.state}'
    if task.state == "failed":
        return Waiting(other, told, f"plan the work of {other} anew, or drop the dependency: plan unlink", broken=True)
    if task.archived_at or _was_left(board.plans.get(task.plan)):
        told = f'it depends on {other} ("{task.name}"), which was abandoned'
        return Waiting(other, told, "drop the dependency: plan unlink", broken=True)
    return Waiting(other, told, f"complete {other} first")


def _gate(task: Task, board: Board) -> Waiting | None:
    assert task.gate
    waiting = _dependency(task.gate.after, board)
    if waiting is None:
        return None
    after = board.tasks.get(task.gate.after)
    state = after.state if after else "unknown"
    why = f'it may not start before {task.gate.after} is completed, which is {state}: "{task.gate.reason}"'
    return Waiting(waiting.for_id, why, waiting.instead, waiting.broken)


def _decision(entry_id: str, board: Board) -> Waiting | None:
    entry = _holding(board.entries(entry_id), board)
    if entry is None:
        return Waiting(
            entry_id, f"it rests on {entry_id}, which nobody has written down", f"decide {entry_id} first", broken=True
        )
    if entry.purged_at:
        return Waiting(entry_id, f'the decision "{entry.title}" was purged', "decide it anew", broken=True)
    if not is_decided(entry):
        return Waiting(entry_id, f'the decision "{entry.title}" is open', f"decide it: idumb-brain brain validate {entry.id}")
    return None


def _holding(entry: Entry | None, board: Board) -> Entry | None:
    """It, or what took its place in the end."""
    seen: set[str] = set()
    while entry and entry.superseded_by and entry.id not in seen:
        seen.add(entry.id)
        entry = board.entries(entry.superseded_by)
    return entry


def is_decided(entry: Entry) -> bool:
    """Whether a decision has been taken. One that was merely written down with no confidence is still a question."""
    return entry.type == "decision" and (entry.confidence > 0 or bool(entry.validated_at))


def _plan(other: str, board: Board) -> Waiting | None:
    plan = board.plans.get(other)
    if plan is None:
        return Waiting(other, f"its plan depends on {other}, which does not exist", "remove that dependency", broken=True)
    if plan.state == "completed" or (plan.state == "archived" and plan.completed_at):
        return None
    told = f'its plan depends on {other} ("{plan.name}"), which is {plan.state}'
    return Waiting(other, told, f"complete {other} first", broken=plan.state in _LEFT)


def _behind(task: Task | None) -> tuple[str, ...]:
    if task is None:
        return ()
    return (*task.depends_on, task.gate.after) if task.gate else task.depends_on


def _waited_for(id: str, board: Board) -> tuple[str, ...]:
    if (plan := board.plans.get(id)) is not None:
        return () if plan.completed_at else (*plan.depends_on, *_unfinished(id, board))
    task = board.tasks.get(id)
    if task is None or task.state == "completed":
        return ()
    return needs(task, board)


def _unfinished(plan: str, board: Board) -> list[str]:
    return [task.id for task in board.of_plan(plan) if task.state != "completed"]


def _was_left(plan: Plan | None) -> bool:
    """What is not done in a plan that was put away will not be done."""
    return not is_current(plan)


def _circle(start: str, first: list[str], behind: Callable[[str], Iterable[str]]) -> list[str]:
    trail: list[tuple[str, Iterator[str]]] = [(start, iter(first))]
    seen: set[str] = set()
    while trail:
        for other in trail[-1][1]:
            if other == start:
                return [*(one for one, _ in trail), start]
            if other not in seen:
                seen.add(other)
                trail.append((other, iter(behind(other))))
                break
        else:
            trail.pop()
    return []


def _age(moment: str, now: datetime) -> float:
    """Seconds since; a clock that was set back makes nothing younger than new."""
    if not moment:
        return 0.0
    return max(0.0, (now - datetime.fromisoformat(moment.replace("Z", "+00:00"))).total_seconds())
