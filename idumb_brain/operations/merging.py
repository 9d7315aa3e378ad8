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
        ("modified_at", "validated_at"), ("related", "contradicts"),
        (("superseded_by", "valid_to"), ("parent",), ("purged_at",), ("origin",)),
        most=("access_count", "last_accessed_at"),
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
# What is kept in the order it came: in the order of these, and as it was written where they are the same.
_MOMENT = {"tasks": ("created_at", "plan", "ahead"), "checkpoints": ("at", "task")}


def merged(mine: Content, theirs: Content) -> tuple[Content, list[str]]:
    """Both as one, and what could not be kept as it was stated."""
    erased = _erased((*mine.log("changes"), *theirs.log("changes")))
    known = [{**one.logs, "changes": _forgotten(one.log("changes"), erased)} for one in (mine, theirs)]
    logs = {table: _united_log(table, *(one.get(table, ()) for one in known)) for table in LOGS}
    left = [{**one.things, "entries": _not_erased(one.of("entries"), erased)} for one in (mine, theirs)]
    things: dict[str, dict[str, Any]] = {kind: _united(kind, *(one.get(kind, {}) for one in left)) for kind in HOW}
    notes: list[str] = []
    things["entries"] = _whole_entries(things["entries"], erased, notes)
    for kind, field in (("tasks", "depends_on"), ("plans", "depends_on")):
        things[kind] = _without_circles(kind, field, things[kind], notes)
    for kind, field in (
        ("plans", "parent"),
        ("artifacts", "parent"),
        ("artifacts", "superseded_by"),
        ("anchors", "superseded_by"),
    ):
        things[kind] = _without_loops(kind, field, things[kind], notes)
    return Content(things, logs), notes


def unseen(mine: Content, theirs: Content, since: str) -> Content:
    """Of theirs, what mine does not have, or has as it was earlier; of sessions and halts, only those heard of ``since``."""

    def is_new(kind: str, one: Any) -> bool:
        known = mine.of(kind).get(one.id)
        if known is None:
            return kind not in ("sessions", "halts") or max(_stamps(kind, one)) >= since
        return _stamps(kind, one) > _stamps(kind, known)

    things = {kind: {id: one for id, one in theirs.of(kind).items() if is_new(kind, one)} for kind in HOW}
    about = {id for ones in things.values() for id in ones}
    logs = {
        table: [row for row in theirs.log(table) if row.get("id", row.get("session")) in about] if about else [] for table in LOGS
    }
    return Content(things, logs)


def _stamps(kind: str, one: Any) -> list[str]:
    return [getattr(one, name) for name in HOW[kind].newest]


def _united(kind: str, mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> dict[str, Any]:
    joined = {id: _joined(HOW[kind], one, theirs[id]) if id in theirs else one for id, one in mine.items()}
    joined |= {id: one for id, one in theirs.items() if id not in mine}
    if kind not in _MOMENT:
        return joined
    came = [sorted(values.values(), key=lambda one: _group(kind, one)) for values in (mine, theirs)]
    order = _in_order(*([(_group(kind, joined[one.id]), one.id) for one in ones] for ones in came))
    return {id: joined[id] for _, id in order}


def _group(kind: str, one: Any) -> tuple[Any, ...]:
    moment, *home = (getattr(one, name) for name in _MOMENT[kind])
    return (moment, *home)


def _in_order(mine: Sequence[tuple[Any, Any]], theirs: Sequence[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """(group, key) of both: groups sorted, and within one as it came; where the two cannot both be right, sorted too."""
    groups: dict[Any, tuple[list[Any], list[Any]]] = defaultdict(lambda: ([], []))
    for side, pairs in enumerate((mine, theirs)):
        for group, key in pairs:
            groups[group][side].append(key)
    return [(group, key) for group in sorted(groups) for key in _woven(*groups[group])]


def _woven(one: list[Any], other: list[Any]) -> list[Any]:
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    rest = iter(longer)
    return longer if all(key in rest for key in shorter) else sorted({*one, *other})


def _joined(how: How, one: Any, other: Any) -> Any:
    if one == other:
        return one
    taken = [field.name for field in fields(one) if field.name not in how.apart]

    def stamps(value: Any) -> list[str]:
        return [getattr(value, name) for name in how.newest]

    def weight(value: Any) -> tuple[list[str], str]:
        return stamps(value), repr([getattr(value, name) for name in taken])

    older, newer = sorted((one, other), key=weight)
    changes: dict[str, Any] = {}
    for name in how.united:
        changes[name] = tuple(sorted({*getattr(one, name), *getattr(other, name)}))
    for group in how.lasting:
        new, old = ([getattr(value, name) for name in group] for value in (newer, older))
        likelier = max(new, old) if stamps(newer) == stamps(older) else old if old[0] and not new[0] else new
        changes |= dict(zip(group, likelier, strict=True))
    for name in how.most:
        changes[name] = max(getattr(one, name), getattr(other, name))
    for name in how.first:
        changes[name] = min(getattr(one, name), getattr(other, name))
    return replace(newer, **changes)


# -- logs ------------------------------------------------------------------------------------------------------------


def _united_log(table: str, mine: Sequence[Row], theirs: Sequence[Row]) -> list[Row]:
    """Every row as often as the one or the other has it, in the order of time."""
    rows: dict[tuple[str, int], Row] = {}
    pairs: list[list[tuple[Any, Any]]] = []
    for stated in (mine, theirs):
        seen: Counter[str] = Counter()
        pairs.append([])
        for row in stated:
            text = _canonical(row)
            key = (text, seen[text])
            rows[key] = row
            pairs[-1].append(((row["at"], *(str(row[name]) for name in LOGS[table][:2])), key))
            seen[text] += 1
    return [rows[key] for _, key in _in_order(*pairs)]


def _canonical(row: Row) -> str:
    return json.dumps(row, ensure_ascii=False, sort_keys=True)


def _erased(changes: Iterable[Row]) -> dict[str, str]:
    """id → when an entry was deleted for good, at the latest."""
    found: dict[str, str] = {}
    for row in changes:
        if row["action"] == "erase" and row["kind"] == "entry":
            found[row["id"]] = max(row["at"], found.get(row["id"], ""))
    return found


def _forgotten(changes: Iterable[Row], erased: Mapping[str, str]) -> list[Row]:
    """What was deleted for good is not told by its history either."""
    return [
        {**row, "before": {}, "after": {}} if row["at"] <= erased.get(row["id"], "") and row["action"] != "erase" else row
        for row in changes
    ]


# -- what only both together make ------------------------------------------------------------------------------------


def _whole_entries(entries: Mapping[str, Entry], erased: Mapping[str, str], notes: list[str]) -> dict[str, Entry]:
    kept = _of_one_origin(entries, notes)
    for id, one in kept.items():
        if one.superseded_by and one.superseded_by not in kept:
            if one.superseded_by not in erased:
                notes.append(f"{id} is purged: {one.superseded_by}, which supersedes it, is not there")
            kept[id] = replace(one, superseded_by="", valid_to="", purged_at=one.purged_at or one.valid_to or one.modified_at)
    kept = _without_loops("entries", "superseded_by", kept, notes)
    kept = _linked_back({id: _unlinked(one, kept, erased) for id, one in kept.items()})
    return _without_loops("entries", "parent", kept, notes)


def _not_erased(entries: Mapping[str, Entry], erased: Mapping[str, str]) -> dict[str, Entry]:
    """What was deleted for good may have been written anew since."""
    return {id: one for id, one in entries.items() if one.created_at > erased.get(id, "")}


def _unlinked(one: Entry, kept: Mapping[str, Entry], erased: Mapping[str, str]) -> Entry:
    """Without links to itself, and to what is not there any more."""
    gone = (erased.keys() - kept.keys()) | {one.id}
    parent = one.parent if one.parent in kept else ""
    if parent == one.parent and not gone.intersection((*one.related, *one.contradicts)):
        return one
    related, contradicts = (tuple(id for id in ids if id not in gone) for ids in (one.related, one.contradicts))
    return replace(one, parent=parent, related=related, contradicts=contradicts)


def _linked_back(entries: Mapping[str, Entry]) -> dict[str, Entry]:
    """Links go both ways. One end may be older than the other: erased here, and written anew there."""
    related: dict[str, set[str]] = defaultdict(set)
    contradicts: dict[str, set[str]] = defaultdict(set)
    for one in entries.values():
        for other in one.related:
            related[other].add(one.id)
        for other in one.contradicts:
            contradicts[other].add(one.id)
    return {
        id: replace(
            one,
            related=tuple(sorted({*one.related, *related[id]})),
            contradicts=tuple(sorted({*one.contradicts, *contradicts[id]})),
        )
        for id, one in entries.items()
    }


def _of_one_origin(entries: Mapping[str, Entry], notes: list[str]) -> dict[str, Entry]:
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
