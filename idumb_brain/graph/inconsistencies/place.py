"""Where a finding stands: lines of cleaned comments found again in the file, and what is written there. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from idumb_brain.model.code import Comment, FileRecord, Import, Symbol
from idumb_brain.model.documented import Evidence, Finding, Function

Lines = Callable[[str], Sequence[str]]
_MAX_QUOTE = 160
_ENOUGH = 24


@dataclass(frozen=True, slots=True)
class FileView:
    """Everything the rules may know of one file."""

    record: FileRecord
    symbols: Sequence[Symbol]
    comments: Sequence[tuple[int, Comment]]  # ordinal of the owner or -1
    functions: Sequence[Function]
    imports: Sequence[Import]
    lines: Lines

    def quoted(self, line: int, path: str = "") -> Evidence:
        path = path or self.record.path
        written = self.lines(path)
        text = written[line - 1].strip() if 0 < line <= len(written) else ""
        return Evidence(path, line, text if len(text) <= _MAX_QUOTE else text[: _MAX_QUOTE - 1] + "…")

    def line_of(self, comment: Comment, number: int) -> int:
        """The line of the file where a line of the comment's cleaned text stands."""
        parts = comment.content.split("\n")
        written = self.lines(self.record.path)
        wanted = parts[number].strip() if number < len(parts) else ""
        inside = range(comment.line - 1, min(comment.end_line, len(written)))
        first = next((at for at in inside if parts[0].strip() and parts[0].strip() in written[at]), comment.line - 1)
        expected = first + number
        if not wanted or (expected in inside and wanted in written[expected]):
            return min(expected + 1, comment.end_line)
        near = sorted(inside, key=lambda at: abs(at - expected))
        for part in (wanted, wanted[:_ENOUGH]):  # a line that goes on in the next is one line of the text
            if found := next((at + 1 for at in near if part in written[at]), 0):
                return found
        return min(expected + 1, comment.end_line)


@dataclass(frozen=True, slots=True)
class Told:
    """A rule's verdict before it is placed: lines of the documentation (from 0) and of the file."""

    kind: str
    severity: str
    message: str
    in_doc: tuple[int, ...] = ()
    in_code: tuple[int, ...] = ()
    confidence: float = 1.0
    elsewhere: tuple[Evidence, ...] = field(default_factory=tuple)


def placed(view: FileView, comment: Comment, told: Told, symbol: str) -> Finding:
    doc_lines = [view.line_of(comment, number) for number in told.in_doc]
    line = doc_lines[0] if doc_lines else comment.line
    seen = dict.fromkeys([*doc_lines, *told.in_code] or [line])
    evidence = (*(view.quoted(at) for at in seen), *told.elsewhere)
    return Finding(view.record.path, line, told.kind, told.severity, told.message, evidence, symbol, told.confidence)


def apart(comments: Sequence[tuple[int, Comment]]) -> list[tuple[int, Comment]]:
    """Comments without those that are a part of another: a TODO inside documentation is told of twice."""
    kept: list[tuple[int, Comment]] = []
    end = 0
    for owner, comment in comments:
        if comment.line <= end and kept and kept[-1][1].type == "doc" and comment.type != "doc":
            continue
        kept.append((owner, comment))
        end = comment.end_line if comment.type == "doc" else 0
    return kept
