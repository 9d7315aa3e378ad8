"""Plans, tasks, checkpoints, delegations and planning artifacts as rows of the brain. One function per question; judges nothing.

A row is its value: columns are named like fields, tuples are JSON texts. ``rowid`` keeps the order in which things were planned.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from idumb_brain.model.work import Artifact, Checkpoint, Delegation, Gate, Plan, Section, Task
from idumb_brain.store.database import Connection

TABLES = """
CREATE TABLE plans (
  id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, acceptance TEXT NOT NULL, category TEXT NOT NULL, governance_level TEXT NOT NULL,
  state TEXT NOT NULL, depends_on TEXT NOT NULL, owned_by TEXT NOT NULL, parent TEXT NOT NULL, created_at TEXT NOT NULL,
  modified_at TEXT NOT NULL, completed_at TEXT NOT NULL, abandoned_at TEXT NOT NULL, purged_at TEXT NOT NULL
);
CREATE TABLE tasks (
  id TEXT NOT NULL UNIQUE, plan TEXT NOT NULL, name TEXT NOT NULL, expected_output TEXT NOT NULL,
  state TEXT NOT NULL,                -- planned, active, review, completed, failed; blocked is computed
  ahead INTEGER NOT NULL, delegated_by TEXT NOT NULL, assigned_to TEXT NOT NULL, claimed_by TEXT NOT NULL,
  allowed_tools TEXT NOT NULL, paths TEXT NOT NULL, depends_on TEXT NOT NULL,
  gate TEXT NOT NULL,                 -- [after, reason], or null
  discovered_from TEXT NOT NULL, decisions TEXT NOT NULL, artifacts TEXT NOT NULL, evidence TEXT NOT NULL, tests_run TEXT NOT NULL,
  failure TEXT NOT NULL, stale_after INTEGER NOT NULL, created_at TEXT NOT NULL, modified_at TEXT NOT NULL, started_at TEXT NOT NULL,
  completed_at TEXT NOT NULL, archived_at TEXT NOT NULL
);
CREATE INDEX tasks_by_plan ON tasks (plan);
CREATE TABLE checkpoints (
  id TEXT NOT NULL UNIQUE, task TEXT NOT NULL, tool TEXT NOT NULL, at TEXT NOT NULL, summary TEXT NOT NULL, files TEXT NOT NULL,
  session TEXT NOT NULL
);
CREATE INDEX checkpoints_by_task ON checkpoints (task);
CREATE TABLE delegations (
  id TEXT NOT NULL UNIQUE, sender TEXT NOT NULL, receiver TEXT NOT NULL, task TEXT NOT NULL, expected_output TEXT NOT NULL,
  context TEXT NOT NULL, allowed_tools TEXT NOT NULL, allowed_actions TEXT NOT NULL, state TEXT NOT NULL, depth INTEGER NOT NULL,
  parent_session TEXT NOT NULL, child_session TEXT NOT NULL, created_at TEXT NOT NULL, expires_at TEXT NOT NULL, ended_at TEXT NOT NULL
);
CREATE INDEX delegations_by_task ON delegations (task);
CREATE TABLE artifacts (
  id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, path TEXT NOT NULL, title TEXT NOT NULL, state TEXT NOT NULL, sections TEXT NOT NULL,
  parent TEXT NOT NULL, parent_hash TEXT NOT NULL, superseded_by TEXT NOT NULL, tasks TEXT NOT NULL, entries TEXT NOT NULL,
  created_at TEXT NOT NULL, modified_at TEXT NOT NULL, implemented_at TEXT NOT NULL, validated_at TEXT NOT NULL, purged_at TEXT NOT NULL
);
"""
_TABLE: dict[type, str] = {
    Plan: "plans", Task: "tasks", Checkpoint: "checkpoints", Delegation: "delegations", Artifact: "artifacts",
}  # fmt: skip
Value = TypeVar("Value", Plan, Task, Checkpoint, Delegation, Artifact)


def write(connection: Connection, value: Plan | Task | Checkpoint | Delegation | Artifact) -> None:
    """Keep a value; what was kept under its id before is replaced, and its place in the order stays."""
    names = _columns(type(value))
    changed = ", ".join(f"{name} = excluded.{name}" for name in names if name != "id")
    connection.execute(
        f"INSERT INTO {_TABLE[type(value)]} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
        f" ON CONFLICT (id) DO UPDATE SET {changed}",
        [_stored(getattr(value, name)) for name in names],
    )


def plans(connection: Connection) -> list[Plan]:
    """In the order they were made."""
    return _read(connection, Plan)


def plan_at(connection: Connection, number: str) -> Plan | None:
    return next(iter(_read(connection, Plan, "id = ?", (number,))), None)


def tasks(connection: Connection, plan: str = "") -> list[Task]:
    """Of one plan or of all, in the order they were planned."""
    return _read(connection, Task, "plan = ?" if plan else "1", (plan,) if plan else ())


def task_at(connection: Connection, number: str) -> Task | None:
    return next(iter(_read(connection, Task, "id = ?", (number,))), None)


def claim(connection: Connection, number: str, session: str, now: str) -> bool:
    """Make a planned task active for one session. False when somebody else was faster."""
    cursor = connection.execute(
        "UPDATE tasks SET state = 'active', claimed_by = ?, started_at = CASE started_at WHEN '' THEN ? ELSE started_at END,"
        " modified_at = ? WHERE id = ? AND (state = 'planned' OR (state = 'active' AND claimed_by = ?))",
        (session, now, now, number, session),
    )
    return bool(cursor.rowcount)


def checkpoints_of(connection: Connection, task: str, limit: int = -1) -> list[Checkpoint]:
    """The newest first."""
    return _read(connection, Checkpoint, "task = ?", (task,), f"rowid DESC LIMIT {limit:d}")


def last_checkpoints(connection: Connection) -> dict[str, Checkpoint]:
    """task → its newest checkpoint."""
    newest = "rowid IN (SELECT max(rowid) FROM checkpoints GROUP BY task)"
    return {one.task: one for one in _read(connection, Checkpoint, newest)}


def recent_checkpoints(connection: Connection, limit: int) -> list[Checkpoint]:
    """The newest of all tasks, newest first."""
    return _read(connection, Checkpoint, "1", (), f"rowid DESC LIMIT {limit:d}")


def delegations(connection: Connection, *, task: str = "") -> list[Delegation]:
    return _read(connection, Delegation, "task = ?" if task else "1", (task,) if task else ())


def delegation_at(connection: Connection, number: str) -> Delegation | None:
    return next(iter(_read(connection, Delegation, "id = ?", (number,))), None)


def delegation_of_child(connection: Connection, session: str) -> Delegation | None:
    """What a session was told to do, if it was; the newest."""
    return next(iter(_read(connection, Delegation, "child_session = ?", (session,), "rowid DESC")), None)


def artifacts(connection: Connection) -> list[Artifact]:
    return _read(connection, Artifact)


def artifact_at(connection: Connection, number_or_path: str) -> Artifact | None:
    """By id or by path; of several that lay at a path, the newest."""
    found = _read(connection, Artifact, "id = ? OR path = ?", (number_or_path, number_or_path), "rowid DESC")
    return next(iter(found), None)


def ids(connection: Connection) -> list[str]:
    """Every id of a plan, task, delegation or artifact, for telling what somebody may have meant."""
    tables = ("plans", "tasks", "delegations", "artifacts")
    return [row[0] for table in tables for row in connection.execute(f"SELECT id FROM {table} ORDER BY rowid")]


def _read(
    connection: Connection, kind: type[Value], where: str = "1", values: Sequence[Any] = (), order: str = "rowid"
) -> list[Value]:
    names = _columns(kind)
    rows: Iterable[Sequence[Any]] = connection.execute(
        f"SELECT {', '.join(names)} FROM {_TABLE[kind]} WHERE {where} ORDER BY {order}", values
    )
    return [kind(**{name: _told(name, cell) for name, cell in zip(names, row, strict=True)}) for row in rows]


def _columns(kind: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


_LISTS = frozenset(
    (
        "acceptance",
        "depends_on",
        "allowed_tools",
        "allowed_actions",
        "paths",
        "decisions",
        "artifacts",
        "files",
        "tasks",
        "entries",
    )
)


def _stored(cell: Any) -> Any:
    if isinstance(cell, Gate):
        return json.dumps([cell.after, cell.reason], ensure_ascii=False)
    if isinstance(cell, tuple) or cell is None:
        rows = [[s.title, s.level, s.line, s.hash] if isinstance(s, Section) else s for s in cell] if cell is not None else None
        return json.dumps(rows, ensure_ascii=False)
    return int(cell) if isinstance(cell, bool) else cell


def _told(name: str, cell: Any) -> Any:
    if name in _LISTS:
        return tuple(json.loads(cell))
    if name == "sections":
        return tuple(Section(*row) for row in json.loads(cell))
    if name == "gate":
        stated = json.loads(cell)
        return Gate(*stated) if stated else None
    return bool(cell) if name == "ahead" else cell
