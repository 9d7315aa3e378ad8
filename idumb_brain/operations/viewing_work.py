"""What the page shows of the work: plans with their tasks, sessions with those they delegated to, what agents are told. Changes nothing."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from idumb_brain.model.work import Checkpoint
from idumb_brain.operations import artifacts, delegations, injected, plans, records
from idumb_brain.operations import context as telling
from idumb_brain.operations.ground import standing
from idumb_brain.operations.work import checkpoint_data, working
from idumb_brain.render.blocks import BLOCKS, COMPACTION
from idumb_brain.store import sessions as session_store
from idumb_brain.store import work as store

_STEPS = 12  # the last of each task
_SESSIONS = 300
_EVENTS = 200
_TO_CHOOSE = 40
_HANDED = 60


def tasks(root: str | None = None) -> dict[str, Any]:
    """Every plan that was not put away, and those that were; with steps, documents and who was handed what."""
    with working(root) as work:
        told = plans.status(work, everything=True)
        steps: dict[str, list[Checkpoint]] = defaultdict(list)
        for one in store.checkpoints(work.brain):
            steps[one.task].append(one)
        for plan in told["plans"]:
            for task in (*plan["tasks"], *plan["planAhead"]):
                mine = sorted(steps[task["id"]], key=lambda one: one.at, reverse=True)
                task["checkpoints"] = [checkpoint_data(one) for one in mine[:_STEPS]]
                task["checkpointCount"] = len(mine)
        return told | {
            "artifacts": artifacts.known(work, everything=True),
            "delegations": delegations.status(work, everything=True),
        }


def sessions(root: str | None = None) -> dict[str, Any]:
    """Those last heard of first; who is below whom stands in each."""
    with standing(root) as ground:
        found = records.listed(ground, limit=_SESSIONS)
        return {"sessions": found, "mode": ground.mode, "halts": records.halts(ground), "shown": _SESSIONS}


def session(root: str | None = None, *, id: str) -> dict[str, Any]:
    with standing(root) as ground:
        told = records.shown(ground, id)
        events = session_store.events(ground.brain, id, limit=_EVENTS)
        return told | {"events": [{"at": one["at"], "kind": one["kind"], "key": one["key"]} for one in reversed(events)]}


def context(root: str | None = None, *, block: str = COMPACTION, session: str = "") -> dict[str, Any]:
    """A block as it would be told now, with what was chosen and what was left out, and for which sessions there may be others."""
    told = telling.context(block, root, session=session)
    with standing(root) as ground:
        some = session_store.sessions(ground.brain, limit=_TO_CHOOSE)
    return told | {
        "block": block,
        "session": session,
        "blocks": list(BLOCKS),
        "sessions": [{"id": one.id, "role": one.role, "updatedAt": one.updated_at} for one in some],
    }


def handed(root: str | None = None, *, session: str = "", block: str = "") -> dict[str, Any]:
    """Blocks that agents really were handed, the newest first, with their text and the same reasons."""
    return injected.last(root, session=session, kind=block, limit=_HANDED, text=True)
