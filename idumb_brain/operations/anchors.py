"""Lines that must survive: ``anchor add|list|update|remove``. Which of them an agent is told is decided elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from idumb_brain.graph.tasks import ended_at
from idumb_brain.model.errors import BadInput
from idumb_brain.model.knowledge import ANCHOR_TYPES, PRIORITIES, PRIORITY_ALIASES, Anchor, Evidence
from idumb_brain.operations.brain import noted
from idumb_brain.operations.entries import known_id
from idumb_brain.operations.evidence import Sources
from idumb_brain.operations.learning import learn_anchor
from idumb_brain.operations.project import find_project
from idumb_brain.operations.stated import chance, checked, choice, made_id, seconds, unknown
from idumb_brain.select.worth import seconds_since, stale_since
from idumb_brain.store import anchors as store
from idumb_brain.store.brain import Brain, writing
from idumb_brain.store.work import tasks_named

MOST_ANCHOR = 2_000
_ALIKE = 0.95  # a line that says the same is refused; one that says nearly the same may be meant


def add(
    type: str,
    priority: str,
    content: str,
    root: str | None = None,
    *,
    file: str = "",
    line: int = 0,
    task: str = "",
    related: Sequence[str] = (),
    environ: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """A new anchor; of type decision, it is known as an entry too."""
    project = find_project(root, environ)
    type = choice("type of anchor", type, ANCHOR_TYPES)
    priority = choice("priority", priority, PRIORITIES, PRIORITY_ALIASES)
    content = checked("content", content, MOST_ANCHOR)
    cited = _cited(Sources(project), file, line)
    seed = chance((os.environ if environ is None else environ).get("IDUMB_BRAIN_NOW", ""))
    with project.remembering(make=True, environ=environ) as brain, writing(brain):
        _refuse_duplicate(brain, content)
        made = Anchor(
            made_id("anchor", content, seed, store.anchor_ids(brain)),
            type,
            priority,
            content,
            cited.path,
            cited.line,
            checked("task", task, 200, lines=False) if task else "",
            tuple(sorted({known_id(brain, one) for one in related})),
            cited.hash,
            created_at=brain.now,
            modified_at=brain.now,
            validated_at=brain.now,
        )
        store.add_anchor(brain, made, "manual")
        if type == "decision":
            learn_anchor(brain, project, made, cited)
        return noted(brain, anchor_data(made))


def listing(
    root: str | None = None, *, every: bool = False, type: str = "", environ: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """All that hold, the weightiest and latest first; ``every``: superseded and purged ones too."""
    project = find_project(root, environ)
    type = choice("type of anchor", type, ANCHOR_TYPES) if type else ""
    with project.remembering(environ=environ) as brain:
        found = [(one, why) for one, why in current(brain, Sources(project), every=every) if not type or one.type == type]
        found.sort(key=lambda pair: pair[0].created_at, reverse=True)
        found.sort(key=lambda pair: PRIORITIES.index(pair[0].priority))
        return noted(brain, {"anchors": [anchor_data(one, why) for one, why in found]})


def update(
    id: str,
    root: str | None = None,
    *,
    type: str = "",
    priority: str = "",
    content: str = "",
    file: str = "",
    line: int = 0,
    task: str = "",
    related: Sequence[str] = (),
    environ: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Change what is given. Who touches an anchor says that it holds: it is validated, and what it cites is looked at anew."""
    project = find_project(root, environ)
    sources = Sources(project)
    with project.remembering(environ=environ) as brain, writing(brain):
        before = known_anchor(brain, id)
        cited = _cited(sources, file or before.file, line or (0 if file else before.line), gone=not file)
        stated = replace(
            before,
            type=choice("type of anchor", type, ANCHOR_TYPES) if type else before.type,
            priority=choice("priority", priority, PRIORITIES, PRIORITY_ALIASES) if priority else before.priority,
            content=checked("content", content, MOST_ANCHOR) if content else before.content,
            file=cited.path,
            line=cited.line,
            hash=cited.hash,
            task=checked("task", task, 200, lines=False) if task else before.task,
            related=tuple(sorted({*before.related, *(known_id(brain, one) for one in related)})),
        )
        if stated.content != before.content:
            _refuse_duplicate(brain, stated.content, before.id)
        modified = before.modified_at if stated == before else brain.now
        after = replace(stated, modified_at=modified, validated_at=brain.now, stale_since="")
        store.change_anchor(brain, before, after, "update", "manual")
        if after.type == "decision":
            learn_anchor(brain, project, after, cited)
        return noted(brain, anchor_data(after))


def remove(ids: Sequence[str], root: str | None = None, *, environ: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Out of view; the record keeps them."""
    project = find_project(root, environ)
    with project.remembering(environ=environ) as brain, writing(brain):
        chosen = {one.id: one for one in (known_anchor(brain, id) for id in ids)}
        for one in chosen.values():
            store.change_anchor(brain, one, replace(one, purged_at=one.purged_at or brain.now), "remove", "manual")
        return noted(brain, {"removed": list(chosen)})


def purge_old(root: str | None = None, *, environ: Mapping[str, str] | None = None) -> dict[str, Any]:
    """At a compaction: anchors that nobody has validated for as long as the settings say leave the view. Critical ones stay."""
    project = find_project(root, environ)
    most = seconds(project.config.brain.anchorPurgeAfter)
    with project.remembering(environ=environ) as brain, writing(brain):
        old = [
            one
            for one in store.anchors(brain)
            if most and one.priority != "critical" and seconds_since(max(one.modified_at, one.validated_at), brain.now) >= most
        ]
        for one in old:
            store.change_anchor(brain, one, replace(one, purged_at=brain.now), "purge", "compaction")
        return noted(brain, {"purged": [one.id for one in old]})


# -- for other verbs -------------------------------------------------------------------------------------------------


def current(brain: Brain, sources: Sources, *, every: bool = False) -> list[tuple[Anchor, str]]:
    """All of them with since when they are stale, and why."""
    return as_of_now(brain, sources, store.anchors(brain, every=every))


def as_of_now(brain: Brain, sources: Sources, anchors: Iterable[Anchor]) -> list[tuple[Anchor, str]]:
    """Anchors with since when they are stale, and why. What is seen to be stale is kept, so that it is known since when."""
    found = []
    seen = []
    known = list(anchors)
    changed = {one.id: ended_at(one) for one in tasks_named(brain, sorted({one.task for one in known if one.task}))}
    for one in known:
        since, why = stale_since(one, brain.now, sources.state(Evidence(one.file, hash=one.hash)), changed.get(one.task, ""))
        after = one if since == one.stale_since else replace(one, stale_since=since)
        if after != one and not one.purged_at:
            seen.append((one, after))
        found.append((after, why))
    if seen and not brain.readonly:
        with writing(brain):
            for before, after in seen:
                store.change_anchor(brain, before, after, "stale" if after.stale_since else "fresh", "scan")
    return found


def known_anchor(brain: Brain, id: str) -> Anchor:
    found = store.anchor(brain, id)
    if found is None:
        known = store.anchor_ids(brain)
        begun = [one for one in known if one.startswith(id)] if len(id) > len("anchor-") else []
        found = store.anchor(brain, begun[0]) if len(begun) == 1 else None
        if found is None:
            raise unknown("anchor", id, known, "see idumb-brain anchor list")
    return found


def anchor_data(one: Anchor, why: str = "") -> dict[str, Any]:
    return {
        "id": one.id,
        "type": one.type,
        "priority": one.priority,
        "content": one.content,
        "file": one.file or None,
        "line": one.line or None,
        "task": one.task or None,
        "relatedTo": list(one.related),
        "createdAt": one.created_at,
        "modifiedAt": one.modified_at,
        "validatedAt": one.validated_at or None,
        "staleSince": one.stale_since or None,
        "staleReason": why or None,
        "supersededBy": one.superseded_by or None,
        "purgedAt": one.purged_at or None,
    }


def _cited(sources: Sources, file: str, line: int, *, gone: bool = False) -> Evidence:
    """The place an anchor is about. ``gone``: it was there when the anchor was made, and need not be any more."""
    if not file:
        if line:
            raise BadInput(f"line {line} of no file", why="--line needs --file", instead="give the file too")
        return Evidence()
    if gone and not sources.hash(file):
        return Evidence()
    try:
        found = sources.cited(f"{file}:{line}" if line else file)
    except BadInput:
        if not gone:
            raise
        found = sources.cited(file)  # it has become shorter than that line
    if not found.path:
        raise BadInput(f"{file!r} is not a file of this project", why="it names a commit", instead="give a path")
    return found


def _refuse_duplicate(brain: Brain, content: str, own: str = "") -> None:
    from idumb_brain.select.alike import similarity

    for one in store.anchors(brain):
        if one.id != own and similarity(one.content, content) >= _ALIKE:
            raise BadInput(
                "this anchor is there already", why=f"{one.id} says the same", instead=f"idumb-brain anchor update {one.id}"
            )
