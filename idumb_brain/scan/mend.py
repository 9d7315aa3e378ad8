"""Text that a grammar stumbles over, made readable in place: nothing moves, so that every fact keeps its position.

Grammars of languages with a preprocessor read what nobody has preprocessed. What a macro stands for cannot be known;
but a macro that is not needed to understand the code around it can be overlooked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from idumb_brain.scan.grammar import Grammar

_NOT_LINE_END = re.compile(rb"[^\r\n]")
_LINES_AROUND = 2  # a declaration that goes wrong may have begun further up


def blanked(source: bytes, pattern: str) -> bytes:
    """The source with what matches overwritten by spaces; where the pattern has groups, only those. Line ends stay."""
    return _compiled(pattern).sub(_spaces, source)


def mended(grammar: Grammar, source: bytes, tree: Any) -> Any:
    """The best of the trees that come of overlooking, near the errors, what the language says may be overlooked."""
    errors = _errors(grammar, tree)
    for pattern in grammar.language.mend:
        attempt = bytearray(source)
        for start, end in _neighbourhoods(source, errors):
            attempt[start:end] = blanked(source[start:end], pattern)
        if attempt == source:
            continue
        other = grammar.parser.parse(bytes(attempt))
        left = _errors(grammar, other) if other.root_node.has_error else []
        if _weight(left) < _weight(errors):
            source, tree, errors = bytes(attempt), other, left
        if not errors:
            break
    return tree


def _errors(grammar: Grammar, tree: Any) -> list[tuple[int, int]]:
    return sorted((node.start_byte, node.end_byte) for nodes in grammar.errors.captures(tree.root_node).values() for node in nodes)


def _weight(errors: list[tuple[int, int]]) -> int:
    """How much of the text is not understood: what is missing counts, too."""
    weight = until = 0
    for start, end in errors:
        if end > until:
            weight += end - max(start, until)
            until = end
        weight += 10
    return weight


def _neighbourhoods(source: bytes, errors: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Whole lines around the errors, without overlaps."""
    begin = until = -1
    for start, end in errors:
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
