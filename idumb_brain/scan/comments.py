"""Comments to rows: runs joined, leaders stripped, each with its type and the definition it belongs to. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from idumb_brain.scan.languages import CommentStyle

# A marker opens a line of the comment, or is called out by a colon or an owner in brackets.
_MARKER = re.compile(r"(?:^[\W_]*@?|(?<![\w-]))(TODO|FIXME|HACK|XXX|BUG|NOTE)(?![\w-])(?=(\s*[:(])?)", re.MULTILINE)
_QUOTES = re.compile(r"^(~[sS]|[rRuUbBfF]{0,2})('''|\"\"\"|'|\")")
_XML_SUMMARY = re.compile(r"<summary>(.*?)(?:</summary>|$)", re.DOTALL)
_XML_SEE = re.compile(r"<\w+ (?:cref|name|langword)=[\"'](?:\w:)?([^\"']*)[\"'] ?/>")
_XML_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
# "@param", "\\return", "- Parameter": the description ends here
_TAG = re.compile(r"\n\s*(?:[@\\](?=[a-z])|- (?:Parameters?|Returns|Throws)\b)")
_STARS = re.compile(r"^[^\S\n]*\*+(?=\s|$|/)[^\S\n]?", re.MULTILINE)
_BESIDE = re.compile(r"/(?:/[/!]|\*[*!])<")  # documents what it follows
_MAX_SUMMARY = 300

_BEHIND, _ALONE, _BEFORE = range(3)  # where a comment stands: behind code, on lines of its own, before code
# owner (index of a definition or -1), type, line, end line, text
_Row = tuple[int, str, int, int, str]


def comment_rows(
    source: bytes,
    text: Callable[[int, int], str],
    style: CommentStyle,
    comments: list[tuple[int, int, int]],
    lines: list[int],
    attributes: set[int],
    first_on_line: dict[int, int],
    spans: list[tuple[int, int]],
    package_line: int = 0,
) -> tuple[list[_Row], dict[int, str]]:
    """Rows of all comments, and the documentation they give to definitions (by index)."""
    rows: list[_Row] = []
    docs: dict[int, str] = {}
    for written, line, end_line, owner, place in _runs(source, text, style, comments, lines):
        content = clean_comment(written, style)
        documented = -1
        if place != _BEHIND:
            below = end_line + (place == _ALONE)
            while below in attributes:
                below += 1
            documented = first_on_line.get(below, -1)
            outside = documented >= 0 and owner >= 0 and not spans[owner][0] <= spans[documented][0] < spans[owner][1]
            if outside and source[lines[below - 1] : spans[documented][0]].strip():
                documented = -1  # the next line closes this scope and opens another
        else:
            beside = first_on_line.get(line, -1)
            if beside >= 0 and bisect_right(lines, spans[beside][1] - 1) == line:
                owner = beside  # a field or constant explained on its own line
                if _BESIDE.match(written):
                    docs[beside] = content
        if documented >= 0:
            owner = documented
        is_doc = written.startswith(style.doc) if style.doc else False
        if place == _ALONE and style.adjacent and end_line + 1 == package_line:
            is_doc = True  # of the package
        if documented >= 0 and (is_doc or style.adjacent):
            docs[documented] = content
            is_doc = True
        rows.extend(typed_rows(content, line, end_line, owner, is_doc, written))
    return rows, docs


def clean_comment(written: str, style: CommentStyle) -> str:
    """What the author wanted to say, without the punctuation that makes it a comment."""
    for opening, closing in style.block:
        if written.startswith(opening):
            inner = written[len(opening) :].removesuffix(closing)
            inner = inner.lstrip("*!").removeprefix("<") if opening.endswith("*") else inner
            stripped = [part.rstrip() for part in _STARS.sub("", inner).split("\n")]
            return "\n".join(_dedented(stripped)).strip()
    cleaned = []
    for part in written.split("\n"):
        part = part.strip()
        for leader in style.leaders:
            if part.startswith(leader):
                part = part[len(leader) :].lstrip(leader[-1])  # "---", "####": the same leader, drawn longer
                break
        cleaned.append(part.removeprefix(" ").rstrip())
    return "\n".join(cleaned).strip()


def clean_docstring(written: str) -> str:
    """What a docstring says, or "" where the language takes it for none: bytes and formatted strings document nothing."""
    opening = _QUOTES.match(written)
    if opening:
        prefix, quote = opening[1], opening[2]
        if prefix and not prefix.startswith("~") and prefix.strip("rRuU"):
            return ""
        plain = written[opening.end() :].removesuffix(quote)
        is_literal = prefix.startswith("~") or ("\\" not in written and written.count(quote) == 2 and written.endswith(quote))
        written = plain if is_literal else _evaluated(written, plain)
    parts = written.expandtabs().split("\n")
    return "\n".join([parts[0].strip(), *_dedented([part.rstrip() for part in parts[1:]])]).strip()


def _evaluated(literal: str, plain: str) -> str:
    """What a string with escapes, or several strings in a row, say to the program."""
    import ast
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "\d" is the author's mistake, and kept as it is
        try:
            return str(ast.literal_eval(f"({literal})"))
        except ValueError:  # some part of it is formatted
            return ""
        except SyntaxError:  # broken, or of a language with other rules
            return plain


def summary(doc: str) -> str:
    """The first paragraph up to its tags, on one line, or what XML documentation calls the summary."""
    if doc.startswith("<"):
        told = _XML_SUMMARY.search(doc)
        doc = _XML_TAG.sub("", _XML_SEE.sub(r"\1", told[1] if told else doc)).strip()
    paragraph = _TAG.split(doc.split("\n\n", 1)[0], maxsplit=1)[0]
    flat = " ".join(paragraph.split())
    return flat if len(flat) <= _MAX_SUMMARY else flat[: _MAX_SUMMARY - 1].rsplit(" ", 1)[0] + "…"


def typed_rows(content: str, line: int, end_line: int, owner: int, is_doc: bool, written: str) -> list[_Row]:
    """One row, or several where markers such as TODO open parts of their own.

    ``written`` is the comment as it stands in the file: cleaning takes lines away, and what is left must be found again.
    """
    kind = "doc" if is_doc else "inline"
    if "TODO" not in content and "FIXME" not in content and not _has_rare_marker(content):
        return [(owner, kind, line, end_line, content)]
    parts = content.split("\n")
    marks: list[tuple[int, str]] = []
    for number, part in enumerate(parts):
        found = _MARKER.search(part)
        if found and (found.start(1) == _first_letter(part) or found[2]):
            marks.append((number, found[1].lower()))
    if not marks:
        return [(owner, kind, line, end_line, content)]
    physical = written.split("\n")
    first = next((number for number, part in enumerate(physical) if parts[0].strip() in part), 0)
    rows: list[_Row] = []
    if is_doc:
        rows.append((owner, "doc", line, end_line, content))
    elif marks[0][0] > 0:
        rows.append((owner, "inline", line, line + first + marks[0][0] - 1, "\n".join(parts[: marks[0][0]]).strip()))
    for position, (number, marker) in enumerate(marks):
        until = marks[position + 1][0] if position + 1 < len(marks) else len(parts)
        if is_doc:  # a paragraph of the documentation
            until = next((n for n in range(number + 1, until) if not parts[n].strip()), until)
        at = line + _physical_line(parts[number], first + number, physical)
        rows.append((owner, marker, at, min(end_line, at + until - number - 1), "\n".join(parts[number:until]).strip()))
    return rows


def _runs(
    source: bytes,
    text: Callable[[int, int], str],
    style: CommentStyle,
    comments: list[tuple[int, int, int]],
    lines: list[int],
) -> list[tuple[str, int, int, int, int]]:
    """(text, line, end line, owner, where it stands), with line comments below each other joined."""
    runs: list[tuple[str, int, int, int, int]] = []
    joinable_at = (-1, -1, "")  # the line after the last run, its column, its leader
    last_end = -1
    for start, end, owner in comments:
        if start < last_end or start == end:
            continue  # a part of the comment before, captured by itself; or a token that takes no room
        last_end = end
        written = text(start, end).rstrip()
        if start == 0 and written.startswith("#!"):
            continue  # says how to run the file, nothing about it
        line = bisect_right(lines, start)
        end_line = line + written.count("\n")
        line_start = lines[line - 1]
        before = source[line_start:start]
        alone = not before or before.isspace()
        leader = ""
        if not written.startswith(style.openings):
            for mark in style.leaders:
                if written.startswith(mark):
                    leader = mark
                    break
        here = (line, start - line_start, leader)
        if alone and leader and here == joinable_at and runs:
            so_far, first, _, first_owner, _ = runs[-1]
            runs[-1] = (so_far + "\n" + written, first, end_line, first_owner, _ALONE)
        else:
            place = _BEHIND if not alone else _ALONE if leader or not source[end : lines[end_line]].strip() else _BEFORE
            runs.append((written, line, end_line, owner, place))
        joinable_at = (end_line + 1, start - line_start, leader) if alone and leader else (-1, -1, "")
    return runs


def _physical_line(part: str, expected: int, physical: list[str]) -> int:
    """Where a line of a cleaned comment stands; escapes in docstrings may have moved it."""
    if expected < len(physical) and part.strip() in physical[expected]:
        return expected
    return next((number for number, one in enumerate(physical) if part.strip() in one), min(expected, len(physical) - 1))


def _has_rare_marker(content: str) -> bool:
    return "HACK" in content or "XXX" in content or "BUG" in content or "NOTE" in content


def _first_letter(part: str) -> int:
    found = re.search(r"[A-Za-z]", part)
    return found.start() if found else -1


def _dedented(parts: list[str]) -> list[str]:
    indent = min((len(part) - len(part.lstrip()) for part in parts if part.strip()), default=0)
    return [part[indent:] for part in parts]
