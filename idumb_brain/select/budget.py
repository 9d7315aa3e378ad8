"""How many tokens a text will cost a model, estimated from its looks. Carries no vocabulary and refuses to be exact.

Tokenizers cut text much alike: at the borders of words, in digits by threes, at punctuation and white space, and then look
the pieces up. Without their vocabulary a piece is worth what pieces of its kind and length cost on average. The figures below
were fitted to the dearest of three tokenizers (o200k_base, cl100k_base and that of Claude 2) on prose, code, data and writing
systems of many kinds: not to fall below it counts more than to be close. ``tests/accuracy/tokens.py`` measures how far they hold.

Weights are whole hundredths of a token, so that they add up: a text weighs what its lines and the line breaks between them
weigh, and a budget can be kept item by item.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

HUNDRED = 100  # hundredths in a token

_LATIN = "A-Za-z\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff"
_PIECE = re.compile(
    f"[A-Za-z]*[\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff][{_LATIN}]*"  # a word with accents
    "| ?[A-Z]?[a-z]+| ?[A-Z]+(?![a-z])"  # a word, or a part of an identifier
    "|[0-9]+|\n+| +|[^\\S\n ]+|[!-/:-@\\[-`{-~]+|.",
    re.DOTALL,
)
_BREAKING = re.compile("(\n+)")
# Letters that seldom follow one: where they do, the word is none, and tokenizers cut it small.
_SELDOM = {
    "a": "ehjoq", "b": "bcdfghknpqtvwxz", "c": "bdgjmpqvwxz", "d": "cfghkpqvwxz", "e": "jz", "f": "bcdghjkmpqvwxz",
    "g": "bcdfjkmqvwxyz", "h": "bcdfghjklnqvwxyz", "i": "hijquwy", "j": "bcdfghijklmnprtuwxyz", "k": "bcdfgjklmnpqruvwxyz",
    "l": "ghjkmnqrwxz", "m": "cfghjknqrvwxz", "n": "bjqrwxz", "o": "hqyz", "p": "bfgjkmnqvwz", "q": "abcdefghijklmnopqrstvwxyz",
    "r": "hjpqwxz", "s": "bjxz", "t": "gjkqvz", "u": "hjkoquvwxyz", "v": "bcdfghjklmpqrstvwxyz", "w": "bcdfgjklmpqtuvxyz",
    "x": "bdfghjklmnoqrsuvwxyz", "y": "abcdeghijkmqruvwxyz", "z": "bcdfghijklmnopqrstuvwxz",
}  # fmt: skip
_UNUSUAL = re.compile("|".join(f"{first}(?=[{then}])" for first, then in _SELDOM.items()))
_UNUSUAL_COSTS = 90

# A word by its spelling: at the start of a piece, after a space, each letter over four, each over seven.
_LOWER, _CAPITALISED, _UPPER = (108, 97, 8, 21), (75, 89, 5, 49), (191, 73, 10, 0)
_ACCENTED, _PLAIN_LETTER, _WESTERN_ACCENT, _OTHER_ACCENT = 86, 138, 95, 31
_THREE_DIGITS, _DIGIT = 96, 9
_BREAK, _BREAKS, _MORE_BREAKS = 69, 222, 7
_ONE_SPACE, _SPACES, _MORE_SPACES, _TABS = 59, 20, 1, 129
_MARK, _NEXT_MARK, _COMMON_MARK, _UNDERSCORE, _SAME_MARK, _STILL_SAME = 92, 3, 19, 7, 41, 1
_COMMON_MARKS = frozenset(".,()\"'")
_SAME = re.compile(r"(.)\1*", re.DOTALL)
# Other characters, by the first code point to which the figure applies.
_SCRIPTS = (
    (0x0000, 102),  # control characters
    (0x0080, 70),  # Latin without letters: signs
    (0x0370, 77),  # Greek, Cyrillic
    (0x0530, 115),  # Armenian, Hebrew, Arabic
    (0x0800, 136),  # of India and South East Asia
    (0x1100, 157),
    (0x2000, 66),  # dashes, quotation marks
    (0x2070, 185),  # arrows, mathematics
    (0x2500, 162),  # boxes
    (0x25A0, 185),  # symbols
    (0x2E80, 157),
    (0x3000, 102),  # punctuation of East Asia
    (0x3040, 128),  # kana
    (0x3100, 138),  # Chinese characters
    (0xA000, 157),
    (0xAC00, 144),  # Hangul
    (0xD7B0, 157),
    (0x10000, 305),  # emoji, and what is rare
)
_STARTS = [start for start, _ in _SCRIPTS]


def tokens(text: str) -> int:
    return -(-weight(text) // HUNDRED)


def weight(text: str) -> int:
    """In hundredths of a token. Of lines joined by line breaks it is the sum of theirs and of the line breaks', as long as
    no line is empty."""
    return sum(map(_weight, _BREAKING.split(text))) if "\n" in text else _weight(text)


@lru_cache(1 << 13)  # a line is written into one text after the other
def _weight(text: str) -> int:
    """The same of a line, or of line breaks: no piece goes over the end of a line."""
    return sum(map(_cost, _PIECE.findall(text))) + _UNUSUAL_COSTS * len(_UNUSUAL.findall(text.lower()))


@lru_cache(1 << 16)
def _cost(piece: str) -> int:
    first = piece[-1]
    if first == "\n":
        return _BREAK if len(piece) == 1 else _BREAKS + _MORE_BREAKS * (len(piece) - 2)
    if first.isspace():
        return _ONE_SPACE if piece == " " else _SPACES + _MORE_SPACES * len(piece) if first == " " else _TABS
    if not piece.isascii():
        return _foreign(piece)
    if first.isalpha():
        return _word(piece)
    return _number(len(piece)) if first.isdigit() else _marks(piece)


def _word(piece: str) -> int:
    word = piece.lstrip(" ")
    kind = _LOWER if word[0].islower() else _UPPER if word.isupper() and len(word) > 1 else _CAPITALISED
    alone, spaced, over_four, over_seven = kind
    return (spaced if piece[0] == " " else alone) + over_four * max(0, len(word) - 4) + over_seven * max(0, len(word) - 7)


def _number(digits: int) -> int:
    return _THREE_DIGITS * -(-digits // 3) + _DIGIT * digits


def _marks(piece: str) -> int:
    total = _MARK - _NEXT_MARK
    for run in _SAME.finditer(piece):
        mark, more = run[1], len(run[0]) - 1
        total += _NEXT_MARK + (_COMMON_MARK if mark in _COMMON_MARKS else _UNDERSCORE if mark == "_" else 0)
        total += _SAME_MARK * min(more, 3) + _STILL_SAME * max(0, more - 3)
    return total


def _foreign(piece: str) -> int:
    """A word with accents, or one character of anything else."""
    if len(piece) == 1 and not _is_accented(ord(piece)):
        return _SCRIPTS[bisect_right(_STARTS, ord(piece)) - 1][1]
    total = _ACCENTED
    for letter in piece:
        total += _PLAIN_LETTER if letter.isascii() else _WESTERN_ACCENT if letter < "\u0100" else _OTHER_ACCENT
    return total


def _is_accented(code: int) -> bool:
    return 0xC0 <= code < 0x250 or 0x300 <= code < 0x370 or 0x1E00 <= code < 0x1F00
