"""Governance as frozen values: decisions, roles, calls and the facts they are judged by. Refuses to judge.

Times are ISO 8601 in UTC to the second.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from idumb_brain.model.work import Session

ALLOW, WARN, BLOCK = "allow", "warn", "block"
OBSERVE, GUIDE, ENFORCE = "observe", "guide", "enforce"
MODES = (OBSERVE, GUIDE, ENFORCE)  # from the mildest to the strictest


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided, in the four parts that help whoever is told: what, why, what to do instead, what it rests on."""

    decision: str = ALLOW
    what: str = ""
    why: str = ""
    instead: str = ""
    evidence: tuple[str, ...] = ()
    rule: str = ""

    @classmethod
    def allow(cls, what: str = "", why: str = "", evidence: tuple[str, ...] = ()) -> Decision:
        return cls(ALLOW, what, why, "", evidence)

    @classmethod
    def warn(cls, what: str, why: str = "", instead: str = "", evidence: tuple[str, ...] = (), rule: str = "") -> Decision:
        return cls(WARN, what, why, instead, evidence, rule)

    @classmethod
    def block(cls, what: str, why: str, instead: str, evidence: tuple[str, ...] = (), rule: str = "") -> Decision:
        return cls(BLOCK, what, why, instead, evidence, rule)

    @property
    def blocks(self) -> bool:
        return self.decision == BLOCK


@dataclass(frozen=True, slots=True)
class Role:
    """Who somebody is to the rules: which tools, which commands, where to write, whom to hand work to."""

    name: str
    mode: str = "all"  # primary: talks to the user; subagent: is handed work; all: either
    leaf: bool = False  # hands work to nobody
    families: tuple[str, ...] = ()  # of tools
    actions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of a tool, where only some of them
    bash: tuple[str, ...] = ()
    bash_denied: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()  # where it may write; empty: anywhere
    delegates: tuple[str, ...] = ()
    first: tuple[str, ...] = ()  # tools of which one comes first
    known: bool = True


@dataclass(frozen=True, slots=True)
class Call:
    """A tool that somebody is about to use."""

    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)
    commands: tuple[str, ...] | None = None  # of a shell line, one by one, where somebody has parsed it
    paths: tuple[str, ...] | None = None  # of files it writes, relative to the root, where somebody has looked where they lead


@dataclass(frozen=True, slots=True)
class TaskFacts:
    """What the gate has to know of a task, as the task graph tells it."""

    id: str
    name: str
    state: str = "active"
    plan: str = ""  # its name
    category: str = ""
    assigned_to: str = ""
    allowed_tools: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    waits_for: tuple[str, ...] = ()  # unmet dependencies, each told with its state
    gate: str = ""  # the task of its temporal gate, told with its state, while that is not completed
    gate_reason: str = ""
    chain: tuple[str, ...] = ()  # lines that show where it stands in its plan
    held_by: str = ""  # another session that goes on with it
    undecided: tuple[str, ...] = ()  # decisions it rests on that do not hold any more, though it was started


@dataclass(frozen=True, slots=True)
class Refusal:
    """A call that was blocked before."""

    rule: str
    tool: str
    target: str
    at: str


@dataclass(frozen=True, slots=True)
class Halt:
    """Work that was stopped, with all a human needs to let it go on."""

    id: str
    session: str
    rule: str
    what: str
    why: str
    how_to_resume: str
    chain: tuple[str, ...] = ()  # roles from the user's down to the one that was stopped
    task: str = ""
    evidence: tuple[str, ...] = ()
    at: str = ""
    resumed_at: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """All that a call is judged by besides the rules."""

    session: Session
    role: Role
    mode: str = GUIDE
    now: str = ""
    root: str = ""  # absolute paths below it are the project's
    chain: tuple[str, ...] = ()  # roles from the user's down to this one; empty: this one talks to the user
    task: TaskFacts | None = None  # the one this session works on
    store_task: TaskFacts | None = None  # the active one of the project, which a session without one takes over
    named_task: TaskFacts | None = None  # the one that the call itself is about
    shell: Decision | None = None  # what the shell's grammar says of the command line
    present: frozenset[str] = frozenset()  # evidence that chain rules ask for and that is there
    refusals: tuple[Refusal, ...] = ()  # of this session, newest last
    halt: Halt | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision, whether it takes effect in this mode, and what else follows from the call."""

    decision: Decision
    enforced: bool = False
    warnings: tuple[Decision, ...] = ()
    inherits: str = ""  # the task that the session takes over
    redirect: str = ""  # the role that the work should go to instead
    halts: bool = False
    repeated: int = 0  # how often the same was refused a moment ago


@dataclass(frozen=True, slots=True)
class Action:
    """Something to be done because of a rule; ``place`` says where text goes."""

    name: str
    rule: str
    place: str = ""
