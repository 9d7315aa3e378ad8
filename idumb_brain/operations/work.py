"""The brain open for work: plans and tasks as they stand, found by id, changed with a trace, told as JSON. Decides nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from idumb_brain.graph import tasks as graph
from idumb_brain.graph.tasks import Board
from idumb_brain.model.errors import BadInput
from idumb_brain.model.work import Artifact, Checkpoint, Delegation, Plan, Task
from idumb_brain.operations.project import Project, find_project, moment, now
from idumb_brain.store import knowledge as knowledge_store
from idumb_brain.store import work as store
from idumb_brain.store.brain import Brain, opened, writing
from idumb_brain.store.changes import record
from idumb_brain.store.database import Connection

_LONGEST = 2_000
_DURATION = re.compile(r"(\d+)\s*([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


@dataclass(frozen=True, slots=True)
class Work:
    project: Project
    brain: Brain
    moment: datetime

    @property
    def now(self) -> str:
        return self.brain.now

    @property
    def connection(self) -> Connection:
        return self.brain.connection

    def board(self) -> Board:
        plans = {plan.id: plan for plan in store.plans(self.connection)}
        tasks = {task.id: task for task in store.tasks(self.connection)}
        return Board(plans, tasks, lambda entry: knowledge_store.entry_at(self.connection, entry))

    def plan(self, given: str) -> Plan:
        found = store.plan_at(self.connection, given)
        if found is None:
            named = [plan for plan in store.plans(self.connection) if plan.name == given]
            if len(named) != 1:
                raise self._unknown("plan", given, [plan.id for plan in store.plans(self.connection)])
            return named[0]
        return found

    def task(self, given: str) -> Task:
        found = store.task_at(self.connection, given)
        if found is None:
            raise self._unknown("task", given, [task.id for task in store.tasks(self.connection)])
        return found

    @contextmanager
    def changing(self) -> Iterator[None]:
        """All or nothing."""
        with writing(self.brain):
            yield

    def keep(self, value: Plan | Task | Delegation | Artifact, action: str, by: str = "") -> None:
        """Store a value and the trace of what was done to it."""
        kind = type(value).__name__.lower()
        before = next((one for one in _at(self.connection, value) if one.id == value.id), None)
        store.write(self.connection, value)
        record(self.connection, self.now, kind, value.id, action, by or "manual", before, value)

    def _unknown(self, what: str, given: str, known: list[str]) -> BadInput:
        from difflib import get_close_matches

        near = get_close_matches(given, known, 1)
        listing = "plan status" if what in ("plan", "task") else f"{what} status"
        return BadInput(
            f"there is no {what} {given}",
            why=f"{len(known)} are known" if known else "none was ever made here",
            instead=f"did you mean {near[0]}?" if near else f"idumb-brain {listing} lists them",
        )


@contextmanager
def working(root: str | None = None, *, make: bool = False) -> Iterator[Work]:
    """The brain of a project. ``make``: something is to be written, so there has to be one."""
    project = find_project(root)
    with opened(project.brain, now(), make=make) as brain:
        yield Work(project, brain, moment())


def stated(what: str, text: str, *, longest: int = _LONGEST) -> str:
    """What somebody typed, fit to be kept: one line or more, nothing that drives a terminal."""
    plain = "".join(character for character in text.strip() if character >= " " or character in "\n\t")
    if not plain:
        raise BadInput(f"{what} is empty", why="it has to say something", instead=f"give {what} in a few words")
    if len(plain) > longest:
        raise BadInput(
            f"{what} has {len(plain):,} characters", why=f"at most {longest:,} are kept", instead="put the rest into a document"
        )
    return plain


def seconds_in(what: str, text: str) -> int:
    match = _DURATION.fullmatch(text.strip().lower())
    if not match:
        raise BadInput(f"{what} is {text!r}", why="that is not a duration", instead="for example 30m, 2h or 1d")
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


def _at(connection: Connection, value: Plan | Task | Delegation | Artifact) -> list[Any]:
    found = {
        Plan: store.plan_at, Task: store.task_at, Delegation: store.delegation_at, Artifact: store.artifact_at,
    }[type(value)](connection, value.id)  # fmt: skip
    return [found] if found is not None else []
