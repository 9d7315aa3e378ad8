"""What happened to everything in the brain: one row a change, written in the transaction of the change itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from idumb_brain.model.knowledge import Change
from idumb_brain.store.brain import Brain
from idumb_brain.store.guard import fetch

_COLUMNS = "at, kind, id, action, by, before, after"


def record(brain: Brain, kind: str, id: str, action: str, by: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Keep what differs. Something new has nothing before, something deleted nothing after."""
    brain.connection.execute(
        f"INSERT INTO changes ({_COLUMNS}) VALUES (?,?,?,?,?,?,?)",
        (
            brain.now, kind, id, action, by,
            _json({key: value for key, value in before.items() if key not in after or after[key] != value}),
            _json({key: value for key, value in after.items() if key not in before or before[key] != value}),
        ),
    )  # fmt: skip


def changes(brain: Brain, id: str = "", limit: int = -1) -> list[Change]:
    """Of one thing or of all, the newest first."""
    where, values = ("WHERE id = ?", [id]) if id else ("", [])
    rows = fetch(brain, f"SELECT {_COLUMNS} FROM changes {where} ORDER BY at DESC, number DESC LIMIT ?", [*values, limit])
    return [Change(at, kind, of, action, by, _read(before), _read(after)) for at, kind, of, action, by, before, after in rows]


def latest(brain: Brain, kinds: Iterable[str], actions: Iterable[str], limit: int, among: int) -> list[Change]:
    """Of the last so many changes, those of these kinds and actions, the newest first; without what was different before."""
    kinds, actions = tuple(kinds), tuple(actions)
    rows = fetch(
        brain,
        "SELECT at, kind, id, action, by FROM changes WHERE number > (SELECT max(number) FROM changes) - ?"
        f" AND kind IN ({','.join('?' * len(kinds))}) AND action IN ({','.join('?' * len(actions))}) ORDER BY number DESC LIMIT ?",
        [among, *kinds, *actions, limit],
    )
    return [Change(at, kind, id, action, by, {}, {}) for at, kind, id, action, by in rows]


def last_number(brain: Brain) -> int:
    """Of the newest change; 0 while there was none."""
    return int(fetch(brain, "SELECT coalesce(max(number), 0) FROM changes")[0][0])


def numbered_since(brain: Brain, number: int) -> list[tuple[int, Change]]:
    """What happened after that one, in order; without what was different before."""
    rows = fetch(brain, "SELECT number, at, kind, id, action, by FROM changes WHERE number > ? ORDER BY number", (number,))
    return [(count, Change(at, kind, id, action, by, {}, {})) for count, at, kind, id, action, by in rows]


def forget(brain: Brain, id: str) -> None:
    """Blank what changes of it said; that they happened, and when, stays."""
    brain.connection.execute("UPDATE changes SET before = '{}', after = '{}' WHERE id = ?", (id,))


def _json(values: Mapping[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def _read(text: Any) -> Mapping[str, Any]:
    """What cannot be read any more says so instead of hiding the change."""
    try:
        read = json.loads(text)
    except (TypeError, ValueError):
        read = None
    return read if isinstance(read, dict) else {"unreadable": str(text)}
