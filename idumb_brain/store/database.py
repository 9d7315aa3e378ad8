"""Opening SQLite files so that many processes can share them. Knows nothing of what is inside."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from idumb_brain.model.errors import BrainError, StoreDamaged, StoreLocked
from idumb_brain.store.secrets import redacted

BUSY_MS = 10_000
Connection = sqlite3.Connection


class Discreet(sqlite3.Connection):
    """Keeps no secret, whoever hands it one: what people and agents say comes in by many ways."""

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        return super().execute(sql, _without_secrets(parameters))

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
        return super().executemany(sql, map(_without_secrets, parameters))


def connect(
    file: Path,
    *,
    readonly: bool = False,
    immutable: bool = False,
    busy_ms: int = BUSY_MS,
    factory: type[Connection] = sqlite3.Connection,
) -> Connection:
    """A connection in WAL mode with explicit transactions. ``immutable``: nobody can write there, and SQLite need not try."""
    with explained(file):
        if readonly:
            how = "mode=ro&immutable=1" if immutable else "mode=ro"
            connection = sqlite3.connect(f"file:{_quoted(file)}?{how}", uri=True, isolation_level=None, check_same_thread=False)
        else:
            connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False, factory=factory)
        try:
            connection.execute(f"PRAGMA busy_timeout = {busy_ms}")
            if not readonly:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except BaseException:
            connection.close()
            raise
        return connection


def connect_known(file: Path, version: int) -> Connection | None:
    """For reading, what was written with this schema; None where there is nothing, or something of another."""
    if not file.exists():
        return None
    connection = connect(file, readonly=True)
    with explained(file):
        if connection.execute("PRAGMA user_version").fetchone()[0] != version:
            connection.close()
            return None
    return connection


def identity(file: Path) -> str:
    """Which file it is that now has this name; "" where there is none."""
    try:
        told = file.stat()
    except OSError:
        return ""
    return f"{told.st_dev} {told.st_ino}"


def others_wrote(connection: Connection) -> int:
    """A number that changes when anybody else has written; not by what this connection writes."""
    number: int = connection.execute("PRAGMA data_version").fetchone()[0]
    return number


def without_text_index() -> str:
    """Why this SQLite cannot find words; "" where it can."""
    try:
        with contextlib.closing(sqlite3.connect(":memory:")) as connection:
            connection.execute("CREATE VIRTUAL TABLE words USING fts5 (text)")
    except sqlite3.OperationalError as error:
        return f"SQLite {sqlite3.sqlite_version}: {error}"
    return ""


def wrong_with(connection: Connection) -> str:
    """What SQLite finds wrong with the file; "" where it is sound. Reads all of it."""
    told = [row[0] for row in connection.execute("PRAGMA quick_check(5)") if row[0] != "ok"]
    return "; ".join(told)


def slack(file: Path) -> tuple[int, int]:
    """Bytes of the file, and how many of them hold nothing any more."""
    connection = connect(file, readonly=True)
    with explained(file), contextlib.closing(connection):
        size, pages, free = (
            connection.execute(f"PRAGMA {what}").fetchone()[0] for what in ("page_size", "page_count", "freelist_count")
        )
        return size * pages, size * free


def compact(file: Path) -> None:
    """Give back what holds nothing. Raises StoreLocked at once where somebody is writing."""
    connection = connect(file, busy_ms=0)
    with explained(file), contextlib.closing(connection):
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@contextlib.contextmanager
def transaction(connection: Connection) -> Iterator[Connection]:
    """All or nothing. Takes the write lock at once, so that it cannot be lost half-way."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextlib.contextmanager
def explained(file: Path) -> Iterator[None]:
    """SQLite's errors as ours, with what to do about them."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise _operational(file, error) from error
    except sqlite3.DatabaseError as error:
        raise StoreDamaged(
            f"{file} cannot be read as a database",
            why=str(error),
            instead=_remedy(file),
        ) from error


def _operational(file: Path, error: sqlite3.OperationalError) -> BrainError:
    told = str(error)
    if "locked" in told or "busy" in told:
        return StoreLocked(
            f"{file} is locked",
            why="another process has been writing to it for too long",
            instead="try again when it is done",
        )
    if "disk is full" in told or "disk I/O" in told:
        return StoreDamaged(
            f"{file} could not be written",
            why=told,
            instead="free some disk space and try again; what was committed is kept",
        )
    if "readonly" in told:
        return StoreLocked(
            f"{file} is read-only",
            why=told,
            instead="make the folder writable, or work with --root elsewhere",
        )
    return StoreDamaged(f"{file} could not be used", why=told, instead=_remedy(file))


def _remedy(file: Path) -> str:
    if file.name == "index.db":
        return "the index is derived: delete the file and scan again"
    return "run idumb-brain doctor"


def _without_secrets(parameters: Any) -> Any:
    if isinstance(parameters, Mapping):
        return {name: redacted(one) if isinstance(one, str) else one for name, one in parameters.items()}
    return [redacted(one) if isinstance(one, str) else one for one in parameters]


def _quoted(file: Path) -> str:
    from urllib.parse import quote

    return quote(str(file))
