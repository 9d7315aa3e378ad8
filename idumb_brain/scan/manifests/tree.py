"""The files of a project as readers of manifests see them. Refuses to leave the root, and to fail: what is wrong is noted."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from posixpath import basename, dirname, join, normpath
from typing import Any

from idumb_brain.model.code import Problem
from idumb_brain.store.secrets import redacted, without_secrets

_MOST = 64_000_000  # bytes of a lock file; none that a tool wrote is larger


class Tree:
    """Serves ``scan.resolve`` as its ``ProjectView``, too."""

    def __init__(self, root: Path, files: Iterable[str]) -> None:
        self._root = root
        self._real = os.path.realpath(root)
        self.files = tuple(sorted(set(files)))
        self._known = frozenset(self.files)
        self._by_name: dict[str, list[str]] = {}
        for path in self.files:
            self._by_name.setdefault(basename(path), []).append(path)
        self._texts: dict[str, str] = {}
        self.problems: list[Problem] = []

    def __contains__(self, path: object) -> bool:
        return path in self._known

    def named(self, *filenames: str) -> Sequence[str]:
        """All files with one of these base names: name by name, each sorted by path."""
        return [path for name in filenames for path in self._by_name.get(name, ())]

    def with_suffix(self, suffix: str) -> Sequence[str]:
        return [path for name, paths in sorted(self._by_name.items()) if name.endswith(suffix) for path in paths]

    def names(self) -> Iterable[str]:
        """Every base name there is."""
        return self._by_name

    def folder_exists(self, folder: str) -> bool:
        return any(path.startswith(folder + "/") for path in self.files)

    def files_in(self, folder: str) -> Sequence[str]:
        return [path for path in self.files if dirname(path) == folder]

    def outside(self, path: str) -> bool:
        return path not in self._known and self._on_disk(path)

    def has(self, path: str) -> bool:
        """Known to the index, or on disk though the index leaves it out, as it does with huge and generated files."""
        return path in self._known or self._on_disk(path)

    def text(self, path: str) -> str:
        """A file's text, "" where it cannot be had. Kept, as several readers may ask for the same."""
        known = self._texts.get(path)
        if known is None:
            known = self._texts[path] = self._read(path)
        return known

    def json(self, path: str) -> dict[str, Any]:
        """The object a JSON file holds; nothing, and a problem, where it holds none."""
        try:
            stated = json.loads(self.text(path))
        except (ValueError, RecursionError) as error:
            self.wrong(path, f"not JSON: {error}")
            return {}
        if not isinstance(stated, dict):
            self.wrong(path, "not a JSON object")
            return {}
        return stated

    def nearest(self, folder: str, *filenames: str) -> str:
        """The first of these files in the folder or in one above, nearest first; "" when there is none."""
        for above in upwards(folder):
            for name in filenames:
                if self.has(path := join(above, name)):
                    return path
        return ""

    def wrong(self, path: str, message: str, line: int = 0) -> None:
        self.problems.append(Problem(path, line, message))

    def _on_disk(self, path: str) -> bool:
        full = os.path.join(self._root, path)
        return os.path.isfile(full) and os.path.realpath(full).startswith(self._real + os.sep)

    def _read(self, path: str) -> str:
        full = os.path.join(self._root, path)
        try:
            if not self._on_disk(path):
                return ""
            with open(full, "rb") as file:
                raw = file.read(_MOST + 1)
        except (OSError, ValueError) as error:
            self.wrong(path, f"cannot be read: {getattr(error, 'strerror', '') or error}")
            return ""
        return self._decoded(path, raw)

    def _decoded(self, path: str, raw: bytes) -> str:
        if len(raw) > _MOST:
            self.wrong(path, f"not read: larger than {_MOST:,} bytes")
            return ""
        if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):  # Windows tools write these
            return redacted(raw.decode("utf-16", "replace"))
        raw = without_secrets(raw)
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            return raw.decode("latin-1")


def upwards(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


def beside(path: str, place: str) -> str:
    """Where a place written in a file leads, relative to the root; what leads out of the root begins with ``..``."""
    return folder_at(dirname(path), place)


def folder_at(folder: str, place: str) -> str:
    found = normpath(join(folder, place.replace("\\", "/")))
    return "" if found == "." else found
