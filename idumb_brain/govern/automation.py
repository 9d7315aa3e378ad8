"""What happens by itself: events that were recorded, counted by the triggers of ``automation.toml``. Says what is due, does nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from idumb_brain.govern.clock import elapsed, within
from idumb_brain.govern.rules.automation import Automation, Prompts, Trigger
from idumb_brain.model.governance import Action
from idumb_brain.model.work import Session

FIRED = "fired"  # the kind of event that says a trigger went off; its key is the trigger's name


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a session. ``key`` tells apart what is the same and what is not: a tool and its arguments, an error."""

    kind: str
    at: str
    key: str = ""
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Due:
    """The session afterwards, what is to be done, and the triggers that went off."""

    session: Session
    actions: tuple[Action, ...] = ()
    fired: tuple[str, ...] = ()


def after(event: Event, session: Session, recent: Sequence[Event], rules: Automation, *, words: int = 0) -> Due:
    """What an event brings about. ``recent`` are those before it, ``words`` the length of a prompt."""
    counted, actions = _counted(event, session, rules.prompts, words)
    fired = []
    for trigger in rules.triggers:
        if trigger.on == event.kind and _goes_off(trigger, event, counted, recent):
            fired.append(trigger.name)
            for name in trigger.does:
                actions.append(Action(name, trigger.name))
                counted = _changed(name, trigger, counted)
    return Due(counted, tuple(actions), tuple(fired))


def _counted(event: Event, session: Session, prompts: Prompts, words: int) -> tuple[Session, list[Action]]:
    match event.kind:
        case "cancelled":
            return replace(session, cancels=session.cancels + 1), []
        case "answered":
            return replace(session, cancels=0, exports=session.exports + 1), []
        case "prompt":
            return _prompted(session, event.at, words, prompts)
        case "compacted" if session.purify:
            return replace(session, purify=False, prompt_score=0.0, scored_at=event.at), [
                Action("purify", "prompts"), Action("keep-anchors", "prompts"),
            ]  # fmt: skip
    return session, []


def _prompted(session: Session, now: str, words: int, prompts: Prompts) -> tuple[Session, list[Action]]:
    faded = session.prompt_score * 0.5 ** (elapsed(session.scored_at, now) / prompts.half_life) if session.scored_at else 0.0
    score = round(faded + max(0, words - prompts.long), 3)
    purify = session.purify or score > prompts.purify_above
    scored = replace(session, prompt_score=score, scored_at=max(session.scored_at, now), purify=purify)
    actions = [Action("flow-indicator", "prompts", "start")] if 0 < words < prompts.short else []
    if purify and not session.purify:
        actions.append(Action("purify-at-compaction", "prompts"))
    return scored, actions


def _goes_off(trigger: Trigger, event: Event, session: Session, recent: Sequence[Event]) -> bool:
    if not trigger.counts:
        return True
    if trigger.seconds and any(
        past.kind == FIRED and past.key == trigger.name and within(past.at, event.at, trigger.seconds) for past in recent
    ):
        return False  # said once is enough for as long as it is looked back
    count = _count(trigger, event, session, recent)
    return count == trigger.reaches if trigger.reaches else count > 0 and count % trigger.every == 0


def _count(trigger: Trigger, event: Event, session: Session, recent: Sequence[Event]) -> int:
    match trigger.counts:
        case "cancels":
            return session.cancels
        case "exports":
            return session.exports
        case "compactions":
            return len(session.compactions)
    same = trigger.counts == "same"
    return 1 + sum(
        past.kind == event.kind and (not same or past.key == event.key) and within(past.at, event.at, trigger.seconds)
        for past in recent
    )


def _changed(action: str, trigger: Trigger, session: Session) -> Session:
    if action == "strict-mode":
        return replace(session, strict=True)
    if action == "synthesise" and trigger.counts == "exports":
        return replace(session, exports=0)
    return session
