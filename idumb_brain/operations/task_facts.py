"""What governance asks the task graph, answered from the brain. Decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from idumb_brain.graph import tasks as graph
from idumb_brain.graph.tasks import Board
from idumb_brain.model.governance import TaskFacts
from idumb_brain.model.work import Task
from idumb_brain.operations.holding import holder
from idumb_brain.operations.work import Work

_ROWS = 9  # of the plan, around the task


class TaskGraph:
    """Reads the brain once, when first asked; or asks ``board``, of those who keep one, every time."""

    def __init__(self, work: Work, board: Callable[[], Board] | None = None) -> None:
        self._work = work
        self._kept = board
        self._read: Board | None = None

    def task(self, id: str) -> TaskFacts | None:
        """None where it was left, too: then nobody is to be told of it."""
        found = self._board.tasks.get(id)
        return self._facts(found) if found and graph.is_current(self._board.plans.get(found.plan)) else None

    def active(self, session: str = "") -> TaskFacts | None:
        """The one that was started last, of plans that are in force; rather one that no other session holds."""
        running = [task for task in graph.in_force(self._board) if task.state == "active"]
        running.sort(key=lambda task: task.started_at)  # of the same second, the one planned last is the newest
        newest: TaskFacts | None = None
        for task in reversed(running):
            if not (held := holder(self._work.brain, task, session)):
                return self._facts(task)
            newest = newest or replace(self._facts(task), held_by=held)
        return newest

    def has_finished_work(self, phase: str) -> bool:
        """Whether some task, of a plan named so where a phase is named, was completed."""
        return any(
            task.state == "completed" and (not phase or phase in self._plan_name(task)) for task in self._board.tasks.values()
        )

    @property
    def _board(self) -> Board:
        if self._kept:
            return self._kept()
        if self._read is None:
            self._read = self._work.board()
        return self._read

    def _plan_name(self, task: Task) -> str:
        plan = self._board.plans.get(task.plan)
        return plan.name if plan else ""

    def _facts(self, task: Task) -> TaskFacts:
        board = self._board
        plan = board.plans.get(task.plan)
        asked = graph.waits_for(task, board) if task.state in ("planned", "active") else []
        waits = asked if task.state == "planned" else []
        open_now = tuple(one.why for one in asked if one.for_id in task.decisions) if task.state == "active" else ()
        gate = next((one for one in waits if task.gate and one.for_id == task.gate.after and task.gate.reason in one.why), None)
        return TaskFacts(
            id=task.id, name=task.name, state=graph.state_of(task, board), plan=self._plan_name(task),
            category=plan.category if plan else "", assigned_to=task.assigned_to, allowed_tools=task.allowed_tools, paths=task.paths,
            waits_for=tuple(f"{one.for_id}: {one.why}" for one in waits if one is not gate),
            gate=f"{gate.for_id}: {gate.why}" if gate else "", gate_reason=task.gate.reason if gate and task.gate else "",
            chain=self._chain(task), undecided=open_now,
        )  # fmt: skip

    def _chain(self, task: Task) -> tuple[str, ...]:
        """The plan and its tasks around this one, each with its state."""
        board = self._board
        plan = board.plans.get(task.plan)
        mine = [one for one in board.of_plan(task.plan) if not one.ahead and not one.archived_at]
        at = next((number for number, one in enumerate(mine) if one.id == task.id), 0)
        first = max(0, min(at - _ROWS // 2, len(mine) - _ROWS))
        rows = [f"  {one.id}: {one.name} [{graph.state_of(one, board)}]" for one in mine[first : first + _ROWS]]
        return (f"{plan.id}: {plan.name} [{plan.state}]", *rows) if plan else tuple(rows)
