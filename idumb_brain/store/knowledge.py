"""Entries in the brain: how they are written, changed, found and linked. Refuses to say what one is worth now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, astuple, fields, replace
from typing import Any

from idumb_brain.model.knowledge import CONTRADICTS, ENTRY_TYPES, RELATED, SOURCES, Entry, Evidence
from idumb_brain.model.words import searchable
from idumb_brain.store.audit import forget, record
from idumb_brain.store.brain import Brain, writing
from idumb_brain.store.guard import Row, Rule, fetch, keep_aside, mended, number, one_of, text, time

KIND = "entry"
_ELSEWHERE = ("evidence", "related", "contradicts", "supersedes")  # fields that are rows of other tables
_COLUMNS = tuple(one.name for one in fields(Entry) if one.name not in _ELSEWHERE)
_ON_RECORD = tuple(
    name for name in (*_COLUMNS, "related", "contradicts") if name not in ("id", "access_count", "last_accessed_at")
)
_SELECT = (
    f"SELECT number, {', '.join(f'e.{column}' for column in _COLUMNS)},"
    " e.parent = '' OR EXISTS (SELECT 1 FROM entries p WHERE p.id = e.parent),"
    " e.superseded_by = '' OR EXISTS (SELECT 1 FROM entries s WHERE s.id = e.superseded_by) FROM entries e"
)
_NAMES = ("number", *_COLUMNS, "parent_there", "successor_there")
_CURRENT = "e.purged_at = '' AND e.superseded_by = ''"
_MANY = 500  # values in one statement
_A_LONG_TIME = 100 * 365 * 86400


def _made(row: Row) -> str:
    return str(row["created_at"])


_RULES: tuple[Rule, ...] = (
    text("id", empty=False),
    one_of("type", ENTRY_TYPES),
    text("title", empty=False),
    text("content"),
    text("parent"),
    text("superseded_by"),
    time("created_at", lambda row: "1970-01-01T00:00:00Z"),
    time("modified_at", _made),
    time("validated_at", lambda row: "", empty=True),
    time("valid_from", _made, empty=True),
    time("valid_to", lambda row: "", empty=True),
    number("stale_after", 0, _A_LONG_TIME, lambda row: 30 * 86400),
    number("confidence", 0, 100, lambda row: min(100, max(0, row["confidence"])) if type(row["confidence"]) is int else 50),
    one_of("source", SOURCES, lambda row: "manual"),
    text("origin"),
    number("access_count", 0, 1 << 62, lambda row: 0),
    time("last_accessed_at", lambda row: "", empty=True),
    number("pinned", 0, 1, lambda row: 0),
    time("purged_at", lambda row: _made(row), empty=True),
    Rule("parent_there", bool, None, "", "its parent is not there"),
    Rule("successor_there", bool, None, "", "what supersedes it is not there"),
)
_EVIDENCE: tuple[Rule, ...] = (
    text("path"),
    number("line", 0, 1 << 31, lambda row: 0),
    number("end_line", 0, 1 << 31, lambda row: 0),
    text("revision"),
    text("hash"),
    text("passage"),
)
_EVIDENCE_NAMES = ("entry", "position", "path", "line", "end_line", "revision", "hash", "passage")


# -- asking ----------------------------------------------------------------------------------------------------------


def entry(brain: Brain, id: str) -> Entry | None:
    found = entries_of(brain, (id,))
    return found[0] if found else None


def entries_of(brain: Brain, ids: Sequence[str]) -> list[Entry]:
    """Those that are there, in the order asked for, whatever became of them."""
    found = {one.id: one for some in _portions(ids) for one in _entries(brain, f"WHERE e.id IN ({_marks(some)})", some)}
    return [found[id] for id in dict.fromkeys(ids) if id in found]


def entries(brain: Brain, *, every: bool = False, type: str = "") -> list[Entry]:
    """All current ones, the oldest first; ``every``: superseded and purged ones too."""
    where = [*([] if every else [_CURRENT]), *(["e.type = ?"] if type else [])]
    return _entries(brain, f"WHERE {' AND '.join(where)}" if where else "", (type,) if type else ())


def children(brain: Brain, id: str) -> list[Entry]:
    return _entries(brain, f"WHERE e.parent = ? AND e.parent != '' AND {_CURRENT}", (id,))


def of_origin(brain: Brain, origin: str) -> Entry | None:
    """Whatever became of it: what was purged or superseded must not be made again."""
    found = _entries(brain, "WHERE e.origin = ? AND e.origin != ''", (origin,))
    return found[0] if found else None


def origins(brain: Brain, prefix: str) -> dict[str, Entry]:
    """Everything that was made from sources whose names begin so."""
    return {one.origin: one for one in _entries(brain, "WHERE e.origin >= ? AND e.origin < ?", (prefix, prefix + "\U0010ffff"))}


def citing(brain: Brain, paths: Sequence[str]) -> list[Entry]:
    """Current ones whose evidence lies in one of these files."""
    found = [
        one
        for some in _portions(paths)
        for one in _entries(
            brain,
            f"WHERE {_CURRENT} AND e.id IN (SELECT entry FROM evidence WHERE path != '' AND path IN ({_marks(some)}))",
            some,
        )
    ]
    return list({one.id: one for one in found}.values())


def ids(brain: Brain) -> list[str]:
    return [row[0] for row in fetch(brain, "SELECT id FROM entries ORDER BY number")]


def ids_beginning(brain: Brain, prefix: str) -> list[str]:
    rows = fetch(brain, "SELECT id FROM entries WHERE id >= ? AND id < ? ORDER BY id LIMIT 3", (prefix, prefix + "\U0010ffff"))
    return [row[0] for row in rows]


def matching(brain: Brain, match: str, limit: int, *, title_weight: float = 3.0) -> list[tuple[str, float]]:
    """Ids of current entries that an FTS5 expression finds, with BM25 as a positive number, the best first."""
    rows = fetch(
        brain,
        "SELECT e.id, -bm25(recall, ?, 1.0) FROM recall JOIN entries e ON e.number = recall.rowid"
        f" WHERE recall MATCH ? AND {_CURRENT} ORDER BY bm25(recall, ?, 1.0), e.id LIMIT ?",
        (title_weight, match, title_weight, limit),
    )
    return [(id, score) for id, score in rows]


def some_matching(brain: Brain, match: str, limit: int) -> list[int]:
    """Row numbers of any that an FTS5 expression finds, unranked: cheap, however many there are."""
    return [row[0] for row in fetch(brain, "SELECT rowid FROM recall WHERE recall MATCH ? LIMIT ?", (match, limit))]


def current_numbered(brain: Brain, numbers: Sequence[int]) -> list[Entry]:
    return [
        one for some in _portions(numbers) for one in _entries(brain, f"WHERE e.number IN ({_marks(some)}) AND {_CURRENT}", some)
    ]


def foremost(brain: Brain, limit: int) -> list[Entry]:
    """Current ones of which most was stated, before anything takes from it: pinned, then surest, then latest."""
    rows = fetch(
        brain,
        f"SELECT e.number FROM entries e WHERE {_CURRENT}"
        " ORDER BY e.pinned DESC, e.confidence DESC, max(e.modified_at, e.validated_at) DESC, e.id LIMIT ?",
        (limit,),
    )
    return current_numbered(brain, [row[0] for row in rows])


def latest(brain: Brain, limit: int, *, every: bool = False, type: str = "") -> tuple[list[Entry], int]:
    """The last that were written, the latest first, and how many there are in all; without a limit all of them."""
    where = " AND ".join([*([] if every else [_CURRENT]), *(["e.type = ?"] if type else [])]) or "1"
    values = (type,) if type else ()
    numbers = fetch(brain, f"SELECT number FROM entries e WHERE {where} ORDER BY number DESC LIMIT ?", (*values, limit or -1))
    found = [
        one
        for some in _portions([row[0] for row in reversed(numbers)])
        for one in _entries(brain, f"WHERE e.number IN ({_marks(some)})", some)
    ]
    return found[::-1], int(fetch(brain, f"SELECT count(*) FROM entries e WHERE {where}", values)[0][0])


def parents(brain: Brain) -> dict[str, str]:
    """id of every current one → what it is part of, the oldest first. As it is written: nothing is judged."""
    return dict(fetch(brain, f"SELECT e.id, e.parent FROM entries e WHERE {_CURRENT} ORDER BY e.number"))


def total(brain: Brain) -> int:
    return int(brain.connection.execute("SELECT count(*) FROM entries").fetchone()[0])


# -- changing --------------------------------------------------------------------------------------------------------


def add_entry(brain: Brain, made: Entry, by: str) -> None:
    """A new one, with its evidence and links. Those it supersedes are told so by whoever calls."""
    with writing(brain) as connection:
        row = _row(made)
        cursor = connection.execute(
            f"INSERT INTO entries ({', '.join(_COLUMNS)}) VALUES ({_marks(_COLUMNS)})", [row[column] for column in _COLUMNS]
        )
        connection.execute(
            "INSERT INTO recall (rowid, title, content) VALUES (?,?,?)",
            (cursor.lastrowid, searchable(made.title), searchable(made.content)),
        )
        _write_evidence(brain, made)
        for kind, others in ((RELATED, made.related), (CONTRADICTS, made.contradicts)):
            for other in others:
                _link(brain, made.id, kind, other)
        record(brain, KIND, made.id, "write", by, {}, _told(made))


def change_entry(brain: Brain, before: Entry, after: Entry, action: str, by: str) -> None:
    """The same one, with other values."""
    if before == after:
        return
    with writing(brain) as connection:
        old, new = _row(before), _row(after)
        changed = [column for column in _COLUMNS if old[column] != new[column]]
        if changed:
            connection.execute(
                f"UPDATE entries SET {', '.join(f'{column} = ?' for column in changed)} WHERE id = ?",
                [*(new[column] for column in changed), before.id],
            )
        if (before.title, before.content) != (after.title, after.content):
            connection.execute(
                "UPDATE recall SET title = ?, content = ? WHERE rowid = (SELECT number FROM entries WHERE id = ?)",
                (searchable(after.title), searchable(after.content), before.id),
            )
        if before.evidence != after.evidence:
            connection.execute("DELETE FROM evidence WHERE entry = ?", (before.id,))
            _write_evidence(brain, after)
        for kind, left, right in ((RELATED, before.related, after.related), (CONTRADICTS, before.contradicts, after.contradicts)):
            for other in set(left) - set(right):
                connection.execute("DELETE FROM links WHERE one = ? AND kind = ? AND other = ?", _pair(before.id, kind, other))
            for other in sorted(set(right) - set(left)):
                _link(brain, before.id, kind, other)
        record(brain, KIND, before.id, action, by, _told(before), _told(after))


def erase_entry(brain: Brain, gone: Entry, by: str) -> None:
    """Really delete it. That it was there, what kind it was and when it went, stays on record."""
    with writing(brain) as connection:
        connection.execute("DELETE FROM recall WHERE rowid = (SELECT number FROM entries WHERE id = ?)", (gone.id,))
        connection.execute("DELETE FROM entries WHERE id = ?", (gone.id,))
        connection.execute("DELETE FROM evidence WHERE entry = ?", (gone.id,))
        connection.execute("DELETE FROM links WHERE ? IN (one, other)", (gone.id,))
        connection.execute("DELETE FROM quarantine WHERE id = ?", (gone.id,))
        connection.execute("UPDATE entries SET parent = ? WHERE parent = ?", (gone.parent, gone.id))
        forget(brain, gone.id)
        record(brain, KIND, gone.id, "erase", by, {"type": gone.type, "createdAt": gone.created_at}, {})


def count_access(brain: Brain, ids: Sequence[str]) -> None:
    """They were read. Not a change: it is not put on record, does not make them younger, and is not worth waiting for the disk."""
    if brain.connection.in_transaction:
        _count_access(brain, ids)
        return
    brain.connection.execute("PRAGMA synchronous = NORMAL")
    try:
        _count_access(brain, ids)
    finally:
        brain.connection.execute("PRAGMA synchronous = FULL")


def scrub(brain: Brain) -> None:
    """After something was erased: nothing of it stays in free pages, in the text index or in the log."""
    with writing(brain) as connection:
        connection.execute("INSERT INTO recall (recall) VALUES ('optimize')")
    brain.connection.execute("VACUUM")
    brain.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def sound(made: Entry) -> tuple[Entry | None, list[str]]:
    """What of an entry from elsewhere can be believed, and what was wrong with it. Whether what it names is there, is not asked."""
    row, told = mended(_row(made) | {"pinned": int(made.pinned), "parent_there": 1, "successor_there": 1}, _RULES)
    evidence = []
    for one in made.evidence:
        place, wrong = mended(dict(zip(_EVIDENCE_NAMES[2:], astuple(one), strict=True)), _EVIDENCE)
        told += wrong
        evidence += [Evidence(*place.values())] if place else []
    if row is None:
        return None, told
    return replace(
        made, **{column: row[column] for column in _COLUMNS} | {"pinned": bool(row["pinned"])}, evidence=tuple(evidence)
    ), told


# -- rows and values -------------------------------------------------------------------------------------------------


def _count_access(brain: Brain, ids: Sequence[str]) -> None:
    with writing(brain) as connection:
        connection.executemany(
            "UPDATE entries SET access_count = access_count + 1, last_accessed_at = ? WHERE id = ?",
            [(brain.now, id) for id in ids],
        )


def _entries(brain: Brain, where: str, values: Sequence[Any]) -> list[Entry]:
    rows = [dict(zip(_NAMES, row, strict=True)) for row in fetch(brain, f"{_SELECT} {where} ORDER BY e.number", values)]
    sound = [row for row in (_believed(brain, row) for row in rows) if row]
    everything = len(sound) > 4 * _MANY
    found = [str(row["id"]) for row in sound]
    evidence = _evidence(brain, None if everything else found)
    links = _links(brain, None if everything else found)
    replaced = _replaced(brain, None if everything else found)
    return [_entry(row, evidence, links, replaced) for row in sound]


def _believed(brain: Brain, row: Row) -> Row | None:
    sound, told = mended(row, _RULES)
    if not told:
        return row
    stored = {column: row[column] for column in ("number", *_COLUMNS)}
    key = {"number": row["number"]}
    if sound is None and (row["type"] in ENTRY_TYPES):
        # Only what it points to is missing: a lost parent is no parent, a lost successor leaves it out of view.
        loose = row if row["parent_there"] else row | {"parent": "", "parent_there": 1}
        if not row["successor_there"]:
            loose = loose | {"superseded_by": "", "successor_there": 1, "purged_at": row["purged_at"] or brain.now}
        sound, _ = mended(loose, _RULES)
    fixed = None if sound is None else {column: sound[column] for column in ("number", *_COLUMNS)}
    keep_aside(brain, "entries", key, stored, fixed, told)
    return sound


def _entry(
    row: Row, evidence: dict[str, list[Evidence]], links: dict[tuple[str, str], list[str]], replaced: dict[str, list[str]]
) -> Entry:
    id = row["id"]
    return Entry(
        **{column: row[column] for column in _COLUMNS if column != "pinned"},
        pinned=bool(row["pinned"]),
        evidence=tuple(evidence.get(id, ())),
        related=tuple(sorted(links.get((id, RELATED), ()))),
        contradicts=tuple(sorted(links.get((id, CONTRADICTS), ()))),
        supersedes=tuple(replaced.get(id, ())),
    )


def _evidence(brain: Brain, ids: Sequence[str] | None) -> dict[str, list[Evidence]]:
    found: dict[str, list[Evidence]] = defaultdict(list)
    sql = f"SELECT {', '.join(_EVIDENCE_NAMES)} FROM evidence"
    for values in _selected(brain, sql, "entry", ids, "ORDER BY entry, position"):
        row = dict(zip(_EVIDENCE_NAMES, values, strict=True))
        sound, told = mended(row, _EVIDENCE)
        if told:
            keep_aside(brain, "evidence", {"entry": row["entry"], "position": row["position"]}, row, sound, told)
        if sound:
            _, _, path, line, end_line, revision, digest, passage = sound.values()
            found[row["entry"]].append(Evidence(path, line, end_line, revision, digest, passage))
    return found


def _links(brain: Brain, ids: Sequence[str] | None) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for mine, theirs in (("one", "other"), ("other", "one")):
        for id, kind, other in _selected(brain, f"SELECT {mine}, kind, {theirs} FROM links", mine, ids):
            found[id, kind].append(other)
    return found


def _replaced(brain: Brain, ids: Sequence[str] | None) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    sql = "SELECT superseded_by, id FROM entries"
    for successor, id in _selected(brain, sql, "superseded_by", ids, "ORDER BY number", "superseded_by != ''"):
        found[successor].append(id)
    return found


def _selected(
    brain: Brain, sql: str, column: str, ids: Sequence[str] | None, order: str = "", condition: str = "1"
) -> Iterator[tuple[Any, ...]]:
    """Rows of these ids, or all of them."""
    if ids is None:
        yield from fetch(brain, f"{sql} WHERE {condition} {order}")
        return
    for some in _portions(ids):
        yield from fetch(brain, f"{sql} WHERE {condition} AND {column} IN ({_marks(some)}) {order}", some)


def _write_evidence(brain: Brain, of: Entry) -> None:
    brain.connection.executemany(
        "INSERT INTO evidence VALUES (?,?,?,?,?,?,?,?)",
        [
            (of.id, position, one.path, one.line, one.end_line, one.commit, one.hash, one.passage)
            for position, one in enumerate(of.evidence)
        ],
    )


def _link(brain: Brain, id: str, kind: str, other: str) -> None:
    brain.connection.execute("INSERT OR IGNORE INTO links VALUES (?,?,?)", _pair(id, kind, other))


def _pair(id: str, kind: str, other: str) -> tuple[str, str, str]:
    return (id, kind, other) if id < other else (other, kind, id)


def _row(of: Entry) -> Row:
    return {column: getattr(of, column) for column in _COLUMNS}


def _told(of: Entry) -> Row:
    """What the record keeps: all but how often it was read."""
    told = {name: getattr(of, name) for name in _ON_RECORD}
    told["evidence"] = [asdict(one) for one in of.evidence]
    return {name: value for name, value in told.items() if value not in ("", (), [], 0, False) or name == "confidence"}


def _portions(values: Sequence[Any]) -> Iterable[Sequence[Any]]:
    return (values[start : start + _MANY] for start in range(0, len(values), _MANY))


def _marks(values: Sequence[Any]) -> str:
    return ",".join("?" * len(values))
