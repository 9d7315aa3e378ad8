"""The files of a commit as readers of manifests see them. Asks git for those they open, one by one."""

from __future__ import annotations

from pathlib import Path

from idumb_brain.scan.discover import never_read
from idumb_brain.scan.git import contents_at, paths_at
from idumb_brain.scan.manifests.tree import Tree


class CommittedTree(Tree):
    def __init__(self, root: Path, revision: str) -> None:
        super().__init__(root, [path for path in paths_at(root, revision) if not never_read(path)])
        self._revision = revision

    def _on_disk(self, path: str) -> bool:
        return False  # what a commit has is all listed

    def _read(self, path: str) -> str:
        for _, _, content in contents_at(self._root, [(self._revision, path)]):
            return self._decoded(path, content)
        return ""
