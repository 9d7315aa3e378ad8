"""Where a text is cut, and where never."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as some

from idumb_brain.select.budget import weight
from idumb_brain.select.shorten import ELLIPSIS, shortened

CASES = (
    ("whole", 5, "whole"),
    ("First paragraph.\n\nSecond one here.", 25, "First paragraph.\n…"),
    ("One sentence. Another sentence. A third.", 34, "One sentence. Another sentence. …"),
    ("One sentence that goes on and on and on", 20, "One sentence that …"),
    ("def take(self):\n    return self.titles.pop(0)\n    # done", 40, "def take(self):\n…"),
    ("Supercalifragilistic", 8, "Superca…"),
    ("café́s", 5, "caf…"),
    ("ab👩‍👩‍👧cd", 6, "ab…"),
    ("🇻🇳🇩🇪🇫🇷", 4, "🇻🇳…"),
    ("一二三。四五六七八九", 8, "一二三。 …"),
    ("anything", 1, ""),
    ("anything", 0, ""),
    ("anything", -3, ""),
)


@pytest.mark.parametrize(("text", "chars", "expected"), CASES)
def test_cut(text: str, chars: int, expected: str) -> None:
    assert shortened(text, chars) == expected


@given(some.text(), some.integers(0, 80), some.integers(0, 3000))
def test_it_fits_and_is_a_beginning(text: str, chars: int, hundredths: int) -> None:
    cut = shortened(text, chars, hundredths)
    assert len(cut) <= chars
    assert weight(cut) <= hundredths
    if cut != text and cut:
        kept = cut.removesuffix(ELLIPSIS).rstrip()
        assert cut.endswith(ELLIPSIS) and text.startswith(kept)
        after = text[len(kept) :][:1]
        assert not after or unicodedata.category(after)[0] != "M"
