"""What people and agents know about a project, as frozen values: entries and anchors. Refuses to know how they are kept or found.

Times are ISO 8601 in UTC to the second, as ``operations.project.now`` tells them; durations are seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ENTRY_TYPES = ("architecture", "decision", "pattern", "tech-stack", "research", "codebase-fact", "convention", "gotcha")
SOURCES = ("anchor", "task-evidence", "git-commit", "scan", "manual", "research", "synthesis")
ANCHOR_TYPES = ("decision", "context", "checkpoint", "attention", "error")
PRIORITIES = ("critical", "high", "medium", "low")
PRIORITY_ALIASES = {"normal": "medium"}

RELATED, CONTRADICTS = "related", "contradicts"  # links between entries that are neither parent nor supersedes


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a statement rests on: a place in a file, a commit, or both. The hashes are of what was there when it was cited."""

    path: str = ""
    line: int = 0
    end_line: int = 0
    commit: str = ""
    hash: str = ""  # of the file's content, as the index has it
    passage: str = ""  # of the cited lines alone


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that is known. ``confidence`` is what was stated; what it is worth now is computed when somebody reads it."""

    id: str
    type: str
    title: str
    content: str
    evidence: tuple[Evidence, ...] = ()
    parent: str = ""
    related: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    superseded_by: str = ""
    created_at: str = ""
    modified_at: str = ""
    validated_at: str = ""
    valid_from: str = ""
    valid_to: str = ""
    stale_after: int = 0  # seconds after which half of the confidence is gone; 0: never
    confidence: int = 100
    source: str = "manual"
    origin: str = ""  # what it was made from, for those made by us: the same origin is the same entry
    access_count: int = 0
    last_accessed_at: str = ""
    pinned: bool = False
    purged_at: str = ""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A line that must survive: for the whole project, whatever session it came from."""

    id: str
    type: str
    priority: str
    content: str
    file: str = ""
    line: int = 0
    task: str = ""
    related: tuple[str, ...] = ()
    hash: str = ""  # of the file's content when the anchor was made or last validated
    created_at: str = ""
    modified_at: str = ""
    validated_at: str = ""
    stale_since: str = ""
    superseded_by: str = ""
    purged_at: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One step of what happened to something. ``before`` and ``after`` hold only what is not the same in both."""

    at: str
    kind: str  # of what: entry, anchor, ...
    id: str
    action: str
    by: str  # who or what did it: one of the sources, or a command
    before: Mapping[str, Any]
    after: Mapping[str, Any]
