"""What the page shows of what is known: entries with what they are worth now and will be, what they replaced, anchors. Changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from idumb_brain.model.knowledge import ENTRY_TYPES, Entry, Evidence
from idumb_brain.operations import anchors
from idumb_brain.operations.brain import history
from idumb_brain.operations.entries import entry_data, known_entry
from idumb_brain.operations.evidence import Sources
from idumb_brain.operations.project import find_project
from idumb_brain.operations.recalling import query
from idumb_brain.operations.stated import choice
from idumb_brain.select.worth import place, standing
from idumb_brain.store import knowledge as store
from idumb_brain.store.brain import Brain

_SHOWN = 300  # the latest; more is found by asking for it
_POINTS = 24  # of a curve
_AHEAD = 2.5  # halvings that a curve goes on for
_OLDER = 20  # entries that one has replaced, one after the other
_ANCHORS = 200


def brain(root: str | None = None, *, text: str = "", type: str = "", every: str = "") -> dict[str, Any]:
    """Entries and anchors: the latest, or the best for a text."""
    project = find_project(root)
    type = choice("type of entry", type, ENTRY_TYPES) if type else ""
    asked = query(text, root, type=type, limit=_SHOWN, every=bool(every))["entries"] if text.strip() else []
    with project.remembering() as opened:
        if text.strip():
            named = {one.id: one for one in store.entries_of(opened, [one["id"] for one in asked])}
            found = [named[one["id"]] for one in asked if one["id"] in named]
            total = len(found)
        else:
            found, total = store.latest(opened, _SHOWN, every=bool(every), type=type)
        sources = Sources(project)
        states = sources.states(found)
        shown = [_told(opened, one, states) for one in found]
        types = _types(opened)
    lines = anchors.listing(root)["anchors"]
    return {
        "entries": shown, "total": total, "types": types, "anchors": lines[:_ANCHORS], "anchorTotal": len(lines),
    }  # fmt: skip


def entry(root: str | None = None, *, id: str) -> dict[str, Any]:
    """One entry, with what became of each thing it cites and what happened to it."""
    project = find_project(root)
    with project.remembering() as opened:
        found = known_entry(opened, id)
        states = Sources(project).states([found])
        told = _told(opened, found, states)
        children = [{"id": one.id, "title": one.title} for one in store.children(opened, found.id)]
        linked = {*found.related, *found.contradicts, *([found.parent] if found.parent else [])}
        titles = {one.id: one.title for one in store.entries_of(opened, sorted(linked))}
    return told | {
        "children": children,
        "titles": titles,
        "evidence": [{"place": place(one), "state": states.get(one, "same")} for one in found.evidence],
        "history": history(found.id, root, limit=30)["changes"],
    }


def _told(brain: Brain, one: Entry, states: Mapping[Evidence, str]) -> dict[str, Any]:
    worth = standing(one, brain.now, states)
    return entry_data(one, worth) | {"curve": _curve(one, brain.now, states), "older": _older(brain, one)}


def _curve(one: Entry, now: str, states: Mapping[Evidence, str]) -> dict[str, Any]:
    """What it was worth since it was last stated, is worth, and will be unless somebody validates it. Days from now, per cent."""
    begun = max(one.modified_at, one.validated_at) or now
    last = min(begun, now)
    ends = [one.valid_to] if one.valid_to and one.valid_to <= now else []
    halving = timedelta(seconds=one.stale_after or 30 * 86400)
    start, today = datetime.fromisoformat(last), datetime.fromisoformat(now)
    until = max(start + _AHEAD * halving, today + halving / 2)
    step = (until - start) / _POINTS
    times = sorted({start + step * number for number in range(_POINTS + 1)} | {today} | set(map(datetime.fromisoformat, ends)))
    alive = replace(one, superseded_by="", purged_at="")  # when it was replaced is told by the end of its validity
    return {
        "halvesEvery": 0 if one.pinned else one.stale_after,
        "points": [
            [round((at - today).total_seconds() / 86400, 2), standing(alive, _stamp(at), states).confidence] for at in times
        ],
    }


def _older(brain: Brain, one: Entry) -> list[dict[str, Any]]:
    """What it took the place of, the latest first."""
    found: list[Entry] = []
    seen = {one.id}
    waiting: Sequence[str] = one.supersedes
    while waiting and len(found) < _OLDER:
        before = store.entries_of(brain, [id for id in waiting if id not in seen])
        seen |= {entry.id for entry in before}
        found += before
        waiting = [id for entry in before for id in entry.supersedes]
    return [
        {"id": entry.id, "title": entry.title, "createdAt": entry.created_at, "validTo": entry.valid_to or None}
        for entry in found
    ]


def _types(brain: Brain) -> list[str]:
    held = {one.type for one in store.latest(brain, 2_000)[0]}
    return [type for type in ENTRY_TYPES if type in held]


def _stamp(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")
