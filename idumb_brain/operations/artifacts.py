"""Planning documents: registered from real files, linked to tasks and entries, superseded or given up. Never written by us."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from idumb_brain.graph import artifacts as graph
from idumb_brain.model.errors import BadInput
from idumb_brain.model.work import ARTIFACT_TYPES, Artifact, Section, Task
from idumb_brain.operations.entries import known_id
from idumb_brain.operations.project import Project, relative_path
from idumb_brain.operations.work import Work
from idumb_brain.store import work as store
from idumb_brain.store.brain import writing
from idumb_brain.store.secrets import without_secrets

# What the folder or the name of a document says of its type, the first that fits.
_TYPES = (
    ("validation", "validation-report"),
    ("verif", "validation-report"),
    ("spike", "spike-result"),
    ("research", "research"),
    ("delegation", "delegation-report"),
    ("handoff", "delegation-report"),
)
_HIDDEN = ("superseded", "abandoned")


def add(
    work: Work,
    path: str,
    *,
    type: str = "",
    parent: str = "",
    supersedes: str = "",
    tasks: Sequence[str] = (),
    entries: Sequence[str] = (),
) -> dict[str, Any]:
    """Register a document; one that is known already is read again."""
    if type and type not in ARTIFACT_TYPES:
        raise BadInput(f"{type!r} is not a type of document", why="", instead=f"one of {', '.join(ARTIFACT_TYPES)}")
    with writing(work.brain):
        place = relative_path(work.project, path)
        title, sections = _read(work.project, place)
        known = store.artifact_at(work.brain, place)
        if known is not None and known.state in _HIDDEN:
            known = None
        above = _artifact(work, parent) if parent else None
        made = known or Artifact(work.new_id(Artifact, title), type or type_of(place), place, title, created_at=work.now)
        if above is not None and above.id in {one.id for one in _below_all(made.id, _all(work))} | {made.id}:
            raise BadInput(f"{above.id} follows from {made.id}", why="a chain has a beginning", instead="choose another --parent")
        made = replace(
            made, type=type or made.type, title=title, sections=sections, modified_at=work.now,
            parent=above.id if above else made.parent, parent_hash=graph.whole_hash(above.sections) if above else made.parent_hash,
            tasks=tuple(dict.fromkeys((*made.tasks, *(work.task(one).id for one in tasks)))),
            entries=tuple(dict.fromkeys((*made.entries, *(known_id(work.brain, one) for one in entries)))),
        )  # fmt: skip
        work.keep(made, "register" if known is None else "read again")
        if supersedes:
            old = _artifact(work, supersedes)
            if old.id == made.id:
                raise BadInput(f"{old.id} cannot replace itself", why="it is the same document", instead="name the older one")
            if old.state in _HIDDEN:
                told = f"by {old.superseded_by}" if old.superseded_by else "nobody follows it any more"
                raise BadInput(f"{old.id} is {old.state} already", why=told, instead="name the one that holds")
            work.keep(replace(old, state="superseded", superseded_by=made.id, modified_at=work.now), "supersede")
        return artifact_data(made, work)


def move(work: Work, state: str, artifact: str) -> dict[str, Any]:
    """``completed`` or ``abandoned``. What was carried out was begun once; an abandoned one leaves everything that agents are told."""
    with writing(work.brain):
        found = _artifact(work, artifact)
        if found.state in _HIDDEN and state != found.state:
            raise BadInput(
                f"{found.id} is {found.state}", why="what nobody is to follow any more cannot be carried out",
                instead=f"register it again: idumb-brain artifact add {found.path}",
            )  # fmt: skip
        purged = work.now if state == "abandoned" else ""
        validated = work.now if state == "completed" else found.validated_at
        begun = found.implemented_at or (_begun(work, found) if state == "completed" else "")
        changed = replace(
            found, state=state, purged_at=purged, validated_at=validated, implemented_at=begun, modified_at=work.now
        )
        work.keep(changed, state)
        return artifact_data(_artifact(work, found.id), work)


def _begun(work: Work, one: Artifact) -> str:
    """When the first of its tasks was started; of what has none, now."""
    tasks = (store.at(work.brain, Task, id) for id in one.tasks)
    return min((task.started_at for task in tasks if task and task.started_at), default=work.now)


def known(work: Work, *, everything: bool = False) -> list[dict[str, Any]]:
    return [artifact_data(one, work) for one in _all(work).values() if everything or one.state not in _HIDDEN]


def artifact_data(one: Artifact, work: Work) -> dict[str, Any]:
    everything = _all(work)
    try:
        changed = graph.changed_sections(one.sections, _read(work.project, one.path)[1])
        gone = []
    except BadInput:
        changed, gone = [], [f"{one.path} is gone"]
    return {
        "id": one.id, "type": one.type, "path": one.path, "title": one.title, "status": one.state,
        "sections": [{"title": s.title, "level": s.level, "line": s.line, "hash": s.hash} for s in one.sections],
        "parentPlanId": one.parent or None, "childPlanIds": [below.id for below in graph.below(one.id, everything)],
        "chain": [above.id for above in graph.chain_of(one, everything)], "supersededBy": one.superseded_by or None,
        "taskIds": list(one.tasks), "entryIds": list(one.entries), "changedSections": changed,
        "stale": [*gone, *graph.staleness(one, everything)], "createdAt": one.created_at, "modifiedAt": one.modified_at,
        "implementedAt": one.implemented_at or None, "validatedAt": one.validated_at or None, "purgedAt": one.purged_at or None,
    }  # fmt: skip


def _read(project: Project, path: str) -> tuple[str, tuple[Section, ...]]:
    from idumb_brain.scan.documents import document_facts, format_of
    from idumb_brain.scan.languages import query_folders

    file = project.root / path
    if not file.resolve().is_relative_to(project.root.resolve()) or not file.is_file():
        raise BadInput(
            f"there is no {path}", why="a planning document is a file of the project", instead="write it first, then add it"
        )
    if not format_of(path):
        raise BadInput(
            f"{path} is not a document", why="Markdown, reStructuredText, AsciiDoc and text are", instead="add one of those"
        )
    source = without_secrets(file.read_bytes())
    facts = document_facts(path, source, query_folders(str(project.root)))
    if facts is None:
        raise BadInput(
            f"{path} cannot be read as a document", why="it is empty or binary", instead="write something into it first"
        )
    headings = [(section.title, section.level, section.line) for section in facts.sections]
    return facts.title or path, graph.sections_of(source.decode("utf-8", "replace"), headings)


def _artifact(work: Work, given: str) -> Artifact:
    found = store.artifact_at(work.brain, given) or store.artifact_at(work.brain, relative_path(work.project, given))
    if found is None:
        raise BadInput(
            f"there is no artifact {given}", why="neither by id nor by path", instead="idumb-brain artifact list --all"
        )
    return found


def _all(work: Work) -> Mapping[str, Artifact]:
    return {one.id: one for one in store.artifacts(work.brain)}


def _below_all(number: str, everything: Mapping[str, Artifact]) -> list[Artifact]:
    found: list[Artifact] = []
    waiting = graph.below(number, everything)
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.append(one)
            waiting += graph.below(one.id, everything)
    return found


def type_of(path: str) -> str:
    return next((kind for word, kind in _TYPES if word in path.lower()), "implementation-plan")
