"""What there is to tell, section by section, as candidates for a block: one table says who fills which section. Chooses nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from idumb_brain.model.governance import Role
from idumb_brain.model.knowledge import Anchor, Entry
from idumb_brain.model.selection import ANCHOR, CHECKPOINT, DELEGATION, ENTRY, PLAN, TASK, Candidate, Dropped, Score
from idumb_brain.operations.at_work import AtWork
from idumb_brain.render import told, told_work
from idumb_brain.render.blocks import PREFIX, REMINDER, RESUME
from idumb_brain.render.wording import say
from idumb_brain.select.anchors import kept_back, score
from idumb_brain.select.worth import Standing, seconds_since

SETTING, WARNING = "setting", "warning"
_ALWAYS = 99.0  # next to a critical anchor, which is worth 100 at least
_LITTLE = 20.0
# What of the work comes first. A checkpoint is worth the less the more came after it.
_TASK, _PLAN, _NEXT, _HANDED, _CHECKPOINT, _AHEAD = 98.0, 97.0, 96.0, 94.0, 92.0, 70.0
_STEP, _FEWER = 80.0, 3.0
_STEPS, _REMINDED = 5, 3  # how many of the last
_HIERARCHY = (PREFIX, REMINDER)  # blocks that remind of where one stands below the user
_PINNED, _NEAR = 30.0, 40.0  # what being pinned, and being about the task at hand, adds to an entry
_MANY_STEPS = 10  # without an anchor: what is not kept is lost
# What one of a type helps whoever is about to change code, by what a decision does.
_TYPES = {
    "decision": 1.0, "gotcha": 1.0, "convention": 0.95, "architecture": 0.9,
    "pattern": 0.85, "tech-stack": 0.7, "research": 0.7, "codebase-fact": 0.6,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Setting:
    """For whom a block is made, and what there is to tell."""

    block: str
    now: str
    language: str
    summary: str = ""  # of the project; empty where it was never scanned
    anchors: Sequence[tuple[Anchor, str]] = ()  # with why they are stale
    entries: Sequence[tuple[Entry, Standing]] = ()
    work: AtWork = field(default_factory=AtWork)
    session: str = ""
    role: Role | None = None
    depths: Mapping[str, int] = field(default_factory=dict)  # of anchors, from the task at hand
    near: Mapping[str, Score] = field(default_factory=dict)  # entries that have to do with the task at hand
    files: Sequence[Candidate] = ()  # the same of files
    dropped: list[Dropped] = field(default_factory=list)  # what is never told, by those who looked at it
    unseen: Sequence[dict[str, Any]] = ()  # the same of those that nobody looked at, as data
    worded: dict[str, tuple[tuple[object, ...], Candidate]] = field(default_factory=dict)  # before, by id, with what of


def gathered(section: str, setting: Setting) -> Iterator[Candidate]:
    for gather in GATHERERS.get(section, ()):
        yield from gather(setting)


def about(setting: Setting) -> Iterator[Candidate]:
    """The language, the project in a line, and who is spoken to."""
    session = setting.work.session
    yield _setting("language", told.tongue(setting.language), must=True)
    if setting.block == RESUME and session and session.idle_at:
        since = session.idle_at
        paused = seconds_since(since, session.resumed_at if session.resumed_at > since else setting.now)
        yield _setting("pause", told_work.pause(paused, since, setting.language), must=True)
    if setting.summary:
        yield _setting("project", told.about("project", setting.summary, setting.language))
    if setting.role:
        yield _setting("role", told_work.role(setting.role, setting.work.above, setting.language))
    if session and setting.block in _HIERARCHY:
        yield _setting("level", (say("level", setting.language, level=session.level),))
    if session and session.phase:
        yield _setting("phase", told.about("phase", session.phase, setting.language))
    if setting.session:
        yield _setting("session", told.about("session", setting.session, setting.language), worth=_LITTLE)


def warnings(setting: Setting) -> Iterator[Candidate]:
    """What is no longer to be trusted, and what was left lying."""
    language, work = setting.language, setting.work
    if work.session and work.session.strict:
        yield _warning("cancelled", language, count=max(3, work.session.cancels))
    if not setting.summary:
        yield _warning("not scanned", language)
    stale = sum(1 for one, _ in setting.anchors if one.stale_since and one.priority == "critical")
    if stale:
        yield _warning("stale anchors", language, count=stale)
    doubtful = sum(1 for _, worth in setting.entries if worth.stale)
    if doubtful:
        yield _warning("stale entries", language, count=doubtful)
    if work.session and work.session.purify:
        yield _warning("purify", language)
    if not setting.anchors and len(work.checkpoints) and work.recorded >= _MANY_STEPS:
        yield _warning("no anchors", language, count=work.recorded)


def troubles(setting: Setting) -> Iterator[Candidate]:
    """Tasks that lie there, and tasks that wait in vain; quoted, for their names are others' words."""
    for task, idle in setting.work.late:
        text = told_work.late(task, idle, setting.language)
        yield Candidate(WARNING, f"late {task.id}", Score(_ALWAYS - 1, ("nothing was done for it",)), text, section="warnings")
    for task in setting.work.broken:
        text = told_work.broken(task, setting.language)
        yield Candidate(WARNING, f"broken {task.id}", Score(_ALWAYS - 2, ("its chain is broken",)), text, section="warnings")


def work(setting: Setting) -> Iterator[Candidate]:
    """The plan, the task at hand with what was done for it, what comes next, and what was handed to whom."""
    of, language, now = setting.work, setting.language, setting.now
    if of.plan:
        forms = told_work.plan(of.plan, of.done, of.total, language)
        yield Candidate(PLAN, of.plan.id, Score(_PLAN, ("the plan in force",)), forms, section="work")
    if of.task:
        forms = told_work.task(of.task, of.state, language)
        yield Candidate(TASK, of.task.id, Score(_TASK, ("the task at hand",)), forms, must=True, section="work")
    elif of.plan:
        yield Candidate(SETTING, "no task", Score(_TASK, ("no task is at hand",)), (say("no task", language),), section="work")
    for number, one in enumerate(of.checkpoints if setting.block != REMINDER else ()):  # there they are the last steps
        score = Score(_CHECKPOINT - _FEWER * number, ("a step of the task at hand",))
        yield Candidate(CHECKPOINT, one.id, score, told_work.checkpoint(one, now, language), group="checkpoints", section="work")
    if of.next:
        waits = of.task is not None and of.task.id in of.next.depends_on
        forms = told_work.coming(of.next, waits, language)
        yield Candidate(TASK, of.next.id, Score(_NEXT, ("next",)), forms, section="work")
    for handed in of.handed:
        forms = told_work.delegation(handed.delegation, handed.task, now, language)
        yield Candidate(DELEGATION, handed.delegation.id, Score(_HANDED, ("handed on",)), forms, group="handed", section="work")
    for task in of.ahead:
        if task != of.next:
            yield Candidate(
                TASK,
                task.id,
                Score(_AHEAD, ("foreseen",)),
                told_work.foreseen(task.name, language),
                group="ahead",
                section="work",
            )


def history(setting: Setting) -> Iterator[Candidate]:
    """What was done last, besides what is told with the task."""
    told_already = {one.id for one in setting.work.checkpoints} if setting.block != REMINDER else set()
    steps = [one for one in setting.work.steps if one.id not in told_already]
    for number, one in enumerate(steps[: _REMINDED if setting.block == REMINDER else _STEPS]):
        forms = told_work.step(one.at, one.kind, one.action, one.text, setting.now, setting.language)
        score = Score(_STEP - _FEWER * number, (f"{number} steps ago" if number else "the last step",))
        must = setting.block == REMINDER
        yield Candidate(f"{one.kind} step", one.id, score, forms, must=must, section="history", says=forms[0])


def files(setting: Setting) -> Iterator[Candidate]:
    yield from setting.files


def first(setting: Setting) -> Iterator[Candidate]:
    """What the role has to begin with."""
    if setting.role and setting.role.first:
        text = say("first", setting.language, tools=", ".join(setting.role.first))
        yield Candidate(SETTING, "first tool", Score(_ALWAYS, ("the role begins with it",)), (text,), section="first")


def anchors(setting: Setting) -> Iterator[Candidate]:
    for one, why in setting.anchors:
        if reason := kept_back(one, one.stale_since):
            setting.dropped.append(Dropped(ANCHOR, one.id, f"{reason}: {why}" if why else reason, one.content))
            continue
        depth = setting.depths.get(one.id, 0)
        if one.stale_since:
            yield _anchor(one, depth, setting)
        else:  # as long as it is fresh, its worth does not change with the time
            yield _worded(one.id, (one, depth, setting.language), partial(_anchor, one, depth, setting), setting)


def entries(setting: Setting) -> Iterator[Candidate]:
    """What has to do with the task at hand is worth the more."""
    for one, worth in setting.entries:
        if not worth.confidence or one.valid_from > setting.now:
            why = "; ".join(worth.reasons) or ("not so yet" if worth.confidence else "nothing is left of its confidence")
            setting.dropped.append(Dropped(ENTRY, one.id, why, one.title))
            continue
        near = setting.near.get(one.id)
        of = (one, worth, near, setting.language)
        yield _worded(one.id, of, partial(_entry, one, worth, near, setting.language), setting)


def stated_worth(one: Entry, confidence: int, near: Score | None) -> float:
    return confidence * _TYPES.get(one.type, 0.5) + _PINNED * one.pinned + (_NEAR * near.value if near else 0.0)


def group_of(one: Entry) -> str:
    """Entries of one group say alike things."""
    return one.parent or one.type


# Who fills which section. What has nobody is not told: its heading vanishes.
GATHERERS: dict[str, tuple[Callable[[Setting], Iterator[Candidate]], ...]] = {
    "about": (about,),
    "warnings": (warnings, troubles),
    "work": (work,),
    "anchors": (anchors,),
    "knowledge": (entries,),
    "files": (files,),
    "history": (history,),
    "first": (first,),
}


def _setting(id: str, forms: tuple[str, ...], *, must: bool = False, worth: float = _ALWAYS) -> Candidate:
    return Candidate(SETTING, id, Score(worth, (f"the {id}",)), forms, must=must, section="about")


def _warning(id: str, language: str, **values: object) -> Candidate:
    return Candidate(WARNING, id, Score(_ALWAYS, ("to look at",)), (f"- {say(id, language, **values)}",), section="warnings")


def _worded(id: str, of: tuple[object, ...], word: Callable[[], Candidate], setting: Setting) -> Candidate:
    """As it was worded before, where it was of the same."""
    found = setting.worded.get(id)
    if found is None or found[0] != of:
        found = setting.worded[id] = of, word()
    return found[1]


def _anchor(one: Anchor, depth: int, setting: Setting) -> Candidate:
    return Candidate(
        ANCHOR,
        one.id,
        score(one, one.stale_since, setting.now, depth),
        told.anchor(one, one.stale_since, setting.language),
        must=one.priority == "critical",
        group=one.file,
        section="anchors",
        says=one.content,
    )


def _entry(one: Entry, worth: Standing, near: Score | None, language: str) -> Candidate:
    reasons = (
        one.type, f"{worth.confidence} % sure", *(["pinned"] if one.pinned else []),
        *(["about the task at hand", *near.reasons] if near else []), *worth.reasons,
    )  # fmt: skip
    return Candidate(
        ENTRY,
        one.id,
        Score(stated_worth(one, worth.confidence, near), reasons),
        told.entry(one, worth.confidence, language),
        group=group_of(one),
        section="knowledge",
        says=one.content or one.title,
    )
