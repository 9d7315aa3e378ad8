"""A conversation before a model reads it: tool outputs of work that is over are taken out, as the brain tells whose they were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from idumb_brain.graph import tasks as graph
from idumb_brain.model.work import Plan, Task
from idumb_brain.operations.ground import Ground
from idumb_brain.render import messages as render
from idumb_brain.render.messages import KEEP, Message
from idumb_brain.store import work as store

_LAST = "9999-12-31T23:59:59Z"
_ENDED = ("completed", "failed")


def pruned(
    ground: Ground, messages: Sequence[Message], *, session: str = "", keep: int = KEEP, compacting: bool = False
) -> dict[str, Any]:
    """``messages`` as they should be read, and each change by itself: the way to a value, and the value.

    ``session``: whose they are, where they do not say so themselves.
    """
    session = session or _session_of(messages)
    tasks = {} if compacting or not session else dict(_states(ground, messages, session))
    made = render.pruned(messages, tasks, ground.project.config.language, keep=keep, compacting=compacting)
    changes = [[["messages", *way], line] for way, line in made.changes]
    return {"messages": made.messages, "changes": changes, "pruned": made.outputs, "chars": made.chars}


def _session_of(messages: Sequence[Message]) -> str:
    told = (str(render.info_of(message).get("sessionID") or "") for message in messages)
    return next(filter(None, told), "")


def _states(ground: Ground, messages: Sequence[Message], session: str) -> Iterator[tuple[str, str]]:
    """Of each call, the state of the task that the session was at when it was made; the task that was begun last, of several."""
    spans = [(*_span(task), _state(ground, task)) for task in store.tasks_of_session(ground.brain, session) if task.started_at]
    spans.sort(reverse=True)
    for message in messages:
        for part in render.parts_of(message):
            at = _began(part)
            if at:
                found = next((state for since, until, state in spans if since <= at <= until), "")
                if found:
                    yield str(part.get("callID", "")), found


def _span(task: Task) -> tuple[str, str]:
    ended = task.completed_at or task.modified_at if task.state in _ENDED else task.archived_at
    return task.started_at, ended or _LAST


def _state(ground: Ground, task: Task) -> str:
    """What became of it; of a plan that was left, that it was left."""
    if task.archived_at or not graph.is_current(store.at(ground.brain, Plan, task.plan)):
        return "abandoned"
    return task.state


def _began(part: Any) -> str:
    """When the call began; hosts tell it in milliseconds."""
    state = part.get("state") if isinstance(part, Mapping) else None
    began = state.get("time", {}).get("start") if isinstance(state, Mapping) and isinstance(state.get("time"), Mapping) else None
    if not isinstance(began, int | float) or isinstance(began, bool) or not 0 < began < 1e14:
        return ""
    return datetime.fromtimestamp(began / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
