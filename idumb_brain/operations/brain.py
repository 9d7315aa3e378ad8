"""What is known, written and tended: ``brain write|show|list|link|supersede|validate|stale|purge|tree|history``.

Nothing is deleted unless asked for by its hardest name; everything that happens is on record.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from idumb_brain.model.errors import BadInput, StoreDamaged, StoreLocked
from idumb_brain.model.knowledge import CONTRADICTS, ENTRY_TYPES, RELATED, SOURCES, Entry
from idumb_brain.operations.entries import brief_data, entry_data, known_entry, known_id, standings
from idumb_brain.operations.evidence import Sources
from idumb_brain.operations.project import Project, find_project
from idumb_brain.operations.stated import MOST_CONTENT, MOST_TITLE, chance, checked, choice, confidence, made_id, seconds
from idumb_brain.select.worth import place
from idumb_brain.store import injected
from idumb_brain.store import knowledge as store
from idumb_brain.store.audit import changes
from idumb_brain.store.brain import Brain, writing

# How long knowledge of a kind usually lasts, where the project's settings do not say otherwise.
STALE_AFTER = {
    "architecture": "90d",
    "decision": "180d",
    "pattern": "90d",
    "tech-stack": "60d",
    "research": "30d",
    "codebase-fact": "30d",
    "convention": "180d",
    "gotcha": "90d",
}
LINKS = (RELATED, CONTRADICTS, "parent")
_DEEPEST = 50  # parents above one another
_ALIKE = 0.8  # what is so much alike may be the same; who writes it decides
_CANDIDATES = 12
MOST_SHOWN = 50  # unless more is asked for
_FEW = 200  # entries that share a word, of those looked at


def write(
    type: str,
    title: str,
    content: str,
    root: str | None = None,
    *,
    evidence: Sequence[str] = (),
    related: Sequence[str] = (),
    parent: str = "",
    supersedes: str = "",
    stale_after: str = "",
    confidence_now: int = 100,
    pinned: bool = False,
    force: bool = False,
    source: str = "manual",
    environ: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The new entry; or ``similar``, and nothing is written, where something much alike is known already."""
    project = find_project(root, environ)
    type = choice("type of entry", type, ENTRY_TYPES)
    lasting = seconds(stale_after) if stale_after else default_stale_after(project, type)
    stated = Entry(
        "",
        type,
        checked("title", title, MOST_TITLE, lines=False),
        checked("content", content, MOST_CONTENT),
        stale_after=lasting,
        confidence=confidence(confidence_now),
        source=choice("source", source, SOURCES),
        pinned=pinned,
    )
    sources = Sources(project)
    cited = tuple(dict.fromkeys(sources.cited(one) for one in evidence))
    with project.remembering(make=True, environ=environ) as brain:
        replaced = known_entry(brain, supersedes) if supersedes else None
        made = replace(
            stated,
            evidence=cited,
            related=tuple(sorted({known_id(brain, one) for one in related})),
            parent=_parent(brain, parent),
            created_at=brain.now,
            modified_at=brain.now,
            valid_from=brain.now,
        )
        if not force and (alike := similar(brain, made, replaced)):
            return noted(brain, {"similar": alike})
        with writing(brain):
            made = replace(made, id=new_id(brain, made, environ))
            store.add_entry(brain, made, source)
            if replaced is not None:
                supersede_in(brain, replaced, made, source)
            made = known_entry(brain, made.id)
        return noted(brain, entry_data(made, standings(brain, sources, [made])[made.id], ()))


def show(id: str, root: str | None = None, *, environ: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Everything about one. That it was read is counted, and keeps it no younger."""
    project = find_project(root, environ)
    with project.remembering(environ=environ) as brain:
        found = known_entry(brain, id)
        try:
            store.count_access(brain, [found.id])
        except (StoreLocked, StoreDamaged):
            pass  # to be counted is no reason for not being read
        else:
            found = known_entry(brain, found.id)
        worth = standings(brain, Sources(project), [found])[found.id]
        return noted(brain, entry_data(found, worth, store.children(brain, found.id)))


def listing(
    root: str | None = None,
    *,
    type: str = "",
    every: bool = False,
    limit: int = MOST_SHOWN,
    environ: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """What is current, the latest first; ``every``: superseded and purged ones too; without a limit all of them."""
    project = find_project(root, environ)
    type = choice("type of entry", type, ENTRY_TYPES) if type else ""
    with project.remembering(environ=environ) as brain:
        found, total = store.latest(brain, limit, every=every, type=type)
        worth = standings(brain, Sources(project), found)
        return noted(brain, {"entries": [brief_data(one, worth[one.id]) for one in found], "total": total})


def link(
    id: str, other: str, root: str | None = None, *, kind: str = RELATED, environ: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Relate two, note that they contradict each other, or make the second the parent of the first."""
    project = find_project(root, environ)
    kind = choice("kind of link", kind, LINKS)
    with project.remembering(environ=environ) as brain, writing(brain):
        one, to = known_entry(brain, id), known_id(brain, other)
        if one.id == to:
            raise BadInput(f"{one.id} cannot be linked to itself", why="a link is between two", instead="name another entry")
        if kind == "parent":
            after = replace(one, parent=_parent(brain, to, of=one.id))
        elif kind == RELATED:
            after = replace(one, related=tuple(sorted({*one.related, to})))
        else:
            after = replace(one, contradicts=tuple(sorted({*one.contradicts, to})))
        store.change_entry(brain, one, after, "link", "manual")
        return noted(brain, {"id": one.id, "kind": kind, "other": to, "changed": one != after})


def supersede(old: str, new: str, root: str | None = None, *, environ: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The second takes the place of the first, which stays in history and points to it."""
    project = find_project(root, environ)
    with project.remembering(environ=environ) as brain, writing(brain):
        one, by = known_entry(brain, old), known_entry(brain, new)
        supersede_in(brain, one, by, "manual")
        return noted(brain, {"id": one.id, "supersededBy": by.id, "chain": _chain(brain, by)})


def validate(
    ids: Sequence[str],
    root: str | None = None,
    *,
    confidence_now: int | None = None,
    environ: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Still true: confidence is what was stated again, and what is cited is looked at as it is now. Files that are gone are dropped."""
    project = find_project(root, environ)
    sources = Sources(project)
    told = []
    with project.remembering(environ=environ) as brain, writing(brain):
        for before in [known_entry(brain, id) for id in ids]:
            renewed = {one: sources.renewed(one) for one in before.evidence}
            after = replace(
                before,
                evidence=tuple(one for one in renewed.values() if one is not None),
                validated_at=brain.now,
                confidence=before.confidence if confidence_now is None else confidence(confidence_now),
            )
            store.change_entry(brain, before, after, "validate", "manual")
            worth = standings(brain, sources, [after])[after.id]
            gone = [place(one) for one, now in renewed.items() if now is None]
            told.append(brief_data(after, worth) | {"validatedAt": brain.now, "evidenceDropped": gone})
        return noted(brain, {"validated": told})


def update(
    id: str,
    root: str | None = None,
    *,
    title: str = "",
    content: str = "",
    evidence: Sequence[str] = (),
    environ: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Correct what is given; it is validated by that. What it said before stays in history; evidence takes the place of what there was."""
    project = find_project(root, environ)
    if not (title or content or evidence):
        raise BadInput(
            "nothing to change", why="neither a title, nor content, nor evidence is given", instead="give what it should be"
        )
    sources = Sources(project)
    cited = tuple(dict.fromkeys(sources.cited(one) for one in evidence))
    with project.remembering(environ=environ) as brain, writing(brain):
        before = known_entry(brain, id)
        if before.superseded_by or before.purged_at:
            raise BadInput(
                f"{before.id} holds no more",
                why=f"it is superseded by {before.superseded_by}"
                if before.superseded_by
                else f"it was purged at {before.purged_at}",
                instead=f"update {_chain(brain, before)[-1]}" if before.superseded_by else "write what is known instead",
            )
        renewed = cited or tuple(now for one in before.evidence if (now := sources.renewed(one)) is not None)
        stated = replace(
            before,
            title=checked("title", title, MOST_TITLE, lines=False) if title else before.title,
            content=checked("content", content, MOST_CONTENT) if content else before.content,
            evidence=cited or before.evidence,
        )
        modified = before.modified_at if stated == before else brain.now
        after = replace(stated, evidence=renewed, modified_at=modified, validated_at=brain.now)
        store.change_entry(brain, before, after, "update", "manual")
        return noted(brain, entry_data(after, standings(brain, sources, [after])[after.id], store.children(brain, after.id)))


def stale(root: str | None = None, *, limit: int = MOST_SHOWN, environ: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What somebody should look at again, the least believable first, with the reasons."""
    project = find_project(root, environ)
    with project.remembering(environ=environ) as brain:
        found = store.entries(brain)
        worth = standings(brain, Sources(project), found)
        worst = sorted((one for one in found if worth[one.id].stale), key=lambda one: (worth[one.id].confidence, one.id))
        shown = [brief_data(one, worth[one.id]) for one in (worst[:limit] if limit else worst)]
        return noted(brain, {"entries": shown, "stale": len(worst), "total": len(found)})


def purge(
    ids: Sequence[str] = (),
    root: str | None = None,
    *,
    below: int | None = None,
    hard: bool = False,
    yes: bool = False,
    environ: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Take out of view, or with ``hard`` off the disk. Without ``yes`` it only tells what that would be."""
    project = find_project(root, environ)
    if not ids and below is None:
        raise BadInput("nothing to purge", why="no id was given", instead="give ids, or --below CONFIDENCE")
    with project.remembering(environ=environ) as brain:
        chosen = _to_purge(brain, Sources(project), ids, below, hard)
        worth = standings(brain, Sources(project), chosen)
        told = [brief_data(one, worth[one.id]) | {"children": len(store.children(brain, one.id))} for one in chosen]
        if yes:
            with writing(brain):
                for one in [known_entry(brain, one.id) for one in chosen]:
                    _take_out(brain, one, hard)
            if hard and yes and chosen:
                store.scrub(brain)
                injected.forget(project.injected, [one.id for one in chosen])
        return noted(brain, {"purged": yes, "hard": hard, "entries": told})


def tree(
    id: str = "", root: str | None = None, *, limit: int = MOST_SHOWN, environ: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """What belongs below what; all of it, or what is below one. Of more than ``limit`` the first branches."""
    project = find_project(root, environ)
    with project.remembering(environ=environ) as brain:
        parents = store.parents(brain)
        below: dict[str, list[str]] = defaultdict(list)
        for one, parent in parents.items():
            below[parent if parent in parents else ""].append(one)
        tops = [known_entry(brain, id).id] if id else [*below[""], *_in_circles(parents)]
        chosen = _branches(tops, below, limit)
        found = {one.id: one for one in store.entries_of(brain, list(chosen))}
        worth = standings(brain, Sources(project), list(found.values()))

        def branch(id: str) -> dict[str, Any]:
            inner = [branch(child) for child in below[id] if child in found and chosen[child] == id]
            return brief_data(found[id], worth[id]) | {"children": inner}

        shown = [branch(one) for one in tops if one in found and not chosen[one]]
        return noted(brain, {"entries": shown, "shown": len(found), "total": len(parents)})


def history(
    id: str = "", root: str | None = None, *, limit: int = 50, environ: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """What happened to one or to all, the latest first: before and after."""
    project = find_project(root, environ)
    with project.remembering(environ=environ) as brain:
        told = changes(brain, id, limit)
        if id and not told:
            told = changes(brain, known_id(brain, id), limit)
        return noted(
            brain,
            {
                "changes": [
                    {
                        "at": one.at,
                        "kind": one.kind,
                        "id": one.id,
                        "action": one.action,
                        "by": one.by,
                        "before": dict(one.before),
                        "after": dict(one.after),
                    }
                    for one in told
                ]
            },
        )


# -- for other verbs that write knowledge ----------------------------------------------------------------------------


def default_stale_after(project: Project, type: str) -> int:
    return seconds(project.config.brain.staleAfter.get(type) or STALE_AFTER[type])


def new_id(brain: Brain, made: Entry, environ: Mapping[str, str] | None = None) -> str:
    """One nobody has; of what was made from something, always the same one."""
    import os

    seed = made.origin or chance((os.environ if environ is None else environ).get("IDUMB_BRAIN_NOW", ""))
    taken: set[str] = set()
    while store.entry(brain, id := made_id(made.type, made.title, seed, taken)) is not None:
        taken.add(id)
    return id


def supersede_in(brain: Brain, old: Entry, new: Entry, by: str) -> None:
    """Within a transaction of the caller. Circles are refused."""
    if old.superseded_by:
        raise BadInput(
            f"{old.id} is superseded already",
            why=f"by {old.superseded_by}",
            instead=f"supersede {_chain(brain, old)[-1]} instead",
        )
    if old.id in _chain(brain, new):
        raise BadInput(
            f"{new.id} cannot supersede {old.id}", why="that would be a circle", instead="see idumb-brain brain show of both"
        )
    if new.purged_at:
        raise BadInput(f"{new.id} cannot supersede {old.id}", why="it is purged", instead="write what is known instead")
    store.change_entry(brain, old, replace(old, superseded_by=new.id, valid_to=brain.now), "supersede", by)


def similar(brain: Brain, made: Entry, apart_from: Entry | None = None) -> list[dict[str, Any]]:
    """Current entries that say nearly the same, the most alike first."""
    from idumb_brain.select.alike import similarity

    found = []
    for one in store.current_numbered(brain, _sharing_words(brain, f"{made.title} {made.content}")):
        if apart_from is not None and one.id == apart_from.id:
            continue
        titles = similarity(made.title, one.title)
        score = max(
            similarity(f"{made.title}\n{made.content}", f"{one.title}\n{one.content}"),
            (titles + similarity(made.content, one.content)) / 2,
        )
        if score >= _ALIKE:
            found.append({"id": one.id, "title": one.title, "score": round(score, 3)})
    return sorted(found, key=lambda row: (-row["score"], row["id"]))


def noted(brain: Brain, data: dict[str, Any]) -> dict[str, Any]:
    """What was found broken on the way is told along; an answer without notes has no such key."""
    return data | ({"notes": list(dict.fromkeys(brain.notes))} if brain.notes else {})


def _sharing_words(brain: Brain, text: str) -> list[int]:
    """Row numbers of those that share most of its longest words. Long words are rare ones, and of what is rare nothing is missed."""
    import re

    words = sorted(dict.fromkeys(re.findall(r"\w+", text.lower()[:5000])), key=lambda word: (-len(word), word))[:_CANDIDATES]
    votes: Counter[int] = Counter()
    for word in words:
        numbers = store.some_matching(brain, f'"{word}"', _FEW)
        votes.update(dict.fromkeys(numbers, 0) if len(numbers) == _FEW else numbers)
    together = " ".join(f'"{word}"' for word in words)
    exact = store.some_matching(brain, together, _CANDIDATES) if together else []
    return list(dict.fromkeys([*exact, *(number for number, _ in votes.most_common(_CANDIDATES))]))


def _parent(brain: Brain, typed: str, of: str = "") -> str:
    """The id of a parent, where that makes no circle."""
    if not typed:
        return ""
    top = known_entry(brain, typed)
    parent, above = top.id, [top.id]
    while top.parent and top.parent not in above:
        above.append(top.parent)
        following = store.entry(brain, top.parent)
        if following is None:
            break
        top = following
    if of in above:
        raise BadInput(
            f"{parent} cannot be the parent of {of}", why="that would be a circle", instead="see idumb-brain brain tree"
        )
    if len(above) >= _DEEPEST:
        raise BadInput(f"{parent} lies too deep", why=f"{_DEEPEST} levels are the most", instead="choose a parent further up")
    return parent


def _chain(brain: Brain, one: Entry) -> list[str]:
    """It, what superseded it, and so on to what is current."""
    chain = [one.id]
    while one.superseded_by and one.superseded_by not in chain:
        chain.append(one.superseded_by)
        following = store.entry(brain, one.superseded_by)
        if following is None:
            break
        one = following
    return chain


def _to_purge(brain: Brain, sources: Sources, ids: Sequence[str], below: int | None, hard: bool) -> list[Entry]:
    chosen = {one.id: one for one in (known_entry(brain, id) for id in ids)}
    if below is not None:
        found = [one for one in store.entries(brain) if not one.pinned]
        worth = standings(brain, sources, found)
        chosen |= {one.id: one for one in found if worth[one.id].confidence < below}
    return [one for one in chosen.values() if hard or not one.purged_at]


def _take_out(brain: Brain, one: Entry, hard: bool) -> None:
    if not hard:
        store.change_entry(brain, one, replace(one, purged_at=brain.now), "purge", "manual")
        return
    for old in store.entries_of(brain, one.supersedes):
        # What it replaced does not come back into view because it goes.
        after = replace(old, superseded_by=one.superseded_by, purged_at=old.purged_at or ("" if one.superseded_by else brain.now))
        store.change_entry(brain, old, after, "purge", "manual")
    store.erase_entry(brain, one, "manual")


def _branches(tops: Sequence[str], below: Mapping[str, Sequence[str]], limit: int) -> dict[str, str]:
    """The first so many from the top down, each with what it is shown below; a circle is shown once."""
    chosen: dict[str, str] = {}
    waiting = [(one, "", 0) for one in reversed(tops)]
    while waiting and not (limit and len(chosen) >= limit):
        one, parent, depth = waiting.pop()
        if one not in chosen:
            chosen[one] = parent
            waiting += [(child, one, depth + 1) for child in reversed(below.get(one, ())) if depth + 1 < _DEEPEST]
    return chosen


def _in_circles(parents: Mapping[str, str]) -> list[str]:
    """One of each circle of parents, which has no top: such come in by hand only, and must not be lost from sight."""
    seen: set[str] = set()
    tops = set()
    for at in parents:
        way: list[str] = []
        while parents.get(at) in parents and at not in seen:
            seen.add(at)
            way.append(at)
            at = parents[at]
        if at in way:
            tops.add(at)
    return [one for one in parents if one in tops]
