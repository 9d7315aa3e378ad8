"""What a long-lived caller keeps of a brain between two questions, and how it notices what changed. Decides nothing.

Everything authored leaves a line in the record of changes, whichever process wrote it: what has one since is read again. Steps of
tasks, sessions and the like leave none; they are not kept here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from idumb_brain.graph.tasks import Board
from idumb_brain.model.knowledge import Anchor, Entry
from idumb_brain.model.selection import ANCHOR, ENTRY, PLAN, TASK
from idumb_brain.model.work import Plan, Task
from idumb_brain.operations.at_work import broken_chains
from idumb_brain.operations.work import boarded
from idumb_brain.store import anchors, audit, knowledge
from idumb_brain.store import work as store
from idumb_brain.store.brain import Brain
from idumb_brain.store.database import Connection


class Remembered:
    """Plans and tasks, anchors, and the foremost entries, as they are now: ask ``looked_at`` before each use."""

    def __init__(self, entries: int) -> None:
        self._most = entries
        self._connection: Connection | None = None
        self._number = -1
        self._board: Board | None = None
        self._broken: list[Task] | None = None
        self._anchors: list[Anchor] | None = None
        self._entries: dict[str, Entry] | None = None
        self._named: dict[str, Entry] = {}
        self.known = 0  # changes whenever knowledge does

    def looked_at(self, brain: Brain) -> Remembered:
        """The same, with what changed since forgotten."""
        number = audit.last_number(brain)
        if brain.connection is not self._connection or number < self._number:
            self._connection = brain.connection
            self._board = self._broken = self._anchors = self._entries = None
            self.known += 1
        elif number > self._number:
            self._forget(brain, audit.changed_since(brain, self._number))
        self._number = number
        return self

    def board(self, brain: Brain) -> Board:
        if self._board is None:
            self._board, self._broken = boarded(brain), None
        return self._board

    def broken(self, brain: Brain) -> list[Task]:
        """Open tasks that wait for what will never be."""
        if self._broken is None:
            self._broken = broken_chains(self.board(brain))
        return self._broken

    def anchors(self, brain: Brain) -> list[Anchor]:
        if self._anchors is None:
            self._anchors = anchors.anchors(brain)
        return self._anchors

    def entries(self, brain: Brain, more: Iterable[str] = ()) -> list[Entry]:
        """Those of which most was stated, and more by their ids."""
        if self._entries is None:
            self._entries = {one.id: one for one in knowledge.foremost(brain, self._most)}
            self._named = {}
        wanted = [id for id in more if id not in self._entries]
        if unread := [id for id in wanted if id not in self._named]:
            self._named |= {one.id: one for one in knowledge.entries_of(brain, unread)}
        return [*self._entries.values(), *(self._named[id] for id in wanted if id in self._named)]

    def _forget(self, brain: Brain, changed: list[tuple[str, str]]) -> None:
        kinds = {kind for kind, _ in changed}
        if ANCHOR in kinds:
            self._anchors = None
        if ENTRY in kinds:
            self._entries = None
        self.known += bool(kinds & {ANCHOR, ENTRY})
        if self._board is None:
            return
        if kinds & {PLAN, TASK} or (ENTRY in kinds and any(task.decisions for task in self._board.tasks.values())):
            self._broken = None
        self._board = replace(
            self._board,
            plans=_renewed(brain, Plan, self._board.plans, [id for kind, id in changed if kind == PLAN]),
            tasks=_renewed(brain, Task, self._board.tasks, [id for kind, id in changed if kind == TASK]),
        )


def _renewed(
    brain: Brain, kind: type[store.Value], values: Mapping[str, store.Value], ids: list[str]
) -> Mapping[str, store.Value]:
    """The same with those read again. What is new comes last, as it does in the brain."""
    if not ids:
        return values
    read = {id: found for id in dict.fromkeys(ids) if (found := store.at(brain, kind, id))}
    return {**values, **read}
