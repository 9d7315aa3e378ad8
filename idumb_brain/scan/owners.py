"""CODEOWNERS to who answers for a path, as GitHub and GitLab read it. Reads one file; asks nobody."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
_SECTION = re.compile(r"^\^?\[(?P<name>[^\]]+)\](?:\[\d+\])?\s*(?P<owners>.*)$")


@dataclass(frozen=True, slots=True)
class _Rule:
    matches: re.Pattern[str]
    owners: tuple[str, ...]
    section: str
    line: int


@dataclass(frozen=True, slots=True)
class CodeOwners:
    path: str = ""  # of the file itself, "" where there is none
    rules: tuple[_Rule, ...] = ()

    def of(self, path: str) -> tuple[str, ...]:
        """Owners of a path: of every section the last rule that matches."""
        found: dict[str, tuple[str, ...]] = {}
        for rule in self.rules:
            if rule.matches.match(path):
                found[rule.section] = rule.owners
        return tuple(dict.fromkeys(owner for owners in found.values() for owner in owners))


def code_owners(root: Path) -> CodeOwners:
    for place in PLACES:
        try:
            text = (root / place).read_text("utf-8", "replace")
        except OSError:
            continue
        return CodeOwners(place, tuple(_rules(text.splitlines())))
    return CodeOwners()


def _rules(rows: Sequence[str]) -> list[_Rule]:
    found: list[_Rule] = []
    section = ""
    given: tuple[str, ...] = ()
    sections: dict[str, str] = {}
    for number, row in enumerate(rows, 1):
        row = row.strip()
        if not row or row.startswith("#"):
            continue
        if heading := _SECTION.match(row):
            section = sections.setdefault(heading["name"].lower(), heading["name"])  # GitLab joins those of one name
            given = tuple(_words(heading["owners"]))
            continue
        pattern, *owners = _words(row)
        if pattern.startswith("!"):
            continue  # neither knows exceptions
        found.append(_Rule(re.compile(_translated(pattern)), tuple(owners) or given, section, number))
    return found


def _words(row: str) -> list[str]:
    row = re.sub(r"(?<!\\)\s#.*$", "", row)
    return [word.replace("\\ ", " ").replace("\\#", "#") for word in re.split(r"(?<!\\)\s+", row.strip()) if word]


def _translated(pattern: str) -> str:
    """Like an ignore file's pattern, but ``docs/*`` means the files of that folder alone."""
    anchored = "/" in pattern.rstrip("/")
    folder = pattern.endswith("/")
    pattern = pattern.strip("/")
    out = "" if anchored else "(?:.*/)?"
    at = 0
    while at < len(pattern):
        if pattern.startswith("**/", at):
            out, at = out + "(?:.*/)?", at + 3
        elif pattern.startswith("**", at):
            out, at = out + ".*", at + 2
        elif pattern[at] == "*":
            out, at = out + "[^/]*", at + 1
        elif pattern[at] == "?":
            out, at = out + "[^/]", at + 1
        else:
            out, at = out + re.escape(pattern[at]), at + 1
    if folder:
        return out + "/.*$"
    return out + "$" if anchored and pattern.endswith("/*") else out + "(?:/.*)?$"
