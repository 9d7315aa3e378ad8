"""A text cut short where a reader would cut it, with a mark that something is missing. Refuses to cut through a character.

Cut is at the end of a paragraph, a sentence, a line or a word, the first of these that wastes less than half of the room.
Code is cut at the end of a line. What is one character to a reader (a letter and its accents, a family of emoji, a flag) stays whole.
"""

from __future__ import annotations

import re
import unicodedata

from idumb_brain.select.budget import HUNDRED, weight

ELLIPSIS = "…"
_PARAGRAPH, _LINE, _WORD = re.compile(r"\n\s*\n"), re.compile(r"\n"), re.compile(r"\s+")
_SENTENCE = re.compile(r"(?<=[.!?;:])\s|(?<=[。！？；])|(?<=[.!?][\"')\]])\s")
# The borders to stop at, the best first, and how much of the room has to be used for one to be worth it.
_PROSE = ((_PARAGRAPH, 0.5), (_SENTENCE, 0.5), (_LINE, 0.5), (_WORD, 0.5))
_CODE = ((_LINE, 0.2), (_WORD, 0.5))
_CODE_LINE = re.compile(r"^\s{2,}\S|^\t|[{};,(\[:]\s*$|^\s*[)}\]]")
_JOINER = "\u200d"


def shortened(text: str, chars: int | None = None, hundredths: int | None = None) -> str:
    """The text where it fits; else as much of it as does, with an ellipsis; nothing where not even a letter and that fit."""
    limit = len(text) if chars is None else min(chars, len(text))
    cut = text if limit >= len(text) else _cut(text, limit)
    while hundredths is not None and cut and (heavy := weight(cut)) > hundredths:
        limit = min(limit - 1, len(cut) - 1, len(cut) * max(hundredths, HUNDRED // 10) // heavy)
        cut = _cut(text, limit)
    return cut


def _cut(text: str, limit: int) -> str:
    """At most ``limit`` characters, the ellipsis among them."""
    for border, least in _CODE if _is_code(text) else _PROSE:
        room = limit - 2  # white space and the ellipsis
        ends = [found.start() for found in border.finditer(text, 0, max(0, room + 1)) if found.start() <= room]
        if ends and ends[-1] >= least * room and (kept := text[: ends[-1]].rstrip()):
            return kept + ("\n" if border in (_PARAGRAPH, _LINE) else " ") + ELLIPSIS
    end = limit - 1
    while end > 0 and not _is_border(text, end):
        end -= 1
    kept = text[: max(0, end)].rstrip()
    return kept + ELLIPSIS if kept else ""


def _is_code(text: str) -> bool:
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) > 1 and 2 * sum(map(bool, map(_CODE_LINE.search, lines))) >= len(lines)


def _is_border(text: str, at: int) -> bool:
    """Whether a reader sees a new character begin here."""
    before, after = text[at - 1], text[at]
    if _JOINER in (before, after) or unicodedata.category(after)[0] == "M" or "\U0001f3fb" <= after <= "\U0001f3ff":
        return False
    if _is_flag(before) and _is_flag(after):
        run = at
        while run > 0 and _is_flag(text[run - 1]):
            run -= 1
        return (at - run) % 2 == 0
    return not (
        (before == "\r" and after == "\n")
        or "\u1160" <= after <= "\u11ff"  # vowels and final consonants of Hangul, written apart
        or "\U000e0020" <= after <= "\U000e007f"  # tags that spell the name of a flag
    )


def _is_flag(letter: str) -> bool:
    return "\U0001f1e6" <= letter <= "\U0001f1ff"
