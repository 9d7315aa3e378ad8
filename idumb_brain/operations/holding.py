"""Who holds a task: a session that goes on and was heard of lately. Changes nothing."""

from __future__ import annotations

from idumb_brain.govern.clock import elapsed
from idumb_brain.model.work import Session, Task
from idumb_brain.store import sessions
from idumb_brain.store import work as store
from idumb_brain.store.brain import Brain

_SILENT = 3_600  # seconds after which a session that nobody heard of holds nothing any more


def holder(brain: Brain, task: Task, session: str) -> str:
    """The session that holds an active task so that this one may not touch it, and that neither handed this one its work nor was
    handed its own by it. A person at the command line has no session."""
    if not session or task.state != "active" or task.claimed_by in ("", session):
        return ""
    held, own = (sessions.session(brain, id) or Session(id) for id in (task.claimed_by, session))
    above = {one.id for one in sessions.lineage(brain, own)}
    below = {one.id for one in sessions.lineage(brain, held)}
    heard = max(held.updated_at, task.started_at, *(one.at for one in store.checkpoints_of(brain, task.id, 1)))
    left = held.state == "interrupted" or elapsed(heard, brain.now) > _SILENT
    return "" if left or held.id in above or own.id in below else held.id
