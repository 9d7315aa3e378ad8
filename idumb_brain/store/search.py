"""The search store: which words stand in which file, piece and commit. Derived; may be deleted and built again at any time.

A word's files are one row a field: numbers and counts packed side by side, so that a question reads a few rows however
large the project is, and a file that changed rewrites only the rows of its own words.
"""

from __future__ import annotations

import zlib
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from idumb_brain.store.code import stored_path
from idumb_brain.store.database import Connection, connect, connect_known, explained, transaction

SCHEMA_VERSION = 1
# Fields of postings. COMMIT counts commits, all others files.
BODY, NAMES, DEFINES, REMARKS, PATH, COMMIT = range(6)
FILE_FIELDS = (BODY, NAMES, DEFINES, REMARKS, PATH)
_SHIFT = 3
_MOST = 255

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);

CREATE TABLE docs (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,          -- as the index has it
  hash TEXT NOT NULL,                 -- of the content the words are from, as the index had it
  role TEXT NOT NULL,
  lengths BLOB NOT NULL,              -- words in each field
  keys BLOB NOT NULL,                 -- every posting the file is in
  pieces BLOB NOT NULL                -- see pack_pieces
);

-- key: word << 3 | field
CREATE TABLE postings (key INTEGER PRIMARY KEY, docs BLOB NOT NULL, counts BLOB NOT NULL);

CREATE TABLE commits (
  id INTEGER PRIMARY KEY,             -- rises from old to new
  hash TEXT NOT NULL,
  time INTEGER NOT NULL,
  subject TEXT NOT NULL,
  length INTEGER NOT NULL             -- words of the message
);
-- What commits touched, by the names files have now.
CREATE TABLE touched (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, commits BLOB NOT NULL);

-- What every question needs of all files or commits at once, packed.
CREATE TABLE columns (name TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
"""


class Posting(NamedTuple):
    """Where a word stands: ids and how often, side by side."""

    ids: array[int]
    counts: bytes


class Piece(NamedTuple):
    line: int
    end_line: int
    length: int
    words: array[int]  # numbers of the words in it, each once
    counts: bytes  # how often, side by side


class Document(NamedTuple):
    """A file to be written: words by field, and its pieces as (line, end line, words)."""

    path: str
    hash: str
    role: str
    fields: tuple[Mapping[str, int], ...]
    pieces: Sequence[tuple[int, int, Mapping[str, int]]]


def open_search(file: Path) -> Connection:
    """The store for writing; one of another schema is emptied."""
    connection = connect(file)
    with explained(file):
        if connection.execute("PRAGMA user_version").fetchone()[0] != SCHEMA_VERSION:
            with transaction(connection):
                if connection.execute("PRAGMA user_version").fetchone()[0] != SCHEMA_VERSION:
                    _create(connection)
    return connection


def open_for_reading(file: Path) -> Connection | None:
    """The store as it is, or None where there is none this version can read."""
    return connect_known(file, SCHEMA_VERSION)


def meta(connection: Connection, key: str) -> str:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return row[0] if row else ""


def set_meta(connection: Connection, **values: str) -> None:
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())


def mark(connection: Connection) -> int:
    """A number that changes whenever another connection has written."""
    number: int = connection.execute("PRAGMA data_version").fetchone()[0]
    return number


@contextmanager
def unchanging(connection: Connection) -> Iterator[None]:
    """Everything read meanwhile is of one moment, whatever others write."""
    connection.execute("BEGIN")
    try:
        connection.execute("SELECT count(*) FROM meta").fetchone()  # from here on: BEGIN alone fixes nothing
        yield
    finally:
        connection.execute("ROLLBACK")


# -- writing ---------------------------------------------------------------------------------------------------------


def empty(connection: Connection) -> None:
    """Forget everything. Part of a transaction."""
    _create(connection)


def known_documents(connection: Connection) -> dict[str, str]:
    """path → hash."""
    return dict(connection.execute("SELECT path, hash FROM docs"))


def replace_documents(connection: Connection, documents: Sequence[Document], gone: Iterable[str] = ()) -> None:
    """Write these files in place of what was known of them, and forget those that are gone."""
    paths = [stored_path(one.path)[0] for one in documents]
    _forget(connection, [*paths, *gone])
    number = connection.execute("SELECT coalesce(max(id), -1) FROM docs").fetchone()[0]
    ids = _word_ids(connection, {word for one in documents for field in one.fields for word in field})
    added: dict[int, tuple[array[int], bytearray]] = {}
    rows = []
    for path, document in zip(paths, documents, strict=True):
        number += 1
        keys = array("Q")
        for field, counted in enumerate(document.fields):
            for word, times in counted.items():
                key = ids[word] << _SHIFT | field
                keys.append(key)
                if key not in added:
                    added[key] = (array("I"), bytearray())
                added[key][0].append(number)
                added[key][1].append(min(times, _MOST))
        lengths = array("I", [sum(field.values()) for field in document.fields])
        packed = pack_pieces(
            [(line, end, {ids[word]: n for word, n in counted.items()}) for line, end, counted in document.pieces]
        )
        rows.append((number, path, document.hash, document.role, lengths.tobytes(), zlib.compress(keys.tobytes(), 1), packed))
    connection.executemany("INSERT INTO docs VALUES (?,?,?,?,?,?,?)", rows)
    _append(connection, added)


def write_columns(connection: Connection) -> None:
    """What questions need of all files at once. Belongs to every transaction that changes files or commits."""
    _write_lengths(connection)
    _resolve_commits(connection)


def _write_lengths(connection: Connection) -> None:
    """Lengths and roles of all files, in order of number; of a number nobody has, nothing but zeros."""
    rows = connection.execute("SELECT id, role, lengths FROM docs ORDER BY id").fetchall()
    size = rows[-1][0] + 1 if rows else 0
    lengths = [array("I", bytes(4 * size)) for _ in FILE_FIELDS]
    roles = [""] * size
    for number, role, packed in rows:
        roles[number] = role
        for column, length in zip(lengths, array("I", packed), strict=True):
            column[number] = length
    set_column(connection, "roles", "\n".join(roles).encode())
    for field, column in zip(FILE_FIELDS, lengths, strict=True):
        set_column(connection, f"lengths {field}", column.tobytes())


def set_column(connection: Connection, name: str, data: bytes) -> None:
    connection.execute("INSERT OR REPLACE INTO columns VALUES (?, ?)", (name, data))


def add_commits(
    connection: Connection,
    commits: Sequence[tuple[str, int, str, Mapping[str, int], Sequence[str]]],
    renamed: Mapping[str, str],
) -> None:
    """(hash, time, subject, words, paths), oldest first; ``renamed``: what files known by an older name are called now."""
    last = connection.execute("SELECT coalesce(max(id), -1) FROM commits").fetchone()[0]
    ids = _word_ids(connection, {word for _, _, _, counted, _ in commits for word in counted})
    added: dict[int, tuple[array[int], bytearray]] = {}
    touched: dict[str, array[int]] = {}
    for old, new in renamed.items():
        row = connection.execute("DELETE FROM touched WHERE path = ? RETURNING commits", (stored_path(old)[0],)).fetchone()
        if row is not None:
            touched.setdefault(new, array("I")).frombytes(row[0])
    rows = []
    for number, (digest, time, subject, counted, paths) in enumerate(commits, last + 1):
        rows.append((number, digest, time, stored_path(subject)[0], sum(counted.values())))
        for path in paths:
            touched.setdefault(path, array("I")).append(number)
        for word, times in counted.items():
            key = ids[word] << _SHIFT | COMMIT
            if key not in added:
                added[key] = (array("I"), bytearray())
            added[key][0].append(number)
            added[key][1].append(min(times, _MOST))
    connection.executemany("INSERT INTO commits VALUES (?,?,?,?,?)", rows)
    connection.executemany(
        "INSERT INTO touched (path, commits) VALUES (?, ?) ON CONFLICT (path) DO UPDATE"
        " SET commits = CAST(commits || excluded.commits AS BLOB)",
        [(stored_path(path)[0], numbers.tobytes()) for path, numbers in sorted(touched.items())],
    )
    _append(connection, added)


def _resolve_commits(connection: Connection) -> None:
    """Which commits touched which of the files there are; a file that moved and changed at once is known by the end of its path."""
    numbers = {path: number for number, path in connection.execute("SELECT id, path FROM docs")}
    moved = _by_name(numbers)
    files, commits = array("I"), array("I")
    for path, packed in connection.execute("SELECT path, commits FROM touched ORDER BY path"):
        number = numbers.get(path)
        if number is None:
            number = numbers.get(_nearest(path, moved))
        if number is not None:
            found = array("I", packed)
            commits.extend(found)
            files.extend([number] * len(found))
    lengths = array("I", [row[0] for row in connection.execute("SELECT length FROM commits ORDER BY id")])
    for name, column_ in (("commit files", files), ("commit numbers", commits), ("commit lengths", lengths)):
        set_column(connection, name, column_.tobytes())


def forget_commits(connection: Connection) -> None:
    connection.execute("DELETE FROM commits")
    connection.execute("DELETE FROM touched")
    connection.execute("DELETE FROM postings WHERE key & 7 = ?", (COMMIT,))
    connection.execute("DELETE FROM columns WHERE name LIKE 'commit %'")


def pack_pieces(pieces: Sequence[tuple[int, int, Mapping[int, int]]]) -> bytes:
    """Heads of (line, end line, words, number of distinct words), then the words, then the counts."""
    heads = array("I", [len(pieces)])
    numbers = array("I")
    counts = bytearray()
    for line, end, counted in pieces:
        heads.extend((line, end, sum(counted.values()), len(counted)))
        numbers.extend(counted)
        counts.extend(min(times, _MOST) for times in counted.values())
    return zlib.compress(heads.tobytes() + numbers.tobytes() + bytes(counts), 1)


# -- reading ---------------------------------------------------------------------------------------------------------


def column(connection: Connection, name: str) -> bytes:
    row = connection.execute("SELECT data FROM columns WHERE name = ?", (name,)).fetchone()
    return row[0] if row else b""


def word_numbers(connection: Connection, words: Iterable[str]) -> dict[str, int]:
    """Of the words that are known."""
    found = {}
    for word in words:
        row = connection.execute("SELECT id FROM words WHERE word = ?", (word,)).fetchone()
        if row is not None:
            found[word] = row[0]
    return found


def posting(connection: Connection, word: int, field: int) -> Posting | None:
    row = connection.execute("SELECT docs, counts FROM postings WHERE key = ?", (word << _SHIFT | field,)).fetchone()
    return Posting(array("I", row[0]), row[1]) if row is not None else None


def words_opening(connection: Connection, opening: str, shortest: int, longest: int) -> list[str]:
    """Known words that open so, of about such a length, in order."""
    rows = connection.execute(
        "SELECT word FROM words WHERE word >= ? AND word < ? AND length(word) BETWEEN ? AND ? ORDER BY word",
        (opening, opening[:-1] + chr(ord(opening[-1]) + 1), shortest, longest),
    )
    return [row[0] for row in rows]


def paths_of(connection: Connection, numbers: Iterable[int]) -> dict[int, str]:
    found = {}
    for number in numbers:
        row = connection.execute("SELECT path FROM docs WHERE id = ?", (number,)).fetchone()
        if row is not None:
            found[number] = row[0]
    return found


def numbers_of(connection: Connection, paths: Iterable[str]) -> dict[str, int]:
    found = {}
    for path in paths:
        row = connection.execute("SELECT id FROM docs WHERE path = ?", (path,)).fetchone()
        if row is not None:
            found[path] = row[0]
    return found


def all_paths(connection: Connection) -> dict[int, str]:
    return dict(connection.execute("SELECT id, path FROM docs"))


def pieces_of(connection: Connection, number: int) -> list[Piece]:
    row = connection.execute("SELECT pieces FROM docs WHERE id = ?", (number,)).fetchone()
    if row is None:
        return []
    data = zlib.decompress(row[0])
    count = array("I", data[:4])[0]
    heads = array("I", data[4 : 4 + 16 * count])
    total = sum(heads[3::4])
    start = 4 + 16 * count
    words = array("I", data[start : start + 4 * total])
    counts = data[start + 4 * total :]
    found = []
    at = 0
    for line, end, length, distinct in zip(heads[::4], heads[1::4], heads[2::4], heads[3::4], strict=True):
        found.append(Piece(line, end, length, words[at : at + distinct], counts[at : at + distinct]))
        at += distinct
    return found


def subjects(connection: Connection, numbers: Iterable[int]) -> dict[int, tuple[str, str]]:
    """number → (commit, first line of its message)."""
    found = {}
    for number in numbers:
        row = connection.execute("SELECT hash, subject FROM commits WHERE id = ?", (number,)).fetchone()
        if row is not None:
            found[number] = (row[0], row[1])
    return found


def all_subjects(connection: Connection) -> Iterator[tuple[int, str]]:
    """(number, first line of the message) of every commit, the oldest first."""
    return iter(connection.execute("SELECT id, subject FROM commits ORDER BY id"))


def _create(connection: Connection) -> None:
    for (name,) in connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ).fetchall():
        connection.execute(f'DROP TABLE "{name}"')
    for statement in _SCHEMA.split(";\n"):
        if statement.strip():
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _by_name(paths: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        found[path.rpartition("/")[2]].append(path)
    return found


def _nearest(path: str, by_name: Mapping[str, list[str]]) -> str:
    """The one file that a path no longer there may have become: of the same name, alone in that or in the folder it is in."""
    same = by_name.get(path.rpartition("/")[2], [])
    if len(same) == 1:
        return same[0]
    end = "/".join(path.split("/")[-2:])
    same = [one for one in same if one == end or one.endswith("/" + end)]
    return same[0] if len(same) == 1 and "/" in end else ""


def _word_ids(connection: Connection, words: set[str]) -> dict[str, int]:
    connection.executemany("INSERT OR IGNORE INTO words (word) VALUES (?)", [(word,) for word in sorted(words)])
    return word_numbers(connection, words)


def _append(connection: Connection, added: Mapping[int, tuple[array[int], bytearray]]) -> None:
    connection.executemany(
        "INSERT INTO postings VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE"
        " SET docs = CAST(docs || excluded.docs AS BLOB), counts = CAST(counts || excluded.counts AS BLOB)",
        ((key, numbers.tobytes(), bytes(counts)) for key, (numbers, counts) in sorted(added.items())),
    )


def _forget(connection: Connection, paths: Sequence[str]) -> None:
    gone: dict[int, set[int]] = defaultdict(set)
    numbers = []
    for path in paths:
        row = connection.execute("SELECT id, keys FROM docs WHERE path = ?", (path,)).fetchone()
        if row is not None:
            numbers.append((row[0],))
            for key in array("Q", zlib.decompress(row[1])):
                gone[key].add(row[0])
    connection.executemany("DELETE FROM docs WHERE id = ?", numbers)
    for key, lost in gone.items():
        docs, counts = connection.execute("SELECT docs, counts FROM postings WHERE key = ?", (key,)).fetchone()
        kept = [(doc, count) for doc, count in zip(array("I", docs), counts, strict=True) if doc not in lost]
        if kept:
            connection.execute(
                "UPDATE postings SET docs = ?, counts = ? WHERE key = ?",
                (array("I", [doc for doc, _ in kept]).tobytes(), bytes(count for _, count in kept), key),
            )
        else:
            connection.execute("DELETE FROM postings WHERE key = ?", (key,))
