"""The index: what every file says, and what follows from it. Derived; may be deleted and built again at any time.

Rows that belong to a file have ids of ``file id << 20 | ordinal``, so that a file's rows are a range of ids: no
index on the file is needed, and a scan can name a row before it is stored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from idumb_brain.model.code import (
    Binding,
    Comment,
    Edge,
    FileRecord,
    Import,
    Problem,
    Reference,
    Symbol,
    Totals,
    unpacked,
)
from idumb_brain.store.database import Connection, connect, connect_known, explained, transaction

if TYPE_CHECKING:
    from idumb_brain.model.dependencies import OutsideImport

SCHEMA_VERSION = 3
SHIFT = 20
MAX_ROWS_A_FILE = 1 << SHIFT

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,          -- relative to the root; bytes that are not UTF-8 are written \\xNN
  raw BLOB,                           -- the path's bytes, where they are not UTF-8
  status TEXT NOT NULL,               -- scanned, plain, skipped
  reason TEXT NOT NULL,               -- why skipped
  hash TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  language TEXT NOT NULL,
  package TEXT NOT NULL,
  scanned_at TEXT NOT NULL
);

CREATE TABLE symbols (
  id INTEGER PRIMARY KEY,
  parent INTEGER NOT NULL,            -- ordinal in the same file, or -1
  name TEXT NOT NULL,
  qualified_name TEXT NOT NULL,
  kind TEXT NOT NULL,
  line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  signature TEXT NOT NULL,
  exported INTEGER NOT NULL,
  doc TEXT NOT NULL
);

CREATE TABLE comments (
  id INTEGER PRIMARY KEY,
  owner INTEGER NOT NULL,
  type TEXT NOT NULL,
  line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  content TEXT NOT NULL
);

CREATE TABLE imports (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  line INTEGER NOT NULL,
  bindings TEXT NOT NULL
);

CREATE TABLE problems (id INTEGER PRIMARY KEY, line INTEGER NOT NULL, message TEXT NOT NULL);

-- One text per file: a row each would be most of the index, and nobody asks for a single one.
CREATE TABLE uses (file INTEGER PRIMARY KEY, rows TEXT NOT NULL);

-- What a document says: one JSON text per file, see model/documents.py.
CREATE TABLE documents (file INTEGER PRIMARY KEY, facts TEXT NOT NULL);
-- What the functions of a file take and give, as JSON: worked out when somebody asks, see scan/signatures.
CREATE TABLE examined (file INTEGER PRIMARY KEY, facts TEXT NOT NULL);

-- Keys a file declares beside its path, and keys its imports look for: see scan/resolve.
CREATE TABLE provides (key TEXT NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (key, file)) WITHOUT ROWID;
CREATE INDEX provides_by_file ON provides (file);
CREATE TABLE wants (key TEXT NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (key, file)) WITHOUT ROWID;

-- Derived by resolving: exactly one of target, external, reason is set.
CREATE TABLE edges (
  id INTEGER PRIMARY KEY,
  ordinal INTEGER NOT NULL,           -- the import, or -1
  line INTEGER NOT NULL,
  kind TEXT NOT NULL,
  target INTEGER,
  external TEXT NOT NULL,
  reason TEXT NOT NULL
);

CREATE VIRTUAL TABLE mentions USING fts5 (names, detail = none, tokenize = "unicode61 tokenchars '_$'");
"""


def open_index(file: Path, fingerprint: str) -> tuple[Connection, str]:
    """The index for writing, and why it had to be started anew ("" when it had not).

    An index of another schema or made by other queries is emptied, never misread.
    """
    connection = connect(file)
    with explained(file):
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version == 0 and not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            _create(connection, fingerprint)
            return connection, "there was no index"
        if version != SCHEMA_VERSION:
            _create(connection, fingerprint)
            return connection, f"the index had schema {version}, this version writes {SCHEMA_VERSION}"
        if meta(connection, "fingerprint") != fingerprint:
            _create(connection, fingerprint)
            return connection, "the index was made by other queries or grammars"
    return connection, ""


def open_for_reading(file: Path) -> Connection | None:
    """The index as it is, or None where there is none this version can read."""
    return connect_known(file, SCHEMA_VERSION)


def empty(connection: Connection, fingerprint: str) -> None:
    """Forget everything."""
    _create(connection, fingerprint)


def meta(connection: Connection, key: str) -> str:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return row[0] if row else ""


def set_meta(connection: Connection, **values: str) -> None:
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())


def keep_meta(file: Path, **values: str) -> None:
    """The same from outside a scan. Raises StoreLocked at once where somebody is writing."""
    connection = connect(file, busy_ms=0)
    try:
        with explained(file), transaction(connection):
            set_meta(connection, **values)
    finally:
        connection.close()


def stored_path(path: str) -> tuple[str, bytes | None]:
    """A path as the database keeps it: text, and its bytes where text alone would lose some."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        raw = path.encode("utf-8", "surrogateescape")
        return raw.decode("utf-8", "backslashreplace"), raw
    return path, None


# -- asking ----------------------------------------------------------------------------------------------------------


def files(connection: Connection, where: str = "1", values: Sequence[Any] = ()) -> list[FileRecord]:
    rows = connection.execute(
        "SELECT id, path, status, reason, hash, size, mtime_ns, lines, language, package, scanned_at FROM files"
        f" WHERE {where} ORDER BY path",
        values,
    )
    return [FileRecord(*row) for row in rows]


def file_at(connection: Connection, path: str) -> FileRecord | None:
    found = files(connection, "path = ?", (path,))
    return found[0] if found else None


def paths(connection: Connection) -> dict[int, str]:
    return dict(connection.execute("SELECT id, path FROM files"))


def content_mark(connection: Connection) -> str:
    """A word that changes whenever the files in the index do."""
    count, sizes, times = connection.execute(
        "SELECT count(*), coalesce(sum(size), 0), coalesce(sum(mtime_ns % 1000000007 * (id % 1009 + 1)), 0) FROM files"
    ).fetchone()
    return f"{meta(connection, 'generation')} {meta(connection, 'scanned')} {count} {sizes} {times}"


def raw_path(connection: Connection, file: FileRecord) -> str:
    """The path as the file system has it."""
    row = connection.execute("SELECT raw FROM files WHERE id = ? AND raw IS NOT NULL", (file.id,)).fetchone()
    return row[0].decode("utf-8", "surrogateescape") if row is not None else file.path


def remarks_of(connection: Connection, file: FileRecord) -> list[str]:
    """The text of every comment of a file."""
    return [row[0] for row in connection.execute("SELECT content FROM comments WHERE id BETWEEN ? AND ?", rows_of(file.id))]


def symbols_of(connection: Connection, file: FileRecord) -> list[Symbol]:
    rows = connection.execute("SELECT * FROM symbols WHERE id BETWEEN ? AND ? ORDER BY id", rows_of(file.id))
    return [symbol_of(file.path, row) for row in rows]


def symbol_called(connection: Connection, file: FileRecord, qualified_name: str) -> Symbol | None:
    """The first symbol of this name in a file."""
    row = connection.execute(
        "SELECT * FROM symbols WHERE id BETWEEN ? AND ? AND qualified_name = ? ORDER BY id LIMIT 1",
        (*rows_of(file.id), qualified_name),
    ).fetchone()
    return symbol_of(file.path, row) if row else None


def some_symbols_of(connection: Connection, file: FileRecord, wanted: Callable[[str, int, int], bool]) -> list[Symbol]:
    """Those whose name, line and end line are wanted; large files have thousands of others."""
    rows = connection.execute("SELECT * FROM symbols WHERE id BETWEEN ? AND ? ORDER BY id", rows_of(file.id))
    return [symbol_of(file.path, row) for row in rows if wanted(row[2], row[5], row[6])]


def symbols_named(connection: Connection, name: str) -> list[Symbol]:
    """Every symbol of this name, in order of path."""
    rows = connection.execute(
        "SELECT f.path, s.* FROM symbols s JOIN files f ON f.id = s.id >> 20 WHERE s.name = ? ORDER BY f.path, s.id", (name,)
    )
    return [symbol_of(row[0], row[1:]) for row in rows]


def exported_symbols(connection: Connection, within: str = "") -> list[Symbol]:
    rows = connection.execute(
        "SELECT f.path, s.* FROM symbols s JOIN files f ON f.id = s.id >> 20 WHERE s.exported"
        " AND (? = '' OR f.path = ? OR substr(f.path, 1, length(?) + 1) = ? || '/') ORDER BY f.path, s.id",
        (within,) * 4,
    )
    return [symbol_of(row[0], row[1:]) for row in rows]


def comments(connection: Connection, file: FileRecord | None = None, types: Sequence[str] = ()) -> list[Comment]:
    """Comments of one file or of all, of the given types or of any, in order of path and line."""
    where: list[str] = ["1"]
    values: list[Any] = []
    if file is not None:
        where.append("c.id BETWEEN ? AND ?")
        values += rows_of(file.id)
    if types:
        where.append(f"c.type IN ({','.join('?' * len(types))})")
        values += types
    rows = connection.execute(
        "SELECT f.path, c.type, c.line, c.end_line, c.content, coalesce(s.qualified_name, '') FROM comments c"
        " JOIN files f ON f.id = c.id >> 20"
        " LEFT JOIN symbols s ON c.owner >= 0 AND s.id = ((c.id >> 20) << 20) + c.owner"
        f" WHERE {' AND '.join(where)} ORDER BY f.path, c.line, c.id",
        values,
    )
    return [Comment(*row) for row in rows]


def imports_of(connection: Connection, file: FileRecord) -> list[Import]:
    outcomes: dict[int, list[tuple[str | None, str, str]]] = {}
    for ordinal, target, external, reason in connection.execute(
        "SELECT e.ordinal, f.path, e.external, e.reason FROM edges e LEFT JOIN files f ON f.id = e.target"
        " WHERE e.id BETWEEN ? AND ? ORDER BY e.id",
        rows_of(file.id),
    ):
        outcomes.setdefault(ordinal, []).append((target, external, reason))
    found = []
    for number, kind, text, line, written in connection.execute(
        "SELECT * FROM imports WHERE id BETWEEN ? AND ? ORDER BY id", rows_of(file.id)
    ):
        ordinal = number & (MAX_ROWS_A_FILE - 1)
        mine = outcomes.get(ordinal, [])
        targets = tuple(sorted({target for target, _, _ in mine if target}))
        external = next((package for _, package, _ in mine if package), "")
        reason = next((why for _, _, why in mine if why), "")
        found.append(Import(file.path, ordinal, kind, text, line, _bindings(written), targets, external, reason))
    return found


def references_of(connection: Connection, file: FileRecord) -> list[Reference]:
    return [Reference(file.path, *row) for row in unpacked(uses_of(connection, file.id))]


def documents(connection: Connection) -> list[tuple[FileRecord, str]]:
    """Every document and the JSON of what it says, in order of path."""
    facts = dict(connection.execute("SELECT file, facts FROM documents"))
    return [(file, facts[file.id]) for file in files(connection, "id IN (SELECT file FROM documents)")]


def document_facts(connection: Connection) -> list[tuple[str, str]]:
    """(path, the JSON of what it says) of every document."""
    return connection.execute("SELECT f.path, d.facts FROM documents d JOIN files f ON f.id = d.file").fetchall()


def lines_of_files(connection: Connection) -> dict[str, int]:
    return dict(connection.execute("SELECT path, lines FROM files"))


def files_mentioning(connection: Connection, name: str, most: int = -1) -> list[FileRecord]:
    """Files that use or import something of this name, no more than so many where that is told; case is not looked at."""
    words = re.findall(r"[\w$]+", name)  # the name of a heading or a key may be several words, or none
    if not words:
        return []
    asked = " AND ".join(f'"{word}"' for word in words)
    numbers = [row[0] for row in connection.execute("SELECT rowid FROM mentions WHERE mentions MATCH ? LIMIT ?", (asked, most))]
    if not numbers:
        return []
    return files(connection, f"id IN ({','.join(map(str, numbers))})")


def edges(connection: Connection, *, source: int | None = None, target: int | None = None) -> list[Edge]:
    """Dependencies between project files; one per pair, at its first line."""
    where: list[str] = ["e.target IS NOT NULL", "e.target != e.id >> 20"]
    values: list[Any] = []
    if source is not None:
        where.append("e.id BETWEEN ? AND ?")
        values += rows_of(source)
    if target is not None:
        where.append("e.target = ?")
        values.append(target)
    rows = connection.execute(
        "SELECT a.path, b.path, min(e.line), e.kind FROM edges e JOIN files a ON a.id = e.id >> 20"
        f" JOIN files b ON b.id = e.target WHERE {' AND '.join(where)} GROUP BY a.path, b.path ORDER BY a.path, b.path",
        values,
    )
    return [Edge(*row) for row in rows]


def neighbours(connection: Connection, path: str) -> tuple[list[str], list[str]]:
    """(files this one depends on, files that depend on it), each in order of path."""
    row = connection.execute("SELECT id FROM files WHERE path = ?", (path,)).fetchone()
    if row is None:
        return [], []
    needed = connection.execute(
        "SELECT DISTINCT f.path FROM edges e JOIN files f ON f.id = e.target WHERE e.id BETWEEN ? AND ? AND e.target != ?"
        " ORDER BY f.path",
        (*rows_of(row[0]), row[0]),
    )
    needing = connection.execute(
        "SELECT DISTINCT f.path FROM edges e JOIN files f ON f.id = e.id >> 20 WHERE e.target = ? AND e.id >> 20 != ?"
        " ORDER BY f.path",
        (row[0], row[0]),
    )
    return [path for (path,) in needed.fetchall()], [path for (path,) in needing.fetchall()]


def unresolved(connection: Connection) -> list[tuple[str, str, int, str]]:
    """(file, import text, line, reason)."""
    return connection.execute(
        "SELECT f.path, coalesce(i.text, ''), e.line, e.reason FROM edges e JOIN files f ON f.id = e.id >> 20"
        " LEFT JOIN imports i ON i.id = ((e.id >> 20) << 20) + e.ordinal"
        " WHERE e.reason != '' ORDER BY f.path, e.line, e.id"
    ).fetchall()


def externals(connection: Connection) -> list[tuple[str, str, int]]:
    """(file, package, line), each pair of file and package once."""
    return connection.execute(
        "SELECT f.path, e.external, min(e.line) FROM edges e JOIN files f ON f.id = e.id >> 20"
        " WHERE e.external != '' GROUP BY f.path, e.external ORDER BY f.path, e.external"
    ).fetchall()


def outside_imports(connection: Connection) -> list[OutsideImport]:
    """Every import that leads to a package or, written with its name, into another folder of the project, or nowhere."""
    from idumb_brain.model.dependencies import OutsideImport

    rows = connection.execute(
        "SELECT f.path, f.language, e.external, coalesce(t.path, ''), coalesce(i.kind, e.kind), coalesce(i.text, ''), e.line,"
        " coalesce(i.bindings, '') FROM edges e JOIN files f ON f.id = e.id >> 20 LEFT JOIN files t ON t.id = e.target"
        " LEFT JOIN imports i ON e.ordinal >= 0 AND i.id = ((e.id >> 20) << 20) + e.ordinal"
        " WHERE e.external != '' OR ((e.target IS NULL OR e.target != e.id >> 20) AND coalesce(i.text, '.') NOT LIKE '.%')"
        " ORDER BY f.path, e.line, e.id"
    )
    return [
        OutsideImport(file, language, package, target, kind, text, line, tuple(one.imported for one in _bindings(names)))
        for file, language, package, target, kind, text, line, names in rows
    ]


def problems(connection: Connection) -> list[Problem]:
    rows = connection.execute(
        "SELECT f.path, p.line, p.message FROM problems p JOIN files f ON f.id = p.id >> 20 ORDER BY f.path, p.id"
    )
    return [Problem(*row) for row in rows]


def totals(connection: Connection) -> Totals:
    """How much of everything there is, what was skipped, what was wrong."""
    count: Callable[[str], int] = lambda sql: connection.execute(sql).fetchone()[0]  # noqa: E731
    resolved, external, unresolved_ = connection.execute(
        "SELECT coalesce(sum(kind = 3), 0), coalesce(sum(kind = 2), 0), coalesce(sum(kind = 1), 0) FROM"
        " (SELECT max(CASE WHEN target IS NOT NULL THEN 3 WHEN external != '' THEN 2 ELSE 1 END) AS kind"
        "  FROM edges WHERE ordinal >= 0 GROUP BY id >> 20, ordinal)"
    ).fetchone()
    folders = json.loads(meta(connection, "folders") or "[]")
    skipped = connection.execute("SELECT path, reason FROM files WHERE status = 'skipped'").fetchall()
    return Totals(
        tuple(sorted((path, reason) for path, reason in (*folders, *skipped))),
        tuple(problems(connection)),
        language_totals(connection),
        count("SELECT count(*) FROM symbols"),
        count("SELECT count(*) FROM comments"),
        resolved,
        external,
        unresolved_,
    )


def language_totals(connection: Connection) -> dict[str, tuple[int, int, int]]:
    """language → (files, lines, bytes) of what was read."""
    rows = connection.execute(
        "SELECT language, count(*), sum(lines), sum(size) FROM files WHERE language != '' AND status != 'skipped'"
        " GROUP BY language ORDER BY sum(lines) DESC, language"
    )
    return {name: (number, lines, size) for name, number, lines, size in rows}


def _create(connection: Connection, fingerprint: str) -> None:
    with transaction(connection):
        tables = connection.execute(
            "SELECT name, sql LIKE 'CREATE VIRTUAL%' FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ).fetchall()
        for name, _ in sorted(tables, key=lambda row: -row[1]):  # virtual tables take their shadows with them
            connection.execute(f'DROP TABLE IF EXISTS "{name}"')
        for statement in _SCHEMA.split(";\n"):
            if statement.strip():
                connection.execute(statement)
        set_meta(connection, fingerprint=fingerprint)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def rows_of(number: int) -> tuple[int, int]:
    return number << SHIFT, ((number + 1) << SHIFT) - 1


def uses_of(connection: Connection, number: int) -> str:
    row = connection.execute("SELECT rows FROM uses WHERE file = ?", (number,)).fetchone()
    return row[0] if row else ""


def _bindings(written: str) -> tuple[Binding, ...]:
    return tuple(Binding(*pair.partition(" ")[::2]) for pair in written.split("\n")) if written else ()


def symbol_of(path: str, row: Sequence[Any]) -> Symbol:
    number, parent, name, qualified, kind, line, end_line, signature, exported, doc = row
    return Symbol(
        path,
        number & (MAX_ROWS_A_FILE - 1),
        parent,
        name,
        qualified,
        kind,
        line,
        end_line,
        signature,
        bool(exported),
        doc,
    )
