"""Findings that somebody asked not to hear of: ``idumb: ignore[kind]`` on the line or the one before, or for a whole file. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from idumb_brain.model.code import Comment
from idumb_brain.model.documented import Finding

_ASKED = re.compile(r"\bidumb:\s*ignore(?P<file>-file)?(?:\[(?P<kinds>[\w\s,-]*)\])?")


def heard(findings: Iterable[Finding], comments: Sequence[Comment], lines: Sequence[str]) -> Iterator[Finding]:
    """Without what comments of the same file silence."""
    asking = [comment for comment in comments if "idumb:" in comment.content]
    if not asking:
        yield from findings
        return
    of_file: set[str] = set()
    of_line: dict[int, set[str]] = {}
    for comment in asking:
        for number in range(comment.line, comment.end_line + 1):
            text = lines[number - 1] if 0 < number <= len(lines) else ""
            for found in _ASKED.finditer(text):
                kinds = {kind.strip() for kind in (found["kinds"] or "*").split(",") if kind.strip()} or {"*"}
                if found["file"]:
                    of_file |= kinds
                else:
                    of_line.setdefault(number, set()).update(kinds)
                    of_line.setdefault(number + 1, set()).update(kinds)
    for finding in findings:
        where = {finding.line, *(proof.line for proof in finding.evidence if proof.path == finding.file)}
        silenced = of_file.union(*(of_line.get(line, set()) for line in where))
        if "*" not in silenced and finding.kind not in silenced:
            yield finding
