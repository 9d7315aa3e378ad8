"""What recall asks of the brain: which entries hold which words, and which entries are next to which. Refuses to weigh them.

Counting is cheap, about 30 ns for an entry that holds a word; knowing which ones costs ten times that, and BM25 thirty times.
That is why a query first counts, and then ranks by the words that few entries hold.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from idumb_brain.model.knowledge import CONTRADICTS, RELATED
from idumb_brain.store.brain import Brain
from idumb_brain.store.guard import fetch

PARENT, CHILD, CITES = "parent", "child", "cites"
_TOKENIZE = "porter unicode61 remove_diacritics 2"  # as the schema has it
_MANY = 500  # values in one statement
_LINKS = 4000  # of all entries asked about together: an entry that is linked with everything tells nothing
_CHAIN = 32  # how often something may have been superseded in turn
_HIT = ("\x02", "\x03")


@dataclass(frozen=True, slots=True)
class Card:
    """What decides whether an entry may be shown, without its text."""

    number: int
    id: str
    type: str
    title: str
    parent: str
    superseded_by: str
    created_at: str
    valid_from: str
    valid_to: str
    purged_at: str


@dataclass(frozen=True, slots=True)
class Step:
    """From one entry to the next: how, and for two that cite the same file, which."""

    start: str
    how: str
    end: str
    file: str = ""


def counted(brain: Brain, words: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Of each word how it is stemmed, and how many entries hold it."""
    if not words:
        return {}
    _prepare(brain)
    connection = brain.connection
    connection.execute("DELETE FROM temp.asked")
    connection.executemany("INSERT INTO temp.asked (rowid, word) VALUES (?,?)", enumerate(words))
    stems = dict(fetch(brain, "SELECT doc, min(term) FROM temp.asked_terms GROUP BY doc"))
    counts = {}
    for stem in set(stems.values()):
        row = connection.execute("SELECT doc FROM temp.recall_terms WHERE term = ?", (stem,)).fetchone()
        counts[stem] = row[0] if row else 0
    return {word: (stems[place], counts[stems[place]]) for place, word in enumerate(words) if place in stems}


def terms(brain: Brain, prefix: str) -> list[str]:
    """Every stemmed word of the brain that begins so."""
    _prepare(brain)
    rows = fetch(brain, "SELECT term FROM temp.recall_terms WHERE term >= ? AND term < ?", (prefix, prefix + "\U0010ffff"))
    return [row[0] for row in rows]


def size(brain: Brain) -> int:
    return int(brain.connection.execute("SELECT count(*) FROM entries").fetchone()[0])


def ranked(brain: Brain, phrases: Sequence[str], limit: int) -> dict[int, float]:
    """The numbers of entries that hold any of these, with BM25 as a positive number, the best first."""
    rows = fetch(
        brain,
        "SELECT rowid, -bm25(recall) AS score FROM recall WHERE recall MATCH ? ORDER BY score DESC, rowid LIMIT ?",
        (_any_of(phrases), limit),
    )
    return dict(rows)


def latest(brain: Brain, phrase: str, limit: int) -> list[int]:
    """The entries that hold it and were written last: what is left to say of a word that most entries hold."""
    rows = fetch(brain, "SELECT rowid FROM recall WHERE recall MATCH ? ORDER BY rowid DESC LIMIT ?", (_any_of([phrase]), limit))
    return [row[0] for row in rows]


def holding(brain: Brain, phrase: str) -> set[int]:
    return {row[0] for row in brain.connection.execute("SELECT rowid FROM recall WHERE recall MATCH ?", (_any_of([phrase]),))}


def words_held(
    brain: Brain, phrases: Sequence[str], numbers: Sequence[int]
) -> dict[int, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Which words of a query an entry holds, as it spells them: in its title, and in its content."""
    held = {}
    for some in _portions(numbers):
        for number, title, content in fetch(
            brain,
            "SELECT rowid, highlight(recall, 0, ?, ?), highlight(recall, 1, ?, ?) FROM recall"
            f" WHERE recall MATCH ? AND rowid IN ({_marks(some)})",
            (*_HIT, *_HIT, _any_of(phrases), *some),
        ):
            held[number] = (_marked(title), _marked(content))
    return held


def cards(brain: Brain, *, numbers: Sequence[int] = (), ids: Sequence[str] = ()) -> list[Card]:
    sql = "SELECT number, id, type, title, parent, superseded_by, created_at, valid_from, valid_to, purged_at FROM entries WHERE"
    return [
        Card(*row)
        for column, values in (("number", numbers), ("id", ids))
        for some in _portions(values)
        for row in fetch(brain, f"{sql} {column} IN ({_marks(some)}) ORDER BY number", some)
    ]


def links(brain: Brain, ids: Sequence[str]) -> Iterator[Step]:
    """To what entries are related, and what they contradict."""
    for some in _portions(ids):
        for mine, theirs in (("one", "other"), ("other", "one")):
            yield from (
                Step(*row)
                for row in fetch(
                    brain,
                    f"SELECT {mine}, kind, {theirs} FROM links WHERE {mine} IN ({_marks(some)}) AND kind IN (?,?) LIMIT {_LINKS}",
                    (*some, RELATED, CONTRADICTS),
                )
            )


def children(brain: Brain, id: str, limit: int) -> Iterator[Step]:
    rows = fetch(
        brain,
        "SELECT id FROM entries WHERE parent = ? AND parent != '' AND purged_at = '' AND superseded_by = ''"
        " ORDER BY number LIMIT ?",
        (id, limit),
    )
    return (Step(id, CHILD, row[0]) for row in rows)


def citing_alike(brain: Brain, id: str, limit: int) -> Iterator[Step]:
    """Other entries that rest on a file this one rests on."""
    rows = fetch(
        brain,
        "SELECT DISTINCT other.entry, other.path FROM evidence mine JOIN evidence other ON other.path = mine.path"
        " WHERE mine.entry = ? AND mine.path != '' AND other.path != '' AND other.entry != mine.entry LIMIT ?",
        (id, limit),
    )
    return (Step(id, CITES, entry, path) for entry, path in rows)


def cited_in(brain: Brain, paths: Iterable[str], limit: int) -> dict[str, str]:
    """Entries that rest on one of these files or on something in one of these folders, and the path they cite."""
    found: dict[str, str] = {}
    for path in paths:
        folder = path.rstrip("/") + "/"
        for entry, cited in fetch(
            brain,
            "SELECT DISTINCT entry, path FROM evidence WHERE path != '' AND (path = ? OR (path >= ? AND path < ?)) LIMIT ?",
            (path, folder, folder + "\U0010ffff", limit),
        ):
            found.setdefault(entry, cited)
    return found


def successors(brain: Brain, ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """By what each was superseded, and that in its turn. A chain that runs in a circle ends where it began."""
    chains: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for some in _portions(ids):
        for start, id in fetch(
            brain,
            "WITH RECURSIVE chain (start, id, step) AS ("
            f" SELECT id, superseded_by, 1 FROM entries WHERE id IN ({_marks(some)}) AND superseded_by != ''"
            " UNION ALL SELECT chain.start, e.superseded_by, step + 1 FROM chain JOIN entries e ON e.id = chain.id"
            f" WHERE e.superseded_by NOT IN ('', chain.start) AND step < {_CHAIN})"
            " SELECT start, id FROM chain ORDER BY start, step",
            some,
        ):
            if id not in chains[start]:
                chains[start] += (id,)
    return chains


def note_reading(brain: Brain, ids: Sequence[str]) -> bool:
    """Count that they were read, if that can be done at once. Whoever reads never waits for it: a lost count is no loss."""
    if brain.readonly or not ids:
        return False
    connection = brain.connection
    waits = connection.execute("PRAGMA busy_timeout").fetchone()[0]
    safety = connection.execute("PRAGMA synchronous").fetchone()[0]
    try:
        connection.execute("PRAGMA busy_timeout = 0")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(
            f"UPDATE entries SET access_count = access_count + 1, last_accessed_at = ? WHERE id IN ({_marks(ids)})",
            (brain.now, *ids),
        )
    except sqlite3.OperationalError:
        return False
    finally:
        connection.execute(f"PRAGMA busy_timeout = {waits}")
        connection.execute(f"PRAGMA synchronous = {safety}")
    return True


def _prepare(brain: Brain) -> None:
    """Tables of this connection alone: one that stems as the brain does, and views of its words."""
    connection = brain.connection
    if connection.execute("SELECT 1 FROM temp.sqlite_master WHERE name = 'recall_terms'").fetchone():
        return
    connection.execute(f"CREATE VIRTUAL TABLE temp.asked USING fts5 (word, tokenize = '{_TOKENIZE}')")
    connection.execute("CREATE VIRTUAL TABLE temp.asked_terms USING fts5vocab ('temp', 'asked', 'instance')")
    connection.execute("CREATE VIRTUAL TABLE temp.recall_terms USING fts5vocab ('main', 'recall', 'row')")


def _any_of(phrases: Sequence[str]) -> str:
    """Everything quoted: what is asked for is never syntax."""
    return " OR ".join('"' + phrase.replace('"', '""') + '"' for phrase in phrases)


def _marked(text: str) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for piece in text.split(_HIT[0])[1:]:
        word = piece.split(_HIT[1], 1)[0]
        found.setdefault(word.casefold(), word)
    return tuple(found.values())


def _portions(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (values[start : start + _MANY] for start in range(0, len(values), _MANY))


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
