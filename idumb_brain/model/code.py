"""What a scan knows about a file, as frozen values. Refuses to know where the facts come from or are kept.

The scanner and the store exchange the same facts as plain tuples (``SymbolRow`` …), because a scan makes
hundreds of thousands of them; everybody above the store sees the dataclasses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

# ordinal of the parent or -1, name, qualified name, kind, line, end line, signature, exported, doc summary
SymbolRow = tuple[int, str, str, str, int, int, str, int, str]
# ordinal of the owning symbol or -1, type, line, end line, text
CommentRow = tuple[int, str, int, int, str]
# kind, specifier, line, bindings as "imported local" pairs joined by newlines
ImportRow = tuple[str, str, int, str]
# ordinal of the using symbol or -1, kind, line, name as written ("a.b.c"; a leading "." is a member of something unnamed)
ReferenceRow = tuple[int, str, int, str]
# line, message
ProblemRow = tuple[int, str]

SCANNED = "scanned"
SKIPPED = "skipped"
PLAIN = "plain"  # a text file of no known language: counted and hashed, nothing more

TODO_TYPES = ("todo", "fixme", "hack", "xxx", "bug", "note")


class FileFacts(NamedTuple):
    """All that one file says by itself, ready to be stored. Resolution against other files comes later."""

    status: str
    reason: str
    hash: str
    size: int
    mtime_ns: int
    inode: int
    lines: int
    language: str
    package: str
    symbols: list[SymbolRow]
    comments: list[CommentRow]
    imports: list[ImportRow]
    uses: str  # the references in one text: a scan makes far more of them than of all other rows
    problems: list[ProblemRow]
    keys: list[str]
    mentions: str  # identifiers as written, for exact look-ups
    document: str = ""  # what it says as a document: see model/documents.py

    @property
    def references(self) -> Sequence[ReferenceRow]:
        return unpacked(self.uses)


def packed(references: Iterable[ReferenceRow]) -> str:
    """References as they are handed on and kept, until somebody asks for one."""
    return "\n".join([f"{owner}\t{kind}\t{line}\t{name}" for owner, kind, line, name in references])


@lru_cache(maxsize=1)  # whoever asks, asks for those of one file several times
def unpacked(uses: str) -> Sequence[ReferenceRow]:
    rows = (row.split("\t", 3) for row in uses.split("\n")) if uses else ()
    return tuple([(int(owner), kind, int(line), name) for owner, kind, line, name in rows])


class Binding(NamedTuple):
    """A name an import brings in: ``from a import b as c`` binds b to c; ``*`` stands for the module itself."""

    imported: str
    local: str


@dataclass(frozen=True, slots=True)
class Symbol:
    file: str
    ordinal: int
    parent: int
    name: str
    qualified_name: str
    kind: str
    line: int
    end_line: int
    signature: str
    exported: bool
    doc: str


@dataclass(frozen=True, slots=True)
class Comment:
    file: str
    type: str
    line: int
    end_line: int
    content: str
    owner: str  # qualified name of the symbol it belongs to, or ""


@dataclass(frozen=True, slots=True)
class Import:
    """One import as written, and what became of it: a file, an external package, or a reason why neither."""

    file: str
    ordinal: int
    kind: str
    text: str
    line: int
    bindings: tuple[Binding, ...]
    targets: tuple[str, ...]
    external: str
    reason: str


@dataclass(frozen=True, slots=True)
class Reference:
    file: str
    owner: int
    kind: str
    line: int
    name: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A dependency of one project file on another. ``kind`` says how we know."""

    source: str
    target: str
    line: int
    kind: str


@dataclass(frozen=True, slots=True)
class Problem:
    file: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class FileRecord:
    id: int
    path: str
    status: str
    reason: str
    hash: str
    size: int
    mtime_ns: int
    lines: int
    language: str
    package: str
    scanned_at: str


@dataclass(frozen=True, slots=True)
class ScanReport:
    """What one scan saw and did. Costs nothing to make, however large the tree."""

    mode: str  # full, incremental
    seen: int
    unchanged: int
    scanned: tuple[str, ...]  # files whose facts are new
    removed: tuple[str, ...]
    skipped: int  # files seen and not read, or read and not kept
    duration_ms: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Totals:
    """What the whole index holds."""

    skipped: tuple[tuple[str, str], ...]  # path, reason
    problems: tuple[Problem, ...]
    languages: dict[str, tuple[int, int, int]]  # files, lines, bytes
    symbols: int
    comments: int
    resolved: int
    external: int
    unresolved: int
