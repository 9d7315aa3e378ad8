"""What sessions tell of themselves, and what follows: the table of states and the triggers, applied to what the brain keeps of them.

Each returns what is to be done, in order: texts to inject, scans, exports, warnings. Whoever called does it; nothing is injected here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from idumb_brain.govern import automation, stalls
from idumb_brain.govern.automation import Event
from idumb_brain.govern.clock import elapsed
from idumb_brain.govern.delegations import level
from idumb_brain.govern.detection import Message, compaction
from idumb_brain.govern.rules.sessions import NEW
from idumb_brain.govern.sessions import Step, advance, wake
from idumb_brain.model.errors import BadInput
from idumb_brain.model.governance import Action
from idumb_brain.model.work import MAX_DEPTH, Session
from idumb_brain.operations.ground import Ground
from idumb_brain.operations.records import record, told_decision
from idumb_brain.operations.stated import without_private
from idumb_brain.store import sessions as store
from idumb_brain.store.brain import writing
from idumb_brain.store.config import write_default

STALLS = ("plan-check", "validation")
_STILL = 60  # seconds for which a turn that changes nothing else need not be written down
_MOST_TEXT = 20_000  # characters of an exported message
_MOST_FILES = 2_000  # paths kept of what a session modified


def created(
    ground: Ground, session: str, *, parent: str = "", role: str = "", agent: str = "", phase: str = "", language: str = ""
) -> dict[str, Any]:
    """A session is heard of for the first time, or again. ``parent`` is the one that handed it its work."""
    with writing(ground.brain):
        found = _found(ground, session, parent)
        found = replace(
            found, role=role or agent or found.role, agent=agent or found.agent, phase=phase or found.phase,
            language=language or found.language,
        )  # fmt: skip
        step = advance(found, "created", ground.now, ground.rules.sessions)
        return _told(ground, *_settled(ground, step, Event("created", ground.now)), step.rules)


def turn(ground: Ground, session: str, *, messages: Sequence[Mapping[str, str]] = (), role: str = "") -> dict[str, Any]:
    """A prompt or an answer is about to be made; ``messages`` is what is in the context: who said it, and the text."""
    with store.noting(ground.brain):
        found, begun = _alive(ground, session)
        said = [Message(str(one.get("role", "")), str(one.get("text", ""))) for one in messages]
        as_kept = found
        actions: tuple[Action, ...] = ()
        rules: tuple[str, ...] = ()
        notices = []
        sign = compaction(said, found, ground.rules.sessions)
        if sign:
            found = replace(found, compaction_seen=sign.mark)
            if found.state != "compacted":
                step = advance(found, "compacted", ground.now, ground.rules.sessions)
                due = automation.after(Event("compacted", ground.now), step.session, (), ground.rules.automation)
                found, actions, rules = due.session, (*step.actions, *due.actions), step.rules
                store.note(ground.brain, found.id, "compacted", key=sign.sign)
                notices.append(f"compaction noticed by {sign.sign}: {sign.found}")
        step = advance(found, "turn", ground.now, ground.rules.sessions)
        kept = replace(step.session, messages=len(said) or step.session.messages, role=role or step.session.role)
        if replace(kept, updated_at=as_kept.updated_at) != as_kept or elapsed(as_kept.updated_at, ground.now) > _STILL:
            store.keep(ground.brain, kept)
        return _told(ground, kept, (*begun, *actions, *step.actions), (*rules, *step.rules), notices)


def prompt(ground: Ground, session: str, text: str) -> dict[str, Any]:
    """The user said something."""
    return _happened(ground, session, "prompt", words=len(text.split()))


def answered(ground: Ground, session: str, text: str = "") -> dict[str, Any]:
    """The assistant finished a message; it is exported, without what was marked private."""
    return _happened(ground, session, "answered", detail=without_private(text)[:_MOST_TEXT])


def cancelled(ground: Ground, session: str) -> dict[str, Any]:
    """The user stopped the assistant."""
    return _happened(ground, session, "cancelled")


def tool_used(
    ground: Ground, session: str, tool: str, *, args: Mapping[str, Any] | None = None, files: Iterable[str] = ()
) -> dict[str, Any]:
    """A tool was used; ``files`` are those it wrote."""
    written = tuple(files)
    key = blake2b(json.dumps([tool, args or {}], sort_keys=True, default=str).encode(), digest_size=8).hexdigest()

    def used(before: Session) -> Session:
        counts = dict(before.tools_used)
        counts[tool] = counts.get(tool, 0) + 1
        modified = tuple(dict.fromkeys((*before.files_modified, *written)))[-_MOST_FILES:]
        return replace(before, tools_used=tuple(counts.items()), files_modified=modified)

    with store.noting(ground.brain):
        told = _happened(ground, session, "tool", key=key, change=used)
        if written:
            more = _happened(ground, session, "written", detail=json.dumps(written, ensure_ascii=False))
            told["actions"] += more["actions"]
        return told


def achieved(
    ground: Ground, session: str, *, tasks: Iterable[str] = (), delegations: Iterable[str] = (), entries: Iterable[str] = ()
) -> None:
    """Tasks it completed, work it handed on, knowledge it wrote: for its record."""
    with writing(ground.brain):
        found, _ = _alive(ground, session)
        store.keep(
            ground.brain,
            replace(
                found, updated_at=max(found.updated_at, ground.now),
                tasks_completed=_joined(found.tasks_completed, tasks), delegations=_joined(found.delegations, delegations),
                entries_created=_joined(found.entries_created, entries),
            ),
        )  # fmt: skip


def compacting(ground: Ground, session: str, *, anchors: Iterable[str] = ()) -> dict[str, Any]:
    """The context is about to be summarised; ``anchors`` are those that the summary is told of."""
    with store.noting(ground.brain):
        found, begun = _alive(ground, session)
        told = replace(found, anchors_survived=tuple(anchors))
        step = advance(told, "compacting", ground.now, ground.rules.sessions)
        store.keep(ground.brain, step.session)
        return _told(ground, step.session, (*begun, *step.actions), step.rules)


def compacted(ground: Ground, session: str) -> dict[str, Any]:
    return _signalled(ground, session, "compacted")


def idle(ground: Ground, session: str) -> dict[str, Any]:
    """Nothing goes on in the session any more; what it did is archived, in case it never goes on."""
    return _signalled(ground, session, "idle")


def resumed(ground: Ground, session: str) -> dict[str, Any]:
    return _signalled(ground, session, "resumed")


def checked(ground: Ground, session: str, kind: str, issues: Iterable[str], *, score: float = 0.0) -> dict[str, Any]:
    """A plan was checked or work was validated; without issues it passed. Tells when that goes round in circles."""
    if kind not in STALLS:
        raise BadInput(f"{kind} is no kind of check", why="there is none of that name", instead=f"one of {', '.join(STALLS)}")
    with store.noting(ground.brain):
        found, _ = _alive(ground, session)
        store.note(ground.brain, found.id, kind, key=stalls.mark(issues), score=score)
        past = store.events(ground.brain, found.id, (kind,), since=found.watched_since)
        if kind == "plan-check":
            decision = stalls.planner_checker([stalls.Round(one["key"], one["score"]) for one in past], ground.rules.automation)
        else:
            decision = stalls.validator_fix([one["key"] for one in past], ground.rules.automation)
        return {"session": found.id, **told_decision(decision), "actions": []}


def _signalled(ground: Ground, session: str, signal: str) -> dict[str, Any]:
    with writing(ground.brain):
        found, begun = _alive(ground, session)
        step = advance(found, signal, ground.now, ground.rules.sessions)
        after, actions = _settled(ground, step, Event(signal, ground.now))
        return _told(ground, after, (*begun, *actions), step.rules)


def _happened(
    ground: Ground,
    session: str,
    kind: str,
    *,
    key: str = "",
    words: int = 0,
    detail: str = "",
    change: Callable[[Session], Session] | None = None,
) -> dict[str, Any]:
    """Something that changes no state: it is counted, and triggers may go off. Only what the user does wakes a session that slept."""
    with store.noting(ground.brain):
        found, begun = _alive(ground, session)
        step = wake(found, ground.now, ground.rules.sessions) if kind == "prompt" else Step(found)
        heard = replace(step.session, updated_at=max(step.session.updated_at, ground.now))
        step = replace(step, session=change(heard) if change else heard)
        after, actions = _settled(ground, step, Event(kind, ground.now, key), words, detail)
        return _told(ground, after, (*begun, *actions), step.rules)


def _alive(ground: Ground, id: str) -> tuple[Session, tuple[Action, ...]]:
    """The session; one that nobody told of begins now, and that has consequences of its own."""
    found = _found(ground, id)
    if found.state != NEW:
        return found, ()
    return _settled(ground, advance(found, "created", ground.now, ground.rules.sessions), Event("created", ground.now))


def _settled(ground: Ground, step: Step, event: Event, words: int = 0, detail: str = "") -> tuple[Session, tuple[Action, ...]]:
    """Record the event, see which triggers go off, keep the session, do what only the store can do."""
    rules = ground.rules.automation
    since = ground.ago(rules.longest_window)
    kinds = (event.kind, automation.FIRED)
    recent = [
        Event(one["kind"], one["at"], one["key"], one["score"])
        for one in store.events(ground.brain, step.session.id, kinds, since, limit=rules.farthest)
    ]
    due = automation.after(event, step.session, recent, rules, words=words)
    store.keep(ground.brain, due.session)
    store.note(ground.brain, due.session.id, event.kind, key=event.key, detail=detail)
    for name in due.fired:
        if name in rules.windowed:
            store.note(ground.brain, due.session.id, automation.FIRED, key=name)
    for action in step.actions:
        _carry_out(ground, action, due.session)
    return due.session, (*step.actions, *due.actions)


def _carry_out(ground: Ground, action: Action, session: Session) -> None:
    match action.name:
        case "ensure-config":
            write_default(ground.project.home / "config.json")
        case "link-parent":
            above = store.session(ground.brain, session.parent)
            if above and session.id not in above.children:
                store.keep(ground.brain, replace(above, children=(*above.children, session.id)))
        case "archive":
            stats = {
                "tools": dict(session.tools_used),
                "files": len(session.files_modified),
                "tasks": len(session.tasks_completed),
            }
            store.note(ground.brain, session.id, "archive", detail=json.dumps(stats, sort_keys=True))
        case "log-violations" if session.violations:
            store.note(ground.brain, session.id, "violations", score=float(session.violations))


def _found(ground: Ground, id: str, parent: str = "") -> Session:
    """The session as it is kept, or one that is new: at the depth it really has."""
    if not id.strip():
        raise BadInput(
            "a session without an id", why="nothing could be kept of it", instead="give the id that its host has for it"
        )
    found = store.session(ground.brain, id)
    if found and (found.parent or not parent):
        return found
    if parent and parent != id and store.session(ground.brain, parent) is None:
        above = advance(_found(ground, parent), "created", ground.now, ground.rules.sessions)  # it began before we listened
        store.keep(ground.brain, above.session)
    made = found or Session(id, NEW)
    if not parent or parent == id:
        return made
    below = replace(made, parent=parent)
    depth = len(store.lineage(ground.brain, below)) - 1
    return replace(below, level=min(level(depth, ground.rules.delegation), MAX_DEPTH))


def _told(
    ground: Ground, session: Session, actions: Sequence[Action], rules: Sequence[str], notices: Sequence[str] = ()
) -> dict[str, Any]:
    return {
        "session": record(session),
        "actions": [{"action": one.name, "rule": one.rule, "place": one.place} for one in actions],
        "rules": list(rules),
        "notices": [*notices, *ground.brain.notes],
    }


def _joined(before: tuple[str, ...], more: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*before, *more)))
