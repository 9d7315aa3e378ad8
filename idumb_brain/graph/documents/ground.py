"""The project as documents see it: which files there are, on the disk too, and which could be there. Never looks outside the root."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from idumb_brain.model.documents import Document
from idumb_brain.scan.ignore import Ignores, Layer

_BUILT = frozenset((
    "dist", "build", "target", "out", "_build", "_site", "node_modules", "coverage", "bin", "obj", ".next", "site", "generated", "vendor",
    "venv", ".venv", "tmp", "temp", "logs", "cache", ".cache", "output", "artifacts", "htmlcov",
))  # fmt: skip


class Ground:
    """All paths of a project, its documents, and the few questions asked about what is not there."""

    def __init__(self, root: Path, paths: Mapping[str, int], documents: Mapping[str, Document]) -> None:
        self.root = root
        self.lines = paths  # path → how many lines it has
        self.documents = documents
        self._seen: dict[str, str] = {}
        self._ignored: dict[str, bool] = {}

    def find(self, path: str) -> str:
        """``file``, ``folder`` or "" for what there is at a path relative to the root."""
        if path in self.lines:
            return "file"
        if path in self.folders or path in ("", "."):
            return "folder"
        if path not in self._seen:
            self._seen[path] = self._on_disk(path)
        return self._seen[path]

    def _on_disk(self, path: str) -> str:
        if path.startswith("..") or "\0" in path:
            return ""
        full = os.path.join(self.root, path)
        try:
            if not os.path.lexists(full):
                return ""
            return "folder" if os.path.isdir(full) else "file"
        except (OSError, ValueError):
            return ""

    def other_case(self, path: str) -> str:
        """The path there is that differs from this one in nothing but case."""
        return self._by_lower.get(path.lower(), "")

    def named(self, name: str) -> tuple[str, ...]:
        return self._by_name.get(name.lower(), ())

    def ending(self, tail: str) -> str:
        """The first path that ends with these folders and this name."""
        name = tail[tail.rfind("/") + 1 :]
        return next((path for path in self.named(name) if path == tail or path.endswith("/" + tail)), "")

    def could_be_made(self, path: str) -> bool:
        """Is a path that does not exist one that a build makes, a checkout brings or nobody commits?"""
        if path not in self._ignored:
            parts = path.split("/")
            self._ignored[path] = (
                any(part.lower() in _BUILT for part in parts[:-1])
                or parts[-1].lower() in _BUILT
                or any(path == module or path.startswith(module + "/") for module in self._submodules)
                or self._covered(parts)
            )
        return self._ignored[path]

    def _covered(self, parts: list[str]) -> bool:
        """Would an ignore file of the project cover it?"""
        ignores = Ignores()
        for depth, part in enumerate(parts):
            prefix = "".join(f"{folder}/" for folder in parts[:depth])
            file = self.root / prefix / ".gitignore"
            if file.is_file():
                ignores = ignores.over([Layer(file, skip=len(prefix))])
            last = depth == len(parts) - 1
            if ignores.ignored(prefix + part, part, True) or (last and ignores.ignored(prefix + part, part, False)):
                return True
        return False

    @cached_property
    def folders(self) -> frozenset[str]:
        found: set[str] = set()
        for path in self.lines:
            folder = posixpath.dirname(path)
            while folder and folder not in found:
                found.add(folder)
                folder = posixpath.dirname(folder)
        return frozenset(found)

    @cached_property
    def _by_lower(self) -> dict[str, str]:
        return {path.lower(): path for path in sorted((*self.lines, *self.folders), reverse=True)}

    @cached_property
    def _by_name(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for path in sorted((*self.lines, *self.folders)):
            found.setdefault(path[path.rfind("/") + 1 :].lower(), []).append(path)
        return {name: tuple(paths) for name, paths in found.items()}

    @cached_property
    def _submodules(self) -> tuple[str, ...]:
        return tuple(re.findall(r"^\s*path\s*=\s*(\S+)\s*$", self.text(".gitmodules"), re.MULTILINE))

    def text(self, path: str) -> str:
        if self.find(path) != "file" or (self.root / path).is_symlink():
            return ""
        try:
            return (self.root / path).read_bytes()[:4_000_000].decode("utf-8", "replace")
        except OSError:
            return ""


def folders_above(path: str) -> list[str]:
    """The folder of a path and all above it, nearest first; "" is the root."""
    found = []
    while path:
        path = posixpath.dirname(path)
        found.append(path)
    return found
