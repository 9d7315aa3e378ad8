"""What sessions tell of themselves, and what follows: the table of states and the triggers, applied to what the brain keeps of them.

Each returns what is to be done, in order: texts to inject, scans, exports, warnings. Whoever called does it; nothing is injected here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, replace
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
from idumb_brain.model.governance import Action, Decision, Halt
from idumb_brain.model.work import MAX_DEPTH, SESSION_STATES, Session
from idumb_brain.operations.ground import Ground
from idumb_brain.store import sessions as store
from idumb_brain.store.brain import writing
from idumb_brain.store.config import write_default

STALLS = ("plan-check", "validation")
_STILL = 60  # seconds for which a turn that changes nothing else need not be written down
_MOST_TEXT = 20_000  # characters of an exported message
_MOST_FILES = 2_000  # paths kept of what a session modified
_PRIVATE = re.compile(r"<private>.*?(?:</private>|\Z)", re.DOTALL | re.IGNORECASE)


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
        return _done(ground, step, Event("created", ground.now))


def turn(ground: Ground, session: str, *, messages: Sequence[Mapping[str, str]] = (), role: str = "") -> dict[str, Any]:
    """A prompt or an answer is about to be made; ``messages`` is what is in the context: who said it, and the text."""
    with store.noting(ground.brain):
        found = _found(ground, session)
        said = [Message(str(one.get("role", "")), str(one.get("text", ""))) for one in messages]
        as_kept = found
        actions: tuple[Action, ...] = ()
        rules: tuple[str, ...] = ()
        notices = []
        sign = compaction(said, found, ground.rules.sessions)
        if sign:
            found = replace(found, compaction_seen=sign.mark)
            if found.state not in (NEW, "compacted"):
                step = advance(found, "compacted", ground.now, ground.rules.sessions)
                due = automation.after(Event("compacted", ground.now), step.session, (), ground.rules.automation)
                found, actions, rules = due.session, (*step.actions, *due.actions), step.rules
                store.note(ground.brain, found.id, "compacted", key=sign.sign)
                notices.append(f"compaction noticed by {sign.sign}: {sign.found}")
        step = advance(found, "turn", ground.now, ground.rules.sessions)
        kept = replace(step.session, messages=len(said) or step.session.messages, role=role or step.session.role)
        if replace(kept, updated_at=as_kept.updated_at) != as_kept or elapsed(as_kept.updated_at, ground.now) > _STILL:
            store.keep(ground.brain, kept)
        return _told(ground, kept, (*actions, *step.actions), (*rules, *step.rules), notices)


def prompt(ground: Ground, session: str, text: str) -> dict[str, Any]:
    """The user said something."""
    return _happened(ground, session, "prompt", words=len(text.split()))


def answered(ground: Ground, session: str, text: str = "") -> dict[str, Any]:
    """The assistant finished a message; it is exported, without what was marked private."""
    return _happened(ground, session, "answered", detail=_PRIVATE.sub("", text)[:_MOST_TEXT])


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
        found = _heard(ground, session).session
        store.keep(
            ground.brain,
            replace(
                found, tasks_completed=_joined(found.tasks_completed, tasks), delegations=_joined(found.delegations, delegations),
                entries_created=_joined(found.entries_created, entries),
            ),
        )  # fmt: skip


def compacting(ground: Ground, session: str, *, anchors: Iterable[str] = ()) -> dict[str, Any]:
    """The context is about to be summarised; ``anchors`` are those that the summary is told of."""
    with store.noting(ground.brain):
        found = replace(_found(ground, session), anchors_survived=tuple(anchors))
        step = advance(found, "compacting", ground.now, ground.rules.sessions)
        store.keep(ground.brain, step.session)
        return _told(ground, step.session, step.actions, step.rules)


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
        found = _heard(ground, session).session
        store.keep(ground.brain, found)
        store.note(ground.brain, found.id, kind, key=stalls.mark(issues), score=score)
        past = store.events(ground.brain, found.id, (kind,), since=found.watched_since)
        if kind == "plan-check":
            decision = stalls.planner_checker([stalls.Round(one["key"], one["score"]) for one in past], ground.rules.automation)
        else:
            decision = stalls.validator_fix([one["key"] for one in past], ground.rules.automation)
        return {"session": found.id, **told_decision(decision), "actions": []}


def listed(ground: Ground, *, state: str = "", limit: int = -1) -> list[dict[str, Any]]:
    if state and state not in SESSION_STATES:
        raise BadInput(
            f"{state} is no state of a session", why="there is none of that name", instead=f"one of {', '.join(SESSION_STATES)}"
        )
    halted = {halt.session for halt in store.halts(ground.brain, open_only=True)}
    return [record(one) | {"halted": one.id in halted} for one in store.sessions(ground.brain, state=state, limit=limit)]


def shown(ground: Ground, session: str) -> dict[str, Any]:
    """The record of a session, with those it came from and what was refused and halted in it."""
    found = _known(ground, session)
    chain = store.lineage(ground.brain, found)
    return record(found) | {
        "delegationDepth": len(chain) - 1,
        "chain": [{"sessionId": one.id, "role": one.role} for one in chain],
        "refused": store.violations(ground.brain, session),
        "halts": [told_halt(halt) for halt in store.halts(ground.brain, session=session)],
        "exports": [
            {"at": one["at"], "text": one["detail"]} for one in store.events(ground.brain, session, ("answered",), limit=4)
        ],
    }


def record(session: Session) -> dict[str, Any]:
    """A session as others read it."""
    told = {
        _camel(name): value
        for name, value in asdict(session).items()
        if name not in ("id", "state", "level", "parent", "children")
    }
    return {
        "sessionId": session.id, "sessionState": session.state, "sessionLevel": session.level, "parentSession": session.parent,
        "childSessions": list(session.children), **told,
        "toolsUsed": [{"tool": tool, "count": count} for tool, count in session.tools_used],
        "compactionCount": len(session.compactions), "compactionHistory": list(session.compactions), "violationCount": session.violations,
    }  # fmt: skip


def collect(ground: Ground, *, dry_run: bool = False) -> dict[str, Any]:
    """Take out sessions and halts nobody has heard of for days. A session stays while one below it does."""
    before = ground.ago(ground.project.config.governance.keepDays * 86_400)
    with nullcontext() if dry_run else writing(ground.brain):
        old = {one.id: one for one in store.older_than(ground.brain, before)}
        needed = {
            above.id for one in store.sessions(ground.brain) if one.id not in old for above in store.lineage(ground.brain, one)
        }
        gone = [id for id in old if id not in needed]
        halts = [halt for halt in store.halts(ground.brain, before=before) if halt.session not in gone]
        if not dry_run:
            store.forget(ground.brain, gone)
            store.forget_halts(ground.brain, [halt.id for halt in halts])
    return {"dryRun": dry_run, "before": before, "sessions": gone, "halts": [halt.id for halt in halts]}


def halts(ground: Ground) -> list[dict[str, Any]]:
    """What is halted now."""
    return [told_halt(halt) for halt in store.halts(ground.brain, open_only=True)]


def resume_halt(ground: Ground, id: str) -> dict[str, Any]:
    """A human lets halted work go on."""
    with writing(ground.brain):
        found = store.halts(ground.brain, id=id)
        if not found:
            still = ", ".join(halt.id for halt in store.halts(ground.brain, open_only=True))
            raise BadInput(
                f"there is no halt {id}",
                why="none of that id is kept",
                instead=f"one of {still}" if still else "nothing is halted",
            )
        if not found[0].resumed_at:
            store.resume_halt(ground.brain, id)
        return told_halt(store.halts(ground.brain, id=id)[0])


def told_decision(decision: Decision) -> dict[str, Any]:
    return {
        "decision": decision.decision, "what": decision.what, "why": decision.why, "instead": decision.instead,
        "evidence": list(decision.evidence), "rule": decision.rule,
    }  # fmt: skip


def told_halt(halt: Halt) -> dict[str, Any]:
    return {_camel(name): list(value) if isinstance(value, tuple) else value for name, value in asdict(halt).items()}


def _signalled(ground: Ground, session: str, signal: str) -> dict[str, Any]:
    with writing(ground.brain):
        step = advance(_found(ground, session), signal, ground.now, ground.rules.sessions)
        return _done(ground, step, Event(signal, ground.now))


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
    """Something that changes no state: it is counted, and triggers may go off."""
    with store.noting(ground.brain):
        step = _heard(ground, session, wakes=kind == "prompt")
        if change:
            step = replace(step, session=change(step.session))
        return _done(ground, step, Event(kind, ground.now, key), words, detail)


def _done(ground: Ground, step: Step, event: Event, words: int = 0, detail: str = "") -> dict[str, Any]:
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
    return _told(ground, due.session, (*step.actions, *due.actions), step.rules)


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


def _heard(ground: Ground, id: str, *, wakes: bool = False) -> Step:
    """The session, which shows that it is alive; one nobody told of begins now. What it does itself does not wake it, the user does."""
    found = _found(ground, id)
    step = wake(found, ground.now, ground.rules.sessions) if wakes or found.state == NEW else Step(found)
    return replace(step, session=replace(step.session, updated_at=max(step.session.updated_at, ground.now)))


def _known(ground: Ground, id: str) -> Session:
    found = store.session(ground.brain, id)
    if found is None:
        raise BadInput(f"there is no session {id}", why="none of that id is kept", instead="see idumb-brain session list")
    return found


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


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.title() for part in rest)
