"""What is being worked on, for those who have to tell of it: a session's task with its plan, steps and neighbours. Words nothing.

What was left is not looked at: nothing here is of a plan that was abandoned, archived or purged, or of a task that failed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from idumb_brain.govern.delegations import standing_at
from idumb_brain.govern.rules.delegation import DelegationRules
from idumb_brain.graph import tasks as graph
from idumb_brain.graph.tasks import Board
from idumb_brain.model.knowledge import Change
from idumb_brain.model.selection import ANCHOR, CHECKPOINT, DELEGATION, ENTRY, PLAN, TASK
from idumb_brain.model.work import Checkpoint, Delegation, Plan, Session, Task
from idumb_brain.store import anchors, audit, knowledge, sessions
from idumb_brain.store import work as store
from idumb_brain.store.brain import Brain

_CHECKPOINTS = 5
_STEPS = 10
_AHEAD = 3
_LOOKED_AT = 40  # checkpoints and changes, of which the last few are told
_RECORDED = 1_000  # changes among which those are looked for
_OPEN = ("assigned", "accepted")
# What is worth telling of all that is recorded.
_TOLD = {
    (PLAN, "create"), (PLAN, "complete"), (TASK, "plan"), (TASK, "start"), (TASK, "review"), (TASK, "complete"), (DELEGATION, "assign"),
    (ENTRY, "write"), (ENTRY, "validate"), (ANCHOR, "add"),
}  # fmt: skip


class Step(NamedTuple):
    """Something that was done: a checkpoint, with its tool and summary; or a change, with the action and what was changed."""

    at: str
    kind: str
    id: str
    action: str
    text: str


class Handed(NamedTuple):
    """An open delegation and the task it is of."""

    delegation: Delegation
    task: Task


@dataclass(frozen=True, slots=True)
class AtWork:
    session: Session | None = None
    above: tuple[str, ...] = ()  # roles from the user's down to this session's; empty: it talks to the user
    task: Task | None = None
    state: str = ""  # of the task, as others see it
    plan: Plan | None = None
    done: int = 0
    total: int = 0
    next: Task | None = None
    ahead: tuple[Task, ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()  # of the task, the newest first
    recorded: int = 0  # how many the task has in all
    steps: tuple[Step, ...] = ()  # the newest first
    handed: tuple[Handed, ...] = ()
    late: tuple[tuple[Task, float], ...] = ()  # with the seconds since anything was done
    broken: tuple[Task, ...] = ()


def at_work(brain: Brain, board: Board, broken: Sequence[Task], rules: DelegationRules, session: str = "") -> AtWork:
    """As it is now. ``broken`` is told because it takes a look at every task to know."""
    known = sessions.session(brain, session) if session else None
    task = _task(known, board, session)
    task = store.at(brain, Task, task.id) if task else None  # with the files of its last checkpoint
    plan = board.plans.get(task.plan) if task else graph.active_plan(board)
    mine = [one for one in board.of_plan(plan.id) if not one.archived_at] if plan else []
    done, total = graph.progress(plan, board) if plan else (0, 0)
    running = {one.id: one for one in board.tasks.values() if one.state == "active"}
    last = {id: newest[0] for id in running if (newest := store.checkpoints_of(brain, id, 1))}
    return AtWork(
        known,
        tuple(one.role for one in sessions.lineage(brain, known)) if known and known.parent else (),
        task,
        graph.state_of(task, board) if task else "",
        plan,
        done,
        total,
        graph.next_after(task, board) if task else _first_ready(mine, board),
        tuple(one for one in mine if one.ahead and one.state == "planned")[:_AHEAD],
        tuple(store.checkpoints_of(brain, task.id, _CHECKPOINTS)) if task else (),
        store.number_of_checkpoints(brain, task.id) if task else 0,
        tuple(_steps(brain, board, known, task)),
        tuple(_handed(brain, board, rules)),
        tuple(graph.stale(Board(board.plans, running), last, datetime.fromisoformat(brain.now))),
        tuple(one for one in broken if may_be_told(one, board)),
    )


def broken_chains(board: Board) -> list[Task]:
    """Open tasks that wait for what will never be."""
    return list({task.id: task for task, _, _ in graph.chain_breaks(board)}.values())


def may_be_told(task: Task | None, board: Board) -> bool:
    return task is not None and task.state != "failed" and not task.archived_at and graph.is_current(board.plans.get(task.plan))


def _task(session: Session | None, board: Board, id: str) -> Task | None:
    """The one that the session took over; else the one at hand."""
    taken = board.tasks.get(session.task) if session and session.task else None
    if taken and taken.state in ("active", "review") and may_be_told(taken, board):
        return taken
    return graph.at_hand(board, id)


def _first_ready(mine: Sequence[Task], board: Board) -> Task | None:
    ready = (one for one in mine if one.state == "planned" and not one.ahead and not one.claimed_by)
    return next((one for one in ready if not graph.waits_for(one, board)), None)


def _handed(brain: Brain, board: Board, rules: DelegationRules) -> Iterator[Handed]:
    for one in store.delegations(brain):
        task = board.tasks.get(one.task)
        is_open = standing_at(one, brain.now, rules).state in _OPEN
        if is_open and task and task.state != "completed" and may_be_told(task, board):
            yield Handed(one, task)


def _steps(brain: Brain, board: Board, session: Session | None, task: Task | None) -> list[Step]:
    """The last few: those of the session and its task, or else of everybody."""
    recorded = audit.latest(brain, {kind for kind, _ in _TOLD}, {action for _, action in _TOLD}, _LOOKED_AT, _RECORDED)
    if session:
        done = store.checkpoints_for(brain, session.id, task.id if task else "", _STEPS)
        mine = [one for one in recorded if one.by == session.id or (task and one.id == task.id)]
        if steps := list(islice(_latest(brain, board, done, mine), _STEPS)):
            return steps
    for most in (_STEPS, _LOOKED_AT):  # more are read only where these are too few
        steps = list(islice(_latest(brain, board, store.recent_checkpoints(brain, most), recorded), _STEPS))
        if len(steps) == _STEPS:
            break
    return steps


def _latest(brain: Brain, board: Board, checkpoints: Iterable[Checkpoint], changes: Iterable[Change]) -> Iterator[Step]:
    """Of what was done in the same second, checkpoints come first: they are what the rest came of."""
    done: list[Checkpoint | Change] = [*checkpoints, *changes]
    for one in sorted(done, key=lambda one: one.at, reverse=True):
        if isinstance(one, Checkpoint):
            if may_be_told(board.tasks.get(one.task), board):
                yield Step(one.at, CHECKPOINT, one.id, one.tool, one.summary)
        elif (one.kind, one.action) in _TOLD and (name := _name(brain, board, one)):
            yield Step(one.at, one.kind, one.id, one.action, name)


def _name(brain: Brain, board: Board, one: Change) -> str:
    """What the changed thing is called now; "" where it may no longer be spoken of."""
    match one.kind:
        case "plan":
            plan = board.plans.get(one.id)
            return plan.name if plan and graph.is_current(plan) else ""
        case "task":
            task = board.tasks.get(one.id)
            return task.name if task and may_be_told(task, board) else ""
        case "delegation":
            given = store.at(brain, Delegation, one.id)
            task = board.tasks.get(given.task) if given else None
            return f"{task.name} → {given.receiver}" if given and task and may_be_told(task, board) else ""
        case "entry":
            entry = knowledge.entry(brain, one.id)
            ended = entry and (entry.purged_at or entry.superseded_by or (entry.valid_to and entry.valid_to <= brain.now))
            return entry.title if entry and not ended else ""
        case _:
            anchor = anchors.anchor(brain, one.id)
            return anchor.content if anchor and not (anchor.purged_at or anchor.superseded_by or anchor.stale_since) else ""
