"""Text that a grammar stumbles over, made readable in place: nothing moves, so that every fact keeps its position.

Grammars of languages with a preprocessor read what nobody has preprocessed. What a macro stands for cannot be known;
but one that is not needed to understand the code around it can be overlooked, and of a condition that cuts through
braces one branch can be read.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from idumb_brain.scan.grammar import Grammar
from idumb_brain.scan.languages import Language

_LINES_AROUND = 2  # a declaration that goes wrong may have begun further up
_PIECE = re.compile(rb"[^\r\n]+")
_CONDITION = re.compile(
    rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b(?:[^\n\\]|\\\r?\n|\\.)*", re.MULTILINE
)
_NO_CODE = re.compile(
    rb"""/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])+' | ^[ \t]*\#(?:[^\n\\]|\\\r?\n|\\.)*""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_ENDS_WHOLE = re.compile(rb"[;{}]\s*\Z|\A\s*\Z")
_STARTS_TORN = re.compile(rb"\A\s*(?:else\b|&&|\|\||[-+*/?:.,)=<>}])")

_MAX_NESTED = 4

Span = tuple[int, int]


class Error(NamedTuple):
    start: int
    end: int
    missing: str  # what should be here, or "" where something cannot be read
    within: str  # the kind of node around


def blanked(source: bytes, pattern: str) -> bytes:
    """The source with what matches overwritten by spaces; where the pattern has groups, only those. Line ends stay."""
    return _overwritten(source, _matches(source, _compiled(pattern), 0, len(source)))


def mended(grammar: Grammar, source: bytes, tree: Any) -> tuple[Any, bytes]:
    """The best of the trees that come of overlooking, near the errors, what the language says may be overlooked; and its text."""
    errors = errors_in(tree.root_node)
    lines = [0, *accumulate(len(line) + 1 for line in source.split(b"\n"))]
    language = grammar.language
    for pattern in (*language.mend, *(("",) if language.conditions else ())):
        grave = [error for error in errors if error.within != "argument_list"]  # a type handed to a macro harms nobody
        if pattern:
            near = _neighbourhoods(source, grave)
            spans = [
                span
                for begin, until in near
                for span in _matches(source, _compiled(pattern), begin, until)
                if not _is_directive(source, lines[bisect_right(lines, span[0]) - 1])
            ]
        else:
            spans = _torn_conditions(source, [error for error in grave if not error.missing])
        if not spans:
            continue
        attempt = _overwritten(source, spans)
        edited = tree.copy()
        for start, end in spans:
            row = bisect_right(lines, start) - 1
            at, after = (row, start - lines[row]), (row, end - lines[row])
            edited.edit(start, end, end, at, after, after)
        other = grammar.parser.parse(attempt, edited)
        left = errors_in(other.root_node)
        if _weight(left) < _weight(errors):
            source, tree, errors = attempt, other, left
        if not errors:
            break
    return tree, source


def errors_in(node: Any) -> list[Error]:
    """Everything that was not understood, in order; nothing inside an error counts again."""
    found: list[Error] = []
    unread = [(node, "")] if node.has_error else []
    while unread:
        node, within = unread.pop()
        if (node.is_error or node.is_missing) and (not found or node.start_byte >= found[-1].end):
            found.append(Error(node.start_byte, node.end_byte, node.type if node.is_missing else "", within))
        unread += [(child, node.type) for child in reversed(node.children) if child.has_error]
    return found


def _weight(errors: list[Error]) -> int:
    """How much of the text is not understood; that something is missing counts, too."""
    return sum(error.end - error.start + 10 for error in errors)


def _neighbourhoods(source: bytes, errors: list[Error]) -> Iterator[Span]:
    """Whole lines around the errors, without overlaps."""
    begin = until = -1
    for start, end, *_ in errors:
        for _ in range(_LINES_AROUND + 1):
            start = max(source.rfind(b"\n", 0, start), 0)
        end = source.find(b"\n", end)
        end = len(source) if end < 0 else end
        if start <= until:
            until = max(until, end)
            continue
        if until > begin:
            yield begin, until
        begin, until = start, end
    if until > begin:
        yield begin, until


def _matches(source: bytes, pattern: re.Pattern[bytes], begin: int, until: int) -> list[Span]:
    """Where to blank, in pieces that cross no line end."""
    groups = range(1, pattern.groups + 1) if pattern.groups else (0,)
    return [
        piece.span()
        for found in pattern.finditer(source, begin, until)
        for group in groups
        if found.start(group) >= 0
        for piece in _PIECE.finditer(source, *found.span(group))
    ]


def _is_directive(source: bytes, line: int) -> bool:
    return source[line : line + 20].lstrip().startswith(b"#")


def _torn_conditions(source: bytes, errors: list[Error]) -> list[Span]:
    """What to blank so that of every condition at an error that holds torn code only the first branch stays."""
    text = source
    spans: list[Span] = []
    open_groups: list[list[re.Match[bytes]]] = []
    for directive in _CONDITION.finditer(source):
        if directive[1].startswith(b"if"):
            open_groups.append([directive])
            continue
        if not open_groups:
            continue
        group = open_groups[-1]
        group.append(directive)
        if directive[1] != b"endif":
            continue
        open_groups.pop()
        start, end = group[0].start(), directive.end()
        if not any(error.start <= end and error.end >= start for error in errors):
            continue
        branches = [(one.end(), other.start()) for one, other in pairwise(group)]
        if any(_is_torn(text[first:last]) for first, last in branches):
            blanks = [piece.span() for one in group for piece in _PIECE.finditer(source, *one.span())]
            blanks += [piece.span() for first, last in branches[1:] for piece in _PIECE.finditer(source, first, last)]
            text = _overwritten(text, blanks)
            spans += blanks
    return spans


def _is_torn(branch: bytes) -> bool:
    """Is this something that cannot be read without what stands around it?"""
    code = _NO_CODE.sub(b" ", branch)
    return (
        code.count(b"{") != code.count(b"}")
        or code.count(b"(") != code.count(b")")
        or _ENDS_WHOLE.search(code) is None
        or _STARTS_TORN.match(code) is not None
    )


def _overwritten(source: bytes, spans: list[Span]) -> bytes:
    if not spans:
        return source
    text = bytearray(source)
    for start, end in spans:
        text[start:end] = b" " * (end - start)
    return bytes(text)


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode(), re.MULTILINE)


def readable_to(source: bytes, language: Language) -> bytes:
    """The source with what its grammar cannot read overwritten, so that everything else stays where it is."""
    for pattern, template in language.read_as:
        source = re.sub(pattern.encode(), partial(_of_same_length, template.encode()), source, flags=re.MULTILINE)
    if language.blank:
        source = blanked(source, language.blank)
    for needle, pattern in language.unwrap:
        if needle.encode() in source:
            source = _unwrapped(source, pattern.encode())
    return source


def _of_same_length(template: bytes, found: re.Match[bytes]) -> bytes:
    length = len(found[0])
    written = found.expand(template)[:length]
    return written.rjust(length) if template.startswith(b" ") else written.ljust(length)


def _unwrapped(source: bytes, pattern: bytes) -> bytes:
    for _ in range(_MAX_NESTED):  # what lies between the groups may match in its turn
        found = list(re.finditer(pattern, source, re.MULTILINE))
        if not found:
            break
        blank = bytearray(source)
        for start, end in (span for match in found for span in match.regs[1:] if span[0] >= 0):
            blank[start:end] = re.sub(rb"[^\n]", b" ", source[start:end])
        source = bytes(blank)
    return source


def pieces(source: bytes, landmark: str, lines: list[int]) -> list[Any]:
    """A broken source cut where definitions open, so that what is broken costs one of them and not all that follow."""
    from tree_sitter import Range

    starts = [0, *(found.start() for found in re.finditer(landmark.encode(), source, re.MULTILINE) if found.start() > 0)]
    rows = [bisect_right(lines, start) - 1 for start in starts]
    ends = [*starts[1:], len(source)]
    last = (len(lines) - 2, len(source) - lines[-2])
    end_points = [*((row, 0) for row in rows[1:]), last]
    return [Range((row, 0), point, start, end) for row, point, start, end in zip(rows, end_points, starts, ends, strict=True)]
