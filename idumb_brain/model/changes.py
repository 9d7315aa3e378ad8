"""What changed between two states of a project, as frozen values. Refuses to know where either state comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from idumb_brain.model.code import ImportRow, SymbolRow

BREAKING, UNCLEAR, COMPATIBLE = "breaking", "unclear", "compatible"
VERDICTS = (BREAKING, UNCLEAR, COMPATIBLE)  # worst first
ADDED, REMOVED, CHANGED, MOVED = "added", "removed", "changed", "moved"


@dataclass(frozen=True, slots=True)
class Rename:
    source: str
    target: str
    similarity: int  # percent


@dataclass(frozen=True, slots=True)
class FileChanges:
    added: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    renamed: tuple[Rename, ...] = ()
    outside: tuple[tuple[str, str], ...] = ()  # (path, what happened) of files that a scan does not read


@dataclass(frozen=True, slots=True)
class FileApi:
    """What one file offers others, at one time."""

    path: str
    language: str
    package: str
    symbols: Sequence[SymbolRow]
    imports: Sequence[ImportRow]
    exposed: frozenset[str] | None = None  # names that others pass on; None: all it exports is meant for everybody


@dataclass(frozen=True, slots=True)
class ApiChange:
    """One change of the public API, what it means for those who use it, and why we think so."""

    file: str
    line: int
    name: str
    kind: str
    change: str  # ADDED, REMOVED, CHANGED, MOVED
    verdict: str  # BREAKING, UNCLEAR, COMPATIBLE
    reason: str
    before: str  # signatures, "" where there is none
    after: str


@dataclass(frozen=True, slots=True)
class DependencyChange:
    ecosystem: str
    name: str
    manifest: str
    line: int
    group: str
    change: str  # ADDED, REMOVED, CHANGED
    before: str  # what was wanted, and what the lock file fixed
    after: str
    locked_before: str
    locked_after: str
