"""What an agent is handed, unasked: ``context compaction|system|prefix|resume|reminder``, within its budget, with reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from idumb_brain.graph.tasks import Board
from idumb_brain.model.errors import BadInput
from idumb_brain.model.knowledge import Anchor, Entry
from idumb_brain.model.selection import ANCHOR, ENTRY, Budget, Candidate, Dropped, Layout, Score, Selection
from idumb_brain.operations.at_work import WorkSeen
from idumb_brain.operations.brain import noted
from idumb_brain.operations.evidence import Sources
from idumb_brain.operations.gathering import Setting, gathered, group_of, stated_worth
from idumb_brain.operations.ground import Ground, standing
from idumb_brain.operations.indexed import Indexed
from idumb_brain.operations.lanes import Turns
from idumb_brain.operations.near_task import NearTask
from idumb_brain.operations.project import Project
from idumb_brain.operations.remembered import Remembered
from idumb_brain.operations.task_facts import TaskGraph
from idumb_brain.operations.weighed import Weighed
from idumb_brain.operations.work import Work
from idumb_brain.render.blocks import BLOCKS, COMPACTION, SYSTEM, block
from idumb_brain.render.quoting import MARK
from idumb_brain.select.anchors import WEIGHTS, kept_back
from idumb_brain.select.fill import fill
from idumb_brain.store.brain import Brain

Data = dict[str, Any]
_FOREMOST = 200  # entries looked at, those of which most was stated
_ENTRIES, _OF_A_GROUP = 48, 8  # of these, those whose sources are looked at: a block has room for fewer
_ANCHORS = 40  # the same of anchors that may be told
_TITLE = 100  # characters of what something is called
_WORDED = 4_000  # candidates kept in the words they have


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
    with standing(root, environ=environ) as ground, closing(Teller(ground.project)) as teller:
        return noted(ground.brain, teller.tell(ground, name, session=session, role=role, budget=budget))


class Teller:
    """Makes blocks of one project, one after the other, and keeps what did not change between them.

    What it says is what one that begins anew would say.
    """

    def __init__(self, project: Project, aside: Turns | None = None) -> None:
        self._sources = Sources(project)
        self._indexed = Indexed(project, aside)
        self._near = NearTask(project, aside)
        self._remembered = Remembered(_FOREMOST, self._near.hear)
        self._worded: dict[str, tuple[tuple[object, ...], Candidate]] = {}
        self._ranked: tuple[int, list[Anchor], list[Data]] = (-1, [], [])
        self._shortlist: tuple[object, list[Entry], list[Data]] = ((), [], [])
        self._weighed = Weighed(self._sources)
        self._work = WorkSeen()
        self._filled: dict[str, tuple[object, Data]] = {}

    def close(self) -> None:
        self._indexed.close()

    def tell(
        self, ground: Ground, name: str, *, session: str = "", role: str = "", budget: int | None = None, about: str = ""
    ) -> dict[str, Any]:
        """``about``: what is talked of, where no task says what is worked on."""
        if name not in BLOCKS:
            raise BadInput(f"{name!r} is no block", why="there is no template for it", instead=f"choose from {', '.join(BLOCKS)}")
        if budget is not None and budget < 0:
            raise BadInput(f"a budget of {budget}", why="no text is shorter than none", instead="give 0 or more characters")
        config = ground.project.config
        chars = getattr(config.context, name) if budget is None else budget
        setting = self._setting(ground, name, config.language, session, role, about)
        frame = block(name, setting.language)
        found = [*frame.own, *(one for section in sorted(frame.sections) for one in gathered(section, setting))]
        made = self._fill(name, found, chars, frame.layout)
        return {
            **made,
            "selected": [*made["selected"]],
            "dropped": [*made["dropped"], *_dropped_data(setting.dropped), *setting.unseen],
        }

    def judging(self, ground: Ground) -> Ground:
        """The same ground for decisions, which need not read the plans again that are known here."""
        work = Work(ground.project, ground.brain, datetime.fromisoformat(ground.now))
        return replace(ground, tasks=TaskGraph(work, lambda: self._remembered.looked_at(ground.brain).board(ground.brain)))

    def _fill(self, name: str, found: list[Candidate], chars: int, layout: Layout) -> Data:
        """The same candidates make the same text."""
        before = self._filled.get(name)
        if before is None or before[0] != (found, chars, layout):
            before = self._filled[name] = (found, chars, layout), _selection_data(fill(found, Budget(chars), layout), chars)
        return before[1]

    def _setting(self, ground: Ground, name: str, language: str, session: str, role: str, about: str) -> Setting:
        brain = ground.brain
        self._sources.look_again()
        known = self._remembered.looked_at(brain)
        index = self._indexed.mark()
        if len(self._worded) > _WORDED:
            self._worded.clear()
        if self._ranked[0] != known.known:
            ranked = sorted(known.anchors(brain), key=_weightiest, reverse=True)
            self._ranked = known.known, ranked, _unseen(ANCHOR, ranked)
        listed = self._anchors(brain, known.board(brain), self._ranked[1])
        known = self._remembered.looked_at(brain)  # what was seen to be stale was written down
        work = self._work.at_work(brain, known, ground.rules.delegation, session)
        near: Mapping[str, Score] = {}
        depths: Mapping[str, int] = {}
        files: Sequence[Candidate] = ()
        if work.task and name in (COMPACTION, SYSTEM):
            near = self._near.entries(brain, work.task, known.known)
            depths = self._near.depths(work.task, [one for one, _ in listed], index)
            files = self._near.files(work.task, index)
        elif about and name == SYSTEM:
            files = self._near.files_about(about, index)
        if self._shortlist[0] != (known.known, near):
            chosen, others = _foremost(known.entries(brain, near), near)
            self._shortlist = (known.known, near), chosen, _unseen(ENTRY, others)
        entries = self._shortlist[1]
        called = role or (work.session.role if work.session else "")
        return Setting(
            name,
            brain.now,
            (work.session.language if work.session else "") or language,
            self._indexed.summary(index),
            listed,
            self._weighed.entries(brain, entries),
            work,
            session,
            ground.rules.roles.named(called) if called else None,
            depths,
            near,
            files,
            unseen=[*self._ranked[2][len(listed) :], *self._shortlist[2]],
            worded=self._worded,
        )

    def _anchors(self, brain: Brain, board: Board, ranked: Sequence[Anchor]) -> list[tuple[Anchor, str]]:
        """The weightiest, as many as may be told; at the sources of the rest nobody looks."""
        found: list[tuple[Anchor, str]] = []
        told = 0
        for at in range(0, len(ranked), _ANCHORS):
            looked_at = self._weighed.anchors(brain, board, ranked[at : at + _ANCHORS])
            found += looked_at
            told += sum(not kept_back(one, one.stale_since) for one, _ in looked_at)
            if told >= _ANCHORS:
                break
        return found


def _weightiest(one: Anchor) -> tuple[int, str, str]:
    return WEIGHTS[one.priority], max(one.modified_at, one.validated_at), one.id


def _foremost(entries: Sequence[Entry], near: Mapping[str, Score]) -> tuple[list[Entry], list[Entry]]:
    """Those that may be told by what was stated of them, not too many of a kind; and the rest, at whose sources nobody looks."""
    ranked = sorted(entries, key=lambda one: (-stated_worth(one, one.confidence, near.get(one.id)), one.id))
    chosen: list[Entry] = []
    others: list[Entry] = []
    groups: Counter[str] = Counter()
    for one in ranked:
        groups[group_of(one)] += 1
        fits = len(chosen) < _ENTRIES and groups[group_of(one)] <= _OF_A_GROUP
        (chosen if fits else others).append(one)
    return chosen, others


def _unseen(kind: str, those: Iterable[Anchor | Entry]) -> list[Data]:
    return _dropped_data(
        Dropped(kind, one.id, "no room left", one.content if isinstance(one, Anchor) else one.title) for one in those
    )


def _selection_data(made: Selection, chars: int) -> Data:
    return {
        "text": made.text,
        "chars": made.chars,
        "tokens": made.tokens,
        "budget": chars,
        "selected": [
            {
                "id": one.id,
                "kind": one.kind,
                "score": round(one.score.value, 2),
                "reasons": list(one.score.reasons),
                "title": _headline(one.text),
            }
            for one in made.chosen
        ],
        "dropped": _dropped_data(made.dropped),
    }


def _dropped_data(those: Iterable[Dropped]) -> list[Data]:
    return [{"id": one.id, "kind": one.kind, "reason": one.reason, "title": _headline(one.title)} for one in those]


@lru_cache(8_192)
def _headline(text: str) -> str:
    """How it begins, short enough for a row."""
    return text[:_TITLE].partition("\n")[0].removeprefix(MARK).strip()
