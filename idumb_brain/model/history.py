"""What the history of a project says about its files: how often, how lately, by whom, and who answers for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FileHistory:
    """Of a file under all the names it had."""

    commits: int
    last_change: float  # seconds since 1970, as its author dated it
    authors: tuple[tuple[str, int], ...]  # name and commits, most first


@dataclass(frozen=True, slots=True)
class History:
    head: str  # the commit it reaches up to, "" where there is no git
    commits: int  # how many were read
    files: Mapping[str, FileHistory] = field(default_factory=dict)
    shallow: bool = False  # the clone does not hold all commits
    bounded: bool = False  # older commits were not read


@dataclass(frozen=True, slots=True)
class Blamed:
    """Who wrote a line, and when."""

    author: str
    written: float
    committed: bool = True
    boundary: bool = False  # as old as a shallow clone reaches: may be older
