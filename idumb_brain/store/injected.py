"""Blocks that agents were handed: the last ones with what was chosen and what was not, and how many a day. Refuses to be precious.

They stand in a file of their own, ``injected.db`` beside the brain that worktrees share. In the brain they would be copied, salvaged
and exported with what was authored, and every turn of an agent would wait for a disk and for other writers; this file may wait for
neither. Nothing but a look back is lost with it: where it cannot be read, or is of another version, a new one is begun.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

from idumb_brain.model.errors import StoreDamaged
from idumb_brain.model.selection import Injection
from idumb_brain.store.database import Connection, Discreet, connect, connect_known, explained, transaction

VERSION = 1
OF_A_KIND = 10  # blocks of one kind that are kept of one session
IN_ALL = 400
DAYS = 90  # for which is known how many there were
_PATIENCE_MS = 2_000
_SCHEMA = """
CREATE TABLE blocks (
  number INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  until TEXT NOT NULL,                -- the last time that the very same was handed over
  times INTEGER NOT NULL,
  session TEXT NOT NULL,
  role TEXT NOT NULL,
  kind TEXT NOT NULL,
  chars INTEGER NOT NULL,
  budget INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  text TEXT NOT NULL,
  selected TEXT NOT NULL,             -- this and the next are JSON lists
  dropped TEXT NOT NULL,
  omitted INTEGER NOT NULL
);
CREATE INDEX blocks_by_session ON blocks (session, kind);
CREATE TABLE days (
  day TEXT NOT NULL, kind TEXT NOT NULL, blocks INTEGER NOT NULL, chars INTEGER NOT NULL, tokens INTEGER NOT NULL,
  PRIMARY KEY (day, kind)
) WITHOUT ROWID;
"""
_COLUMNS = tuple(one.name for one in fields(Injection))
_LISTS = ("selected", "dropped")


def keep(file: Path, those: Sequence[Injection], oldest_day: str) -> None:
    """Add them, in order. The same block again is the one before, handed over once more."""
    try:
        _keep(file, those, oldest_day)
    except StoreDamaged:
        begin_anew(file)
        _keep(file, those, oldest_day)


def last(file: Path, *, session: str = "", kind: str = "", role: str = "", limit: int = -1) -> list[Injection]:
    """The newest first."""
    asked = [(column, value) for column, value in (("session", session), ("kind", kind), ("role", role)) if value]
    where = f"WHERE {' AND '.join(f'{column} = ?' for column, _ in asked)}" if asked else ""
    rows = _rows(
        file,
        f"SELECT {', '.join(_COLUMNS)} FROM blocks {where} ORDER BY until DESC, number DESC LIMIT ?",
        [*(value for _, value in asked), limit],
    )
    return [Injection(**{name: _read(name, value) for name, value in zip(_COLUMNS, row, strict=True)}) for row in rows]


def counted(file: Path, since_day: str) -> dict[str, tuple[int, int, int]]:
    """By kind: how many were handed over on that day and later, their characters and tokens. Those handed over again count again."""
    rows = _rows(file, "SELECT kind, sum(blocks), sum(chars), sum(tokens) FROM days WHERE day >= ? GROUP BY kind", (since_day,))
    return {kind: (blocks, chars, tokens) for kind, blocks, chars, tokens in rows}


def forget(file: Path, ids: Iterable[str]) -> None:
    """Take out every block that tells of one of these."""
    if not file.exists():
        return
    with _writing(file) as connection:
        connection.executemany(
            "DELETE FROM blocks WHERE instr(selected, ?) OR instr(dropped, ?) OR instr(text, ?)",
            [(json.dumps(id), json.dumps(id), f"#{id}") for id in ids],
        )
    with closing(connect(file, busy_ms=_PATIENCE_MS)) as connection, explained(file):
        connection.execute("VACUUM")  # else the text is still on the pages


def forget_before(file: Path, time: str, *, dry_run: bool = False) -> int:
    """How many blocks nobody was handed since; unless ``dry_run`` they are taken out."""
    old = _rows(file, "SELECT count(*) FROM blocks WHERE until < ?", (time,))
    if old and old[0][0] and not dry_run:
        with _writing(file) as connection:
            connection.execute("DELETE FROM blocks WHERE until < ?", (time,))
    return int(old[0][0]) if old else 0


def begin_anew(file: Path) -> None:
    for side in ("", "-wal", "-shm"):
        file.with_name(file.name + side).unlink(missing_ok=True)


def _keep(file: Path, those: Sequence[Injection], oldest_day: str) -> None:
    with _writing(file) as connection:
        for one in those:
            _count(connection, one)
            if not _again(connection, one):
                _add(connection, one)
        connection.execute("DELETE FROM days WHERE day < ?", (oldest_day,))


def _count(connection: Connection, one: Injection) -> None:
    connection.execute(
        "INSERT INTO days VALUES (?,?,1,?,?) ON CONFLICT DO UPDATE SET"
        " blocks = blocks + 1, chars = chars + excluded.chars, tokens = tokens + excluded.tokens",
        (one.at[:10], one.kind, one.chars, one.tokens),
    )


def _again(connection: Connection, one: Injection) -> bool:
    before = connection.execute(
        "SELECT number, text FROM blocks WHERE session = ? AND kind = ? ORDER BY number DESC LIMIT 1", (one.session, one.kind)
    ).fetchone()
    if before is None or before[1] != one.text:
        return False
    connection.execute(
        "UPDATE blocks SET until = ?, times = times + 1, selected = ?, dropped = ?, omitted = ? WHERE number = ?",
        (one.until, json.dumps(one.selected), json.dumps(one.dropped), one.omitted, before[0]),
    )
    return True


def _add(connection: Connection, one: Injection) -> None:
    values = [json.dumps(value) if name in _LISTS else value for name in _COLUMNS for value in (getattr(one, name),)]
    connection.execute(f"INSERT INTO blocks ({', '.join(_COLUMNS)}) VALUES ({','.join('?' * len(_COLUMNS))})", values)
    connection.execute(
        "DELETE FROM blocks WHERE session = ? AND kind = ? AND number NOT IN"
        " (SELECT number FROM blocks WHERE session = ? AND kind = ? ORDER BY number DESC LIMIT ?)",
        (one.session, one.kind, one.session, one.kind, OF_A_KIND),
    )
    connection.execute("DELETE FROM blocks WHERE number <= (SELECT max(number) FROM blocks) - ?", (IN_ALL,))


@contextmanager
def _writing(file: Path) -> Iterator[Connection]:
    with closing(_opened(file)) as connection, explained(file), transaction(connection):
        yield connection


def _opened(file: Path) -> Connection:
    connection = connect(file, busy_ms=_PATIENCE_MS, factory=Discreet)
    try:
        with explained(file):
            if connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                with transaction(connection):
                    _make(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _make(connection: Connection) -> None:
    """Unless another process has done it meanwhile."""
    if connection.execute("PRAGMA user_version").fetchone()[0] == VERSION:
        return
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        connection.execute(f'DROP TABLE "{name}"')
    for statement in _SCHEMA.split(";\n"):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _rows(file: Path, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    connection = connect_known(file, VERSION)
    if connection is None:
        return []
    with closing(connection), explained(file):
        return connection.execute(sql, values).fetchall()


def _read(name: str, value: Any) -> Any:
    return tuple(json.loads(value)) if name in _LISTS else value
