"""What a look at functions and comments needs of the index, file by file; and what such a look found, kept beside it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from idumb_brain.model.code import Comment, FileRecord, Symbol
from idumb_brain.model.documented import Function, Parameter
from idumb_brain.store.code import symbol_of
from idumb_brain.store.database import Connection


def unexamined(connection: Connection, languages: Sequence[str]) -> list[tuple[int, str, str]]:
    """(number, path, hash) of files in these languages that have documentation, and whose functions nobody looked at yet."""
    marks = ",".join("?" * len(languages))
    rows = connection.execute(
        "SELECT f.id, f.path, f.raw, f.hash FROM files f LEFT JOIN examined e ON e.file = f.id"
        f" WHERE e.file IS NULL AND f.status = 'scanned' AND f.language IN ({marks})"
        " AND EXISTS (SELECT 1 FROM comments c WHERE c.id BETWEEN f.id << 20 AND (f.id << 20) + 1048575 AND c.type = 'doc')"
        " ORDER BY f.path",
        languages,
    )
    return [(n, raw.decode("utf-8", "surrogateescape") if raw is not None else path, digest) for n, path, raw, digest in rows]


def write_examined(connection: Connection, rows: Iterable[tuple[int, str, str]]) -> None:
    """(number, hash, facts); of a file that has been scanned again meanwhile, nothing is kept."""
    connection.executemany(
        "INSERT OR REPLACE INTO examined SELECT id, ? FROM files WHERE id = ? AND hash = ?",
        [(facts, number, digest) for number, digest, facts in rows],
    )


def functions_of(connection: Connection, file: FileRecord) -> list[Function]:
    row = connection.execute("SELECT facts FROM examined WHERE file = ?", (file.id,)).fetchone()
    return [_function(one) for one in json.loads(row[0])] if row else []


def comments_of(connection: Connection, file: FileRecord) -> list[tuple[int, Comment]]:
    """Comments in order, each with the ordinal of the symbol it belongs to, or -1."""
    rows = connection.execute(
        "SELECT c.owner, c.type, c.line, c.end_line, c.content, coalesce(s.qualified_name, '') FROM comments c"
        " LEFT JOIN symbols s ON c.owner >= 0 AND s.id = ? + c.owner WHERE c.id BETWEEN ? AND ? ORDER BY c.line, c.id",
        (file.id << 20, file.id << 20, ((file.id + 1) << 20) - 1),
    )
    return [(owner, Comment(file.path, kind, line, end, content, name)) for owner, kind, line, end, content, name in rows]


def symbol_kinds(connection: Connection) -> list[tuple[str, str]]:
    """(name, kind) of every symbol, each pair once."""
    return connection.execute("SELECT DISTINCT name, kind FROM symbols ORDER BY name, kind").fetchall()


def symbols_named(connection: Connection, name: str) -> list[tuple[str, Symbol]]:
    """Symbols of a name with their files, in order."""
    rows = connection.execute(
        "SELECT f.path, s.id, s.parent, s.name, s.qualified_name, s.kind, s.line, s.end_line, s.signature, s.exported, s.doc"
        " FROM symbols s JOIN files f ON f.id = s.id >> 20 WHERE s.name = ? ORDER BY f.path, s.id",
        (name,),
    )
    return [(path, symbol_of(path, row)) for path, *row in rows]


def _function(row: list[Any]) -> Function:
    name, line, end_line, traits, decorators, parameters, returns, returns_at, leaves_at, yields_at, raises, calls = row
    return Function(
        name, line, end_line, frozenset(traits), tuple(decorators),
        tuple(Parameter(n, t, d, how, tuple(fields)) for n, t, d, how, fields in parameters),
        returns, returns_at, leaves_at, yields_at, tuple((one, at) for one, at in raises), calls,
    )  # fmt: skip
