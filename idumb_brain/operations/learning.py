"""Knowledge nobody had to write: from the scan, from git's history, from decision anchors and finished tasks (``brain learn``).

What is made from the same source is the same entry, told by its ``origin``. Refuses to bring back what somebody purged or
superseded, and to write over what somebody wrote.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from idumb_brain.model.errors import BadInput, NotScanned
from idumb_brain.model.exchange import IMPORT
from idumb_brain.model.knowledge import Anchor, Entry, Evidence
from idumb_brain.operations.brain import default_stale_after, new_id, noted
from idumb_brain.operations.evidence import Sources
from idumb_brain.operations.project import Project, find_project
from idumb_brain.operations.stated import MOST_CONTENT, MOST_TITLE, checked
from idumb_brain.select.worth import standing
from idumb_brain.store import knowledge as store
from idumb_brain.store.audit import changes
from idumb_brain.store.brain import Brain, writing

WRITTEN, UPDATED, CONFIRMED, KEPT, ENDED = "written", "updated", "confirmed", "kept", "ended"
_BY = "learn"
_COMMITS = 2_000
_HOT = 5
_MODULES = 12


@dataclass(frozen=True, slots=True)
class Learned:
    """Something found out, before it is an entry."""

    origin: str
    type: str
    title: str
    content: str
    source: str
    confidence: int
    evidence: tuple[Evidence, ...] = ()
    valid_from: str = ""


def learn(root: str | None = None, *, environ: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Look at all there is to learn from, and bring the brain up to it. The second time in a row nothing happens."""
    project = find_project(root, environ)
    sources = Sources(project)
    scanned = _from_scan(project, sources)
    found = [*(scanned or ()), *_from_git(project)]
    with project.remembering(make=True, environ=environ) as brain, writing(brain):
        known = store.origins(brain, "scan:") | store.origins(brain, "commit:")
        counted = Counter(_absorbed(brain, project, sources, one, known.get(one.origin), environ) for one in found)
        if scanned is not None:
            counted[ENDED] += _end(brain, [one for origin, one in known.items() if origin.startswith("scan:")], scanned)
        return noted(
            brain,
            {what: counted[what] for what in (WRITTEN, UPDATED, CONFIRMED, ENDED, KEPT)}
            | {"bySource": dict(sorted(Counter(one.source for one in found).items())), "scanned": scanned is not None},
        )


def learn_anchor(brain: Brain, project: Project, anchor: Anchor, cited: Evidence) -> str:
    """A decision anchor as an entry, within the transaction that writes the anchor."""
    title = " ".join(anchor.content.partition("\n")[0].split())
    if len(title) > MOST_TITLE:
        title = (title[: MOST_TITLE - 1].rpartition(" ")[0] or title[: MOST_TITLE - 1]) + "…"
    evidence = (cited,) if cited.path else ()
    learned = Learned(f"anchor:{anchor.id}", "decision", title, anchor.content, "anchor", 100, evidence)
    return _absorbed(brain, project, Sources(project), learned, store.of_origin(brain, learned.origin))


def learned_from_task(
    brain: Brain, project: Project, task: str, name: str, result: str, evidence: Sequence[str] = (), type: str = "codebase-fact"
) -> str:
    """What a finished task has taught, within the transaction that finishes it. The same task is the same entry."""
    sources = Sources(project)
    cited = []
    for one in evidence:
        try:
            cited.append(sources.cited(one))
        except BadInput:
            continue  # a task may cite a command's output or a page; only what can be looked at again is kept as evidence
    title = checked("title", name[:MOST_TITLE], MOST_TITLE, lines=False)
    content = checked("content", result[:MOST_CONTENT], MOST_CONTENT)
    learned = Learned(f"task:{task}", type, title, content, "task-evidence", 90, tuple(dict.fromkeys(cited)))
    return _absorbed(brain, project, sources, learned, store.of_origin(brain, learned.origin))


def _absorbed(
    brain: Brain, project: Project, sources: Sources, one: Learned, known: Entry | None, environ: Mapping[str, str] | None = None
) -> str:
    if known is None:
        made = Entry(
            "", one.type, one.title, one.content, one.evidence, created_at=brain.now, modified_at=brain.now,
            valid_from=one.valid_from or brain.now, stale_after=default_stale_after(project, one.type),
            confidence=one.confidence, source=one.source, origin=one.origin,
        )  # fmt: skip
        store.add_entry(brain, replace(made, id=new_id(brain, made, environ)), _BY)
        return WRITTEN
    if known.purged_at or known.superseded_by or _by_others(brain, known):
        return KEPT
    if (known.title, known.content) != (one.title, one.content):
        after = replace(
            known, title=one.title, content=one.content, evidence=one.evidence, modified_at=brain.now, valid_to="",
            confidence=one.confidence,
        )  # fmt: skip
        store.change_entry(brain, known, after, "update", _BY)
        return UPDATED
    if known.valid_to or (one.source == "scan" and _doubted(brain, sources, known)):
        store.change_entry(
            brain, known, replace(known, evidence=one.evidence, validated_at=brain.now, valid_to=""), "confirm", _BY
        )
        return CONFIRMED
    return KEPT


def _by_others(brain: Brain, known: Entry) -> bool:
    """Whether its words are somebody's own."""
    return any(one.by not in (_BY, IMPORT) and {"title", "content"} & one.after.keys() for one in changes(brain, known.id))


def _doubted(brain: Brain, sources: Sources, known: Entry) -> bool:
    worth = standing(known, brain.now, sources.states([known]))
    return worth.stale or bool(worth.reasons)


def _end(brain: Brain, known: Sequence[Entry], found: Sequence[Learned]) -> int:
    """What a scan told once and tells no more is no longer so."""
    told = {one.origin for one in found}
    gone = [one for one in known if one.origin not in told and not (one.valid_to or one.purged_at or one.superseded_by)]
    for one in gone:
        store.change_entry(brain, one, replace(one, valid_to=brain.now), "end", _BY)
    return len(gone)


def _from_git(project: Project) -> Iterator[Learned]:
    from idumb_brain.scan.decisions import decisions

    for one in decisions(project.root, min(_COMMITS, project.config.history.commits)):
        try:
            title = checked("title", one.title[:MOST_TITLE], MOST_TITLE, lines=False)
            content = checked("content", one.content, MOST_CONTENT)
        except BadInput:
            continue  # a message of control characters, or all private, teaches nothing
        evidence = (Evidence(commit=one.commit),)
        yield Learned(f"commit:{one.key}", "decision", title, content, "git-commit", one.confidence, evidence, _utc(one.at))


def _utc(written: str) -> str:
    from datetime import UTC, datetime

    return datetime.fromisoformat(written).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _from_scan(project: Project, sources: Sources) -> list[Learned] | None:
    """None where nothing was scanned: then nothing can be said to be gone either."""
    from idumb_brain.operations.mapping import project_map

    try:
        told = project_map(str(project.root), depth=0)
    except NotScanned:
        return None
    return [*_technologies(told, sources), *_architecture(told, sources), *_facts(told, sources)]


def _technologies(told: Mapping[str, Any], sources: Sources) -> Iterator[Learned]:
    for one in told["frameworksDetected"]:
        version = f" {one['version']}" if one["version"] else ""
        seen = [f"{row['path']}{':' + str(row['line']) if row['line'] else ''} ({row['kind']})" for row in one["evidence"]]
        where = f" Seen in {', '.join(seen[:3])}." if seen else ""
        yield Learned(
            f"scan:technology:{one['name']}", "tech-stack", f"{one['name']}{version}",
            f"The project uses {one['name']}{version} ({one['kind']}).{where}", "scan", 95,
            _places(sources, [(row["path"], row["line"]) for row in one["evidence"][:3]]),
        )  # fmt: skip


def _architecture(told: Mapping[str, Any], sources: Sources) -> Iterator[Learned]:
    found = told["architecture"]
    if len(found["modules"]) > 1:
        rows = [
            f"- {one['path']} ({one['language']})"
            + "".join(f"{', ' if at else ' needs '}{path}" for at, path in enumerate(_needs(one)))
            for one in found["modules"][:_MODULES]
        ]
        layers = " → ".join(", ".join(row[:6]) for row in found["layers"] if row)
        yield Learned("scan:modules", "architecture", "Modules and what they need", f"{layers}\n" + "\n".join(rows), "scan", 90)
    own = [one for one in told["packages"] if one["own"]]
    if len(own) > 1:
        rows = [f"- {one['name'] or one['path']} in {one['path'] or '.'} ({one['ecosystem']})" for one in own[:_MODULES]]
        manifests = _places(sources, [(one["manifest"], 0) for one in own[:3]])
        yield Learned("scan:packages", "architecture", f"{len(own)} packages", "\n".join(rows), "scan", 95, manifests)
    if found["entryPoints"]:
        rows = [
            f"- {one['path']}{':' + str(one['line']) if one['line'] else ''}: {one['why']}"
            for one in found["entryPoints"][:_MODULES]
        ]
        places = _places(sources, [(one["path"], one["line"]) for one in found["entryPoints"][:3]])
        yield Learned("scan:entry-points", "architecture", "Where the program begins", "\n".join(rows), "scan", 85, places)


def _needs(module: Mapping[str, Any]) -> list[str]:
    return sorted(to["module"] for to in module["dependsOn"])


def _facts(told: Mapping[str, Any], sources: Sources) -> Iterator[Learned]:
    if told["languages"]:
        total = sum(row["lines"] for row in told["languages"].values()) or 1
        shares = [(name, round(100 * row["lines"] / total)) for name, row in told["languages"].items()]
        content = ", ".join(f"{name} {share} %" for name, share in shares[:6] if share)
        yield Learned("scan:languages", "codebase-fact", "Languages of the code", f"Of all lines: {content}.", "scan", 95)
    hot = told["architecture"]["hotFiles"][:_HOT]
    if hot:
        rows = "\n".join(f"- {one['path']}" for one in hot)
        yield Learned("scan:hot-files", "codebase-fact", "Files most others need", rows, "scan", 80)
    for one in told["governanceDetected"]:
        paths = [row["path"] for row in one["evidence"] if not row["path"].startswith(".idumb/")]
        if not paths:
            continue  # that we are here is nothing to remember
        yield Learned(
            f"scan:governance:{one['name']}", "convention", f"Rules for agents: {one['name']}",
            f"The project steers agents by {one['name']}: {', '.join(paths[:6])}.", "scan", 90,
            _places(sources, [(path, 0) for path in paths[:3]]),
        )  # fmt: skip


def _places(sources: Sources, places: Sequence[tuple[str, int]]) -> tuple[Evidence, ...]:
    found = []
    for path, line in places:
        try:
            found.append(sources.cited(f"{path}:{line}" if line else path))
        except BadInput:
            continue  # gone since the scan; the next one will tell
    return tuple(dict.fromkeys(found))
