"""One file's text to what it is searched by: words by field, and pieces about as long as a function. Reads nothing itself."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from idumb_brain.scan.lexing import counted_words, whole, words, words_of

_SHORTEST, _LONGEST = 12, 80  # lines of a piece
_MOST_CHARACTERS = 400_000


class Piece(NamedTuple):
    line: int
    end_line: int
    words: Counter[str]


class Searchable(NamedTuple):
    """What one file is searched by."""

    body: Counter[str]
    names: Counter[str]  # words of what it defines
    defines: Counter[str]  # whole names of what it defines
    remarks: Counter[str]  # comments and documentation
    path: Counter[str]
    pieces: tuple[Piece, ...]

    @property
    def fields(self) -> tuple[Counter[str], ...]:
        """In the order of the store's fields."""
        return self.body, self.names, self.defines, self.remarks, self.path


def searchable(path: str, text: str, symbols: Sequence[tuple[str, int, int]], remarks: Sequence[str]) -> Searchable:
    """``symbols`` are (name, line, end line) of what the file defines, in order of line; ``remarks`` its comments."""
    text = text[:_MOST_CHARACTERS]
    cut = pieces(text, [line for _, line, _ in symbols])
    body: Counter[str] = Counter()
    for piece in cut:
        body.update(piece.words)
    names: Counter[str] = Counter()
    defines: Counter[str] = Counter()
    for name, _, _ in symbols:
        defines[whole(name)] += 1
        names.update(words_of(name))
    said: Counter[str] = Counter()
    for remark in remarks:
        said.update(counted_words(remark))
    return Searchable(body, names, defines, said, path_words(path), tuple(cut))


def path_words(path: str) -> Counter[str]:
    """Words of a path; those of the file's own name count twice, an ending that only tells the language not at all."""
    folders, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0] or name
    counted = Counter(words(folders.replace("/", " ")))
    for word in words(stem):
        counted[word] += 2
    return counted


def pieces(text: str, starts: Sequence[int]) -> list[Piece]:
    """The text cut where definitions start, short pieces joined, long ones cut again."""
    lines = text.split("\n")
    borders = _borders(len(lines), starts)
    return [Piece(first, last - 1, counted_words("\n".join(lines[first - 1 : last - 1]))) for first, last in pairwise(borders)]


def _borders(count: int, starts: Sequence[int]) -> list[int]:
    """First lines of the pieces, and the line behind the last."""
    borders = [1]
    sorted_starts = sorted({line for line in starts if 1 < line <= count})
    end = count + 1
    while end - borders[-1] > _SHORTEST:
        first = borders[-1]
        after = bisect_left(sorted_starts, first + _SHORTEST)
        nearest = sorted_starts[after] if after < len(sorted_starts) else end
        border = min(nearest, first + _LONGEST)
        if border >= end:
            break
        borders.append(border)
    borders.append(end)
    return borders
