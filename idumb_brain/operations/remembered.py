"""What a long-lived caller keeps of a brain between two questions, and how it notices what changed. Decides nothing.

Everything authored leaves a line in the record of changes, whichever process wrote it: what has one since is read again. Steps of
tasks, sessions and the like leave none; of them it is only known that something was written at all.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter

from idumb_brain.graph import tasks as graph
from idumb_brain.graph.tasks import Board
from idumb_brain.model.knowledge import Anchor, Change, Entry
from idumb_brain.model.selection import ANCHOR, ENTRY, PLAN, TASK
from idumb_brain.model.work import Plan, Task
from idumb_brain.operations.work import boarded
from idumb_brain.store import anchors, audit, knowledge
from idumb_brain.store import work as store
from idumb_brain.store.brain import Brain
from idumb_brain.store.database import Connection, others_wrote

_RECORDED = 1_000  # changes that are recent
_NAMED = 2_000  # entries kept besides the foremost


class Remembered:
    """Plans and tasks, anchors, the foremost entries and the last changes, as they are now: ask ``looked_at`` before each use."""

    """``hear`` is told of every change, and of nothing where anything may have changed."""

    def __init__(self, entries: int, hear: Callable[[Sequence[Change] | None], None] = lambda news: None) -> None:
        self._most = entries
        self._hear = hear
        self._connection: Connection | None = None
        self._number = -1
        self._board: Board | None = None
        self._broken: list[Task] | None = None
        self._anchors: list[Anchor] | None = None
        self._entries: dict[str, Entry] | None = None
        self._named: dict[str, Entry | None] = {}
        self._recent: list[tuple[int, Change]] | None = None
        self.known = 0  # changes whenever knowledge does
        self.written = (-1, -1)  # changes whenever anything does

    def looked_at(self, brain: Brain) -> Remembered:
        """The same, with what changed since forgotten."""
        written = (others_wrote(brain.connection), brain.connection.total_changes)
        if brain.connection is self._connection and written == self.written:
            return self
        self.written = written
        number = audit.last_number(brain)
        if brain.connection is not self._connection or number < self._number:
            self._connection = brain.connection
            self._board = self._broken = self._anchors = self._entries = self._recent = None
            self._named = {}
            self.known += 1
            self._hear(None)
        elif number > self._number:
            news = audit.numbered_since(brain, self._number)
            self._forget(brain, news)
            self._hear([change for _, change in news])
        self._number = number
        return self

    def board(self, brain: Brain) -> Board:
        if self._board is None:
            self._board, self._broken = boarded(brain), None
        return self._board

    def broken(self, brain: Brain) -> list[Task]:
        """Open tasks that wait for what will never be."""
        if self._broken is None:
            self._broken = list({task.id: task for task, _, _ in graph.chain_breaks(self.board(brain))}.values())
        return self._broken

    def anchors(self, brain: Brain) -> list[Anchor]:
        if self._anchors is None:
            self._anchors = anchors.anchors(brain)
        return self._anchors

    def entries(self, brain: Brain, more: Iterable[str] = ()) -> list[Entry]:
        """Those of which most was stated, and more by their ids."""
        if self._entries is None:
            self._entries = {one.id: one for one in knowledge.foremost(brain, self._most)}
        wanted = [id for id in more if id not in self._entries]
        return [*self._entries.values(), *(one for one in self.named(brain, wanted) if one)]

    def named(self, brain: Brain, ids: Iterable[str]) -> list[Entry | None]:
        """By their ids, whatever became of them."""
        wanted = list(ids)
        if unread := [id for id in wanted if id not in self._named]:
            if len(self._named) > _NAMED:
                self._named, unread = {}, wanted
            read = {one.id: one for one in knowledge.entries_of(brain, unread)}
            self._named |= {id: read.get(id) for id in unread}
        return [self._named[id] for id in wanted]

    def recent(self, brain: Brain) -> Iterator[Change]:
        """The last changes, the newest first; without what was different before."""
        if self._recent is None:
            self._recent = audit.numbered_since(brain, self._number - _RECORDED)
        return (change for _, change in reversed(self._recent))

    def _forget(self, brain: Brain, news: list[tuple[int, Change]]) -> None:
        if self._recent is not None:
            self._recent += news
            del self._recent[: bisect_right(self._recent, news[-1][0] - _RECORDED, key=itemgetter(0))]
        changed = {kind: [one.id for _, one in news if one.kind == kind] for kind in {one.kind for _, one in news}}
        if ANCHOR in changed:
            self._anchors = None
        if any(one.kind == ENTRY and one.action == "erase" for _, one in news):
            self._entries, self._named = None, {}  # what was part of it is part of something else now, and nothing tells so
        elif ENTRY in changed:
            self._read_again(brain, dict.fromkeys(changed[ENTRY]))
        self.known += ANCHOR in changed or ENTRY in changed
        if self._board is None:
            return
        if changed.keys() & {PLAN, TASK} or (ENTRY in changed and any(task.decisions for task in self._board.tasks.values())):
            self._broken = None
            self._board = replace(
                self._board,
                plans=_renewed(brain, Plan, self._board.plans, changed.get(PLAN, [])),
                tasks=_renewed(brain, Task, self._board.tasks, changed.get(TASK, [])),
            )

    def _read_again(self, brain: Brain, ids: Iterable[str]) -> None:
        """Entries that changed. The foremost are asked for anew only where one of them fell back, as another may come before it now."""
        read = {one.id: one for one in knowledge.entries_of(brain, list(ids))}
        for id in ids:
            self._named.pop(id, None)
            if self._entries is None:
                continue
            before, after = self._entries.get(id), read.get(id)
            current = after is not None and not after.purged_at and not after.superseded_by
            if before and not (after and current and _place(after) <= _place(before)):
                self._entries = None
            elif after and current:
                self._entries[id] = after
                if len(self._entries) > self._most:
                    del self._entries[max(self._entries.values(), key=_place).id]


def _place(one: Entry) -> tuple[bool, int, tuple[int, ...], str]:
    """Among the foremost, as the store tells them."""
    return not one.pinned, -one.confidence, tuple(-ord(sign) for sign in max(one.modified_at, one.validated_at)), one.id


def _renewed(
    brain: Brain, kind: type[store.Value], values: Mapping[str, store.Value], ids: list[str]
) -> Mapping[str, store.Value]:
    """The same with those read again. What is new comes last, as it does in the brain."""
    if not ids:
        return values
    read = {id: found for id in dict.fromkeys(ids) if (found := store.at(brain, kind, id))}
    return {**values, **read}
