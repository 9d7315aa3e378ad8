"""The brain open for work: plans and tasks as they stand, found by id, changed with a trace, told as JSON. Decides nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from idumb_brain.graph import tasks as graph
from idumb_brain.graph.tasks import Board
from idumb_brain.model.errors import BadInput
from idumb_brain.model.work import Checkpoint, Plan, Task
from idumb_brain.operations.project import Project, find_project, moment
from idumb_brain.operations.stated import chance, made_id, unknown
from idumb_brain.store import knowledge
from idumb_brain.store import work as store
from idumb_brain.store.brain import Brain

_DURATION = re.compile(r"(\d{1,6})\s*(s|min|h|d)")
_SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86400}


@dataclass(frozen=True, slots=True)
class Work:
    project: Project
    brain: Brain
    moment: datetime

    @property
    def now(self) -> str:
        return self.brain.now

    def board(self) -> Board:
        return boarded(self.brain)

    def plan(self, given: str) -> Plan:
        """By id, or by a name that only one has."""
        found = store.at(self.brain, Plan, given)
        if found is None:
            plans = store.plans(self.brain)
            named = [plan for plan in plans if plan.name == given]
            if len(named) != 1:
                raise unknown("plan", given, [plan.id for plan in plans], "idumb-brain plan status --all lists them")
            return named[0]
        return found

    def task(self, given: str) -> Task:
        """By id, or by a name that only one has."""
        found = store.at(self.brain, Task, given)
        if found is None:
            tasks = store.tasks(self.brain)
            named = [task for task in tasks if task.name == given]
            if len(named) != 1:
                raise unknown("task", given, [task.id for task in tasks], "idumb-brain plan status --all lists them")
            return named[0]
        return found

    def new_id(self, kind: type[store.Kept], name: str) -> str:
        seed = chance(os.environ.get("IDUMB_BRAIN_NOW", ""))
        return made_id(kind.__name__.lower(), name, f"{seed}#{store.next_number(self.brain, kind)}")

    def keep(self, value: store.Kept, action: str, by: str = "") -> None:
        store.keep(self.brain, value, action, by or "manual")


@contextmanager
def working(root: str | None = None, *, make: bool = False) -> Iterator[Work]:
    """The brain of a project. ``make``: something is to be written, so there has to be one."""
    project = find_project(root)
    with project.remembering(make=make) as brain:
        yield Work(project, brain, moment())


def boarded(brain: Brain) -> Board:
    """Every plan and task there is."""
    plans = {plan.id: plan for plan in store.plans(brain)}
    tasks = {task.id: task for task in store.tasks(brain)}
    return Board(plans, tasks, lambda entry: knowledge.entry(brain, entry))


def seconds_in(what: str, text: str) -> int:
    match = _DURATION.fullmatch(text.strip().lower())
    if not match:
        raise BadInput(f"{what} is {text!r}", why="that is not a duration", instead="for example 30min, 2h or 1d")
    return int(match[1]) * _SECONDS[match[2]]


def plan_data(plan: Plan, board: Board) -> dict[str, Any]:
    done, total = graph.progress(plan, board)
    mine = [task for task in board.of_plan(plan.id) if not task.archived_at]
    return {
        "id": plan.id, "name": plan.name, "acceptance": list(plan.acceptance), "category": plan.category,
        "governanceLevel": plan.governance_level, "status": plan.state, "dependsOn": list(plan.depends_on), "ownedBy": plan.owned_by,
        "parent": plan.parent, "done": done, "total": total,
        "tasks": [task_data(task, board) for task in mine if not task.ahead],
        "planAhead": [task_data(task, board) for task in mine if task.ahead],
        "createdAt": plan.created_at, "modifiedAt": plan.modified_at, "completedAt": plan.completed_at or None,
        "abandonedAt": plan.abandoned_at or None, "purgedAt": plan.purged_at or None,
    }  # fmt: skip


def task_data(task: Task, board: Board, checkpoints: Iterable[Checkpoint] | None = None) -> dict[str, Any]:
    gate = {"after": task.gate.after, "reason": task.gate.reason} if task.gate else None
    result = None
    if task.state in ("completed", "failed"):
        result = {
            "evidence": task.evidence or task.failure, "filesModified": list(task.artifacts), "testsRun": task.tests_run,
        }  # fmt: skip
    data: dict[str, Any] = {
        "id": task.id, "plan": task.plan, "name": task.name, "expectedOutput": task.expected_output,
        "status": graph.state_of(task, board), "ahead": task.ahead, "delegatedBy": task.delegated_by, "assignedTo": task.assigned_to,
        "claimedBy": task.claimed_by or None, "allowedTools": list(task.allowed_tools), "paths": list(task.paths),
        "dependsOn": list(task.depends_on), "temporalGate": gate, "discoveredFrom": task.discovered_from or None,
        "decisions": list(task.decisions), "artifacts": list(task.artifacts), "result": result,
        "waitsFor": [
            {"id": waiting.for_id, "why": waiting.why, "instead": waiting.instead, "broken": waiting.broken}
            for waiting in (graph.waits_for(task, board) if task.state == "planned" else ())
        ],
        "createdAt": task.created_at, "modifiedAt": task.modified_at, "startedAt": task.started_at or None,
        "completedAt": task.completed_at or None, "archivedAt": task.archived_at or None,
    }  # fmt: skip
    if checkpoints is not None:
        data["checkpoints"] = [checkpoint_data(one) for one in checkpoints]
    return data


def checkpoint_data(one: Checkpoint) -> dict[str, Any]:
    return {"id": one.id, "tool": one.tool, "timestamp": one.at, "summary": one.summary, "filesModified": list(one.files)}


def touched(value: Plan | Task, moment_now: str, **changes: Any) -> Any:
    """The same value changed, and when."""
    return replace(value, modified_at=moment_now, **changes)
