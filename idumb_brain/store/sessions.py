"""Sessions in the brain: how they are kept, what happened in them, what was refused, what was halted. Refuses to say what follows from it.

Whoever changes a session reads and writes it within one ``writing`` block: hooks of several processes tell of the same one.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any

from idumb_brain.model.governance import Halt, Refusal
from idumb_brain.model.work import MAX_DEPTH, SESSION_STATES, Session
from idumb_brain.store.brain import Brain, writing
from idumb_brain.store.guard import Row, Rule, fetch, keep_aside, mended, number, one_of, text, time

_COLUMNS = tuple(one.name for one in fields(Session))
_LISTS = ("children", "compactions", "anchors_survived", "entries_created", "files_modified", "tasks_completed", "delegations")
_FLAGS = ("injected", "strict", "purify")
_COUNTS = ("violations", "cancels", "exports", "messages")
_TIMES = ("scored_at", "watched_since", "idle_at", "resumed_at")
_TEXTS = ("parent", "role", "agent", "phase", "language", "task", "first_tool", "compaction_seen")
_HALT = tuple(one.name for one in fields(Halt))
_HALT_LISTS = ("chain", "evidence")
_UNTOLD, _TOLD = "to tell", "told"  # hints that wait for a turn
_HANDS_ON, _HANDED = "hands on", "handed on"  # work that waits for its agent
_DEEPEST = 64  # sessions above one another that are believed; more is a circle that somebody wrote by hand


def _strings(value: Any) -> list[str] | None:
    read = _read(value)
    return read if isinstance(read, list) and all(isinstance(one, str) for one in read) else None


def _pairs(value: Any) -> list[tuple[str, int]] | None:
    read = _read(value)
    if not isinstance(read, list):
        return None
    sound = all(isinstance(one, list) and len(one) == 2 and isinstance(one[0], str) and type(one[1]) is int for one in read)
    return [(tool, times) for tool, times in read] if sound else None


def _read(value: Any) -> Any:
    try:
        return json.loads(value)
    except (TypeError, ValueError):
        return None


def _list(column: str) -> Rule:
    return Rule(column, lambda value: _strings(value) is not None, lambda row: "[]", "a JSON list of texts")


_RULES: tuple[Rule, ...] = (
    text("id", empty=False),
    one_of("state", SESSION_STATES, lambda row: "interrupted"),
    number("level", 1, MAX_DEPTH, lambda row: 2 if row["parent"] else 1),
    *(text(column) for column in _TEXTS),
    *(_list(column) for column in _LISTS),
    Rule("tools_used", lambda value: _pairs(value) is not None, lambda row: "[]", "a JSON list of tool and number"),
    *(number(column, 0, 1, lambda row: 0) for column in _FLAGS),
    *(number(column, 0, 1 << 31, lambda row: 0) for column in _COUNTS),
    Rule("prompt_score", lambda value: isinstance(value, float) and 0 <= value < 1e9, lambda row: 0.0, "a number from 0"),
    time("started_at", lambda row: "1970-01-01T00:00:00Z"),
    time("updated_at", lambda row: str(row["started_at"])),
    *(time(column, lambda row: "", empty=True) for column in _TIMES),
)


@contextlib.contextmanager
def noting(brain: Brain) -> Iterator[None]:
    """A ``writing`` that does not wait for the disk: what sessions tell by the second outlives every process, if not a power cut."""
    if brain.connection.in_transaction or brain.readonly:
        with writing(brain):
            yield
        return
    brain.connection.execute("PRAGMA synchronous = NORMAL")
    try:
        with writing(brain):
            yield
    finally:
        brain.connection.execute("PRAGMA synchronous = FULL")


def session(brain: Brain, id: str) -> Session | None:
    found = _sessions(brain, "WHERE id = ?", (_text(id),))
    return found[0] if found else None


def sessions(brain: Brain, *, state: str = "", limit: int = -1) -> list[Session]:
    """Those last heard of first."""
    where, values = ("WHERE state = ?", [state]) if state else ("", [])
    return _sessions(brain, f"{where} ORDER BY updated_at DESC, id LIMIT ?", [*values, limit])


def total(brain: Brain) -> int:
    return int(fetch(brain, "SELECT count(*) FROM sessions")[0][0])


def lineage(brain: Brain, of: Session) -> list[Session]:
    """The session that talks to the user, those below it, and at last this one."""
    found = [of]
    while found[0].parent and len(found) < _DEEPEST:
        above = session(brain, found[0].parent)
        if above is None or any(above.id == one.id for one in found):
            break
        found.insert(0, above)
    return found


def working_on(brain: Brain, task: str) -> list[Session]:
    return _sessions(brain, "WHERE task = ? ORDER BY id", (_text(task),))


def older_than(brain: Brain, time: str) -> list[Session]:
    return _sessions(brain, "WHERE updated_at < ? ORDER BY updated_at, id", (time,))


def keep(brain: Brain, made: Session) -> None:
    """New or changed."""
    row = _row(made)
    with writing(brain) as connection:
        connection.execute(
            f"INSERT INTO sessions ({', '.join(_COLUMNS)}) VALUES ({','.join('?' * len(_COLUMNS))}) ON CONFLICT (id) DO UPDATE SET "
            + ", ".join(f"{column} = excluded.{column}" for column in _COLUMNS if column != "id"),
            [*row.values()],
        )


def forget(brain: Brain, ids: Sequence[str]) -> None:
    """Sessions and all that was kept of what happened in them."""
    with writing(brain) as connection:
        for id in ids:
            for table in ("events", "violations", "halts"):
                connection.execute(f"DELETE FROM {table} WHERE session = ?", (id,))
            connection.execute("DELETE FROM sessions WHERE id = ?", (id,))


# -- what happened ---------------------------------------------------------------------------------------------------


def note(brain: Brain, session: str, kind: str, *, key: str = "", score: float = 0.0, detail: str = "") -> None:
    with writing(brain) as connection:
        connection.execute(
            "INSERT INTO events (session, at, kind, key, score, detail) VALUES (?,?,?,?,?,?)",
            (_text(session), brain.now, kind, _text(key), score, _text(detail)),
        )


def events(brain: Brain, session: str, kinds: Iterable[str] = (), since: str = "", limit: int = -1) -> list[Row]:
    """The oldest first; with a limit, the last so many."""
    wanted = tuple(kinds)
    among = f"AND kind IN ({','.join('?' * len(wanted))})" if wanted else ""
    rows = fetch(
        brain,
        f"SELECT number, at, kind, key, score, detail FROM events WHERE session = ? AND at >= ? {among} ORDER BY number DESC LIMIT ?",
        [_text(session), since, *wanted, limit],
    )
    return [dict(zip(("number", "at", "kind", "key", "score", "detail"), row, strict=True)) for row in reversed(rows)]


def tell_later(brain: Brain, session: str, text: str, key: str = "") -> None:
    note(brain, session, _UNTOLD, key=key, detail=text)


def untold(brain: Brain, session: str, key: str = "") -> list[str]:
    """What is still to be told, or what of it has the key. It is told now: nobody gets it twice."""
    found = [one for one in events(brain, session, (_UNTOLD,)) if not key or one["key"] == key]
    if found:
        with noting(brain):
            for one in found:
                brain.connection.execute("UPDATE events SET kind = ? WHERE number = ?", (_TOLD, one["number"]))
    return list(dict.fromkeys(one["detail"] for one in found))


def remember(brain: Brain, session: str, what: str, text: str) -> None:
    """In the place of what was remembered under that name; nothing, without a text."""
    with noting(brain):
        brain.connection.execute("DELETE FROM events WHERE session = ? AND kind = ?", (_text(session), what))
        if text:
            note(brain, session, what, detail=text)


def remembered(brain: Brain, session: str, what: str) -> str:
    found = events(brain, session, (what,), limit=1)
    return str(found[0]["detail"]) if found else ""


def hands_on(brain: Brain, among: str, by: str, to: str) -> None:
    """A session is about to hand work to an agent, which will not say whose it was. ``among``: the session that both belong to."""
    with noting(brain):
        note(brain, among, _HANDS_ON, key=to, detail=by)


def handed_by(brain: Brain, among: str, to: str, since: str) -> str:
    """Who handed work to that agent last; "" where nobody did. Each is asked for once."""
    waiting = [one for one in events(brain, among, (_HANDS_ON,), since) if one["key"] == to]
    if not waiting:
        return ""
    with noting(brain):
        brain.connection.execute("UPDATE events SET kind = ? WHERE number = ?", (_HANDED, waiting[-1]["number"]))
    return str(waiting[-1]["detail"])


# -- what was refused ------------------------------------------------------------------------------------------------


def refuse(brain: Brain, session: str, refusal: Refusal, decision: str, enforced: bool, what: str) -> None:
    with writing(brain) as connection:
        connection.execute(
            "INSERT INTO violations (session, at, rule, tool, target, decision, enforced, what) VALUES (?,?,?,?,?,?,?,?)",
            [_text(one) for one in (session, refusal.at, refusal.rule, refusal.tool, refusal.target, decision, enforced, what)],
        )


def refusals(brain: Brain, session: str, since: str, limit: int = 50) -> list[Refusal]:
    """The last calls that were blocked, the newest last."""
    rows = fetch(
        brain,
        "SELECT rule, tool, target, at FROM violations WHERE session = ? AND at >= ? AND decision = 'block'"
        " ORDER BY at DESC, number DESC LIMIT ?",
        (_text(session), since, limit),
    )
    return [Refusal(*row) for row in reversed(rows)]


def violations(brain: Brain, session: str) -> list[Row]:
    columns = ("at", "rule", "tool", "target", "decision", "enforced", "what")
    rows = fetch(brain, f"SELECT {', '.join(columns)} FROM violations WHERE session = ? ORDER BY number", (_text(session),))
    return [dict(zip(columns, row, strict=True)) for row in rows]


# -- what was halted -------------------------------------------------------------------------------------------------


def add_halt(brain: Brain, halt: Halt) -> None:
    """The same halt told twice is one."""
    with writing(brain) as connection:
        connection.execute(
            f"INSERT OR IGNORE INTO halts ({', '.join(_HALT)}) VALUES ({','.join('?' * len(_HALT))})",
            [_text(getattr(halt, column)) for column in _HALT],
        )


def keep_halt(brain: Brain, halt: Halt) -> None:
    """New or changed."""
    with writing(brain) as connection:
        connection.execute(
            f"INSERT OR REPLACE INTO halts ({', '.join(_HALT)}) VALUES ({','.join('?' * len(_HALT))})",
            [_text(getattr(halt, column)) for column in _HALT],
        )


def halts(brain: Brain, *, session: str = "", id: str = "", open_only: bool = False, before: str = "") -> list[Halt]:
    """The oldest first."""
    asked = [("session = ?", session), ("id = ?", id), ("at < ?", before)]
    told = [(clause, value) for clause, value in asked if value]
    clauses = [clause for clause, _ in told] + (["resumed_at = ''"] if open_only else [])
    where = f"WHERE {' AND '.join(clauses)}" if clauses else ""
    rows = fetch(brain, f"SELECT {', '.join(_HALT)} FROM halts {where} ORDER BY at, id", [_text(value) for _, value in told])
    return [_halt(dict(zip(_HALT, row, strict=True))) for row in rows]


def resume_halt(brain: Brain, id: str) -> None:
    with writing(brain) as connection:
        connection.execute("UPDATE halts SET resumed_at = ? WHERE id = ?", (brain.now, id))


def forget_halts(brain: Brain, ids: Sequence[str]) -> None:
    with writing(brain) as connection:
        connection.executemany("DELETE FROM halts WHERE id = ?", [(id,) for id in ids])


def sound(made: Session) -> tuple[Session | None, list[str]]:
    """What of a session from elsewhere can be believed, and what was wrong with it."""
    row, told = mended({column: int(cell) if isinstance(cell, bool) else cell for column, cell in _row(made).items()}, _RULES)
    return (_session(row) if row else None), told


def _sessions(brain: Brain, rest: str, values: Sequence[Any]) -> list[Session]:
    rows = fetch(brain, f"SELECT {', '.join(_COLUMNS)} FROM sessions {rest}", values)
    return [found for row in rows if (found := _understood(row) or _mended(brain, dict(zip(_COLUMNS, row, strict=True))))]


@lru_cache(maxsize=256)  # the same rows are read again and again
def _understood(row: tuple[Any, ...]) -> Session | None:
    """None where something is wrong with it."""
    stated = dict(zip(_COLUMNS, row, strict=True))
    return None if mended(stated, _RULES)[1] else _session(stated)


def _mended(brain: Brain, row: Row) -> Session | None:
    believed = _believed(brain, row)
    return _session(believed) if believed else None


def _believed(brain: Brain, row: Row) -> Row | None:
    sound, told = mended(row, _RULES)
    if told:
        keep_aside(brain, "sessions", {"id": row["id"]}, row, sound, told)
    return sound


def _session(row: Row) -> Session:
    lists = {column: tuple(_strings(row[column]) or ()) for column in _LISTS}
    flags = {column: bool(row[column]) for column in _FLAGS}
    return Session(**row | lists | flags | {"tools_used": tuple(_pairs(row["tools_used"]) or ())})


def _row(of: Session) -> Row:
    return {column: _text(getattr(of, column)) for column in _COLUMNS}


def _halt(row: Row) -> Halt:
    return Halt(**row | {column: tuple(_strings(row[column]) or ()) for column in _HALT_LISTS})


def _text(value: Any) -> Any:
    """As SQLite takes it. Half a character, as a file name or a host's JSON may hold, is spelled out."""
    if isinstance(value, tuple):
        value = json.dumps(value, ensure_ascii=False)
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
