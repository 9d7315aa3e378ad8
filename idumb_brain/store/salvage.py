"""A damaged brain put aside, and all that can still be read of it put into a new one. Refuses to delete or to guess.

Three sources, the best first: what SQLite still reads row by row, what stands on the pages that are left, and, for what
both have lost, what the record of changes says it was.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from idumb_brain.model.knowledge import Anchor, Entry, Evidence
from idumb_brain.model.words import searchable
from idumb_brain.store.brain import SIDES, aside, begin, erase, stamp
from idumb_brain.store.database import Connection, connect, transaction
from idumb_brain.store.migrations import MIGRATIONS, tables
from idumb_brain.store.pages import rows as rows_on_pages

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_FURTHEST = 1 << 40  # no table has more rows
Rows = dict[Any, tuple[Any, ...]]


def salvage(file: Path, now: str, why: str) -> str:
    """What was done, for people. Whoever calls holds the queue."""
    kept = aside(file, f"damaged-{stamp(now)}")
    work, new = (file.with_name(f"{file.name}.{name}-{os.getpid()}") for name in ("salvage", "new"))
    for side in ("", *SIDES[:1]):
        if file.with_name(file.name + side).exists():
            shutil.copyfile(file.with_name(file.name + side), work.with_name(work.name + side))
    begin(new)
    connection = connect(new)
    try:
        with transaction(connection):
            _fill(connection, work)
        saved = {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("entries", "anchors")}
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.close()
        erase(work)
    _replace(file, kept, new)
    return (
        f"{file.name} was damaged ({why}): it is kept as {kept.name}, and {saved['entries']} entries and"
        f" {saved['anchors']} anchors that could be read are in a new one"
    )


def _fill(connection: Connection, work: Path) -> None:
    shapes = {name: _shape(connection, name) for name in tables(virtual=False)}
    found: dict[str, Rows] = {name: {} for name in shapes}
    for name, row in _on_pages(work, shapes):
        key = row[: shapes[name][1]] or row[0]
        known = found[name].get(key)
        # Of two copies of a row one is what a page held before; their times tell which.
        if known is None or _times(row) > _times(known):
            found[name][key] = row
    for name, row in _by_sqlite(work, shapes):
        found[name][row[: shapes[name][1]] or row[0]] = row
    for name, kept in found.items():
        if kept:
            marks = ",".join("?" * len(shapes[name][0]))
            connection.executemany(f"INSERT OR REPLACE INTO {name} VALUES ({marks})", kept.values())
    _by_record(connection)
    write_words(connection)


def write_words(connection: Connection) -> None:
    """The text index anew, of all entries."""
    connection.create_function("searchable", 1, lambda text: searchable(text if isinstance(text, str) else ""))
    connection.execute("DELETE FROM recall")
    connection.execute(
        "INSERT INTO recall (rowid, title, content) SELECT number, searchable(title), searchable(content) FROM entries"
    )


def _shape(connection: Connection, table: str) -> tuple[list[str], int]:
    """Names of its columns, and how many of them are its key; 0 where rows are numbered."""
    told = connection.execute(f"PRAGMA table_info({table})").fetchall()
    numbered = told[0][2] == "INTEGER" and told[0][5] == 1
    return [row[1] for row in told], 0 if numbered else sum(1 for row in told if row[5])


def _on_pages(work: Path, shapes: dict[str, tuple[list[str], int]]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Rows told apart by their columns: how many, of what make, and which are times. What fits two tables is not guessed."""
    looks = _looks()
    for number, values in rows_on_pages(work, work.with_name(work.name + SIDES[0])):
        of = [name for name, fits in looks.items() if len(fits) == len(values) and all(map(_fits, fits, values))]
        if len(of) == 1:
            yield of[0], values if shapes[of[0]][1] else (number, *values[1:])


def _looks() -> dict[str, list[str]]:
    """What each column holds, of every table whose rows stand whole on pages."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        for step in MIGRATIONS:
            connection.executescript(step)
        kept = [name for name, sql in connection.execute("SELECT name, sql FROM sqlite_master") if name in tables(virtual=False)
                and "WITHOUT ROWID" not in sql]  # fmt: skip
        told = {name: connection.execute(f"PRAGMA table_info({name})").fetchall() for name in kept}
    return {name: [_look(column, of, bool(key)) for _, column, of, _, _, key in columns] for name, columns in told.items()}


def _look(column: str, of: str, key: bool) -> str:
    if of == "INTEGER" and key:
        return "number"  # of the row: not repeated in it
    return column if column == "at" else "time" if column.endswith("_at") else of


def _fits(look: str, value: Any) -> bool:
    if look in ("at", "time"):
        return isinstance(value, str) and (_TIME.fullmatch(value) is not None or (look == "time" and not value))
    makes: dict[str, tuple[type, ...]] = {"number": (type(None),), "INTEGER": (int,), "REAL": (int, float)}
    return isinstance(value, makes.get(look, (str, bytes)))


def _times(row: Sequence[Any]) -> list[str]:
    return sorted((value for value in row if isinstance(value, str) and len(value) == 20 and value.endswith("Z")), reverse=True)


def _by_sqlite(work: Path, shapes: dict[str, tuple[list[str], int]]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    try:
        connection = sqlite3.connect(work, isolation_level=None)
        connection.execute("PRAGMA writable_schema = ON")  # else a file shorter than it says is not read at all
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.DatabaseError:
        return
    with contextlib.closing(connection):
        for name, (columns, key) in shapes.items():
            select = f"SELECT {', '.join(columns)} FROM {name}"
            readable = _forth_and_back(connection, select, columns[:key]) if key else _around(connection, select)
            for row in readable:
                yield name, row


def _forth_and_back(connection: Connection, select: str, key: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """From both ends to the hole; rows of a sound table come twice, which harms nobody."""
    for way in ("", " DESC"):
        last: tuple[Any, ...] = ()
        with contextlib.suppress(sqlite3.DatabaseError, TypeError):
            for row in connection.execute(f"{select} ORDER BY {', '.join(column + way for column in key)}"):
                at = row[: len(key)]
                if last and (at <= last if not way else at >= last):
                    break  # a damaged tree leads back to where it came from
                yield row
                last = at
            else:
                return


def _around(connection: Connection, select: str) -> Iterator[tuple[Any, ...]]:
    """In the order of numbers; where a page cannot be read, on behind it."""
    at = 0
    while at < _FURTHEST:
        try:
            for row in connection.execute(f"{select} WHERE number >= ? ORDER BY number", (at,)):
                if row[0] < at:
                    raise sqlite3.DatabaseError("a damaged tree leads back to where it came from")
                yield row
                at = row[0] + 1
            return
        except sqlite3.DatabaseError:
            at = _behind(connection, select, at)


def _behind(connection: Connection, select: str, at: int) -> int:
    """The least number from which rows can be read again."""
    step = 1
    while at + step < _FURTHEST and not _readable(connection, select, at + step):
        step *= 2
    bad, good = at + step // 2, at + step
    while good - bad > 1:
        middle = (bad + good) // 2
        if _readable(connection, select, middle):
            good = middle
        else:
            bad = middle
    return good


def _readable(connection: Connection, select: str, number: int) -> bool:
    try:
        connection.execute(f"{select} WHERE number >= ? ORDER BY number LIMIT 1", (number,)).fetchone()
    except sqlite3.DatabaseError:
        return False
    return True


def _by_record(connection: Connection) -> None:
    """What the record tells of and no table has any more, as it was last."""
    for kind, table in (("entry", "entries"), ("anchor", "anchors")):
        there = {row[0] for row in connection.execute(f"SELECT id FROM {table}")}
        for id, told in _last_known(connection, kind).items():
            if id not in there:
                _restore(connection, table, id, told)
            if table == "entries":
                _restore_around(connection, id, told)


def _last_known(connection: Connection, kind: str) -> dict[str, dict[str, Any]]:
    known: dict[str, dict[str, Any]] = {}
    rows = connection.execute("SELECT id, action, before, after FROM changes WHERE kind = ? ORDER BY at, number", (kind,))
    for id, action, before, after in rows:
        if action == "erase":
            known.pop(id, None)
            continue
        try:
            was, became = json.loads(before), json.loads(after)
        except (TypeError, ValueError):
            continue
        told = known.setdefault(id, {})
        for gone in was.keys() - became.keys():
            told.pop(gone, None)
        told.update(became)
    return {id: told for id, told in known.items() if "type" in told}


def _restore(connection: Connection, table: str, id: str, told: dict[str, Any]) -> None:
    make = Entry if table == "entries" else Anchor
    names = [one.name for one in fields(make)]
    made = make(**_whole(make, id, told))
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[1] in names]
    values = [getattr(made, column) for column in columns]
    values = [json.dumps(value) if isinstance(value, (tuple, list)) else value for value in values]
    connection.execute(f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({','.join('?' * len(columns))})", values)


def _whole(make: Any, id: str, told: dict[str, Any]) -> dict[str, Any]:
    known = {one.name for one in fields(make)}
    least = {"id": id, "type": "", "title": "", "content": "", "priority": "medium"}
    return {name: value for name, value in (least | told).items() if name in known}


def _restore_around(connection: Connection, id: str, told: dict[str, Any]) -> None:
    names = {one.name for one in fields(Evidence)}
    for position, stated in enumerate(told.get("evidence", ())):
        one = Evidence(**{name: value for name, value in stated.items() if name in names})
        connection.execute(
            "INSERT OR IGNORE INTO evidence VALUES (?,?,?,?,?,?,?,?)",
            (id, position, one.path, one.line, one.end_line, one.commit, one.hash, one.passage),
        )
    for kind in ("related", "contradicts"):
        pairs: Iterable[tuple[str, str]] = ((min(id, other), max(id, other)) for other in told.get(kind, ()))
        connection.executemany("INSERT OR IGNORE INTO links VALUES (?,?,?)", [(one, kind, other) for one, other in pairs])


def _replace(file: Path, kept: Path, new: Path) -> None:
    """At no instant is there no brain: the damaged one gets its second name before the new one takes the first."""
    for side in SIDES:
        if (beside := file.with_name(file.name + side)).exists():
            os.replace(beside, kept.with_name(kept.name + side))
    try:
        os.link(file, kept)
    except OSError:  # a file system without links
        shutil.copyfile(file, kept)
    os.replace(new, file)
    erase(new)
