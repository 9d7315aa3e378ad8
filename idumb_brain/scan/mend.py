"""Text that a grammar stumbles over, made readable in place: nothing moves, so that every fact keeps its position.

Grammars of languages with a preprocessor read what nobody has preprocessed. What a macro stands for cannot be known;
but a macro that is not needed to understand the code around it can be overlooked.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from typing import Any

from idumb_brain.scan.grammar import Grammar

_PIECE = re.compile(rb"[^\r\n]+")
_NOT_LINE_END = re.compile(rb"[^\r\n]")
_LINES_AROUND = 2  # a declaration that goes wrong may have begun further up


def blanked(source: bytes, pattern: str) -> bytes:
    """The source with what matches overwritten by spaces; where the pattern has groups, only those. Line ends stay."""
    return _compiled(pattern).sub(_spaces, source)


def mended(grammar: Grammar, source: bytes, tree: Any) -> Any:
    """The best of the trees that come of overlooking, near the errors, what the language says may be overlooked."""
    errors = errors_in(tree.root_node)
    lines: list[int] = []
    for pattern in grammar.language.mend:
        attempt, changes = _attempt(source, errors, _compiled(pattern))
        if not changes:
            continue
        lines = lines or [0, *accumulate(len(line) + 1 for line in source.split(b"\n"))]
        edited = tree.copy()
        for start, end in changes:
            row = bisect_right(lines, start) - 1
            at, after = (row, start - lines[row]), (row, end - lines[row])
            edited.edit(start, end, end, at, after, after)
        other = grammar.parser.parse(attempt, edited)
        left = errors_in(other.root_node)
        if _weight(left) < _weight(errors):
            source, tree, errors = attempt, other, left
        if not errors:
            break
    return tree


def errors_in(node: Any) -> list[tuple[int, int, str]]:
    """(start, end, what is missing or "") of everything not understood, in order; nothing inside an error counts again."""
    found: list[tuple[int, int, str]] = []
    unread = [node] if node.has_error else []
    while unread:
        node = unread.pop()
        if (node.is_error or node.is_missing) and (not found or node.start_byte >= found[-1][1]):
            found.append((node.start_byte, node.end_byte, node.type if node.is_missing else ""))
        unread += [child for child in reversed(node.children) if child.has_error]
    return found


def _attempt(source: bytes, errors: list[tuple[int, int, str]], pattern: re.Pattern[bytes]) -> tuple[bytes, list[tuple[int, int]]]:
    """The source with everything blanked near the errors, and where; no change crosses a line end."""
    attempt = bytearray(source)
    changes: list[tuple[int, int]] = []
    for begin, until in _neighbourhoods(source, errors):
        for found in pattern.finditer(source, begin, until):
            for group in range(1, pattern.groups + 1):
                start, end = found.span(group)
                for piece in _PIECE.finditer(source, start, end) if start >= 0 else ():
                    attempt[piece.start() : piece.end()] = b" " * (piece.end() - piece.start())
                    changes.append(piece.span())
    return bytes(attempt), changes


def _weight(errors: list[tuple[int, int, str]]) -> int:
    """How much of the text is not understood; that something is missing counts, too."""
    return sum(end - start + 10 for start, end, _ in errors)


def _neighbourhoods(source: bytes, errors: list[tuple[int, int, str]]) -> Iterator[tuple[int, int]]:
    """Whole lines around the errors, without overlaps."""
    begin = until = -1
    for start, end, _ in errors:
        for _ in range(_LINES_AROUND + 1):
            start = source.rfind(b"\n", 0, start) if start > 0 else 0
        end = source.find(b"\n", end)
        end = len(source) if end < 0 else end
        if start <= until:
            until = max(until, end)
            continue
        if until > begin:
            yield begin, until
        begin, until = max(start, 0), end
    if until > begin:
        yield begin, until


def _spaces(found: re.Match[bytes]) -> bytes:
    whole = bytearray(found[0])
    for group in range(1, found.re.groups + 1) if found.re.groups else (0,):
        begin, end = found.span(group)
        if begin >= 0:
            begin, end = begin - found.start(), end - found.start()
            whole[begin:end] = _NOT_LINE_END.sub(b" ", whole[begin:end])
    return bytes(whole)


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode(), re.MULTILINE)
