"""A whole brain read as one value, and another value put in its place. Refuses to judge which of two is right."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from idumb_brain.model.exchange import IMPORT, KINDS, LOGS, Content
from idumb_brain.model.governance import Halt
from idumb_brain.model.knowledge import Entry
from idumb_brain.store import anchors, knowledge, sessions, work
from idumb_brain.store.brain import Brain, writing
from idumb_brain.store.guard import fetch

_AS_JSON = {"changes": ("before", "after"), "quarantine": ("row",)}
_READ: Mapping[str, Callable[[Brain], Iterable[Any]]] = {
    "entries": lambda brain: knowledge.entries(brain, every=True),
    "anchors": lambda brain: anchors.anchors(brain, every=True),
    "plans": work.plans,
    "tasks": work.tasks,
    "checkpoints": work.checkpoints,
    "delegations": work.delegations,
    "artifacts": work.artifacts,
    "sessions": sessions.sessions,
    "halts": sessions.halts,
}
_SOUND: Mapping[str, Callable[[Any], tuple[Any, list[str]]]] = {
    "entries": knowledge.sound,
    "anchors": anchors.sound,
    "sessions": sessions.sound,
    "halts": lambda halt: (halt, []),
}


def content(brain: Brain) -> Content:
    """All of it; broken rows are mended or kept aside on the way, as ever."""
    things = {kind: {one.id: one for one in read(brain)} for kind, read in _READ.items()}
    return Content(things, {table: _log(brain, table) for table in LOGS})


def of_session(brain: Brain, id: str) -> Content:
    """The same of one session: its record and what happened in it."""
    found = sessions.session(brain, id)
    return Content(
        {"sessions": {id: found} if found else {}}, {table: _log(brain, table, id) for table in ("events", "violations")}
    )


def sound(kind: str, value: Any) -> tuple[Any, list[str]]:
    """What of a value from elsewhere can be believed, None for nothing; and what was wrong with it."""
    return _SOUND.get(kind, work.sound)(value)


def put(brain: Brain, before: Content, after: Content) -> dict[str, dict[str, int]]:
    """Make the brain, which holds the one, hold the other. How many of each kind are new, changed and gone."""
    told = {}
    with writing(brain):
        for id in before.of("entries").keys() - after.of("entries").keys():
            knowledge.erase_entry(brain, before.of("entries")[id], IMPORT)
        for table in LOGS:
            _put_log(brain, table, before.log(table), after.log(table))
        for kind in KINDS:
            was, becomes = before.of(kind), after.of(kind)
            new = [one for id, one in becomes.items() if id not in was]
            changed = [(was[id], one) for id, one in becomes.items() if id in was and not _same(was[id], one)]
            for old, one in sorted(changed, key=lambda pair: getattr(pair[1], "origin", "")):  # who loses its origin goes first
                _put(brain, old, one)
            for one in sorted(new, key=_began):
                _put(brain, None, one)
            gone = len(was.keys() - becomes.keys())
            if new or changed or gone:
                told[kind] = {"new": len(new), "changed": len(changed), "gone": gone}
            if kind in ("tasks", "checkpoints") and kind in told:
                _put_in_order(brain, kind, becomes)
    return told


def _log(brain: Brain, table: str, session: str = "") -> list[dict[str, Any]]:
    columns = LOGS[table]
    among = f"WHERE by != '{IMPORT}'" if table == "changes" else "WHERE session = ?" if session else ""
    rows = fetch(brain, f"SELECT {', '.join(columns)} FROM {table} {among} ORDER BY number", [session] if session else [])
    return [
        {
            column: _read(value) if column in _AS_JSON.get(table, ()) else _clean(value)
            for column, value in zip(columns, row, strict=True)
        }
        for row in rows
    ]


def _put_log(brain: Brain, table: str, before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> None:
    if before == after:
        return
    columns = LOGS[table]
    mine = f"WHERE by != '{IMPORT}'" if table == "changes" else ""
    brain.connection.execute(f"DELETE FROM {table} {mine}")
    brain.connection.executemany(
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({','.join('?' * len(columns))})",
        [[_json(row[column]) if column in _AS_JSON.get(table, ()) else row[column] for column in columns] for row in after],
    )


def _put(brain: Brain, old: Any, one: Any) -> None:
    kind = type(one)
    if kind is KINDS["entries"]:
        if old is None:
            knowledge.add_entry(brain, one, IMPORT)
        else:
            knowledge.change_entry(brain, old, one, IMPORT, IMPORT)
    elif kind is KINDS["anchors"]:
        if old is None:
            anchors.add_anchor(brain, one, IMPORT)
        else:
            anchors.change_anchor(brain, old, one, IMPORT, IMPORT)
    elif kind is KINDS["sessions"]:
        sessions.keep(brain, one)
    elif isinstance(one, Halt):
        sessions.keep_halt(brain, one)
    else:
        work.keep(brain, one, IMPORT, IMPORT)


def _put_in_order(brain: Brain, kind: str, values: Mapping[str, Any]) -> None:
    """Of what was made in the same second, only the order of rows says what came first."""
    there = [one.id for one in sorted(_READ[kind](brain), key=_began)]
    if there != list(values):
        work.order(brain, KINDS[kind], list(values))


def _began(one: Any) -> str:
    return str(getattr(one, "created_at", "") or getattr(one, "started_at", "") or getattr(one, "at", ""))


def _same(one: Any, other: Any) -> bool:
    """What an entry supersedes is told by those that it supersedes."""
    if isinstance(one, Entry) and isinstance(other, Entry):
        return replace(one, supersedes=()) == replace(other, supersedes=())
    return bool(one == other)


def _clean(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace") if isinstance(value, str) else value


def _read(value: Any) -> Any:
    try:
        return json.loads(value)
    except (TypeError, ValueError):
        return _clean(value)


def _json(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
