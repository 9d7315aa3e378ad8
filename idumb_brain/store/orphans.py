"""Rows of the brain that tell of something which is not there any more. Refuses to take any out without keeping it in quarantine.

A row that cannot be without what it tells of goes; a row that can only loses the mention.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from idumb_brain.store.audit import record
from idumb_brain.store.brain import Brain, writing
from idumb_brain.store.guard import fetch, keep_aside
from idumb_brain.store.salvage import write_words

REPAIR = "doctor"


@dataclass(frozen=True, slots=True)
class Tie:
    """``table.column`` names a row of ``of``. ``holds``: without it the row means nothing; ``gates``: people have to decide."""

    table: str
    key: tuple[str, ...]
    column: str
    of: str
    holds: bool = False
    gates: bool = False  # something waits for what is named: to take the mention out would let it go on
    many: bool = False  # the column is a JSON list of ids

    @property
    def told(self) -> str:
        return f"{self.table} whose {self.column.replace('_', ' ')} is not there"


TIES = (
    Tie("evidence", ("entry", "position"), "entry", "entries", holds=True),
    Tie("links", ("one", "kind", "other"), "one", "entries", holds=True),
    Tie("links", ("one", "kind", "other"), "other", "entries", holds=True),
    Tie("checkpoints", ("id",), "task", "tasks", holds=True),
    Tie("delegations", ("id",), "task", "tasks", holds=True),
    Tie("events", ("number",), "session", "sessions", holds=True),
    Tie("violations", ("number",), "session", "sessions", holds=True),
    Tie("halts", ("id",), "session", "sessions", holds=True),
    Tie("tasks", ("id",), "plan", "plans", holds=True),
    Tie("tasks", ("id",), "depends_on", "tasks", gates=True, many=True),
    Tie("tasks", ("id",), "decisions", "entries", gates=True, many=True),
    Tie("tasks", ("id",), "discovered_from", "tasks"),
    Tie("plans", ("id",), "depends_on", "plans", gates=True, many=True),
    Tie("plans", ("id",), "parent", "plans"),
    Tie("anchors", ("id",), "task", "tasks"),
    Tie("anchors", ("id",), "superseded_by", "anchors"),
    Tie("artifacts", ("id",), "superseded_by", "artifacts"),
    Tie("artifacts", ("id",), "tasks", "tasks", many=True),
    Tie("sessions", ("id",), "parent", "sessions"),
    Tie("sessions", ("id",), "task", "tasks"),
)


def loose(brain: Brain) -> Iterator[tuple[Tie, int]]:
    """Which ties lead nowhere, and how many rows each."""
    for tie in TIES:
        if count := fetch(brain, f"SELECT count(*) FROM {tie.table} t WHERE {_loose(tie)}")[0][0]:
            yield tie, count


def unwritten(brain: Brain) -> int:
    """Entries whose words are not in the text index, and words there of no entry."""
    pairs = (("number FROM entries", "rowid FROM recall"), ("rowid FROM recall", "number FROM entries"))
    return sum(fetch(brain, f"SELECT count(*) FROM (SELECT {one} EXCEPT SELECT {other})")[0][0] for one, other in pairs)


def write_words_anew(brain: Brain) -> None:
    with writing(brain) as connection:
        write_words(connection)


def mend(brain: Brain, tie: Tie) -> int:
    """How many rows went, or lost their mention."""
    with writing(brain) as connection:
        names = [row[1] for row in connection.execute(f"PRAGMA table_info({tie.table})")]
        rows = [dict(zip(names, row, strict=True)) for row in fetch(brain, f"SELECT * FROM {tie.table} t WHERE {_loose(tie)}")]
        there = {row[0] for row in fetch(brain, f"SELECT id FROM {tie.of}")}
        for row in rows:
            key = {column: row[column] for column in tie.key}
            if tie.holds:
                keep_aside(brain, tie.table, key, row, None, [f"{tie.column} {row[tie.column]} is not there"])
                continue
            was = row[tie.column]
            left = json.dumps([id for id in json.loads(was) if id in there], ensure_ascii=False) if tie.many else ""
            connection.execute(f"UPDATE {tie.table} SET {tie.column} = ? WHERE id = ?", (left, row["id"]))
            record(brain, tie.table, row["id"], REPAIR, REPAIR, {tie.column: was}, {tie.column: left})
    return len(rows)


def _loose(tie: Tie) -> str:
    if tie.many:
        return (
            f"json_valid(t.{tie.column}) AND EXISTS (SELECT 1 FROM json_each(t.{tie.column}) named"
            f" WHERE named.value NOT IN (SELECT id FROM {tie.of}))"
        )
    return f"t.{tie.column} != '' AND NOT EXISTS (SELECT 1 FROM {tie.of} o WHERE o.id = t.{tie.column})"
