"""Plans, tasks, checkpoints, delegations and planning documents as rows of the brain. One function per question; judges nothing.

A row is its value: columns are named like fields, tuples are JSON texts. ``number`` keeps the order in which things were planned.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from functools import lru_cache
from typing import Any, TypeVar

from idumb_brain.model.work import (
    ARTIFACT_STATES,
    DELEGATION_STATES,
    PLAN_STATES,
    TASK_STATES,
    Artifact,
    Checkpoint,
    Delegation,
    Gate,
    Plan,
    Section,
    Task,
)
from idumb_brain.store.audit import record
from idumb_brain.store.brain import Brain, writing
from idumb_brain.store.guard import Row, Rule, fetch, keep_aside, mended, number, one_of, text, time

_TABLE: dict[type, str] = {
    Plan: "plans", Task: "tasks", Checkpoint: "checkpoints", Delegation: "delegations", Artifact: "artifacts",
}  # fmt: skip
_STATES: dict[type, tuple[str, ...]] = {
    Plan: PLAN_STATES, Task: tuple(state for state in TASK_STATES if state != "blocked"), Delegation: DELEGATION_STATES,
    Artifact: ARTIFACT_STATES,
}  # fmt: skip
_COLUMNS: dict[type, tuple[str, ...]] = {kind: tuple(field.name for field in fields(kind)) for kind in _TABLE}
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
_NUMBERS = {"ahead": 1, "depth": 1000, "stale_after": 1 << 31}
Kept = Plan | Task | Checkpoint | Delegation | Artifact
Value = TypeVar("Value", Plan, Task, Checkpoint, Delegation, Artifact)


def write(brain: Brain, value: Kept) -> None:
    """Keep a value; what was kept under its id before is replaced, and its place in the order stays."""
    names = _COLUMNS[type(value)]
    changed = ", ".join(f"{name} = excluded.{name}" for name in names if name != "id")
    with writing(brain) as connection:
        connection.execute(
            f"INSERT INTO {_TABLE[type(value)]} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
            f" ON CONFLICT (id) DO UPDATE SET {changed}",
            [_stored(getattr(value, name)) for name in names],
        )


def keep(brain: Brain, value: Kept, action: str, by: str) -> None:
    """Write a value, and the trace of what was done to it."""
    with writing(brain):
        before: Any = at(brain, type(value), value.id)
        write(brain, value)
        record(brain, type(value).__name__.lower(), value.id, action, by, _told(before), _told(value))


def at(brain: Brain, kind: type[Value], number: str) -> Value | None:
    return next(iter(_read(brain, kind, "WHERE id = ?", (number,))), None)


def next_number(brain: Brain, kind: type[Kept]) -> int:
    """What the next new one of a kind will have: makes an id that no other has, even while the clock stands still."""
    number: int = fetch(brain, f"SELECT coalesce(max(number), 0) + 1 FROM {_TABLE[kind]}")[0][0]
    return number


def plans(brain: Brain) -> list[Plan]:
    """In the order they were made."""
    return _read(brain, Plan)


def tasks(brain: Brain) -> list[Task]:
    """In the order they were planned."""
    return _read(brain, Task)


def tasks_in(brain: Brain, state: str) -> list[Task]:
    """Those in one state, in the order they were planned."""
    return _read(brain, Task, "WHERE state = ?", (state,))


def tasks_of_session(brain: Brain, session: str) -> list[Task]:
    """Those it took, and those it did something for."""
    where = "WHERE claimed_by = ?1 OR id IN (SELECT task FROM checkpoints WHERE session = ?1)"
    return _read(brain, Task, where, (session,))


def tasks_named(brain: Brain, ids: Sequence[str]) -> list[Task]:
    return _read(brain, Task, f"WHERE id IN ({','.join('?' * len(ids))})", ids) if ids else []


def checkpoints_of(brain: Brain, task: str, limit: int = -1) -> list[Checkpoint]:
    """The newest first."""
    return _read(brain, Checkpoint, "WHERE task = ?", (task,), f"number DESC LIMIT {limit:d}")


def number_of_checkpoints(brain: Brain, task: str) -> int:
    return int(fetch(brain, "SELECT count(*) FROM checkpoints WHERE task = ?", (task,))[0][0])


def last_checkpoints(brain: Brain) -> dict[str, Checkpoint]:
    """task → its newest checkpoint."""
    newest = "WHERE number IN (SELECT max(number) FROM checkpoints GROUP BY task)"
    return {one.task: one for one in _read(brain, Checkpoint, newest)}


def recent_checkpoints(brain: Brain, limit: int) -> list[Checkpoint]:
    """The newest of all tasks, newest first."""
    return _read(brain, Checkpoint, "", (), f"number DESC LIMIT {limit:d}")


def checkpoints_for(brain: Brain, session: str, task: str, limit: int) -> list[Checkpoint]:
    """Those of a session or of a task, newest first."""
    return _read(brain, Checkpoint, "WHERE session = ? OR task = ?", (session, task), f"number DESC LIMIT {limit:d}")


def delegations(brain: Brain, *, task: str = "") -> list[Delegation]:
    return _read(brain, Delegation, "WHERE task = ?" if task else "", (task,) if task else ())


def delegation_of_child(brain: Brain, session: str) -> Delegation | None:
    """What a session was told to do, if it was; the newest."""
    return next(iter(_read(brain, Delegation, "WHERE child_session = ?", (session,), "number DESC LIMIT 1")), None)


def artifacts(brain: Brain) -> list[Artifact]:
    return _read(brain, Artifact)


def artifact_at(brain: Brain, number_or_path: str) -> Artifact | None:
    """By id or by path; of several that lay at a path, the newest."""
    found = _read(brain, Artifact, "WHERE id = ?1 OR path = ?1", (number_or_path,), "number DESC LIMIT 1")
    return next(iter(found), None)


def checkpoints(brain: Brain) -> list[Checkpoint]:
    """Of all tasks, in the order they were recorded."""
    return _read(brain, Checkpoint)


def order(brain: Brain, kind: type[Kept], ids: Sequence[str]) -> None:
    """Give all rows of a kind the order of these ids."""
    table = _TABLE[kind]
    with writing(brain) as connection:
        connection.execute(f"UPDATE {table} SET number = -number")
        connection.executemany(f"UPDATE {table} SET number = ? WHERE id = ?", list(enumerate(ids, start=1)))


def sound(value: Value) -> tuple[Value | None, list[str]]:
    """What of a value from elsewhere can be believed, and what was wrong with it."""
    kind = type(value)
    row, told = mended({name: _stored(getattr(value, name)) for name in _COLUMNS[kind]}, _RULES[kind])
    return (kind(**{name: _value(name, row[name]) for name in _COLUMNS[kind]}) if row else None), told


def _read(brain: Brain, kind: type[Value], where: str = "", values: Sequence[Any] = (), order: str = "number") -> list[Value]:
    names: tuple[str, ...] = _COLUMNS[kind]
    table = _TABLE[kind]
    found = []
    for row in fetch(brain, f"SELECT number, {', '.join(names)} FROM {table} {where} ORDER BY {order}", values):
        if known := _understood(_TABLE[kind], row[1:]):
            found.append(known)
            continue
        stated: Row = dict(zip(("number", *names), row, strict=True))
        sound, wrong = mended(stated, _RULES[kind])
        if wrong:
            keep_aside(brain, table, {"number": stated["number"]}, stated, sound, wrong)
        if sound:
            found.append(kind(**{name: _value(name, sound[name]) for name in names}))
    return found


@lru_cache(maxsize=1 << 12)  # the same rows are read again and again
def _understood(table: str, row: tuple[Any, ...]) -> Any:
    """The value it is; None where something is wrong with it."""
    kind = next(one for one, name in _TABLE.items() if name == table)
    stated: Row = dict(zip(_COLUMNS[kind], row, strict=True))
    return None if mended(stated, _RULES[kind])[1] else kind(**{name: _value(name, cell) for name, cell in stated.items()})


def _rule(kind: type[Any], name: str) -> Rule:
    if name == "id":
        return text(name, empty=False)
    if name == "state":
        return one_of(name, _STATES[kind])
    if name in _LISTS:
        return Rule(name, lambda cell: _is_list(cell), lambda row: "[]", "a JSON list of texts")
    if name == "sections":
        return Rule(name, lambda cell: _is_list(cell, list), lambda row: "[]", "a JSON list of sections")
    if name == "gate":
        return Rule(name, lambda cell: cell == "null" or _is_list(cell), lambda row: "null", "what comes first, and why")
    if name in _NUMBERS:
        return number(name, 0, _NUMBERS[name], lambda row: 0)
    if name == "at" or name.endswith("_at"):
        return time(name, lambda row: "", empty=True)
    return text(name)


def _is_list(cell: Any, of: type = str) -> bool:
    if of is str:
        return _texts(cell) is not None
    try:
        read = json.loads(cell)
    except (TypeError, ValueError):
        return False
    return isinstance(read, list) and all(isinstance(one, of) for one in read)


@lru_cache(maxsize=1 << 13)  # most are empty, and each is asked for twice: whether it is sound, and what it says
def _texts(cell: Any) -> tuple[str, ...] | None:
    try:
        read = json.loads(cell)
    except (TypeError, ValueError):
        return None
    return tuple(read) if isinstance(read, list) and all(isinstance(one, str) for one in read) else None


def _stored(cell: Any) -> Any:
    if isinstance(cell, Gate):
        return json.dumps([cell.after, cell.reason], ensure_ascii=False)
    if cell is None:
        return "null"
    if isinstance(cell, tuple):
        rows = [[s.title, s.level, s.line, s.hash] if isinstance(s, Section) else s for s in cell]
        return json.dumps(rows, ensure_ascii=False)
    return int(cell) if isinstance(cell, bool) else cell


def _value(name: str, cell: Any) -> Any:
    if name in _LISTS:
        return _texts(cell) or ()
    if name == "sections":
        return tuple(Section(*row) for row in json.loads(cell))
    if name == "gate":
        stated = json.loads(cell)
        return Gate(*stated) if stated else None
    return bool(cell) if name == "ahead" else cell


def _told(value: Kept | None) -> dict[str, Any]:
    if value is None:
        return {}
    return {name: cell for name, cell in asdict(value).items() if name != "id" and cell not in ("", (), 0, None, False)}


_RULES: dict[type, tuple[Rule, ...]] = {kind: tuple(_rule(kind, name) for name in _COLUMNS[kind]) for kind in _TABLE}
