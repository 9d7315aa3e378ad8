"""Opening the brain: what people and agents authored, never lost. Refuses to begin anew where there was something.

A commit is on the disk when it is acknowledged (``synchronous = FULL``): what is authored cannot be derived again.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from idumb_brain.model.errors import StoreDamaged, StoreLocked, StoreTooNew
from idumb_brain.store.database import BUSY_MS, Connection, Discreet, connect, explained, transaction
from idumb_brain.store.lock import in_turn
from idumb_brain.store.migrations import APPLICATION_ID, MIGRATIONS, VERSION, statements, tables

_DAMAGE = frozenset((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB))
SIDES = ("-wal", "-shm")
_HELD: dict[int, tuple[int, int]] = {}  # connections of this process, each with the file that it has open
_OPENING = threading.RLock()


@dataclass(frozen=True, slots=True)
class Brain:
    """An open brain. ``notes`` is what was found wrong and mended on the way; whoever asks tells it."""

    file: Path
    connection: Connection
    now: str
    readonly: bool = False
    alone: bool = False  # in memory: nobody else can be in the way
    inode: int = 0  # of the file that was opened
    notes: list[str] = field(default_factory=list)

    def close(self) -> None:
        with _OPENING:
            self.connection.close()
            _HELD.pop(id(self.connection), None)


@contextlib.contextmanager
def opened(file: Path, now: str, *, make: bool = False) -> Iterator[Brain]:
    """The brain, for questions and changes. Without ``make``, one that is not there is an empty one in memory."""
    brain = open_brain(file, now) if make or _remains(file) else _empty(file, now)
    try:
        with explained(file):
            yield brain
    except StoreDamaged as error:
        brain.close()
        if not _is_damage(error):
            raise
        raise StoreDamaged(error.what, why=error.why, instead=f"{mend(file, now, error.why)}; run the command again") from error
    finally:
        brain.close()


def open_brain(file: Path, now: str) -> Brain:
    """Made where there is none, migrated where it is older, salvaged where it is damaged."""
    notes: list[str] = []
    if not file.exists():
        if kept := _remains(file):
            notes.append(f"{file.name} was gone and a new one was begun; {kept[-1].name} is kept beside it")
        with in_turn(_queue(file), BUSY_MS / 1000):
            if not file.exists():
                begin(file)
    try:
        brain = _connected(file, now)
    except StoreDamaged as error:
        if not _is_damage(error):
            raise
        notes.append(mend(file, now, error.why))
        brain = _connected(file, now)
    brain.notes.extend(notes)
    if not brain.readonly:
        try:
            _migrate(brain)
        except BaseException:
            brain.close()
            raise
    return brain


@contextlib.contextmanager
def writing(brain: Brain) -> Iterator[Connection]:
    """All or nothing, one process after the other. Within another such block it is part of that one."""
    if brain.connection.in_transaction:
        yield brain.connection
        return
    if brain.readonly:
        raise StoreLocked(
            f"{brain.file} is read-only", why="nothing may be written there", instead="make the folder writable, and try again"
        )
    turn = contextlib.nullcontext() if brain.alone else in_turn(_queue(brain.file), BUSY_MS / 1000)
    with turn:
        if not brain.alone and (not brain.file.exists() or brain.file.stat().st_ino != brain.inode):
            raise StoreLocked(
                f"{brain.file} is another one now",
                why="it was replaced since it was opened",
                instead="open it anew, and try again",
            )
        with transaction(brain.connection) as connection:
            yield connection


def begin(file: Path) -> None:
    """A new brain, complete from its first instant: made aside and moved into place. Whoever calls holds the queue."""
    aside = file.with_name(f"{file.name}.new-{os.getpid()}")
    erase(aside)
    connection = connect(aside)
    with explained(file):
        with transaction(connection):
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            _step(connection, 0)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
    os.replace(aside, file)
    erase(aside)


def backup(brain: Brain, version: int) -> Path:
    """A copy as it is now, whatever others write meanwhile."""
    copy = aside(brain.file, f"backup-{version}-{stamp(brain.now)}")
    with contextlib.closing(sqlite3.connect(copy)) as target:
        brain.connection.backup(target)
    return copy


def problems(brain: Brain) -> list[str]:
    """What SQLite finds wrong with the file, and rows whose text index is out of step."""
    told = unsound(brain)
    out_of_step = brain.connection.execute(
        "SELECT count(*) FROM (SELECT number FROM entries EXCEPT SELECT rowid FROM recall)"
    ).fetchone()[0]
    return [*told, *([f"{out_of_step} entries are not in the text index"] if out_of_step else [])]


def unsound(brain: Brain) -> list[str]:
    """What SQLite finds wrong with the file."""
    return [row[0] for row in brain.connection.execute("PRAGMA integrity_check(20)") if row[0] != "ok"]


def looked_at(file: Path, now: str) -> tuple[Brain, int]:
    """The brain as it is, to be looked at only, and the version of its schema. Mends and migrates nothing."""
    with _OPENING:
        _look_at(file)
        brain = Brain(file, _readonly(file), now, readonly=True)
        _HELD[id(brain.connection)] = _identity(file)
    try:
        with explained(file):
            _recognise(brain)
            return brain, brain.connection.execute("PRAGMA user_version").fetchone()[0]
    except BaseException:
        brain.close()
        raise


def mend(file: Path, now: str, why: str) -> str:
    """Put what can be read of a damaged brain into a new one; one that is sound is let be. What happened, for people."""
    from idumb_brain.store.salvage import salvage

    with in_turn(_queue(file), BUSY_MS / 1000):
        try:
            _connected(file, now).close()
        except StoreDamaged:
            pass
        else:
            if not _rotten(file):
                return f"{file.name} is sound"
        return salvage(file, now, why)


def aside(file: Path, ending: str) -> Path:
    """A name beside the brain that nothing has yet."""
    taken = 0
    while (made := file.with_name(f"{file.name}.{ending}{f'-{taken}' if taken else ''}")).exists():
        taken += 1
    return made


def erase(file: Path) -> None:
    for name in (file.name, *(file.name + side for side in SIDES)):
        file.with_name(name).unlink(missing_ok=True)


def stamp(now: str) -> str:
    return now.replace(":", "").replace("-", "")


def _connected(file: Path, now: str) -> Brain:
    readonly = not (os.access(file, os.W_OK) and os.access(file.parent, os.W_OK))
    with _OPENING:
        _look_at(file)
        identity = _identity(file)  # asked before it is opened: were it replaced in between, the first write would tell
        brain = Brain(file, _readonly(file) if readonly else connect(file, factory=Discreet), now, readonly, inode=identity[1])
        _HELD[id(brain.connection)] = identity
    try:
        with explained(file):
            if not readonly:
                brain.connection.execute("PRAGMA synchronous = FULL")
            _recognise(brain)
    except BaseException:
        brain.close()
        raise
    return brain


def _look_at(file: Path) -> None:
    """Before SQLite may touch it: what is no brain must stay as it is.

    Not while it is open in this process, which has looked then: closing a file drops all locks that the process has on it,
    those of SQLite too, and another process would take the log away from under the brain that is open here.
    """
    if _identity(file) in _HELD.values():
        return
    with file.open("rb") as opened_file:
        head = opened_file.read(100)
    if not head:
        raise StoreDamaged(f"{file} is empty", why="it has no bytes at all", instead="")
    if head.startswith(b"SQLite format 3\0") and int.from_bytes(head[68:72], "big") != APPLICATION_ID:
        raise StoreDamaged(f"{file} is not a brain", why="it is a database, but none of ours", instead="")


def _identity(file: Path) -> tuple[int, int]:
    status = file.stat()
    return status.st_dev, status.st_ino


def _readonly(file: Path) -> Connection:
    try:
        return connect(file, readonly=True)
    except StoreDamaged as error:
        if _is_damage(error):
            raise
        return connect(file, readonly=True, immutable=True)  # where the sides of a WAL cannot be made either


def _recognise(brain: Brain) -> None:
    version = brain.connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise StoreTooNew(
            f"{brain.file} was written by a newer version",
            why=f"it has schema {version}, this version knows {VERSION}",
            instead="update idumb-brain",
        )
    if version == VERSION:
        there = {row[0] for row in brain.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        missing = [name for name in (*tables(virtual=False), *tables(virtual=True)) if name not in there]
        if missing:
            raise StoreDamaged(f"{brain.file} is damaged", why=f"it has no table {', '.join(missing)}", instead="")


def _migrate(brain: Brain) -> None:
    version = brain.connection.execute("PRAGMA user_version").fetchone()[0]
    if version == VERSION:
        return
    with explained(brain.file):
        if told := problems(brain):
            raise StoreDamaged(f"{brain.file} is damaged", why=told[0], instead="run idumb-brain doctor")
        copy = backup(brain, version)
        with writing(brain) as connection:
            _step(connection, connection.execute("PRAGMA user_version").fetchone()[0])
    brain.notes.append(f"{brain.file.name} went from schema {version} to {VERSION}; {copy.name} is as it was")


def _step(connection: Connection, version: int) -> None:
    for step in MIGRATIONS[version:]:
        for statement in statements(step):
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _rotten(file: Path) -> bool:
    connection = connect(file)
    try:
        return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok")
    except sqlite3.DatabaseError:
        return True
    finally:
        connection.close()


def _is_damage(error: StoreDamaged) -> bool:
    """Not a full disk, which passes: there the file is whole, and must be left where it is."""
    code = getattr(error.__cause__, "sqlite_errorcode", None)
    return error.__cause__ is None or (code is not None and code & 0xFF in _DAMAGE)


def _empty(file: Path, now: str) -> Brain:
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _step(connection, 0)
    return Brain(file, connection, now, alone=True)


def _remains(file: Path) -> list[Path]:
    """The brain, and what was kept of it: backups and damaged ones, the newest last."""
    found = [*file.parent.glob(f"{file.name}.backup-*"), *file.parent.glob(f"{file.name}.damaged-*")]
    found = [one for one in found if not one.name.endswith(SIDES)]
    return [*sorted(found, key=lambda one: one.stat().st_mtime), *([file] if file.exists() else [])]


def _queue(file: Path) -> Path:
    return file.with_suffix(".lock")
