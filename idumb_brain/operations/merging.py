"""Two brains made one: the newest wins, links are united, what was put away stays away. Pure; the order of the two does not matter.

What a field does when the same thing comes twice is a row of a table. Circles and losses that only the two together make are
taken out, always the same ones, and told of.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from idumb_brain.model.exchange import LOGS, Content
from idumb_brain.model.knowledge import Entry

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class How:
    """``newest``: the times that say which of two wins; all that is not named below is the winner's."""

    newest: tuple[str, ...]
    united: tuple[str, ...] = ()
    lasting: tuple[tuple[str, ...], ...] = ()  # the winner's, or where it has none the other's; those in one tuple together
    most: tuple[str, ...] = ()
    first: tuple[str, ...] = ("created_at",)

    @property
    def apart(self) -> frozenset[str]:
        return frozenset((*self.united, *self.most, *self.first, *(name for group in self.lasting for name in group)))


HOW: Mapping[str, How] = {
    "entries": How(
        ("modified_at", "validated_at"), ("related", "contradicts"), (("superseded_by", "valid_to"), ("parent",), ("purged_at",)),
        ("access_count", "last_accessed_at"),
    ),
    "anchors": How(("modified_at", "validated_at", "stale_since"), ("related",), (("superseded_by",), ("purged_at",))),
    "plans": How(("modified_at", "completed_at", "abandoned_at"), ("depends_on",), (("purged_at",), ("parent",))),
    "tasks": How(
        ("modified_at", "completed_at", "started_at"), ("depends_on", "decisions", "artifacts"),
        (("archived_at",), ("discovered_from",)),
    ),
    "checkpoints": How(("at",), ("files",), first=()),
    "delegations": How(("ended_at", "created_at"), lasting=(("child_session",),)),
    "artifacts": How(
        ("modified_at", "validated_at"), ("tasks", "entries"), (("superseded_by",), ("parent", "parent_hash"), ("purged_at",)),
    ),
    "sessions": How(("updated_at",), first=("started_at",)),
    "halts": How(("resumed_at", "at"), first=()),
}  # fmt: skip
_MOMENT = {"tasks": "created_at", "checkpoints": "at"}  # what is kept in the order it came
_HOME = {"tasks": "plan", "checkpoints": "task"}


def merged(mine: Content, theirs: Content) -> tuple[Content, list[str]]:
    """Both as one, and what could not be kept as it was stated."""
    logs = {table: _united_log(table, mine.log(table), theirs.log(table)) for table in LOGS}
    things: dict[str, dict[str, Any]] = {kind: _united(kind, mine.of(kind), theirs.of(kind)) for kind in HOW}
    notes: list[str] = []
    things["entries"] = _whole_entries(things["entries"], _erased(logs["changes"]), notes)
    for kind, field in (("tasks", "depends_on"), ("plans", "depends_on")):
        things[kind] = _without_circles(kind, field, things[kind], notes)
    for kind, field in (
        ("plans", "parent"),
        ("artifacts", "parent"),
        ("artifacts", "superseded_by"),
        ("anchors", "superseded_by"),
    ):
        things[kind] = _without_loops(kind, field, things[kind], notes)
    logs["changes"] = _forgotten(logs["changes"], _erased(logs["changes"]).keys() - things["entries"].keys())
    return Content(things, logs), notes


def _united(kind: str, mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> dict[str, Any]:
    ids = [*mine, *(id for id in theirs if id not in mine)]
    if moment := _MOMENT.get(kind):
        # Both keep the order of what was made in the same second; where they differ, the earlier place counts.
        places = [_places(values.values(), moment, _HOME[kind]) for values in (mine, theirs)]
        place = {id: min(one[id] for one in places if id in one) for id in ids}
        ids.sort(key=lambda id: (getattr(mine.get(id) or theirs[id], moment), place[id], id))
    return {
        id: _joined(HOW[kind], mine[id], theirs[id]) if id in mine and id in theirs else mine.get(id) or theirs[id] for id in ids
    }


def _places(values: Iterable[Any], moment: str, home: str) -> dict[str, int]:
    count: Counter[tuple[str, str]] = Counter()
    found = {}
    for one in values:
        group = (getattr(one, moment), getattr(one, home))
        found[one.id] = count[group]
        count[group] += 1
    return found


def _joined(how: How, one: Any, other: Any) -> Any:
    if one == other:
        return one
    taken = [field.name for field in fields(one) if field.name not in how.apart]

    def weight(value: Any) -> tuple[list[str], str]:
        return [getattr(value, name) for name in how.newest], repr([getattr(value, name) for name in taken])

    newer, older = sorted((one, other), key=weight, reverse=True)
    changes: dict[str, Any] = {}
    for name in how.united:
        changes[name] = tuple(sorted({*getattr(one, name), *getattr(other, name)}))
    for group in how.lasting:
        if not getattr(newer, group[0]) and getattr(older, group[0]):
            changes |= {name: getattr(older, name) for name in group}
    for name in how.most:
        changes[name] = max(getattr(one, name), getattr(other, name))
    for name in how.first:
        changes[name] = min(getattr(one, name), getattr(other, name))
    return replace(newer, **changes)


# -- logs ------------------------------------------------------------------------------------------------------------


def _united_log(table: str, mine: Sequence[Row], theirs: Sequence[Row]) -> list[Row]:
    """Every row as often as the one or the other has it, in the order of time."""
    found: dict[tuple[str, int], tuple[int, Row]] = {}
    for rows in (mine, theirs):
        seen: Counter[str] = Counter()
        places: Counter[tuple[Any, ...]] = Counter()
        for row in rows:
            text = _canonical(row)
            group = (row["at"], *(row[name] for name in LOGS[table][:2] if name != "at"))
            key = (text, seen[text])
            place = min(places[group], found[key][0]) if key in found else places[group]
            found[key] = (place, row)
            seen[text] += 1
            places[group] += 1
    about = [name for name in LOGS[table][:2] if name != "at"]
    ordered = sorted(
        found.items(), key=lambda one: (one[1][1]["at"], [str(one[1][1][name]) for name in about], one[1][0], one[0])
    )
    return [row for _, (_, row) in ordered]


def _canonical(row: Row) -> str:
    return json.dumps(row, ensure_ascii=False, sort_keys=True)


def _erased(changes: Iterable[Row]) -> dict[str, str]:
    """id → when an entry was deleted for good, at the latest."""
    return {row["id"]: row["at"] for row in changes if row["action"] == "erase" and row["kind"] == "entry"}


def _forgotten(changes: Sequence[Row], ids: set[str]) -> list[Row]:
    return [
        {**row, "before": {}, "after": {}} if row["id"] in ids and row["action"] != "erase" and row["kind"] == "entry" else row
        for row in changes
    ]


# -- what only both together make ------------------------------------------------------------------------------------


def _whole_entries(entries: Mapping[str, Entry], erased: Mapping[str, str], notes: list[str]) -> dict[str, Entry]:
    kept = {id: one for id, one in entries.items() if not (id in erased and one.created_at <= erased[id])}
    kept = _of_one_origin(kept, notes)
    for id, one in kept.items():
        if one.superseded_by and one.superseded_by not in kept:
            if one.superseded_by not in erased:
                notes.append(f"{id} is purged: {one.superseded_by}, which supersedes it, is not there")
            kept[id] = replace(one, superseded_by="", purged_at=one.purged_at or one.valid_to or one.modified_at)
    kept = _without_loops("entries", "superseded_by", kept, notes)
    kept = {id: _unlinked(one, kept, erased) for id, one in kept.items()}
    return _without_loops("entries", "parent", kept, notes)


def _unlinked(one: Entry, kept: Mapping[str, Entry], erased: Mapping[str, str]) -> Entry:
    """Without links to what is not there any more."""
    gone = erased.keys() - kept.keys()
    parent = one.parent if one.parent in kept else ""
    if parent == one.parent and not gone.intersection((*one.related, *one.contradicts)):
        return one
    related, contradicts = (tuple(id for id in ids if id not in gone) for ids in (one.related, one.contradicts))
    return replace(one, parent=parent, related=related, contradicts=contradicts)


def _of_one_origin(entries: dict[str, Entry], notes: list[str]) -> dict[str, Entry]:
    """Of several that were made from the same, the newest stays, and supersedes the others."""
    groups: dict[str, list[Entry]] = defaultdict(list)
    for one in entries.values():
        if one.origin:
            groups[one.origin].append(one)
    kept = dict(entries)
    for origin, ones in groups.items():
        if len(ones) > 1:
            newest, *others = sorted(ones, key=lambda one: (one.modified_at, one.id), reverse=True)
            for one in others:
                notes.append(f"{one.id} is superseded by {newest.id}: both were made from {origin}")
                by = one.superseded_by or newest.id
                kept[one.id] = replace(one, origin="", superseded_by=by, valid_to=one.valid_to or newest.modified_at)
    return kept


def _without_loops(kind: str, field: str, values: dict[str, Any], notes: list[str]) -> dict[str, Any]:
    """Where each names one other: of a circle, the last that was stated is taken back."""
    kept, done = dict(values), set()
    for start in sorted(values):
        way: list[str] = []
        at = start
        while at in kept and at not in done and at not in way:
            way.append(at)
            at = getattr(kept[at], field)
        if at in way:
            circle = way[way.index(at) :]
            last = max(circle, key=lambda id: (getattr(kept[id], "valid_to", ""), kept[id].modified_at, id))
            notes.append(
                f"{last} does not have {getattr(kept[last], field)} as its {field.replace('_', ' ')}: that would be a circle"
            )
            cleared = {field: "", "valid_to": ""} if (kind, field) == ("entries", "superseded_by") else {field: ""}
            kept[last] = replace(kept[last], **cleared)
        done.update(way)
    return kept


def _without_circles(kind: str, field: str, values: dict[str, Any], notes: list[str]) -> dict[str, Any]:
    """Where each may name many: links are taken in the order of their ends, and one that closes a circle is left out."""
    ahead: dict[str, set[str]] = defaultdict(set)
    dropped: dict[str, set[str]] = defaultdict(set)
    if not _has_circle({id: getattr(one, field) for id, one in values.items()}):
        return values
    for id, one in sorted(values.items(), key=lambda pair: (pair[1].modified_at, pair[0])):
        for other in getattr(one, field):
            if _leads(ahead, other, id):
                dropped[id].add(other)
                notes.append(f"{id} does not depend on {other}: that would be a circle")
            else:
                ahead[id].add(other)
    return {
        id: replace(one, **{field: tuple(name for name in getattr(one, field) if name not in dropped[id])})
        if id in dropped
        else one
        for id, one in values.items()
    }


def _has_circle(links: Mapping[str, Sequence[str]]) -> bool:
    waiting = {id: sum(1 for other in others if other in links) for id, others in links.items()}
    behind: dict[str, list[str]] = defaultdict(list)
    for id, others in links.items():
        for other in others:
            behind[other].append(id)
    ready = [id for id, count in waiting.items() if not count]
    done = 0
    while ready:
        done += 1
        for id in behind[ready.pop()]:
            waiting[id] -= 1
            if not waiting[id]:
                ready.append(id)
    return done < len(links)


def _leads(ahead: Mapping[str, set[str]], start: str, goal: str) -> bool:
    seen, waiting = set(), [start]
    while waiting:
        at = waiting.pop()
        if at == goal:
            return True
        if at not in seen:
            seen.add(at)
            waiting += ahead.get(at, ())
    return False
