"""What a title names in front as the area it is about: ``net/http: …``, ``fix(router): …``, ``[cli] …``. Pure; knows no project."""

from __future__ import annotations

import re

_IN_FRONT = re.compile(
    r"\s*(?:\[([^\]\n]{2,40})\]|\w+\(([^)\n]{2,50})\)!?:|([\w./,*{}@+\- &]{2,60}?)(?:\(([^)\n]{2,40})\))?!?:)(?:\s|$)"
)
_BETWEEN = re.compile(r"[,&]|\band\b")
# What kind of change it is, not where.
_KINDS = frozenset({
    "add", "breaking", "bug", "bugfix", "build", "chore", "ci", "cleanup", "deps", "doc", "docs", "enhancement", "feat", "feature",
    "fix", "improvement", "internal", "minor", "misc", "new", "note", "perf", "refactor", "release", "revert", "security", "style",
    "test", "tests", "types", "typo", "update", "wip",
})  # fmt: skip


def areas_of(title: str) -> tuple[str, ...]:
    match = _IN_FRONT.match(title)
    if match is None:
        return ()
    named = (one.strip(" /*") for group in match.groups("") for one in _BETWEEN.split(group.lower()))
    return tuple(dict.fromkeys(one for one in named if one and one not in _KINDS))
