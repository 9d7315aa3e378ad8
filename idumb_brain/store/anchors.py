"""Anchors in the brain: how they are written, changed and listed. Refuses to say which of them are told to anybody."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

from idumb_brain.model.knowledge import ANCHOR_TYPES, PRIORITIES, Anchor
from idumb_brain.store.audit import record
from idumb_brain.store.brain import Brain, writing
from idumb_brain.store.guard import Row, Rule, fetch, keep_aside, mended, number, one_of, text, time

KIND = "anchor"
_COLUMNS = tuple(one.name for one in fields(Anchor))
_CURRENT = "purged_at = '' AND superseded_by = ''"


def _ids(value: Any) -> list[str] | None:
    try:
        read = json.loads(value)
    except (TypeError, ValueError):
        return None
    return read if isinstance(read, list) and all(isinstance(one, str) for one in read) else None


_RULES: tuple[Rule, ...] = (
    text("id", empty=False),
    one_of("type", ANCHOR_TYPES),
    one_of("priority", PRIORITIES, lambda row: "medium"),
    text("content", empty=False),
    text("file"),
    number("line", 0, 1 << 31, lambda row: 0),
    text("task"),
    Rule("related", lambda value: _ids(value) is not None, lambda row: "[]", "a JSON list of ids"),
    text("hash"),
    time("created_at", lambda row: "1970-01-01T00:00:00Z"),
    time("modified_at", lambda row: str(row["created_at"])),
    time("validated_at", lambda row: "", empty=True),
    time("stale_since", lambda row: "", empty=True),
    text("superseded_by"),
    time("purged_at", lambda row: str(row["created_at"]), empty=True),
)


def anchor(brain: Brain, id: str) -> Anchor | None:
    found = _anchors(brain, "WHERE id = ?", (id,))
    return found[0] if found else None


def anchors(brain: Brain, *, every: bool = False) -> list[Anchor]:
    """All current ones, the oldest first; ``every``: superseded and purged ones too."""
    return _anchors(brain, "" if every else f"WHERE {_CURRENT}")


def anchor_ids(brain: Brain) -> list[str]:
    return [row[0] for row in fetch(brain, "SELECT id FROM anchors ORDER BY number")]


def add_anchor(brain: Brain, made: Anchor, by: str) -> None:
    with writing(brain) as connection:
        row = _row(made)
        connection.execute(
            f"INSERT INTO anchors ({', '.join(_COLUMNS)}) VALUES ({','.join('?' * len(_COLUMNS))})", [*row.values()]
        )
        record(brain, KIND, made.id, "add", by, {}, _told(made))


def change_anchor(brain: Brain, before: Anchor, after: Anchor, action: str, by: str) -> None:
    old, new = _row(before), _row(after)
    changed = [column for column in _COLUMNS if old[column] != new[column]]
    if not changed:
        return
    with writing(brain) as connection:
        connection.execute(
            f"UPDATE anchors SET {', '.join(f'{column} = ?' for column in changed)} WHERE id = ?",
            [*(new[column] for column in changed), before.id],
        )
        record(brain, KIND, before.id, action, by, _told(before), _told(after))


def sound(made: Anchor) -> tuple[Anchor | None, list[str]]:
    """What of an anchor from elsewhere can be believed, and what was wrong with it."""
    row, told = mended(_row(made), _RULES)
    return (_anchor(row) if row else None), told


def _anchors(brain: Brain, where: str, values: Sequence[Any] = ()) -> list[Anchor]:
    rows = fetch(brain, f"SELECT number, {', '.join(_COLUMNS)} FROM anchors {where} ORDER BY number", values)
    found = [_believed(brain, dict(zip(("number", *_COLUMNS), row, strict=True))) for row in rows]
    return [_anchor(row) for row in found if row]


def _believed(brain: Brain, row: Row) -> Row | None:
    sound, told = mended(row, _RULES)
    if told:
        keep_aside(brain, "anchors", {"number": row["number"]}, row, sound, told)
    return sound


def _anchor(row: Row) -> Anchor:
    return Anchor(**{column: row[column] for column in _COLUMNS} | {"related": tuple(_ids(row["related"]) or ())})


def _row(of: Anchor) -> Row:
    return {column: getattr(of, column) for column in _COLUMNS} | {"related": json.dumps(of.related, ensure_ascii=False)}


def _told(of: Anchor) -> Row:
    return {name: value for name, value in asdict(of).items() if name != "id" and value not in ("", (), 0)}
