"""What a scan puts into the index, and what it asks it in order to know what there is to do. Asked by nobody who looks something up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from idumb_brain.model.code import FileFacts
from idumb_brain.store.code import SHIFT, rows_of, stored_path, uses_of
from idumb_brain.store.database import Connection

# Not part of the schema: made after a first scan, they cost half.
_LATE_INDEXES = (
    "symbols_by_name ON symbols (name)",
    "wants_by_file ON wants (file)",
    "edges_by_target ON edges (target) WHERE target IS NOT NULL",
)
_number_of = itemgetter(0)


def add_files(connection: Connection, paths: Iterable[tuple[int, str]]) -> None:
    connection.executemany(
        "INSERT INTO files VALUES (?, ?, ?, 'plain', '', '', -1, -1, -1, 0, '', '', '')",
        [(number, *stored_path(path)) for number, path in paths],
    )


def write_facts(connection: Connection, batch: Sequence[tuple[int, str, FileFacts]], now: str, *, fresh: bool) -> None:
    """Replace everything stored of these files. ``fresh``: nothing is stored of them yet."""
    if not fresh:
        erase_facts(connection, [number for number, _, _ in batch])
    symbols: list[Any] = []
    comments: list[Any] = []
    imports: list[Any] = []
    problems: list[Any] = []
    batch = sorted(batch, key=_number_of)  # rows that come in order of their ids are appended, and fill their pages
    for number, _, facts in batch:
        base = number << SHIFT
        symbols += [(base + i, *row) for i, row in enumerate(facts.symbols)]
        comments += [(base + i, *row) for i, row in enumerate(facts.comments)]
        imports += [(base + i, *row) for i, row in enumerate(facts.imports)]
        problems += [(base + i, *row) for i, row in enumerate(facts.problems)]
    many = connection.executemany
    many("INSERT INTO symbols VALUES (?,?,?,?,?,?,?,?,?,?)", symbols)
    many("INSERT INTO comments VALUES (?,?,?,?,?,?)", comments)
    many("INSERT INTO imports VALUES (?,?,?,?,?)", imports)
    many("INSERT INTO problems VALUES (?,?,?)", problems)
    many("INSERT INTO uses VALUES (?, ?)", [(n, f.uses) for n, _, f in batch if f.uses])
    many("INSERT INTO documents VALUES (?, ?)", [(n, f.document) for n, _, f in batch if f.document])
    many("INSERT OR IGNORE INTO provides VALUES (?, ?)", [(key, n) for n, _, f in batch for key in f.keys])
    many(
        "INSERT INTO mentions (rowid, names) VALUES (?,?)",
        [(n, f.mentions) for n, _, f in batch if f.mentions],
    )
    many(
        "UPDATE files SET status=?, reason=?, hash=?, size=?, mtime_ns=?, inode=?, lines=?, language=?, package=?, scanned_at=?"
        " WHERE id=?",
        [(f.status, f.reason, f.hash, f.size, f.mtime_ns, f.inode, f.lines, f.language, f.package, now, n) for n, _, f in batch],
    )


def touch_files(connection: Connection, rows: Iterable[tuple[int, int, int, int]]) -> None:
    """(size, mtime_ns, inode, id) of files whose content is what it was."""
    connection.executemany("UPDATE files SET size=?, mtime_ns=?, inode=? WHERE id=?", rows)


def erase_facts(connection: Connection, numbers: Iterable[int]) -> None:
    for number in numbers:
        first, last = number << SHIFT, ((number + 1) << SHIFT) - 1
        for table in ("symbols", "comments", "imports", "problems"):
            connection.execute(f"DELETE FROM {table} WHERE id BETWEEN ? AND ?", (first, last))
        connection.execute("DELETE FROM uses WHERE file = ?", (number,))
        connection.execute("DELETE FROM documents WHERE file = ?", (number,))
        connection.execute("DELETE FROM examined WHERE file = ?", (number,))
        connection.execute("DELETE FROM provides WHERE file = ?", (number,))
        connection.execute("DELETE FROM mentions WHERE rowid = ?", (number,))


def remove_files(connection: Connection, numbers: Sequence[int]) -> None:
    erase_facts(connection, numbers)
    erase_edges(connection, numbers)
    connection.executemany("DELETE FROM files WHERE id = ?", [(number,) for number in numbers])


def erase_edges(connection: Connection, numbers: Iterable[int]) -> None:
    for number in numbers:
        connection.execute("DELETE FROM edges WHERE id BETWEEN ? AND ?", (number << SHIFT, ((number + 1) << SHIFT) - 1))
        connection.execute("DELETE FROM wants WHERE file = ?", (number,))


def write_edges(
    connection: Connection,
    edges: Iterable[tuple[int, int, tuple[Any, ...]]],
    wants: Iterable[tuple[str, int]],
) -> None:
    """(file, position, (ordinal, line, kind, target, external, reason)) and (key, file)."""
    connection.executemany(
        "INSERT INTO edges VALUES (?,?,?,?,?,?,?)",
        ((number << SHIFT | position, *row) for number, position, row in edges),
    )
    connection.executemany("INSERT OR IGNORE INTO wants VALUES (?, ?)", sorted(wants))


def complete_indexes(connection: Connection) -> None:
    for index in _LATE_INDEXES:
        connection.execute(f"CREATE INDEX IF NOT EXISTS {index}")


def keys_of(connection: Connection, number: int) -> set[str]:
    return {row[0] for row in connection.execute("SELECT key FROM provides WHERE file = ?", (number,))}


def all_keys(connection: Connection) -> Iterator[tuple[str, int]]:
    yield from connection.execute("SELECT key, file FROM provides ORDER BY key, file")


def files_providing(connection: Connection, key: str) -> list[int]:
    return [row[0] for row in connection.execute("SELECT file FROM provides WHERE key = ? ORDER BY file", (key,))]


def files_wanting(connection: Connection, keys: Iterable[str]) -> set[int]:
    found: set[int] = set()
    for key in keys:
        stored = key if key.isascii() else stored_path(key)[0]
        found.update(row[0] for row in connection.execute("SELECT file FROM wants WHERE key = ?", (stored,)))
    return found


def facts_to_resolve(connection: Connection, number: int) -> tuple[str, str, str, list[Any], str] | None:
    """(path, language, package, import rows, packed references) of a file, as its resolver needs them."""
    row = connection.execute("SELECT path, raw, language, package FROM files WHERE id = ?", (number,)).fetchone()
    if row is None:
        return None
    path = row[1].decode("utf-8", "surrogateescape") if row[1] is not None else row[0]
    imports = connection.execute(
        "SELECT kind, text, line, bindings FROM imports WHERE id BETWEEN ? AND ?", rows_of(number)
    ).fetchall()
    return path, row[2], row[3], imports, uses_of(connection, number)


def known_files(connection: Connection) -> dict[str, tuple[int, int, int, int, str, str]]:
    """path → (id, size, mtime_ns, inode, hash, status) of everything in the index."""
    known: dict[str, tuple[int, int, int, int, str, str]] = {}
    for number, path, raw, *rest in connection.execute("SELECT id, path, raw, size, mtime_ns, inode, hash, status FROM files"):
        known[raw.decode("utf-8", "surrogateescape") if raw is not None else path] = (number, *rest)
    return known


def known_files_at(connection: Connection, wanted: Sequence[str]) -> dict[str, tuple[int, int, int, int, str, str]]:
    """As ``known_files``, of these paths only."""
    known = {}
    for path in wanted:
        row = connection.execute(
            "SELECT id, size, mtime_ns, inode, hash, status FROM files WHERE path = ?",
            (stored_path(path)[0],),
        ).fetchone()
        if row is not None:
            known[path] = row
    return known


def known_files_under(connection: Connection, folder: str) -> dict[str, tuple[int, int, int, int, str, str]]:
    """As ``known_files``, of what lies below a folder."""
    rows = connection.execute(
        "SELECT id, path, raw, size, mtime_ns, inode, hash, status FROM files WHERE path > ? AND path < ?",
        (stored_path(folder)[0] + "/", stored_path(folder)[0] + "0"),
    )
    return {raw.decode("utf-8", "surrogateescape") if raw is not None else path: (n, *rest) for n, path, raw, *rest in rows}


def next_file_number(connection: Connection) -> int:
    number: int = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM files").fetchone()[0]
    return number


def numbers_of_scanned(connection: Connection) -> list[int]:
    return [row[0] for row in connection.execute("SELECT id FROM files WHERE status = 'scanned'")]


def numbers_of_languages(connection: Connection, names: Sequence[str]) -> list[int]:
    marks = ",".join("?" * len(names))
    return [row[0] for row in connection.execute(f"SELECT id FROM files WHERE language IN ({marks})", names)]


def languages(connection: Connection) -> list[str]:
    """Every language that some file is written in."""
    return [row[0] for row in connection.execute("SELECT DISTINCT language FROM files WHERE language != ''")]


def erase_all_edges(connection: Connection) -> None:
    connection.execute("DELETE FROM edges")
    connection.execute("DELETE FROM wants")
