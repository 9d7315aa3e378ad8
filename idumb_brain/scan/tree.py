"""The set of scanned files as resolvers see it. Reads configuration files, and no others."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cached_property


class Tree:
    """All paths of a project and the few questions resolvers ask about them."""

    def __init__(self, root: str, paths: Iterable[str]) -> None:
        self.root = root
        self._paths = set(paths)
        self.read: set[str] = set()  # paths whose text somebody asked for

    def __contains__(self, path: object) -> bool:
        return path in self._paths

    def named(self, filename: str) -> Sequence[str]:
        return self._by_name.get(filename, ())

    def with_suffix(self, suffix: str) -> Sequence[str]:
        if suffix.count(".") == 1 and suffix.startswith("."):
            return self._by_suffix.get(suffix, ())
        return [path for path in sorted(self._paths) if path.endswith(suffix)]

    def folder_exists(self, folder: str) -> bool:
        return folder.rstrip("/") in self._folders

    def files_in(self, folder: str) -> Sequence[str]:
        return self._folders.get(folder.rstrip("/"), ())

    def text(self, path: str) -> str:
        self.read.add(path)
        try:
            with open(os.path.join(self.root, path), encoding="utf-8-sig", errors="replace") as file:
                return file.read(4_000_000)
        except OSError:
            return ""

    def outside(self, path: str) -> bool:
        return path not in self._paths and os.path.lexists(os.path.join(self.root, path))

    def changed(self, added: Iterable[str], removed: Iterable[str]) -> None:
        """Keep up with files that came and went, without starting over."""
        for path in added:
            if path in self._paths:
                continue
            self._paths.add(path)
            folder, _, filename = path.rpartition("/")
            if "_by_name" in self.__dict__:
                self._by_name[filename] = sorted([*self._by_name.get(filename, ()), path])
            if "_by_suffix" in self.__dict__:
                suffix = "." + filename.rpartition(".")[2]
                self._by_suffix[suffix] = sorted([*self._by_suffix.get(suffix, ()), path])
            if "_folders" in self.__dict__:
                self._folders[folder] = sorted([*self._folders.get(folder, ()), path])
                while folder:
                    folder = folder.rpartition("/")[0]
                    self._folders.setdefault(folder, [])
        gone = [path for path in removed if path in self._paths]
        if gone:
            self._paths.difference_update(gone)
            for cached in ("_by_name", "_by_suffix", "_folders"):
                self.__dict__.pop(cached, None)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            found.setdefault(path[path.rfind("/") + 1 :], []).append(path)
        return found

    @cached_property
    def _by_suffix(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            found.setdefault("." + path.rpartition(".")[2], []).append(path)
        return found

    @cached_property
    def _folders(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {"": []}
        for path in sorted(self._paths):
            folder = path.rpartition("/")[0]
            found.setdefault(folder, []).append(path)
        for folder in list(found):
            while folder:
                folder = folder.rpartition("/")[0]
                if folder in found:
                    break
                found[folder] = []
        return found
