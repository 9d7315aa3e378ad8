"""Commits and the files they changed, as links. Asks git, which walks the history for it: dear, so only for those who want commits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from idumb_brain.model.entities import Link, Node
from idumb_brain.model.selection import COMMIT
from idumb_brain.scan.git import commits_of_file, files_of_commit

_NEWEST = 20  # commits of a file


class History:
    def __init__(self, root: Path, file: Callable[[str], Node]) -> None:
        self._root = root
        self._file = file

    def down(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """What a commit changed."""
        for node in nodes:
            paths = files_of_commit(self._root, node.id)
            for path in paths if len(paths) <= most else ():
                yield Link(node, "changed", self._file(path), True)

    def up(self, nodes: Sequence[Node], most: int) -> Iterator[Link]:
        """The newest commits that changed a file."""
        for node in nodes:
            for age, (commit, subject) in enumerate(commits_of_file(self._root, node.id, min(most, _NEWEST))):
                yield Link(node, "changed", Node(COMMIT, commit), False, 1 - age / _NEWEST / 2, subject)
