"""Lock files to versions. Line scans, as a lock may have a million lines: only the forms that tools write are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

Locked = tuple[str, int]  # version, line
Pinned = Mapping[str, Sequence[Locked]]  # name -> what is locked of it

NOTHING: Locked = ("", 0)


class Lock(NamedTuple):
    """A lock file; ``find`` takes the folder that asks, the name and the range, and answers with a version and its line."""

    path: str
    find: Callable[[str, str, str], Locked]


def pinned_lock(path: str, pinned: Pinned) -> Lock:
    """A lock that holds for all folders alike."""
    return Lock(path, lambda _, name, wanted: fitting(pinned.get(name, ()), wanted))


def fitting(locked: Sequence[Locked], wanted: str) -> Locked:
    """The one of several locked versions that a range asks for: the one that shares most with it, then the highest."""
    if not locked:
        return NOTHING
    if len(locked) == 1:
        return locked[0]
    asked = _numbers(plain_version(wanted))

    def shared(one: Locked) -> tuple[int, tuple[int, ...]]:
        mine = _numbers(one[0])
        same = 0
        for a, b in zip(asked, mine, strict=False):
            if a != b:
                break
            same += 1
        return same, mine

    return max(locked, key=shared)


_PLAIN = re.compile(r"(?<![\w.])v?(\d+(?:\.\d+)*(?:[-.+]?[A-Za-z][\w.+-]*|-[\w.]+)?)")


def plain_version(wanted: str) -> str:
    """The plain version in a range, "" where there is none: ``^1.2`` is 1.2, ``>=3,<4`` is 3; an upper bound alone is none."""
    for part in re.split(r"\|\||,|\s+(?=[<>=~^!])", wanted):
        part = part.strip()
        if part[:1] in ("<", "!") or "://" in part:
            continue
        if found := _PLAIN.search(part):
            return found[1].removesuffix(".x").removesuffix(".*")
    return ""


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:4])


def toml_packages(text: str, normal: Callable[[str], str] = str) -> dict[str, list[Locked]]:
    """``[[package]]`` tables with a name and a version: Cargo.lock, poetry.lock, uv.lock, pdm.lock, pylock.toml."""
    found: dict[str, list[Locked]] = {}
    name = ""
    inside = False
    for line, row in enumerate(text.split("\n"), 1):
        if row[:1] == "[":
            inside = row.startswith(("[[package]]", "[[packages]]"))
            name = ""
        elif inside and row.startswith("name = "):
            name = normal(row[7:].strip().strip("\"'"))
        elif inside and name and row.startswith("version = "):
            found.setdefault(name, []).append((row[10:].strip().strip("\"'"), line))
            inside = False
    return found
