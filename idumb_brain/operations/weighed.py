"""What entries and anchors are worth now, kept as long as neither the clock nor what they rest on changes it. Chooses nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from idumb_brain.graph.tasks import Board, ended_at
from idumb_brain.model.knowledge import Anchor, Entry, Evidence
from idumb_brain.operations.anchors import as_of_now
from idumb_brain.operations.evidence import Sources
from idumb_brain.select.worth import Standing, stale_until, standing, stands_until
from idumb_brain.store.brain import Brain

Stale = tuple[Anchor, str]  # with why it is
_MOST = 4_000  # of each kind that are kept


@dataclass(frozen=True, slots=True)
class _Weighed:
    entry: Entry
    files: tuple[tuple[str, str], ...]  # with what was in them
    since: str
    until: str
    worth: Standing


@dataclass(frozen=True, slots=True)
class _Looked:
    anchor: Anchor
    file: str  # what was in it
    task: str  # when it came to its end
    since: str
    until: str
    told: Stale


class Weighed:
    """The same as who weighs anew would say. ``sources`` are looked at again by whoever asks, once a question."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._entries: dict[str, _Weighed] = {}
        self._anchors: dict[str, _Looked] = {}

    def entries(self, brain: Brain, entries: Iterable[Entry]) -> list[tuple[Entry, Standing]]:
        return [(one, self._entry(brain, one)) for one in entries]

    def anchors(self, brain: Brain, board: Board, anchors: Sequence[Anchor]) -> list[Stale]:
        ended = {one.id: _end_of(one.task, board) for one in anchors}
        unknown = [one for one in anchors if not self._is_known(one, ended[one.id], brain.now)]
        if not unknown:
            return [self._anchors[one.id].told for one in anchors]
        fresh = {one.id: (one, why) for one, why in as_of_now(brain, self._sources, unknown)}
        found = [fresh[one.id] if one.id in fresh else self._anchors[one.id].told for one in anchors]
        if len(self._anchors) > _MOST:
            self._anchors.clear()
        for one in unknown:
            after, why = fresh[one.id]
            if after == one:  # else it was changed, and will be read again
                state = self._sources.state(Evidence(one.file, hash=one.hash))
                until = stale_until(one, brain.now, one.stale_since, state)
                told = (one, why)
                self._anchors[one.id] = _Looked(one, self._hash(one.file), ended[one.id], brain.now, until, told)
        return found

    def _entry(self, brain: Brain, one: Entry) -> Standing:
        known = self._entries.get(one.id)
        if (
            known
            and known.entry is one
            and known.since <= brain.now < known.until
            and all(self._sources.hash(path) == content for path, content in known.files)
        ):
            return known.worth
        states = self._sources.states([one])
        worth = standing(one, brain.now, states)
        if known and known.entry is one and known.worth == worth:
            worth = known.worth  # the very same: who compares is done at once
        if len(self._entries) > _MOST:
            self._entries.clear()
        files = tuple((path, self._hash(path)) for path in dict.fromkeys(cited.path for cited in one.evidence if cited.path))
        self._entries[one.id] = _Weighed(one, files, brain.now, stands_until(one, brain.now, states), worth)
        return worth

    def _is_known(self, one: Anchor, ended: str, now: str) -> bool:
        known = self._anchors.get(one.id)
        return (
            known is not None
            and known.anchor is one
            and known.since <= now < known.until
            and known.task == ended
            and known.file == self._hash(one.file)
        )

    def _hash(self, path: str) -> str:
        return self._sources.hash(path) if path else ""


def _end_of(task: str, board: Board) -> str:
    found = board.tasks.get(task) if task else None
    return ended_at(found) if found else ""
