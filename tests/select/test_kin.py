"""Other forms of a word are guessed both ways, and never of short words or of what is no word."""

from __future__ import annotations

import pytest

from idumb_brain.scan.lexing import stem
from idumb_brain.select.kin import kin_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("handling", "handler"),
        ("validated", "validation"),
        ("validator", "validates"),
        ("committing", "committer"),
        ("deployment", "deploying"),
        ("verify", "verified"),
        ("iterates", "iterator"),
        ("transformation", "transforms"),
    ],
)
def test_forms_of_a_word_find_each_other(one: str, other: str) -> None:
    assert stem(other) in kin_of(stem(one))
    assert stem(one) in kin_of(stem(other))


@pytest.mark.parametrize("word", ["handl", "committer", "commit", "verify"])
def test_a_word_is_not_kin_to_itself(word: str) -> None:
    assert kin_of(word)
    assert word not in kin_of(word)


@pytest.mark.parametrize("word", ["", "er", "run", "http2", "größer", "日本語"])
def test_what_is_short_or_no_plain_word_has_no_kin(word: str) -> None:
    assert kin_of(word) == ()
