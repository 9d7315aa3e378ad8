"""Entries as others read them: found by what somebody typed, and turned into the JSON every surface speaks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from idumb_brain.model.errors import BadInput
from idumb_brain.model.knowledge import Entry, Evidence
from idumb_brain.operations.evidence import Sources
from idumb_brain.operations.stated import unknown
from idumb_brain.select.worth import Standing, standing
from idumb_brain.store import anchors as anchor_store
from idumb_brain.store import knowledge as store
from idumb_brain.store.brain import Brain

_LEAST_PREFIX = 4


def known_entry(brain: Brain, typed: str) -> Entry:
    """By id, or by a beginning of one that no other has."""
    found = store.entry(brain, typed)
    if found is None and len(typed) >= _LEAST_PREFIX:
        begun = store.ids_beginning(brain, typed)
        if len(begun) > 1:
            raise BadInput(f"{typed!r} is not one entry", why=f"{', '.join(begun)} begin so", instead="give more of the id")
        found = store.entry(brain, begun[0]) if begun else None
    if found is None:
        raise unknown("entry", typed, store.ids(brain), "see idumb-brain brain list")
    return found


def known_id(brain: Brain, typed: str) -> str:
    """Of anything that may be linked to: an entry or an anchor."""
    if anchor_store.anchor(brain, typed) is not None:
        return typed
    return known_entry(brain, typed).id


def standings(brain: Brain, sources: Sources, entries: Sequence[Entry]) -> dict[str, Standing]:
    """What each is worth now, by id."""
    states = sources.states(entries)
    return {one.id: standing(one, brain.now, states) for one in entries}


def entry_data(entry: Entry, worth: Standing, children: Iterable[Entry] | None = None) -> dict[str, Any]:
    data: dict[str, Any] = {
        "id": entry.id,
        "type": entry.type,
        "title": entry.title,
        "content": entry.content,
        "evidence": [evidence_data(one) for one in entry.evidence],
        "parent": entry.parent or None,
        "relatedTo": list(entry.related),
        "contradicts": list(entry.contradicts),
        "supersedes": list(entry.supersedes),
        "supersededBy": entry.superseded_by or None,
        "createdAt": entry.created_at,
        "modifiedAt": entry.modified_at,
        "validatedAt": entry.validated_at or None,
        "validFrom": entry.valid_from or None,
        "validTo": entry.valid_to or None,
        "staleAfter": entry.stale_after,
        "confidence": entry.confidence,
        "effectiveConfidence": worth.confidence,
        "stale": worth.stale,
        "staleReasons": list(worth.reasons),
        "source": entry.source,
        "origin": entry.origin or None,
        "accessCount": entry.access_count,
        "lastAccessedAt": entry.last_accessed_at or None,
        "pinned": entry.pinned,
        "purgedAt": entry.purged_at or None,
    }
    if children is not None:
        data["children"] = [child.id for child in children]
    return data


def brief_data(entry: Entry, worth: Standing) -> dict[str, Any]:
    """One line's worth, for lists and trees."""
    return {
        "id": entry.id,
        "type": entry.type,
        "title": entry.title,
        "effectiveConfidence": worth.confidence,
        "stale": worth.stale,
        "staleReasons": list(worth.reasons),
        "pinned": entry.pinned,
        "supersededBy": entry.superseded_by or None,
        "purgedAt": entry.purged_at or None,
    }


def evidence_data(one: Evidence) -> dict[str, Any]:
    return {
        "path": one.path or None,
        "line": one.line or None,
        "endLine": one.end_line or None,
        "commit": one.commit or None,
        "hash": one.hash or None,
    }
