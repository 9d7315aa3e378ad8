"""Files that earlier versions left behind, told apart by their shape and read permissively: only their top level was ever checked.

Pure: what was parsed goes in, values come out. Whatever is odd is told of with its file; nothing that can be understood is lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from idumb_brain.model.exchange import Content
from idumb_brain.model.knowledge import ANCHOR_TYPES, ENTRY_TYPES, PRIORITIES, PRIORITY_ALIASES, SOURCES, Anchor, Entry, Evidence
from idumb_brain.model.work import Artifact, Checkpoint, Delegation, Gate, Plan, Section, Session, Task
from idumb_brain.operations.artifacts import type_of
from idumb_brain.operations.imported import Gathered
from idumb_brain.operations.stated import MOST_TITLE, made_id, without_private
from idumb_brain.store.guard import shown

_BEGINNING = "1970-01-01T00:00:00Z"
_SECONDS_OR_MORE = 100_000_000_000  # a number of milliseconds since 1970 is greater, one of seconds less, for 3,000 years
_PLACE = re.compile(r"(.+?):(\d{1,9})(?:-(\d{1,9}))?$")
_COMMIT = re.compile(r"[0-9a-f]{7,40}$")
_CONTROL = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_PLAN_STATES = {
    "draft": "draft", "planned": "draft", "pending": "draft", "active": "active", "in_progress": "active", "completed": "completed",
    "done": "completed", "archived": "archived", "deferred": "archived", "abandoned": "abandoned", "cancelled": "abandoned",
}  # fmt: skip
_TASK_STATES = {
    "planned": "planned", "pending": "planned", "blocked": "planned", "deferred": "planned", "active": "active", "in_progress": "active",
    "review": "review", "completed": "completed", "done": "completed", "failed": "failed", "abandoned": "failed", "cancelled": "failed",
}  # fmt: skip
_DELEGATION_STATES = {
    "pending": "assigned", "assigned": "assigned", "accepted": "accepted", "active": "accepted", "completed": "completed",
    "recalled": "recalled", "rejected": "recalled", "expired": "expired",
}  # fmt: skip
_ARTIFACT_STATES = {"active": "active", "superseded": "superseded", "abandoned": "abandoned", "completed": "completed"}
_NEW_IDS = {"epic-": "wp-", "task-": "tn-", "sub-": "cp-"}
_DONE = ("done", "completed")
Document = Mapping[str, Any]


@dataclass(slots=True)
class Earlier:
    """What the files said, and what became of each."""

    gathered: Gathered = field(default_factory=Gathered)
    files: list[dict[str, Any]] = field(default_factory=list)
    problems: list[dict[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def read(self) -> bool:
        return any(file["read"] for file in self.files)

    def fitted(self, there: Content) -> Content:
        """As content for a brain that holds something already: an anchor that says what another says is that one."""
        known = {_said(one): one.id for one in there.of("anchors").values()}
        fitted: dict[str, Anchor] = {}
        for one in sorted(self.gathered.things["anchors"].values(), key=lambda one: (one.modified_at, one.id)):
            id = one.id if one.id in there.of("anchors") else known.get(_said(one), one.id)
            same = next(
                (other for other in fitted.values() if _said(other) == _said(one) and other.id not in there.of("anchors")), None
            )
            if same is not None and id == one.id:
                del fitted[same.id]  # the newest stays
            fitted[id] = replace(one, id=id)
        return Content({**self.gathered.things, "anchors": fitted}, self.gathered.logs)


def read_earlier(documents: Mapping[str, Any]) -> Earlier:
    """``documents``: path → what its JSON says."""
    found = Earlier()
    planned = {
        PurePosixPath(path).parent for path, stated in documents.items() if _is(stated, "workPlans") and stated["workPlans"]
    }
    for path, stated in documents.items():
        told = next((shape for shape in _SHAPES if shape.fits(path, stated)), None)
        if told is None:
            found.problems.append({"file": path, "reason": "it has the shape of no version known"})
            continue
        if told.read is _epics and PurePosixPath(path).parent in planned:
            found.notes.append(f"{path} is not read: the plans made of it are in the graph beside it")
            continue
        before = sum(len(values) for values in found.gathered.things.values())
        if told.read is not None:
            told.read(stated, found)
        elif told.why:
            found.notes.append(f"{path} is not read: {told.why}")
        count = sum(len(values) for values in found.gathered.things.values()) - before
        found.files.append({"file": path, "format": told.name, "read": count})
        found.problems += [{"file": path, "reason": reason} for reason in found.gathered.problems]
        found.gathered.problems.clear()
    return found


# -- one reader a shape ----------------------------------------------------------------------------------------------


def _state(stated: Document, onto: Earlier) -> None:
    saved = _time(stated.get("lastSaved"))
    for id, one in _members(stated, "sessions", onto):
        task = one.get("activeTask")
        agent = one.get("capturedAgent")
        agent = _text(agent.get("name")) if isinstance(agent, Mapping) else _text(agent)
        onto.gathered.keep(
            "sessions",
            Session(
                id, "interrupted", role=agent, agent=agent, task=_renamed(_text(task.get("id"))) if isinstance(task, Mapping) else "",
                started_at=saved or _BEGINNING, updated_at=saved or _BEGINNING,
            ),
        )  # fmt: skip
    anchors = stated.get("anchors")
    for _, ones in anchors.items() if isinstance(anchors, Mapping) else ():
        for one in _objects(ones, "anchors", onto):
            _anchor(one, onto)


def _first_state(stated: Document, onto: Earlier) -> None:
    for one in _objects(stated.get("anchors"), "anchors", onto):
        _anchor(one, onto)
    for one in _objects(stated.get("history"), "history", onto):
        if (at := _time(one.get("timestamp"))) and (action := _text(one.get("action"))):
            after = {"result": result} if (result := _text(one.get("result"))) else {}
            row = {
                "kind": "history", "id": "state", "at": at, "action": action, "by": _text(one.get("agent")) or "earlier",
                "before": {}, "after": after,
            }  # fmt: skip
            onto.gathered.logs["changes"].append(row)
        else:
            onto.gathered.problems.append(f"one of history has no time or no action: {shown(dict(one))}")


def _graph(stated: Document, onto: Earlier) -> None:
    for plan in _objects(stated.get("workPlans"), "workPlans", onto):
        id = _id(plan, "wp", _text(plan.get("name")))
        created = _time(plan.get("createdAt")) or _BEGINNING
        onto.gathered.keep(
            "plans",
            Plan(
                id, _title(plan.get("name"), id), _texts(plan.get("acceptance")), _text(plan.get("category")),
                _text(plan.get("governanceLevel")), _one_of("status", plan, _PLAN_STATES, "draft", onto), _texts(plan.get("dependsOn")),
                _text(plan.get("ownedBy")), "", created, _time(plan.get("modifiedAt")) or created, _time(plan.get("completedAt")),
                "", _time(plan.get("purgedAt")),
            ),
        )  # fmt: skip
        for under, ahead in (("tasks", False), ("planAhead", True)):
            for task in _objects(plan.get(under), under, onto):
                _task(task, id, ahead, onto)


def _task(task: Document, plan: str, ahead: bool, onto: Earlier) -> None:
    id = _id(task, "tn", _text(task.get("name")))
    created = _time(task.get("createdAt")) or _BEGINNING
    result, gate = (one if isinstance(one := task.get(name), Mapping) else {} for name in ("result", "temporalGate"))
    state = _one_of("status", task, _TASK_STATES, "planned", onto)
    told = _text(result.get("evidence"))
    onto.gathered.keep(
        "tasks",
        Task(
            id, plan, _title(task.get("name"), id), _text(task.get("expectedOutput")) or _title(task.get("name"), id), state, ahead,
            _text(task.get("delegatedBy")), _text(task.get("assignedTo")), "", _texts(task.get("allowedTools")), (),
            _texts(task.get("dependsOn")),
            Gate(_text(gate["afterTaskId"]), _text(gate.get("reason"))) if gate.get("afterTaskId") else None,
            artifacts=tuple(dict.fromkeys((*_texts(task.get("artifacts")), *_texts(result.get("filesModified"))))),
            evidence="" if state == "failed" else told, tests_run=_text(result.get("testsRun")),
            failure=told if state == "failed" else "", created_at=created, modified_at=_time(task.get("modifiedAt")) or created,
            started_at=_time(task.get("startedAt")), completed_at=_time(task.get("completedAt")),
        ),
    )  # fmt: skip
    for one in _objects(task.get("checkpoints"), "checkpoints", onto):
        summary = _text(one.get("summary"))
        at = _time(one.get("timestamp")) or created
        cp = Checkpoint(
            _id(one, "cp", f"{id} {at} {summary}"), id, _text(one.get("tool")), at, summary, _texts(one.get("filesModified"))
        )
        onto.gathered.keep("checkpoints", cp)


def _epics(stated: Document, onto: Earlier) -> None:
    for epic in _objects(stated.get("epics"), "epics", onto):
        id = _renamed(_id(epic, "wp", _text(epic.get("name"))))
        created = _time(epic.get("createdAt")) or _BEGINNING
        modified = _time(epic.get("modifiedAt")) or created
        onto.gathered.keep(
            "plans",
            Plan(
                id, _title(epic.get("name"), id), (), _text(epic.get("category")), _text(epic.get("governanceLevel")),
                _one_of("status", epic, _PLAN_STATES, "draft", onto), created_at=created, modified_at=modified,
            ),
        )  # fmt: skip
        for task in _objects(epic.get("tasks"), "tasks", onto):
            _epic_task(task, id, created, onto)


def _epic_task(task: Document, plan: str, begun: str, onto: Earlier) -> None:
    id = _renamed(_id(task, "tn", f"{plan} {_text(task.get('name'))}"))
    name = _title(task.get("name"), id)
    created = _time(task.get("createdAt")) or begun
    modified = _time(task.get("modifiedAt")) or created
    state = _one_of("status", task, _TASK_STATES, "planned", onto)
    onto.gathered.keep(
        "tasks",
        Task(
            id, plan, name, name, state, assigned_to=_text(task.get("assignee")), evidence=_text(task.get("evidence")),
            created_at=created, modified_at=modified, completed_at=modified if state == "completed" else "",
        ),
    )  # fmt: skip
    for one in _objects(task.get("subtasks"), "subtasks", onto):
        if _text(one.get("status")).lower() in _DONE:
            summary = _text(one.get("name"))
            at = _time(one.get("timestamp")) or modified
            onto.gathered.keep("checkpoints", Checkpoint(_renamed(_id(one, "cp", f"{id} {summary}")), id, "", at, summary))


def _knowledge(stated: Document, onto: Earlier) -> None:
    entries: dict[str, Entry] = {}
    replaced: dict[str, Entry] = {}
    parents: dict[str, str] = {}
    for one in _objects(stated.get("entries"), "entries", onto):
        if _text(one.get("id")).startswith("ck-"):
            onto.notes.append(f"{shown(one['id'])} is skipped: it is of another schema")
            continue
        made = _entry(one, onto)
        entries[made.id] = made
        superseded = one.get("supersedes")
        for id in _texts(superseded if isinstance(superseded, list) else [superseded]):
            replaced[id] = made
        parents |= dict.fromkeys(_texts(one.get("childIds")), made.id)
    for id, made in entries.items():
        if id in replaced and replaced[id].id != id:
            made = replace(made, superseded_by=replaced[id].id, valid_to=replaced[id].created_at)
        if id in parents and not made.parent and parents[id] != id:
            made = replace(made, parent=parents[id])
        onto.gathered.keep("entries", made)


def _entry(one: Document, onto: Earlier) -> Entry:
    content = _text(one.get("content"))
    title = _title(one.get("title"), content)
    type = _text(one.get("type")).lower()
    id = _id(one, type or "entry", f"{title} {content}")
    if type not in ENTRY_TYPES:
        onto.gathered.problems.append(
            f"{shown(id)}: its type is {shown(one.get('type'))}, which is none; it is kept as a codebase-fact"
        )
        type = "codebase-fact"
    created = _time(one.get("createdAt")) or _BEGINNING
    source = _text(one.get("source"))
    stale_after = -(
        -max(0, _number(one.get("staleAfter"), 0)) // 1000
    )  # what goes stale in a moment must not become what never does
    return Entry(
        id, type, title, content, tuple(dict.fromkeys(_evidence(place) for place in _texts(one.get("evidence")))),
        _text(one.get("parentId")), tuple(sorted({*_texts(one.get("relatedTo"))} - {id})), created_at=created,
        modified_at=_time(one.get("modifiedAt")) or created, valid_from=created, stale_after=stale_after,
        confidence=min(100, max(0, _number(one.get("confidence"), 100))), source=source if source in SOURCES else "manual",
        access_count=max(0, _number(one.get("accessCount"), 0)), last_accessed_at=_time(one.get("lastAccessedAt")),
    )  # fmt: skip


def _plan(stated: Document, onto: Earlier) -> None:
    name = _title(stated.get("planName"), "plan")
    id = made_id("plan", name, "earlier")
    modified = _time(stated.get("lastModified")) or _BEGINNING
    current = _text(stated.get("currentPhaseId"))
    phases = _objects(stated.get("phases"), "phases", onto)
    tasks = []
    for place, phase in enumerate(phases):
        own = _text(phase.get("id")) or str(place + 1)
        title = _title(phase.get("name"), own)
        state = _one_of("status", phase, _TASK_STATES, "planned", onto)
        done = _time(phase.get("completedAt"))
        state = "active" if own == current and state == "planned" else state
        tasks.append(
            Task(f"{id}-{own}", id, title, title, state, created_at=modified, modified_at=done or modified, completed_at=done)
        )
    states = {one.state for one in tasks}
    state = "completed" if states == {"completed"} else "active" if states - {"planned"} else "draft"
    onto.gathered.keep("plans", Plan(id, name, state=state, created_at=modified, modified_at=modified))
    for task in tasks:
        onto.gathered.keep("tasks", task)


def _delegations(stated: Document, onto: Earlier) -> None:
    for one in _objects(stated.get("delegations"), "delegations", onto):
        receiver, created = _text(one.get("toAgent")), _time(one.get("createdAt")) or _BEGINNING
        onto.gathered.keep(
            "delegations",
            Delegation(
                _id(one, "delegation", f"{receiver} {created}"), _text(one.get("fromAgent")), receiver, _renamed(_text(one.get("taskId"))),
                _text(one.get("expectedOutput")), _text(one.get("context")), _texts(one.get("allowedTools")),
                _texts(one.get("allowedActions")), _one_of("status", one, _DELEGATION_STATES, "expired", onto),
                max(0, min(1000, _number(one.get("depth"), 1))), created_at=created, expires_at=_time(one.get("expiresAt")),
                ended_at=_time(one.get("completedAt")),
            ),
        )  # fmt: skip


def _registry(stated: Document, onto: Earlier) -> None:
    scanned = _time(stated.get("lastScanAt")) or _BEGINNING
    for one in _objects(stated.get("artifacts"), "artifacts", onto):
        path = _text(one.get("path"))
        if not path:
            onto.gathered.problems.append(f"an artifact has no path: {shown(dict(one))}")
            continue
        sections = tuple(
            Section(_text(row.get("heading") or row.get("title")), 1, 0, _text(row.get("contentHash")))
            for row in _objects(one.get("sections"), "sections", onto)
        )
        state = _one_of("status", one, _ARTIFACT_STATES, "active", onto)
        made = Artifact(
            _id(one, "artifact", path),
            type_of(path),
            path,
            PurePosixPath(path).stem,
            state,
            sections,
            created_at=scanned,
            modified_at=scanned,
        )
        onto.gathered.keep("artifacts", made)


def _session(stated: Document, onto: Earlier) -> None:
    started = _time(stated.get("createdAt")) or _BEGINNING
    compacted, idle, resumed = (_time(stated.get(name)) for name in ("compactedAt", "idleAt", "resumedAt"))
    onto.gathered.keep(
        "sessions",
        Session(
            _text(stated["sessionId"]), "interrupted", phase=_text(stated.get("phase")), language=_language(stated.get("language")),
            compactions=(compacted,) if compacted else (), started_at=started, updated_at=_time(stated.get("lastUpdated")) or started,
            idle_at=idle, resumed_at=resumed,
        ),
    )  # fmt: skip


def _anchor(one: Document, onto: Earlier) -> None:
    content = _text(one.get("content"))
    type, priority = _text(one.get("type")).lower(), _text(one.get("priority")).lower()
    priority = PRIORITY_ALIASES.get(priority, priority)
    id = _id(one, "anchor", content)
    if not content:
        onto.gathered.problems.append(f"anchor {shown(id)} says nothing")
        return
    for key, word, known in (("type", type, ANCHOR_TYPES), ("priority", priority, PRIORITIES)):
        if word and word not in known:
            onto.gathered.problems.append(f"anchor {shown(id)}: its {key} is {shown(one[key])}, which is none")
    created = _time(one.get("createdAt") or one.get("created")) or _BEGINNING
    modified = _time(one.get("modifiedAt")) or created
    source = one.get("source")
    source = source if isinstance(source, Mapping) else {}
    onto.gathered.keep(
        "anchors",
        Anchor(
            id, type if type in ANCHOR_TYPES else "context", priority if priority in PRIORITIES else "medium", content,
            _text(source.get("file")), max(0, _number(source.get("line"), 0)), _renamed(_text(source.get("taskId"))),
            tuple(sorted({*_texts(one.get("relatedTo"))})), created_at=created, modified_at=modified, validated_at=modified,
        ),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Shape:
    name: str
    fits: Callable[[str, Any], bool]
    read: Callable[[Document, Earlier], None] | None
    why: str = ""  # it is not read, where that is worth a word


def _named(*names: str) -> Callable[[str, Any], bool]:
    return lambda path, stated: PurePosixPath(path).name in names


def _with(key: str, of: type = object) -> Callable[[str, Any], bool]:
    return lambda path, stated: _is(stated, key) and isinstance(stated[key], of)


def _is(stated: Any, key: str) -> bool:
    return isinstance(stated, Mapping) and key in stated


# The first that fits. Files that others derive can look like anything, and are known by their names.
_SHAPES = (
    _Shape("project map", _named("codemap.json", "project-map.json"), None, "a scan makes it anew"),
    _Shape("settings", _named("config.json"), None),
    _Shape("work plans, v3", _with("workPlans"), _graph),
    _Shape("epics, v2", _with("epics"), _epics),
    _Shape("session", _with("sessionId", str), _session),
    _Shape("plan", _with("phases"), _plan),
    _Shape("delegations", _with("delegations"), _delegations),
    _Shape("knowledge", _with("entries"), _knowledge),
    _Shape("documents", _with("artifacts"), _registry),
    _Shape("state, v1", lambda path, stated: _is(stated, "framework") or _with("anchors", list)(path, stated), _first_state),
    _Shape("state", lambda path, stated: _is(stated, "anchors") or _is(stated, "sessions"), _state),
)


# -- whatever a value may be -----------------------------------------------------------------------------------------


def _members(stated: Document, key: str, onto: Earlier) -> Iterator[tuple[str, Document]]:
    within = stated.get(key)
    for id, one in within.items() if isinstance(within, Mapping) else ():
        if isinstance(one, Mapping):
            yield str(id), one
        else:
            onto.gathered.problems.append(f"{shown(id)} of {key} is {shown(one)}, not an object")


def _objects(stated: Any, name: str, onto: Earlier) -> list[Document]:
    if stated is not None and not isinstance(stated, list):
        onto.gathered.problems.append(f"{name} is {shown(stated)}, not a list")
        return []
    for one in stated or ():
        if not isinstance(one, Mapping):
            onto.gathered.problems.append(f"one of {name} is {shown(one)}, not an object")
    return [one for one in stated or () if isinstance(one, Mapping)]


def _one_of(key: str, one: Document, states: Mapping[str, str], otherwise: str, onto: Earlier) -> str:
    stated = _text(one.get(key)).lower().replace("-", "_")
    if stated and stated not in states:
        onto.gathered.problems.append(
            f"{shown(one.get('id', ''))}: its {key} is {shown(one.get(key))}, which is none; taken as {otherwise}"
        )
    return states.get(stated, otherwise)


def _id(one: Document, prefix: str, seed: str) -> str:
    """Its own; where it has none, always the same one."""
    return _text(one.get("id"))[:200] or made_id(prefix, seed[:MOST_TITLE], "earlier")


def _renamed(id: str) -> str:
    """As the same thing is called since plans are no longer epics."""
    return next((new + id.removeprefix(old) for old, new in _NEW_IDS.items() if id.startswith(old)), id)


def _title(stated: Any, otherwise: str) -> str:
    title = " ".join((_text(stated) or otherwise).split()) or "(no title)"
    return title if len(title) <= MOST_TITLE else title[: MOST_TITLE - 1] + "…"


def _texts(stated: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for one in stated if (text := _text(one)))) if isinstance(stated, list) else ()


def _text(stated: Any) -> str:
    if isinstance(stated, (int, float)) and not isinstance(stated, bool):
        return str(stated)
    return _CONTROL.sub("", without_private(stated)).strip() if isinstance(stated, str) else ""


def _number(stated: Any, otherwise: int) -> int:
    if isinstance(stated, bool) or not isinstance(stated, (int, float)) or not abs(stated) < 1 << 52:
        return otherwise
    return round(stated)


def _time(stated: Any) -> str:
    """Milliseconds since 1970, seconds since then, or ISO 8601; "" for what is none of them."""
    try:
        if isinstance(stated, str):
            then = datetime.fromisoformat(stated.strip().replace("Z", "+00:00"))
            then = then.astimezone(UTC) if then.tzinfo else then.replace(tzinfo=UTC)
        elif isinstance(stated, bool) or not isinstance(stated, (int, float)) or stated <= 0:
            return ""
        else:
            then = datetime.fromtimestamp(stated / 1000 if stated > _SECONDS_OR_MORE else stated, UTC)
        return then.strftime("%Y-%m-%dT%H:%M:%SZ") if then.year >= 1970 else ""
    except (ValueError, OverflowError, OSError):
        return ""


def _language(stated: Any) -> str:
    return _text(stated.get("communication")) if isinstance(stated, Mapping) else _text(stated)


def _evidence(written: str) -> Evidence:
    if _COMMIT.match(written):
        return Evidence(commit=written)
    if found := _PLACE.match(written):
        return Evidence(found[1], int(found[2]), int(found[3] or found[2]))
    return Evidence(written)


def _said(one: Anchor) -> str:
    return " ".join(one.content.split())
