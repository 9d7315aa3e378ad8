"""What stays of a session when its conversation is gone: its record as a file, its last words as an entry. Tells no agent."""

from __future__ import annotations

import os

from idumb_brain.model.errors import BrainError
from idumb_brain.operations import records, sessions
from idumb_brain.operations.ground import Ground
from idumb_brain.operations.project import Project
from idumb_brain.store import knowledge

_SAID = 300  # characters of a message that go into a synthesis
_FILES = 5  # that it rests on


def synthesised(ground: Ground, session: str) -> None:
    """What a session said lately, as an entry that takes the place of the one before and does not live long."""
    from idumb_brain.operations import brain

    root = ground.project.root
    found = records.shown(ground, session)
    said = [" ".join(one["text"].split())[:_SAID] for one in found["exports"] if one["text"].strip()]
    mine = [knowledge.entry(ground.brain, id) for id in found["entriesCreated"]]
    before = next((one.id for one in reversed(mine) if one and one.source == "synthesis" and not one.superseded_by), "")
    if not said:
        return
    data = brain.write(
        "research", f"What session {session} said last", "\n".join(f"- {one}" for one in said), str(root),
        evidence=[path for path in found["filesModified"][-_FILES:] if (root / path).is_file()],
        supersedes=before, stale_after="7d", confidence_now=50, force=True, source="synthesis",
    )  # fmt: skip
    sessions.achieved(ground, session, entries=[data["id"]])


def exported(ground: Ground, session: str) -> None:
    """Its record as JSON, for git and for people."""
    from idumb_brain.operations.exchange import export_session

    export_session(ground.project, ground.brain, session)


def all_exported(project: Project, folder: str) -> str:
    """Everything that the brain holds, because the user said so; what became of it, in a sentence or two."""
    from idumb_brain.operations.exchange import export

    try:
        told = export(folder and os.path.join(project.root, folder), str(project.root))
    except BrainError as error:
        return f"The brain was not exported. {error}"
    counted = ", ".join(f"{number} {kind}" for kind, number in told["counts"].items() if number)
    return (
        f"The brain was exported to {told['folder']}: {len(told['written'])} files written, {told['unchanged']} were as they should be, "
        f"{len(told['removed'])} removed. They hold {counted or 'nothing yet'}."
    )
