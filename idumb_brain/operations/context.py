"""What an agent is handed, unasked: ``context compaction|system|prefix|resume|reminder``, within its budget, with reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from idumb_brain.model.errors import BadInput, NotScanned
from idumb_brain.model.knowledge import Anchor, Entry
from idumb_brain.model.selection import ANCHOR, ENTRY, Budget, Candidate, Dropped, Score
from idumb_brain.operations.anchors import current as current_anchors
from idumb_brain.operations.brain import noted
from idumb_brain.operations.entries import standings
from idumb_brain.operations.evidence import Sources
from idumb_brain.operations.project import Project, find_project
from idumb_brain.render import told
from idumb_brain.render.blocks import BLOCKS, block
from idumb_brain.render.wording import say
from idumb_brain.select.anchors import kept_back, score
from idumb_brain.select.fill import fill
from idumb_brain.select.worth import Standing
from idumb_brain.store import knowledge
from idumb_brain.store.brain import Brain

SETTING, WARNING = "setting", "warning"
_ENTRIES = 200  # looked at, those of which most was stated first
_ALWAYS = 99.0  # next to a critical anchor, which is worth 100 at least
# What one of a type helps whoever is about to change code, by what a decision does.
_TYPES = {
    "decision": 1.0, "gotcha": 1.0, "convention": 0.95, "architecture": 0.9,
    "pattern": 0.85, "tech-stack": 0.7, "research": 0.7, "codebase-fact": 0.6,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Setting:
    """For whom a block is made, and what there is to tell."""

    now: str
    language: str
    summary: str  # of the project; empty where it was never scanned
    anchors: Sequence[tuple[Anchor, str]]  # with why they are stale
    entries: Sequence[tuple[Entry, Standing]]
    session: str = ""
    role: str = ""
    dropped: list[Dropped] = field(default_factory=list)  # what is never told, by those who looked at it


def context(
    name: str,
    root: str | None = None,
    *,
    session: str = "",
    role: str = "",
    budget: int | None = None,
    environ: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """One block. ``budget`` is in characters; what it is unless given stands in the settings."""
    if name not in BLOCKS:
        raise BadInput(f"{name!r} is no block", why="there is no template for it", instead=f"choose from {', '.join(BLOCKS)}")
    if budget is not None and budget < 0:
        raise BadInput(f"a budget of {budget}", why="no text is shorter than none", instead="give 0 or more characters")
    project = find_project(root, environ)
    config = project.config
    chars = getattr(config.context, name) if budget is None else budget
    frame = block(name, config.language)
    with project.remembering(environ=environ) as brain:
        setting = _found(project, brain, config.language, session, role)
        found = [*frame.own, *(one for section in sorted(frame.sections) for one in _gathered(section, setting))]
        made = fill(found, Budget(chars), frame.layout)
        data = {
            "text": made.text,
            "chars": made.chars,
            "tokens": made.tokens,
            "budget": chars,
            "selected": [
                {"id": one.id, "kind": one.kind, "score": round(one.score.value, 2), "reasons": list(one.score.reasons)}
                for one in made.chosen
            ],
            "dropped": [{"id": one.id, "kind": one.kind, "reason": one.reason} for one in (*made.dropped, *setting.dropped)],
        }
        return noted(brain, data)


def about(setting: Setting) -> Iterator[Candidate]:
    """The project in a line, the language, and who is spoken to."""
    yield _setting("language", told.tongue(setting.language), must=True)
    if setting.summary:
        yield _setting("project", told.about("project", setting.summary, setting.language))
    for what, value in (("role", setting.role), ("session", setting.session)):
        if value:
            yield _setting(what, told.about(what, value, setting.language))


def warnings(setting: Setting) -> Iterator[Candidate]:
    """What is no longer to be trusted."""
    if not setting.summary:
        yield _warning("not scanned", setting.language)
    stale = sum(1 for one, _ in setting.anchors if one.stale_since and one.priority == "critical")
    if stale:
        yield _warning("stale anchors", setting.language, count=stale)
    doubtful = sum(1 for _, worth in setting.entries if worth.stale)
    if doubtful:
        yield _warning("stale entries", setting.language, count=doubtful)


def anchors(setting: Setting) -> Iterator[Candidate]:
    for one, why in setting.anchors:
        if reason := kept_back(one, one.stale_since):
            setting.dropped.append(Dropped(ANCHOR, one.id, f"{reason}: {why}" if why else reason))
            continue
        yield Candidate(
            ANCHOR,
            one.id,
            score(one, one.stale_since, setting.now),
            told.anchor(one, one.stale_since, setting.language),
            must=one.priority == "critical",
            group=one.file,
            section="anchors",
            says=one.content,
        )


def entries(setting: Setting) -> Iterator[Candidate]:
    for one, worth in setting.entries:
        if not worth.confidence or one.valid_from > setting.now:
            why = "; ".join(worth.reasons) or ("not so yet" if worth.confidence else "nothing is left of its confidence")
            setting.dropped.append(Dropped(ENTRY, one.id, why))
            continue
        reasons = (one.type, f"{worth.confidence} % sure", *(["pinned"] if one.pinned else []), *worth.reasons)
        yield Candidate(
            ENTRY,
            one.id,
            Score(worth.confidence * _TYPES.get(one.type, 0.5) + (30 if one.pinned else 0), reasons),
            told.entry(one, worth.confidence, setting.language),
            group=one.parent or one.type,
            section="knowledge",
            says=one.content or one.title,
        )


# Who fills which section. What has nobody is not told: its heading vanishes.
GATHERERS: dict[str, tuple[Callable[[Setting], Iterator[Candidate]], ...]] = {
    "about": (about,),
    "warnings": (warnings,),
    "anchors": (anchors,),
    "knowledge": (entries,),
}


def _gathered(section: str, setting: Setting) -> Iterator[Candidate]:
    for gather in GATHERERS.get(section, ()):
        yield from gather(setting)


def _found(project: Project, brain: Brain, language: str, session: str, role: str) -> Setting:
    sources = Sources(project)
    entries = knowledge.foremost(brain, _ENTRIES)
    worth = standings(brain, sources, entries)
    return Setting(
        brain.now,
        language,
        _summary(project),
        current_anchors(brain, sources),
        [(one, worth[one.id]) for one in entries],
        session,
        role,
    )


def _summary(project: Project) -> str:
    from idumb_brain.operations.mapping import summary

    try:
        return summary(str(project.root))
    except NotScanned:
        return ""


def _setting(id: str, forms: tuple[str, ...], *, must: bool = False) -> Candidate:
    return Candidate(SETTING, id, Score(_ALWAYS, (f"the {id}",)), forms, must=must, section="about")


def _warning(id: str, language: str, **values: object) -> Candidate:
    return Candidate(WARNING, id, Score(_ALWAYS, ("to look at",)), (f"- {say(id, language, **values)}",), section="warnings")
