"""What becomes of a session when something happens to it, and what is done because of it: the table of ``sessions.toml``, applied.

Knows no store and no clock; what an action writes or injects is done by others, in the order told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from idumb_brain.govern.clock import elapsed
from idumb_brain.govern.rules.sessions import NEW, STAYS, SessionRules
from idumb_brain.model.governance import Action
from idumb_brain.model.work import Session

_FRESH = Session("")
_WAKES = ("created", "turn")  # whoever slept is resumed before these


@dataclass(frozen=True, slots=True)
class Step:
    """The session afterwards, what is to be done, and the rules that were followed."""

    session: Session
    actions: tuple[Action, ...] = ()
    rules: tuple[str, ...] = ()


def advance(session: Session, signal: str, now: str, rules: SessionRules) -> Step:
    """All that follows from a signal: one that is heard of for the first time is created, one that slept is resumed first."""
    if session.state == NEW and signal == "created":
        return follow(session, signal, now, rules)
    first = wake(session, now, rules) if signal in _WAKES or session.state == NEW else Step(session)
    then = follow(first.session, signal, now, rules)
    return Step(then.session, first.actions + then.actions, first.rules + then.rules)


def wake(session: Session, now: str, rules: SessionRules) -> Step:
    """What has to happen before anything else can: a new session is created, one that slept is resumed."""
    if session.state == NEW:
        return follow(session, "created", now, rules)
    if pause(session, now, rules) != "brief":
        return follow(session, "resumed", now, rules)
    return Step(session)


def follow(session: Session, signal: str, now: str, rules: SessionRules) -> Step:
    """One row of the table."""
    row = rules.transition(session.state, signal, level_name(session), session.injected, pause(session, now, rules))
    changed = session
    for _, action in row.does:
        changed = _CHANGES.get(action, _unchanged)(changed, now)
    if row.to != STAYS:
        changed = replace(changed, state=row.to)
    actions = tuple(Action(action, rule, rules.places.get(action, "")) for rule, action in row.does)
    told = (*(rule for rule, _ in row.does), *([row.rule] if row.rule else []))
    return Step(replace(changed, updated_at=max(changed.updated_at, now)), actions, told)


def pause(session: Session, now: str, rules: SessionRules) -> str:
    """How long a session was not heard of: brief, resumable or over. A clock that was set back makes it brief."""
    seconds = elapsed(session.updated_at, now) if session.updated_at else 0.0
    if seconds <= rules.resume_after:
        return "brief"
    return "resumable" if seconds < rules.resume_before else "over"


def level_name(session: Session) -> str:
    return "primary" if session.level == 1 else "delegated"


def _unchanged(session: Session, now: str) -> Session:
    return session


def _start_tracker(session: Session, now: str) -> Session:
    return replace(session, first_tool="", cancels=0, strict=False, messages=0, started_at=session.started_at or now)


def _start_metrics(session: Session, now: str) -> Session:
    return replace(
        session, tools_used=(), files_modified=(), tasks_completed=(), delegations=(), violations=0, exports=0, prompt_score=0.0,
        scored_at="", purify=False,
    )  # fmt: skip


def _injected(session: Session, now: str) -> Session:
    return replace(session, injected=True)


_CHANGES: dict[str, Callable[[Session, str], Session]] = {
    "start-tracker": _start_tracker,
    "start-metrics": _start_metrics,
    "watch-stalls": lambda session, now: replace(session, watched_since=now),
    "inject-prefix": _injected,
    "inject-delegation": _injected,
    "inject-reminder": _injected,
    "reset-injected": lambda session, now: replace(session, injected=False),
    "remember-previous": lambda session, now: replace(session, idle_at=session.idle_at or session.updated_at, resumed_at=now),
    "record-compaction": lambda session, now: replace(session, compactions=(*session.compactions, now)),
    "mark-idle": lambda session, now: replace(session, idle_at=now),
    "release-tracker": lambda session, now: replace(session, first_tool=_FRESH.first_tool),
}
