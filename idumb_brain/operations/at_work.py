"""What is being worked on, for those who have to tell of it: a session's task with its plan, steps and neighbours. Words nothing.

What was left is not looked at: nothing here is of a plan that was abandoned, archived or purged, or of a task that failed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from idumb_brain.govern.delegations import ends_at, standing_at
from idumb_brain.govern.rules.delegation import DelegationRules
from idumb_brain.graph import tasks as graph
from idumb_brain.graph.tasks import Board
from idumb_brain.model.knowledge import Anchor, Change, Entry
from idumb_brain.model.selection import ANCHOR, CHECKPOINT, DELEGATION, ENTRY, PLAN, TASK
from idumb_brain.model.work import Checkpoint, Delegation, Plan, Session, Task
from idumb_brain.operations.remembered import Remembered
from idumb_brain.select.worth import ENDLESS
from idumb_brain.store import sessions
from idumb_brain.store import work as store
from idumb_brain.store.brain import Brain

_CHECKPOINTS = 5
_STEPS = 10
_SESSIONS = 64  # of which is kept what was seen
_AHEAD = 3
_LOOKED_AT = 40  # checkpoints and changes, of which the last few are told
_OPEN = ("assigned", "accepted")
# What is worth telling of all that is recorded.
_TOLD = {
    (PLAN, "create"), (PLAN, "complete"), (TASK, "plan"), (TASK, "start"), (TASK, "review"), (TASK, "complete"), (DELEGATION, "assign"),
    (ENTRY, "write"), (ENTRY, "validate"), (ANCHOR, "add"),
}  # fmt: skip
_TOLD_OF = {(kind, action) for kind, _ in _TOLD for _, action in _TOLD}  # among which those are looked for


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


class WorkSeen:
    """Looks at the work of one project again and again, and reads only what may have changed since."""

    def __init__(self) -> None:
        self._seen: dict[str, _Seen] = {}
        self._standings: tuple[Board | None, Board, dict[str, _Standing]] = (None, Board({}, {}), {})

    def at_work(self, brain: Brain, known: Remembered, rules: DelegationRules, session: str = "") -> AtWork:
        seen = self._seen.get(session)
        if seen is None or seen.of is not known.board(brain) or not seen.holds(known.written, brain.now):
            self._seen = {} if len(self._seen) > _SESSIONS else self._seen
            seen = self._seen[session] = self._look(brain, known, rules, session)
        late = tuple(graph.stale(seen.running, seen.last, datetime.fromisoformat(brain.now)))
        return replace(seen.work, late=late) if late else seen.work

    def _look(self, brain: Brain, remembered: Remembered, rules: DelegationRules, session: str) -> _Seen:
        board = remembered.board(brain)
        known = sessions.session(brain, session) if session else None
        task = _task(known, board, session)
        stands, running = self._stands(task, board)
        task = store.at(brain, Task, task.id) if task else None  # with the files of its last checkpoint
        given = [one for one in store.delegations(brain) if one.state in _OPEN]
        steps, named = _steps(brain, board, remembered, known, task)
        ends = [*(ends_at(one, rules) for one in given), *(one.valid_to for one in named)]
        work = AtWork(
            known,
            tuple(one.role for one in sessions.lineage(brain, known)) if known and known.parent else (),
            task,
            *stands,
            tuple(store.checkpoints_of(brain, task.id, _CHECKPOINTS)) if task else (),
            store.number_of_checkpoints(brain, task.id) if task else 0,
            tuple(steps),
            tuple(_handed(brain, board, rules, given)),
            (),
            tuple(one for one in remembered.broken(brain) if may_be_told(one, board)),
        )
        return _Seen(
            work,
            board,
            remembered.written,
            brain.now,
            min((time for time in ends if time > brain.now), default=ENDLESS),
            running,
            {id: newest[0] for id in running.tasks if (newest := store.checkpoints_of(brain, id, 1))},
        )

    def _stands(self, task: Task | None, board: Board) -> tuple[_Standing, Board]:
        """Where a task stands in its plan; and of all that is planned, what somebody is at. As long as the plans are the same."""
        if self._standings[0] is not board:
            running = {id: one for id, one in board.tasks.items() if one.state == "active"}
            self._standings = board, Board(board.plans, running), {}
        _, running_board, kept = self._standings
        id = task.id if task else ""
        if id not in kept:
            kept[id] = _stands(task, board)
        return kept[id], running_board


class _Standing(NamedTuple):
    """The same fields as those of ``AtWork``."""

    state: str
    plan: Plan | None
    done: int
    total: int
    next: Task | None
    ahead: tuple[Task, ...]


def _stands(task: Task | None, board: Board) -> _Standing:
    plan = board.plans.get(task.plan) if task else graph.active_plan(board)
    mine = [one for one in board.of_plan(plan.id) if not one.archived_at] if plan else []
    return _Standing(
        graph.state_of(task, board) if task else "",
        plan,
        *(graph.progress(plan, board) if plan else (0, 0)),
        graph.next_after(task, board) if task else _first_ready(mine, board),
        tuple(one for one in mine if one.ahead and one.state == "planned")[:_AHEAD],
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was seen, of what, and how long it is so while nothing is written."""

    work: AtWork
    of: Board
    written: tuple[int, int]
    since: str
    until: str
    running: Board
    last: dict[str, Checkpoint]

    def holds(self, written: tuple[int, int], now: str) -> bool:
        return self.written == written and self.since <= now < self.until


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


def _handed(brain: Brain, board: Board, rules: DelegationRules, given: Iterable[Delegation]) -> Iterator[Handed]:
    for one in given:
        task = board.tasks.get(one.task)
        is_open = standing_at(one, brain.now, rules).state in _OPEN
        if is_open and task and task.state != "completed" and may_be_told(task, board):
            yield Handed(one, task)


def _steps(
    brain: Brain, board: Board, known: Remembered, session: Session | None, task: Task | None
) -> tuple[list[Step], list[Entry]]:
    """The last few: those of the session and its task, or else of everybody; and the entries that were asked for their names."""
    recorded = [*islice((one for one in known.recent(brain) if (one.kind, one.action) in _TOLD_OF), _LOOKED_AT)]
    ids = [one.id for one in recorded if one.kind == ENTRY]
    named = {id: one for id, one in zip(ids, known.named(brain, ids), strict=True) if one}
    lines = {one.id: one for one in known.anchors(brain)} if any(one.kind == ANCHOR for one in recorded) else {}

    def latest(checkpoints: Iterable[Checkpoint], changes: Iterable[Change]) -> Iterator[Step]:
        """Of what was done in the same second, checkpoints come first: they are what the rest came of."""
        done: list[Checkpoint | Change] = [*checkpoints, *changes]
        for one in sorted(done, key=lambda one: one.at, reverse=True):
            if isinstance(one, Checkpoint):
                if may_be_told(board.tasks.get(one.task), board):
                    yield Step(one.at, CHECKPOINT, one.id, one.tool, one.summary)
            elif (one.kind, one.action) in _TOLD and (name := _name(brain, board, named, lines, one)):
                yield Step(one.at, one.kind, one.id, one.action, name)

    if session:
        done = store.checkpoints_for(brain, session.id, task.id if task else "", _STEPS)
        mine = [one for one in recorded if one.by == session.id or (task and one.id == task.id)]
        if steps := list(islice(latest(done, mine), _STEPS)):
            return steps, [*named.values()]
    for most in (_STEPS, _LOOKED_AT):  # more are read only where these are too few
        steps = list(islice(latest(store.recent_checkpoints(brain, most), recorded), _STEPS))
        if len(steps) == _STEPS:
            break
    return steps, [*named.values()]


def _name(brain: Brain, board: Board, entries: Mapping[str, Entry], anchors: Mapping[str, Anchor], one: Change) -> str:
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
            entry = entries.get(one.id)
            ended = entry and (entry.purged_at or entry.superseded_by or (entry.valid_to and entry.valid_to <= brain.now))
            return entry.title if entry and not ended else ""
        case _:
            anchor = anchors.get(one.id)
            return anchor.content if anchor and not anchor.stale_since else ""
