"""Which symbols of the likely files a question is about, and why. Pure: is handed the files, fetches none."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence

from idumb_brain.model.code import Symbol
from idumb_brain.model.selection import Hit, Score
from idumb_brain.scan.lexing import whole, words, words_of

_FILE_ALONE = 0.15  # what a symbol of a file is worth by the file alone
_NAME, _EXACT, _SAID, _INSIDE, _NAMED = 1.0, 1.2, 0.4, 0.5, 1.5
_SMALL = frozenset({"field", "variable", "constant", "parameter", "key", "selector", "element", "target", "heading", "property"})
_SMALL_SHARE = 0.6


def worth_a_look(words_asked: Iterable[str], best: tuple[int, int], named: int) -> Callable[[str, int, int], bool]:
    """Whether a symbol, by its name and its lines, can be among the best of its file."""
    first, last = best
    asked = frozenset(words_asked)

    def wanted(name: str, line: int, end_line: int) -> bool:
        return first <= line <= last or line <= named <= end_line or not asked.isdisjoint(words_of(name))

    return wanted


def rank_symbols(
    files: Sequence[tuple[float, Sequence[Symbol]]],
    words_asked: Mapping[str, tuple[float, str]],
    names: Mapping[str, float],
    best_lines: Mapping[str, tuple[int, int]],
    named_lines: Mapping[str, int],
    most: int,
) -> list[Hit]:
    """The best, in order. ``files``: how likely each is, and its symbols; ``words_asked``: search word → (weight, as written);
    ``names``: identifiers as asked → how much each looks like one; ``best_lines``: the piece of each file that answers best;
    ``named_lines``: lines that the text itself names."""
    exact = {whole(name): (weight, name) for name, weight in names.items()}
    greatest = sum(sorted((weight for weight, _ in words_asked.values()), reverse=True)[:4]) or 1.0
    looked_at = [
        (likely, symbol, *_by_name(symbol, words_asked, exact, greatest, best_lines, named_lines))
        for likely, symbols in files
        for symbol in symbols
    ]
    # What signatures and docs say is read only where it can bring a symbol among the best.
    sure = heapq.nlargest(most, (_shared(symbol, likely) * score for likely, symbol, score, _ in looked_at))
    least = sure[-1] if len(sure) == most else 0.0
    hits = []
    for likely, symbol, score, why in looked_at:
        share = _shared(symbol, likely)
        if share * (score + _SAID) < least:
            continue
        told = sorted({word for word in words(f"{symbol.signature} {symbol.doc}") if word in words_asked})
        if told:
            score += _SAID * min(1.0, sum(words_asked[word][0] for word in told) / greatest)
            if not why:
                why.append("its signature or doc says " + ", ".join(words_asked[word][1] for word in told[:3]))
        first, last = best_lines.get(symbol.file, (0, 0))
        if first <= symbol.line <= last:
            why.append("in the part of the file that answers best")
        hits.append(
            Hit(
                symbol.kind, f"{symbol.file}#{symbol.qualified_name}", Score(score * share, tuple(why)),
                symbol.file, symbol.line, symbol.name, symbol.signature or symbol.doc,
            )
        )  # fmt: skip
    return sorted(hits, key=lambda hit: (-hit.score.value, hit.path, hit.line, hit.id))[:most]


def _by_name(
    symbol: Symbol,
    words_asked: Mapping[str, tuple[float, str]],
    exact: Mapping[str, tuple[float, str]],
    greatest: float,
    best_lines: Mapping[str, tuple[int, int]],
    named_lines: Mapping[str, int],
) -> tuple[float, list[str]]:
    """What a symbol is worth by its name and its place, and why."""
    said = [words_asked[word] for word in dict.fromkeys(words_of(symbol.name)) if word in words_asked]
    first, last = best_lines.get(symbol.file, (0, 0))
    line = named_lines.get(symbol.file, 0)
    score, why = _FILE_ALONE, []
    if symbol.line <= line <= symbol.end_line:
        score += _NAMED / (1 + 0.02 * (symbol.end_line - symbol.line))
        why.append(f"the text names line {line}")
    if called := exact.get(whole(symbol.name)):
        score += _EXACT * called[0]
        why.append(f"is called {called[1]}")
    elif said:
        why.append("name says " + ", ".join(dict.fromkeys(spelled for _, spelled in said)))
    score += _NAME * min(1.0, sum(weight for weight, _ in said) / greatest)
    if first <= symbol.line <= last:
        score += _INSIDE
    return score, why


def _shared(symbol: Symbol, likely: float) -> float:
    return likely * (_SMALL_SHARE if symbol.kind in _SMALL else 1.0)
