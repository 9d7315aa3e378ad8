"""The folders of a project as a tree: what each is for, how much of what language lies in it. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from idumb_brain.model.code import FileRecord
from idumb_brain.model.roles import ASSET, SETTING, SOURCE, role_of


@dataclass(slots=True)
class Folder:
    path: str
    files: int = 0
    lines: int = 0
    size: int = 0
    languages: dict[str, tuple[int, int, int]] = field(default_factory=dict)  # files, lines, bytes
    roles: Counter[str] = field(default_factory=Counter)
    children: dict[str, Folder] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)  # of the files directly in it

    @property
    def role(self) -> str:
        """What most of it is; source that lies among its tests is source, and a folder without files nothing in particular."""
        if self.roles[SOURCE] * 12 >= self.roles.total() > 0:
            return SOURCE
        return min(self.roles, key=lambda role: (-self.roles[role], role), default="")


def folder_tree(files: Iterable[FileRecord]) -> Folder:
    """Everything below the root; what was skipped is counted as files, but has no lines."""
    root = Folder("")
    for file in files:
        role = role_of(file.path)
        parts = file.path.split("/")
        folder = root
        _count(folder, file, role)
        for depth, name in enumerate(parts[:-1], 1):
            folder = folder.children.setdefault(name, Folder("/".join(parts[:depth])))
            _count(folder, file, role)
        folder.names.append(parts[-1])
    return root


def _count(folder: Folder, file: FileRecord, role: str) -> None:
    folder.files += 1
    folder.lines += file.lines
    folder.size += file.size
    # Translations and settings may well outnumber the lines they serve.
    folder.roles[role] += 1 if role in (ASSET, SETTING) else max(1, file.lines)
    if file.language and file.status != "skipped":
        files, lines, size = folder.languages.get(file.language, (0, 0, 0))
        folder.languages[file.language] = (files + 1, lines + file.lines, size + file.size)
