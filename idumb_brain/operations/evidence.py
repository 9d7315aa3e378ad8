"""What knowledge rests on: places in files and commits, checked when they are cited and looked at again when they are read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import sha1
from pathlib import Path
from stat import S_ISREG

from idumb_brain.model.errors import BadInput, BrainError, NotScanned
from idumb_brain.model.knowledge import Entry, Evidence
from idumb_brain.operations.project import Project, relative_path
from idumb_brain.scan.git import ask
from idumb_brain.select.worth import CHANGED, GONE, MOVED, SAME
from idumb_brain.store import code as index

_PLACE = re.compile(r"(.+?):(\d{1,9})(?:-(\d{1,9}))?$")
_COMMIT = re.compile(r"[0-9a-f]{4,64}$|(?:HEAD|[\w./-]+)(?:[~^]\d*)*$", re.IGNORECASE)
_MOST_BYTES = 50_000_000


class Sources:
    """The files of a project as they are now. Each is looked at once a question; who asks more often says when the next begins."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._root = project.root.resolve()
        self._top = str(self._root)
        self._indexed: dict[str, tuple[str, int, int]] | None = None
        self._hashes: dict[str, str] = {}
        self._before: dict[str, tuple[tuple[int, int], str]] = {}  # of an earlier question: size and time, hash
        self._states: dict[Evidence, tuple[str, str]] = {}  # what was in the file then, and what became of the place
        self._passages: dict[tuple[str, int], dict[str, list[int]]] = {}

    def look_again(self) -> None:
        """The next question begins: what was looked at may have changed."""
        for seen in (self._hashes, self._passages):
            seen.clear()

    def cited(self, written: str) -> Evidence:
        """``PATH``, ``PATH:LINE``, ``PATH:FIRST-LAST`` or a commit, with the hashes of what is there."""
        found = _PLACE.match(written)
        path = relative_path(self._project, written)
        if found and not self._exists(path):
            path = relative_path(self._project, found[1])
            if self._exists(path):
                return self._at(path, int(found[2]), int(found[3] or found[2]))
        elif self._exists(path):
            return self._at(path, 0, 0)
        if _COMMIT.match(written) and not written.startswith("-"):
            commit = ask(self._project.root, "rev-parse", "--verify", "--quiet", f"{written}^{{commit}}").strip()
            if commit:
                return Evidence(commit=commit)
        raise BadInput(
            f"{written[:200]!r} cannot be evidence",
            why="it is neither a file of this project nor a commit",
            instead="cite PATH, PATH:LINE, PATH:FIRST-LAST or a commit; paths are relative to the project",
        )

    def states(self, entries: Iterable[Entry]) -> dict[Evidence, str]:
        """What became of all they cite."""
        return {one: self.state(one) for entry in entries for one in entry.evidence if one.path}

    def state(self, one: Evidence) -> str:
        if not one.path or not one.hash:
            return SAME
        now = self.hash(one.path)
        if now == one.hash:
            return SAME
        if not now:
            return GONE
        before = self._states.get(one)
        if before is None or before[0] != now:
            before = self._states[one] = now, MOVED if self._found_again(one) else CHANGED
        return before[1]

    def renewed(self, one: Evidence) -> Evidence | None:
        """The same place as it is now; None where the file is gone."""
        if not one.path:
            return one
        if not self.hash(one.path):
            return None
        lines = _lines(self._read(one.path))
        at = self._found_again(one) or one.line
        last = min(at + one.end_line - one.line, len(lines))
        at = min(at, last)
        return replace(one, line=at, end_line=last, hash=self.hash(one.path), passage=_passage(lines, at, last))

    def hash(self, path: str) -> str:
        """Of a file's content; "" where there is none. From the index where the file is still the one that was indexed."""
        if path not in self._hashes:
            self._hashes[path] = self._hash(path)
        return self._hashes[path]

    def _hash(self, path: str) -> str:
        before = self._before.get(path)
        if not before and (os.path.isabs(path) or os.path.normpath(path).startswith("..")):
            return ""  # what came in from elsewhere may name anything; only files of the project are looked at
        full = f"{self._top}/{path}"
        try:
            told = os.stat(full)
            seen = (told.st_size, told.st_mtime_ns)
            if before and before[0] == seen:
                return before[1]
            known = self._known().get(path)
            if known and known[0] and known[1:] == seen:
                found = known[0]
            elif not S_ISREG(told.st_mode) or told.st_size > _MOST_BYTES:
                return ""
            else:
                found = sha1(Path(full).read_bytes(), usedforsecurity=False).hexdigest()
        except (OSError, ValueError):
            return ""
        self._before[path] = (seen, found)
        return found

    def _known(self) -> Mapping[str, tuple[str, int, int]]:
        if self._indexed is None:
            try:
                with self._project.reading() as connection:
                    self._indexed = {one.path: (one.hash, one.size, one.mtime_ns) for one in index.files(connection)}
            except (NotScanned, BrainError):
                self._indexed = {}  # an index may be missing or broken; the files themselves can be read
        return self._indexed

    def _exists(self, path: str) -> bool:
        try:
            full = (self._root / path).resolve()
            return full.is_relative_to(self._root) and full.is_file() and not os.path.isabs(path)
        except (OSError, ValueError):
            return False

    def _at(self, path: str, line: int, end_line: int) -> Evidence:
        content = self._read(path)
        try:
            path.encode("utf-8")
        except UnicodeEncodeError as error:
            raise BadInput(f"{path!a} cannot be evidence", why="its name is not UTF-8", instead="rename the file") from error
        lines = _lines(content)
        if line and not (1 <= line <= end_line <= len(lines)):
            raise BadInput(
                f"{path}:{line}{f'-{end_line}' if end_line != line else ''} cannot be evidence",
                why=f"{path} has {len(lines):,} lines",
                instead="cite lines that are there",
            )
        digest = sha1(content, usedforsecurity=False).hexdigest()
        return Evidence(path, line, end_line, "", digest, _passage(lines, line, end_line))

    def _read(self, path: str) -> bytes:
        full = self._root / path
        try:
            if full.stat().st_size > _MOST_BYTES:
                raise BadInput(f"{path} cannot be evidence", why="it is too large to be read", instead="cite a smaller file")
            return full.read_bytes()
        except OSError as error:
            raise BadInput(f"{path} cannot be evidence", why=str(error.strerror), instead="make it readable") from error

    def _found_again(self, one: Evidence) -> int:
        """The line where the cited ones stand now, verbatim; the nearest to where they stood. 0: nowhere."""
        if not one.passage:
            return 0
        starts = self._passages_of(one.path, one.end_line - one.line).get(one.passage, ())
        return min(starts, key=lambda start: abs(start - one.line), default=0)

    def _passages_of(self, path: str, length: int) -> dict[str, list[int]]:
        """passage → the lines where such a one of this length begins: many may cite the same file."""
        if (path, length) not in self._passages:
            found: dict[str, list[int]] = {}
            try:
                lines = _lines(self._read(path))
            except BadInput:
                lines = []
            for start in range(1, len(lines) - length + 1):
                found.setdefault(_passage(lines, start, start + length), []).append(start)
            self._passages[path, length] = found
        return self._passages[path, length]


def _lines(content: bytes) -> list[bytes]:
    return [line.rstrip() for line in content.splitlines()]


def _passage(lines: list[bytes], first: int, last: int) -> str:
    """Hash of these lines; "" where they say nothing that could be found again."""
    cited = b"\n".join(lines[first - 1 : last]) if first else b""
    return sha1(cited, usedforsecurity=False).hexdigest() if cited.strip(b" \t\n{}()[];,") else ""
