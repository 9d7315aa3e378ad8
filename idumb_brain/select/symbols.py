"""Which symbols of the likely files a question is about, and why. Pure: is handed the files, fetches none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from idumb_brain.model.code import Symbol
from idumb_brain.model.selection import SYMBOL, Hit, Score
from idumb_brain.scan.lexing import whole, words, words_of

_LEAF = 0.15  # what a symbol of a file is worth by the file alone
_NAME, _EXACT, _SAID, _INSIDE, _NAMED = 1.0, 1.2, 0.4, 0.5, 1.5
_SMALL = frozenset({"field", "variable", "constant", "parameter", "key", "selector", "element", "target", "heading", "property"})
_SMALL_SHARE = 0.6


def rank_symbols(
    files: Sequence[tuple[float, Sequence[Symbol]]],
    words_asked: Mapping[str, tuple[float, str]],
    names: Mapping[str, float],
    best_lines: Mapping[str, tuple[int, int]],
    named_lines: Mapping[str, int],
) -> list[Hit]:
    """Best first. ``files``: how likely each is, and its symbols; ``words_asked``: search word → (weight, as written);
    ``names``: identifiers as asked → how much each looks like one; ``best_lines``: the piece of each file that answers best;
    ``named_lines``: lines that the text itself names."""
    exact = {whole(name): (weight, name) for name, weight in names.items()}
    greatest = sum(sorted((weight for weight, _ in words_asked.values()), reverse=True)[:4]) or 1.0
    hits = []
    for likely, symbols in files:
        for symbol in symbols:
            score, why = _LEAF, []
            if found := exact.get(whole(symbol.name)):
                score += _EXACT * found[0]
                why.append(f"is called {found[1]}")
            said = [words_asked[word] for word in dict.fromkeys(words_of(symbol.name)) if word in words_asked]
            if said:
                score += _NAME * min(1.0, sum(weight for weight, _ in said) / greatest)
                if not why:
                    why.append("name says " + ", ".join(dict.fromkeys(spelled for _, spelled in said)))
            told = {word for word in words(f"{symbol.signature} {symbol.doc}") if word in words_asked}
            if told:
                score += _SAID * min(1.0, sum(words_asked[word][0] for word in told) / greatest)
                if not said and not why:
                    why.append("its signature or doc says " + ", ".join(sorted(words_asked[word][1] for word in told)[:3]))
            line = named_lines.get(symbol.file, 0)
            if line and symbol.line <= line <= symbol.end_line:
                score += _NAMED / (1 + 0.02 * (symbol.end_line - symbol.line))
                why.insert(0, f"line {line} of the text is in it")
            first, last = best_lines.get(symbol.file, (0, 0))
            if first <= symbol.line <= last:
                score += _INSIDE
                why.append("in the part of the file that answers best")
            if symbol.kind in _SMALL:
                score *= _SMALL_SHARE
            if why:
                hits.append(
                    Hit(
                        SYMBOL, f"{symbol.file}#{symbol.qualified_name}", Score(score * likely, tuple(why)),
                        symbol.file, symbol.line, symbol.name, symbol.signature or symbol.doc,
                    )
                )  # fmt: skip
    return sorted(hits, key=lambda hit: (-hit.score.value, hit.path, hit.line, hit.id))
