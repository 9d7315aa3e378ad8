"""All that a brain holds as one value, and how its parts are called in JSON. Refuses to know files or tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from idumb_brain.model.governance import Halt
from idumb_brain.model.knowledge import Anchor, Entry, Evidence
from idumb_brain.model.work import Artifact, Checkpoint, Delegation, Gate, Plan, Section, Session, Task

FORMAT = "idumb-brain/1"  # what every exported file says it is
IMPORT = "import"  # by whom: what a machine took over is its own affair, and not told to others

KINDS: Mapping[str, type] = {
    "entries": Entry,
    "anchors": Anchor,
    "plans": Plan,
    "tasks": Task,
    "checkpoints": Checkpoint,
    "delegations": Delegation,
    "artifacts": Artifact,
    "sessions": Session,
    "halts": Halt,
}
# Rows that were written once and never change, by the table they are of. The first that are named tell what they are about.
LOGS: Mapping[str, tuple[str, ...]] = {
    "changes": ("kind", "id", "at", "action", "by", "before", "after"),
    "events": ("session", "at", "kind", "key", "score", "detail"),
    "violations": ("session", "at", "rule", "tool", "target", "decision", "enforced", "what"),
    "quarantine": ("origin", "id", "at", "reason", "repaired", "row"),
}

# Names in JSON where they are not those of the field in camelCase.
_CALLED: Mapping[type, Mapping[str, str]] = {
    Entry: {"related": "relatedTo"},
    Anchor: {"related": "relatedTo"},
    Plan: {"state": "status"},
    Task: {"state": "status", "gate": "temporalGate"},
    Checkpoint: {"at": "timestamp", "files": "filesModified"},
    Delegation: {"sender": "from", "receiver": "to", "state": "status"},
    Artifact: {"state": "status", "parent": "parentPlanId", "tasks": "taskIds", "entries": "entryIds"},
    Session: {
        "id": "sessionId",
        "role": "agentRole",
        "entries_created": "brainEntriesCreated",
        "delegations": "delegationsIssued",
    },
    Halt: {},
    Evidence: {},
    Gate: {},
    Section: {},
}
# Fields that stand together below one name.
WITHIN: Mapping[type, Mapping[str, tuple[str, ...]]] = {
    Anchor: {"source": ("file", "line", "task")},
    Task: {"result": ("evidence", "tests_run", "failure")},
}


@dataclass(frozen=True, slots=True)
class Content:
    """``things`` by kind and id, in the order they came; ``logs`` by table, in the order they were written."""

    things: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    logs: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)

    def of(self, kind: str) -> Mapping[str, Any]:
        return self.things.get(kind, {})

    def log(self, table: str) -> Sequence[Mapping[str, Any]]:
        return self.logs.get(table, ())


def keys(kind: type) -> dict[str, str]:
    """field → its name in JSON."""
    return {one.name: _CALLED[kind].get(one.name) or _camel(one.name) for one in fields(kind)}


def _camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)
