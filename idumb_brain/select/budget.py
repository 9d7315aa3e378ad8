"""How many tokens a text will cost a model, estimated from its looks. Carries no vocabulary and refuses to be exact.

Tokenizers cut text much alike: at the borders of words, in digits by threes, at punctuation and white space, and then look
the pieces up. Without their vocabulary a piece is worth what pieces of its kind and length cost, and a word more where letters
follow each other as they seldom do in words that tokenizers know. The figures below are those with the least overestimate
at which no measured text of some hundred characters or more, of prose, code, data and ninety languages, is underestimated by
more than 5 % of the dearest of three tokenizers (o200k_base, cl100k_base and that of Claude 2). That is what the estimate
promises, and of texts as people and programs write them only: of characters thrown together by chance it is no bound.
``tests/accuracy/tokens.py`` measures how far it holds.

Weights are whole hundredths of a token, so that they add up: a text weighs what its lines and the line breaks between them
weigh, and a budget can be kept item by item.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from idumb_brain.select.triples import COMMON_TRIPLES

HUNDRED = 100  # hundredths in a token

_LATIN = "A-Za-z\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff"
_PIECE = re.compile(
    f"[A-Za-z]*[\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff][{_LATIN}]*"  # a word with accents
    "| ?[A-Z]?[a-z]+| ?[A-Z]+(?![a-z])"  # a word, or a part of an identifier
    "|[0-9]+|\n+| +(?=[0-9])| +|[^\\S\n ]+|[!-/:-@\\[-`{-~]+|.",
    re.DOTALL,
)
_BREAKING = re.compile("(\n+)")
_SPACES_BEFORE_DIGIT = re.compile(" +(?=[0-9])")
# Prose in a language that tokenizers know less well, if its letters are plain: many words, and none of those no English goes without.
_PROSE_WORD = re.compile(r"(?<![^\s(\"'])[A-Za-z]?[a-z]+(?=[\s,.;:!?)\"']|$)")
_ENGLISH_WORDS = """
the of to and is are for with that this be by from on or it not if you can will was has have we your all when which
"""
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_LEAST_PROSE, _MOSTLY, _ONE_IN = 5, 0.7, 12  # words, share of the line, words to one of English

_FOREIGN_WORD = 69  # more than it looks
# A word by its spelling: at the start of a piece, after a space, each letter over four, over seven, each unusual triple of letters.
_LOWER, _CAPITALISED, _UPPER = (86, 89, 9, 0, 119), (115, 150, 4, 23, 119), (175, 132, 13, 0, 37)
_MORE_UNUSUAL = 67  # each unusual triple beyond the second
# A word with accents; each of its letters by kind, and more for accents in a row.
_ACCENTED, _PLAIN_LETTER, _NEXT_ACCENT = 71, 35, 118
_WESTERN_ACCENT, _MIDDLE_ACCENT, _VIETNAMESE_ACCENT, _OTHER_ACCENT = 30, 111, 157, 109
_THREE_DIGITS, _DIGIT = 134, 0
_BREAK, _BREAKS = 95, 50
_ONE_SPACE, _SPACES, _EACH_SPACE = 30, 37, 1
_SPACE_BEFORE_DIGIT, _SPACES_BEFORE_DIGITS = 30, 42  # they are never one with it
_TABS, _NEXT_TAB = 51, 5
# A run of marks, and what each of its marks after the second and the fourth adds; of the same mark again, the first three and the others.
_MARKS, _THIRD_MARK, _FIFTH_MARK, _UNDERSCORE, _SAME_MARK, _STILL_SAME = 109, 47, 37, 17, 7, 3
_SAME = re.compile(r"(.)\1*", re.DOTALL)
# Other characters, by the first code point to which the figure applies.
_SCRIPTS = (
    (0x0000, 143),  # Latin without letters: signs
    (0x0250, 206),  # phonetic letters
    (0x0370, 123),  # Greek
    (0x0400, 89),  # Cyrillic
    (0x0530, 201),  # Armenian
    (0x05D0, 110),  # Hebrew
    (0x0620, 101),  # Arabic
    (0x0671, 199),  # Arabic of Persia, Pakistan and others
    (0x0700, 206),  # Syriac and others
    (0x0900, 132),  # Devanagari
    (0x0980, 298),  # of India
    (0x0E00, 175),  # Thai
    (0x0E80, 339),  # Lao, Tibetan, Burmese
    (0x10A0, 281),  # Georgian
    (0x1100, 301),  # Hangul in parts
    (0x1200, 301),  # of Africa, America and the Philippines; Khmer, Mongolian, old Greek
    (0x2000, 100),  # dashes, quotation marks
    (0x2070, 191),  # letters as signs
    (0x2190, 300),  # arrows, mathematics
    (0x2500, 187),  # boxes
    (0x2580, 185),  # blocks
    (0x25A0, 283),  # symbols
    (0x2C00, 288),  # Coptic, Berber, radicals
    (0x3000, 100),  # punctuation of East Asia
    (0x3040, 109),  # kana
    (0x3100, 301),  # what is rare in East Asia
    (0x4E00, 145),  # Chinese characters
    (0xA000, 288),  # Yi and others
    (0xAC00, 132),  # Hangul
    (0xD7B0, 287),  # private use
    (0xFB00, 288),  # Arabic as it is joined
    (0xFE00, 46),  # variation selectors
    (0xFE70, 350),  # Arabic as it is joined
    (0xFF00, 180),  # wide and narrow forms
    (0x10000, 288),  # letters beyond the first plane
    (0x1F000, 300),  # emoji
    (0x20000, 396),  # rare Chinese characters
)
_CONTROL = 120  # of ASCII, which no text has
_STARTS = [start for start, _ in _SCRIPTS]


def tokens(text: str) -> int:
    return -(-weight(text) // HUNDRED)


def weight(text: str) -> int:
    """In hundredths of a token. Of lines joined by line breaks it is the sum of theirs and of the line breaks', as long as
    no line is empty."""
    return sum(map(_weight, _BREAKING.split(text))) if "\n" in text else _weight(text)


@lru_cache(1 << 12)  # a line is written into one text after the other
def _weight(text: str) -> int:
    """The same of a line, or of line breaks: no piece goes over the end of a line."""
    total = sum(map(_cost, _PIECE.findall(text)))
    return total + sum(map(_before_digit, _SPACES_BEFORE_DIGIT.findall(text))) + _FOREIGN_WORD * _foreign_words(text)


def _foreign_words(line: str) -> int:
    """How many words there are, if the line is prose of another language than English."""
    if line.count(" ") < _LEAST_PROSE - 1:
        return 0
    words = _PROSE_WORD.findall(line)
    if len(words) < _LEAST_PROSE or sum(map(len, words)) < _MOSTLY * len(line.strip().replace(" ", "")):
        return 0
    return len(words) if _ONE_IN * sum(word.lower() in _ENGLISH for word in words) <= len(words) else 0


@lru_cache(1 << 16)
def _cost(piece: str) -> int:
    first = piece[-1]
    if first == "\n":
        return _BREAK if len(piece) == 1 else _BREAKS
    if first.isspace():
        return _blank(piece)
    if not piece.isascii():
        return _foreign(piece)
    if not first.isprintable():
        return _CONTROL
    if first.isalpha():
        return _word(piece)
    return _number(len(piece)) if first.isdigit() else _marks(piece)


def _blank(piece: str) -> int:
    if piece[-1] != " ":
        return _TABS + _NEXT_TAB * (len(piece) - 1)
    return _ONE_SPACE if len(piece) == 1 else _SPACES + _EACH_SPACE * len(piece)


def _before_digit(spaces: str) -> int:
    """What spaces cost beside their own weight where a number follows."""
    return _SPACE_BEFORE_DIGIT - _ONE_SPACE if len(spaces) == 1 else _SPACES_BEFORE_DIGITS - _SPACES


def _word(piece: str) -> int:
    word = piece.lstrip(" ")
    kind = _LOWER if word[0].islower() else _UPPER if word.isupper() and len(word) > 1 else _CAPITALISED
    alone, spaced, over_four, over_seven, unusual = kind
    total = (spaced if piece[0] == " " else alone) + over_four * max(0, len(word) - 4) + over_seven * max(0, len(word) - 7)
    word = word.lower()
    odd = sum(word[at : at + 3] not in COMMON_TRIPLES for at in range(len(word) - 2))
    return total + unusual * odd + _MORE_UNUSUAL * max(0, odd - 2)


def _number(digits: int) -> int:
    return _THREE_DIGITS * -(-digits // 3) + _DIGIT * digits


def _marks(piece: str) -> int:
    total, runs = _MARKS, 0
    for run in _SAME.finditer(piece):
        runs += 1
        more = len(run[0]) - 1
        total += _UNDERSCORE * (run[1] == "_") + _SAME_MARK * min(more, 3) + _STILL_SAME * max(0, more - 3)
    return total + _THIRD_MARK * max(0, runs - 2) + _FIFTH_MARK * max(0, runs - 4)


def _foreign(piece: str) -> int:
    """A word with accents, or one character of anything else."""
    if len(piece) == 1 and not _is_accented(ord(piece)):
        return _SCRIPTS[bisect_right(_STARTS, ord(piece)) - 1][1]
    total, before = _ACCENTED, "a"
    for letter in piece:
        total += _PLAIN_LETTER if letter.isascii() else _accent(ord(letter)) + _NEXT_ACCENT * (not before.isascii())
        before = letter
    return total


def _accent(code: int) -> int:
    if code < 0x100:
        return _WESTERN_ACCENT
    if code < 0x250:
        return _MIDDLE_ACCENT
    return _VIETNAMESE_ACCENT if 0x1EA0 <= code < 0x1EFA else _OTHER_ACCENT


def _is_accented(code: int) -> bool:
    return 0xC0 <= code < 0x250 or 0x300 <= code < 0x370 or 0x1E00 <= code < 0x1F00
