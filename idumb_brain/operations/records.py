"""What is kept of sessions, for those who ask: records, refusals, halts; taking out what is old. Refuses to say what follows from it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from idumb_brain.model.errors import BadInput
from idumb_brain.model.governance import Decision, Halt
from idumb_brain.model.work import SESSION_STATES, Session
from idumb_brain.operations.ground import Ground
from idumb_brain.store import sessions as store
from idumb_brain.store.brain import writing

_FILES = ("sessions/*.json", "execution/halt-*")  # below the folder of the brain: exports, and what earlier versions left


def listed(ground: Ground, *, state: str = "", limit: int = -1) -> list[dict[str, Any]]:
    if state and state not in SESSION_STATES:
        raise BadInput(
            f"{state} is no state of a session", why="there is none of that name", instead=f"one of {', '.join(SESSION_STATES)}"
        )
    halted = {halt.session for halt in store.halts(ground.brain, open_only=True)}
    return [record(one) | {"halted": one.id in halted} for one in store.sessions(ground.brain, state=state, limit=limit)]


def shown(ground: Ground, session: str) -> dict[str, Any]:
    """The record of a session, with those it came from and what was refused and halted in it."""
    found = _known(ground, session)
    chain = store.lineage(ground.brain, found)
    return record(found) | {
        "delegationDepth": len(chain) - 1,
        "chain": [{"sessionId": one.id, "role": one.role} for one in chain],
        "refused": store.violations(ground.brain, session),
        "halts": [told_halt(halt) for halt in store.halts(ground.brain, session=session)],
        "exports": [
            {"at": one["at"], "text": one["detail"]} for one in store.events(ground.brain, session, ("answered",), limit=4)
        ],
    }


def collect(ground: Ground, *, dry_run: bool = False) -> dict[str, Any]:
    """Take out sessions and halts nobody has heard of for days. A session stays while one below it does."""
    before = ground.ago(ground.project.config.governance.keepDays * 86_400)
    with nullcontext() if dry_run else writing(ground.brain):
        old = {one.id: one for one in store.older_than(ground.brain, before)}
        needed = {
            above.id for one in store.sessions(ground.brain) if one.id not in old for above in store.lineage(ground.brain, one)
        }
        gone = [id for id in old if id not in needed]
        halts = [halt for halt in store.halts(ground.brain, before=before) if halt.session not in gone]
        if not dry_run:
            store.forget(ground.brain, gone)
            store.forget_halts(ground.brain, [halt.id for halt in halts])
    files = list(_old_files(ground, before))
    if not dry_run:
        for file in files:
            shutil.rmtree(file) if file.is_dir() else file.unlink(missing_ok=True)
    return {
        "dryRun": dry_run, "before": before, "sessions": gone, "halts": [halt.id for halt in halts],
        "files": [file.relative_to(ground.project.home).as_posix() for file in files],
    }  # fmt: skip


def halts(ground: Ground) -> list[dict[str, Any]]:
    """What is halted now."""
    return [told_halt(halt) for halt in store.halts(ground.brain, open_only=True)]


def resume_halt(ground: Ground, id: str) -> dict[str, Any]:
    """A human lets halted work go on."""
    with writing(ground.brain):
        found = store.halts(ground.brain, id=id)
        if not found:
            still = ", ".join(halt.id for halt in store.halts(ground.brain, open_only=True))
            raise BadInput(
                f"there is no halt {id}",
                why="none of that id is kept",
                instead=f"one of {still}" if still else "nothing is halted",
            )
        if not found[0].resumed_at:
            store.resume_halt(ground.brain, id)
        return told_halt(store.halts(ground.brain, id=id)[0])


def record(session: Session) -> dict[str, Any]:
    """A session as others read it."""
    told = {
        _camel(name): value
        for name, value in asdict(session).items()
        if name not in ("id", "state", "level", "parent", "children")
    }
    return {
        "sessionId": session.id, "sessionState": session.state, "sessionLevel": session.level, "parentSession": session.parent,
        "childSessions": list(session.children), **told,
        "toolsUsed": [{"tool": tool, "count": count} for tool, count in session.tools_used],
        "compactionCount": len(session.compactions), "compactionHistory": list(session.compactions), "violationCount": session.violations,
    }  # fmt: skip


def told_decision(decision: Decision) -> dict[str, Any]:
    return {
        "decision": decision.decision, "what": decision.what, "why": decision.why, "instead": decision.instead,
        "evidence": list(decision.evidence), "rule": decision.rule,
    }  # fmt: skip


def told_halt(halt: Halt) -> dict[str, Any]:
    return {_camel(name): list(value) if isinstance(value, tuple) else value for name, value in asdict(halt).items()}


def _old_files(ground: Ground, before: str) -> Iterator[Path]:
    limit = datetime.fromisoformat(before).timestamp()
    for pattern in _FILES:
        for file in sorted((ground.project.home / "brain").glob(pattern)):
            if not file.is_symlink() and file.stat().st_mtime < limit:
                yield file


def _known(ground: Ground, id: str) -> Session:
    found = store.session(ground.brain, id)
    if found is None:
        raise BadInput(f"there is no session {id}", why="none of that id is kept", instead="see idumb-brain session list")
    return found


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.title() for part in rest)
