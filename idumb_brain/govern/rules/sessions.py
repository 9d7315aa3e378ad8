"""``sessions.toml``: the table of states, signals and what is done; the signs of a compaction."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

from idumb_brain.govern.rules.reading import Row, read_over
from idumb_brain.model.work import SESSION_STATES

NEW = "new"
STAYS = "="
SIGNALS = ("created", "turn", "compacting", "compacted", "idle", "resumed")
LEVELS = ("primary", "delegated")
PAUSES = ("brief", "resumable", "over")
ACTIONS = (
    "start-tracker", "ensure-config", "store-metadata", "start-metrics", "watch-stalls", "set-level", "link-parent",
    "leave-alone", "reset-injected", "remember-previous", "inject-prefix", "inject-delegation", "inject-resume",
    "inject-reminder", "inject-compaction", "tell-idle-time", "tell-previous-time", "tell-anchors", "tell-language",
    "tell-last-actions", "tell-next-steps", "tell-hierarchy", "record-compaction", "archive", "mark-idle",
    "release-tracker", "log-violations", "keep-anchors",
)  # fmt: skip
PLACES = ("start", "end", "summary")
WHERE = ("summary", "last-answer")


@dataclass(frozen=True, slots=True)
class Transition:
    name: str
    states: tuple[str, ...]
    signal: str
    level: str  # "" whichever
    injected: bool | None  # None: whether or not
    idle: str  # "" however long
    to: str
    rule: str
    does: tuple[tuple[str, str], ...]  # rule and action

    def fits(self, state: str, signal: str, level: str, injected: bool, idle: str) -> bool:
        return (
            signal == self.signal
            and state in self.states
            and self.level in ("", level)
            and self.injected in (None, injected)
            and self.idle in ("", idle)
        )


@dataclass(frozen=True, slots=True)
class Sign:
    name: str
    where: str
    phrases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SessionRules:
    transitions: tuple[Transition, ...]
    resume_after: int
    resume_before: int
    places: dict[str, str]
    signs: tuple[Sign, ...]
    few_messages: int

    def transition(self, state: str, signal: str, level: str, injected: bool, idle: str) -> Transition:
        return next(row for row in self.transitions if row.fits(state, signal, level, injected, idle))


def read_sessions(places: tuple[Path, ...]) -> SessionRules:
    with read_over(places, "sessions.toml", transition="name", sign="name") as file:
        windows = file.table("windows")
        after, before = windows.number("resume_after"), windows.number("resume_before")
        windows.done()
        if after >= before:
            raise ValueError(f"resume_after ({after}) has to be less than resume_before ({before})")
        transitions = tuple(_transition(row) for row in file.rows("transition", "name"))
        where = file.table("places")
        positions = {name: where.text(name, among=PLACES) for name in where.told}
        signs = []
        for row in file.rows("sign", "name"):
            phrases = tuple(phrase.lower() for phrase in row.texts("phrases"))
            signs.append(Sign(row.text("name"), row.text("where", among=WHERE), phrases))
            row.done()
        few = file.table("few")
        made = SessionRules(transitions, after, before, positions, tuple(signs), few.number("messages"))
        few.done()
        _check_complete(made)
        return made


def _transition(row: Row) -> Transition:
    states = row.texts("from")
    for state in states:
        if state not in (NEW, "*", *SESSION_STATES):
            raise ValueError(f"from of {row.place} names {state!r}; it may be {', '.join((NEW, '*', *SESSION_STATES))}")
    does = []
    for line in row.texts("does", ()):
        rule, _, action = line.partition(" ")
        if action not in ACTIONS:
            raise ValueError(f"does of {row.place} says {line!r}; it is RULE ACTION, and actions are {', '.join(ACTIONS)}")
        does.append((rule, action))
    made = Transition(
        row.text("name"), SESSION_STATES if "*" in states else states, row.text("signal", among=SIGNALS),
        row.text("level", "", among=("", *LEVELS)), row.flag("injected", None), row.text("idle", "", among=("", *PAUSES)),
        row.text("to", among=(STAYS, *SESSION_STATES)), row.text("rule", ""), tuple(does),
    )  # fmt: skip
    row.done()
    return made


def _check_complete(rules: SessionRules) -> None:
    """Whatever happens to a session, some row says what follows."""
    known = product(SESSION_STATES, SIGNALS, LEVELS, (False, True), PAUSES)
    born = product((NEW,), ("created",), LEVELS, (False,), PAUSES)
    for case in (*known, *born):
        if not any(row.fits(*case) for row in rules.transitions):
            state, signal, level, injected, idle = case
            raise ValueError(f"no transition from {state} on {signal} ({level}, injected {str(injected).lower()}, idle {idle})")
