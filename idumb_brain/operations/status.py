"""``status``: all of it on one screen, and nothing that takes long. Looks, and changes nothing that anybody authored."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from idumb_brain import __version__
from idumb_brain.graph import tasks as graph
from idumb_brain.model.errors import BrainError, NotScanned
from idumb_brain.model.work import Session, Task
from idumb_brain.operations.agents import hosts
from idumb_brain.operations.anchors import current
from idumb_brain.operations.entries import standings
from idumb_brain.operations.evidence import Sources
from idumb_brain.operations.injected import handed_over
from idumb_brain.operations.project import Project, find_project, moment
from idumb_brain.operations.scanning import freshness
from idumb_brain.operations.work import boarded
from idumb_brain.store import code, knowledge, sessions
from idumb_brain.store import work as store
from idumb_brain.store.brain import Brain

_LATELY = 3_600  # seconds in which a session was heard of that goes on
_SESSIONS = 100  # the last ones, among which those are looked for
_FOREMOST = 500  # entries whose sources are looked at
_SIDES = ("", "-wal")
Data = dict[str, Any]


def status(root: str | None = None, *, template: str = "") -> Data:
    """``template``: OpenCode's plugin as it is shipped."""
    project = find_project(root)
    data = freshness(project)
    with project.remembering() as brain:
        work, tasks = _work(brain)
        return data | {
            "version": __version__,
            "stale": _stale(project, brain) | {"documents": _documents(project), "tasks": tasks},
            "work": work,
            "sessions": _sessions(brain),
            "agents": hosts(project, template),
            "injected": _injected(project),
            "stores": _sizes(project),
            "notes": list(brain.notes),
        }


def _stale(project: Project, brain: Brain) -> Data:
    """Entries are looked at as far as most was stated of them; ``of`` tells how many there are."""
    sources = Sources(project)
    entries = knowledge.foremost(brain, _FOREMOST)
    worth = standings(brain, sources, entries)
    anchors = current(replace(brain, readonly=True), sources)
    return {
        "entries": {
            "stale": sum(one.stale for one in worth.values()),
            "lookedAt": len(entries),
            "of": knowledge.latest(brain, 1)[1],
        },
        "anchors": {"stale": sum(bool(one.stale_since) for one, _ in anchors), "of": len(anchors)},
    }


def _documents(project: Project) -> Data | None:
    """Places in documents that are no longer so, as of the last scan; the count is kept in the index, for it takes a while."""
    try:
        with project.reading() as index:
            mark = f"{__version__} {code.content_mark(index)}"
            if code.meta(index, "staleDocumentsOf") == mark:
                return dict(json.loads(code.meta(index, "staleDocuments")))
    except NotScanned:
        return None
    from idumb_brain.operations.documents import documents

    told = documents(str(project.root))["documents"]
    counted = {
        "stale": sum(bool(one["staleIndicators"]) for one in told), "places": sum(len(one["staleIndicators"]) for one in told),
        "of": len(told),
    }  # fmt: skip
    with suppress(BrainError):  # it is counted again until it can be kept
        code.keep_meta(project.index, staleDocumentsOf=mark, staleDocuments=json.dumps(counted))
    return counted


def _work(brain: Brain) -> tuple[Data, Data]:
    """What is being worked on, and how much of it was left lying."""
    board = boarded(brain)
    active = [task for task in graph.in_force(board) if task.state in ("active", "review")]
    last = {task.id: newest[0] for task in active if (newest := store.checkpoints_of(brain, task.id, 1))}
    left = graph.stale(board, last, moment())
    plan = graph.active_plan(board)
    done, total = graph.progress(plan, board) if plan else (0, 0)
    at_hand = graph.at_hand(board)
    told = {
        "plan": {"id": plan.id, "name": plan.name, "done": done, "total": total} if plan else None,
        "task": _task(at_hand) if at_hand else None,
        "active": len(active),
    }
    return told, {"stale": len(left), "of": len(active)}


def _task(task: Task) -> Data:
    return {
        "id": task.id,
        "name": task.name,
        "status": task.state,
        "claimedBy": task.claimed_by or None,
        "startedAt": task.started_at,
    }


def _sessions(brain: Brain) -> Data:
    found = sessions.sessions(brain, limit=_SESSIONS)
    lately = [one for one in found if one.state != "interrupted" and _seconds_since(one.updated_at) < _LATELY]
    return {"lately": [_session(one) for one in lately], "known": sessions.total(brain)}


def _session(one: Session) -> Data:
    return {
        "sessionId": one.id,
        "role": one.role,
        "sessionState": one.state,
        "task": one.task or None,
        "updatedAt": one.updated_at,
    }


def _seconds_since(time: str) -> float:
    return (moment() - datetime.fromisoformat(time)).total_seconds()


def _injected(project: Project) -> Data | None:
    try:
        return handed_over(project)
    except (BrainError, OSError):
        return None  # nobody's work hangs on it; doctor tells of it


def _sizes(project: Project) -> dict[str, int]:
    """Bytes, with what is still in the log."""
    found = {}
    for file in (project.index, project.index.with_name("search.db"), project.brain, project.injected):
        size = 0
        for side in _SIDES:
            with suppress(OSError):
                size += file.with_name(file.name + side).stat().st_size
        if size:
            found[file.name] = size
    return found
