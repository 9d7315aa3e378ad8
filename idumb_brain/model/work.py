"""Work as frozen values: plans, tasks, checkpoints, delegations, planning artifacts, sessions. Refuses to decide what may happen next.

What can be computed is not stored: whether a task is blocked follows from its dependencies and its gate (see ``graph``).
Times are ISO 8601 in UTC to the second; durations are seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

PLAN_STATES = ("draft", "active", "completed", "archived", "abandoned")
TASK_STATES = ("planned", "blocked", "active", "review", "completed", "failed")
DELEGATION_STATES = ("assigned", "accepted", "completed", "recalled", "expired")
ARTIFACT_TYPES = ("implementation-plan", "research", "spike-result", "validation-report", "delegation-report")
ARTIFACT_STATES = ("active", "superseded", "abandoned", "completed")
SESSION_STATES = ("beginning", "compacted", "between_turn", "interrupted", "resumed")

MAX_DEPTH = 3  # how deep delegations may nest


@dataclass(frozen=True, slots=True)
class Plan:
    id: str
    name: str
    acceptance: tuple[str, ...] = ()
    category: str = ""
    governance_level: str = ""
    state: str = "draft"
    depends_on: tuple[str, ...] = ()  # other plans
    owned_by: str = ""
    parent: str = ""
    created_at: str = ""
    modified_at: str = ""
    completed_at: str = ""
    abandoned_at: str = ""
    purged_at: str = ""  # out of every context from then on; kept for audit


@dataclass(frozen=True, slots=True)
class Gate:
    """A task that has to be completed first though nothing of it is used, and why."""

    after: str
    reason: str


@dataclass(frozen=True, slots=True)
class Task:
    """``state`` is what was done to it; "blocked" is never stored, it is computed."""

    id: str
    plan: str
    name: str
    expected_output: str
    state: str = "planned"
    ahead: bool = False  # visible before its time, not yet part of the plan's count
    delegated_by: str = ""
    assigned_to: str = ""  # a role
    claimed_by: str = ""  # a session
    allowed_tools: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()  # where it may write; empty: wherever its role may
    depends_on: tuple[str, ...] = ()
    gate: Gate | None = None
    discovered_from: str = ""
    decisions: tuple[str, ...] = ()  # entries that have to be decided before it can start
    artifacts: tuple[str, ...] = ()  # files it produced
    evidence: str = ""
    tests_run: str = ""
    failure: str = ""
    stale_after: int = 1800
    created_at: str = ""
    modified_at: str = ""
    started_at: str = ""
    completed_at: str = ""
    archived_at: str = ""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Something that was done for a task, recorded as it happened."""

    id: str
    task: str
    tool: str
    at: str
    summary: str
    files: tuple[str, ...] = ()
    session: str = ""


@dataclass(frozen=True, slots=True)
class Delegation:
    id: str
    sender: str  # a role
    receiver: str
    task: str
    expected_output: str = ""
    context: str = ""
    allowed_tools: tuple[str, ...] = ()
    allowed_actions: tuple[str, ...] = ()
    state: str = "assigned"
    depth: int = 1
    parent_session: str = ""
    child_session: str = ""
    created_at: str = ""
    expires_at: str = ""
    ended_at: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    level: int
    line: int
    hash: str


@dataclass(frozen=True, slots=True)
class Artifact:
    """A planning document that lies in a file, and where it stands in the chain of its kind."""

    id: str
    type: str
    path: str
    title: str
    state: str = "active"
    sections: tuple[Section, ...] = ()
    parent: str = ""
    parent_hash: str = ""  # of all that the parent said when this was made from it
    superseded_by: str = ""
    tasks: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    created_at: str = ""
    modified_at: str = ""
    implemented_at: str = ""
    validated_at: str = ""
    purged_at: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """What one session of an agent did. ``level`` 1 talks to the user, 2 and 3 were delegated to."""

    id: str
    state: str = "beginning"
    level: int = 1
    parent: str = ""
    children: tuple[str, ...] = ()
    role: str = ""
    agent: str = ""
    phase: str = ""
    language: str = ""
    task: str = ""  # the one it works on
    injected: bool = False  # it has been told the governance prefix
    compactions: tuple[str, ...] = ()  # when
    anchors_survived: tuple[str, ...] = ()
    entries_created: tuple[str, ...] = ()
    tools_used: tuple[tuple[str, int], ...] = ()
    files_modified: tuple[str, ...] = ()
    tasks_completed: tuple[str, ...] = ()
    delegations: tuple[str, ...] = ()
    first_tool: str = ""
    violations: int = 0
    cancels: int = 0  # in a row
    strict: bool = False  # something went wrong: judged one mode more strictly than the project asks for
    prompt_score: float = 0.0
    scored_at: str = ""
    purify: bool = False  # its context is to be purified at the next compaction
    exports: int = 0  # since the last synthesis
    messages: int = 0  # in its context when it was last looked at
    compaction_seen: str = ""  # the mark of the summary it was last reminded of
    watched_since: str = ""  # stalls are counted from here
    started_at: str = ""
    updated_at: str = ""
    idle_at: str = ""
    resumed_at: str = ""
