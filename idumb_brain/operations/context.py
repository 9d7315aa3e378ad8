"""What an agent is handed, unasked: ``context compaction|system|prefix|resume|reminder``, within its budget, with reasons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from idumb_brain.model.errors import BadInput, NotScanned
from idumb_brain.model.selection import Budget
from idumb_brain.operations.anchors import current as current_anchors
from idumb_brain.operations.at_work import at_work, broken_chains
from idumb_brain.operations.brain import noted
from idumb_brain.operations.entries import standings
from idumb_brain.operations.evidence import Sources
from idumb_brain.operations.gathering import Setting, gathered
from idumb_brain.operations.ground import Ground, standing
from idumb_brain.operations.project import Project
from idumb_brain.operations.work import boarded
from idumb_brain.render.blocks import BLOCKS, block
from idumb_brain.select.fill import fill
from idumb_brain.store import knowledge

_ENTRIES = 200  # looked at, those of which most was stated first


def context(
    name: str,
    root: str | None = None,
    *,
    session: str = "",
    role: str = "",
    budget: int | None = None,
    environ: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """One block. ``budget`` is in characters; what it is unless given stands in the settings."""
    with standing(root, environ=environ) as ground:
        return noted(ground.brain, Teller().tell(ground, name, session=session, role=role, budget=budget))


class Teller:
    """Makes blocks, and keeps between them what did not change."""

    def tell(self, ground: Ground, name: str, *, session: str = "", role: str = "", budget: int | None = None) -> dict[str, Any]:
        if name not in BLOCKS:
            raise BadInput(f"{name!r} is no block", why="there is no template for it", instead=f"choose from {', '.join(BLOCKS)}")
        if budget is not None and budget < 0:
            raise BadInput(f"a budget of {budget}", why="no text is shorter than none", instead="give 0 or more characters")
        config = ground.project.config
        chars = getattr(config.context, name) if budget is None else budget
        frame = block(name, config.language)
        setting = self._setting(ground, name, config.language, session, role)
        found = [*frame.own, *(one for section in sorted(frame.sections) for one in gathered(section, setting))]
        made = fill(found, Budget(chars), frame.layout)
        return {
            "text": made.text,
            "chars": made.chars,
            "tokens": made.tokens,
            "budget": chars,
            "selected": [
                {"id": one.id, "kind": one.kind, "score": round(one.score.value, 2), "reasons": list(one.score.reasons)}
                for one in made.chosen
            ],
            "dropped": [{"id": one.id, "kind": one.kind, "reason": one.reason} for one in (*made.dropped, *setting.dropped)],
        }

    def _setting(self, ground: Ground, name: str, language: str, session: str, role: str) -> Setting:
        brain, project = ground.brain, ground.project
        sources = Sources(project)
        entries = knowledge.foremost(brain, _ENTRIES)
        worth = standings(brain, sources, entries)
        anchors = current_anchors(brain, sources)  # what it sees to be stale is kept, and not told as a step
        board = boarded(brain)
        work = at_work(brain, board, broken_chains(board), session)
        called = role or (work.session.role if work.session else "")
        return Setting(
            name,
            brain.now,
            language,
            _summary(project),
            anchors,
            [(one, worth[one.id]) for one in entries],
            work,
            session,
            ground.rules.roles.named(called) if called else None,
        )


def _summary(project: Project) -> str:
    from idumb_brain.operations.mapping import summary

    try:
        return summary(str(project.root))
    except NotScanned:
        return ""
