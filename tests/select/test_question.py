"""What texts are understood to ask: every ``fixtures/questions/*.txt`` beside what is read from it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from idumb_brain.select.question import MOST_CHARACTERS, understand
from tests.conftest import FIXTURES

QUESTIONS = sorted((FIXTURES / "questions").glob("*.txt"))


@pytest.mark.parametrize("file", QUESTIONS, ids=lambda file: file.stem)
def test_understood(file: Path, snapshot: Callable[[Path, str], None]) -> None:
    question = understand(file.read_text("utf-8"))
    told = {
        "title": question.title,
        "places": [f"{place.path}:{place.line} {place.function}".strip() for place in question.places],
        "quoted": list(question.quoted),
        "names": {name: round(weight, 2) for name, weight in sorted(question.identifiers.items()) if weight >= 0.5},
        "words": {word: round(weight, 2) for word, weight in sorted(question.words.items())},
        "pairs": sorted(question.pairs),
        "wants": sorted(question.wants),
    }
    snapshot(file.with_suffix(".expected"), json.dumps(told, indent=1, ensure_ascii=False) + "\n")


@given(some.text(max_size=3_000))
def test_any_text_is_understood(text: str) -> None:
    question = understand(text)
    assert all(weight > 0 for weight in question.words.values())
    assert question == understand(text)


@pytest.mark.parametrize("piece", ["a.b/", "(", "x", "/a", "- ", "\n", "#1 ", "'a", "a@", "\\a", "<!--", "```\n", "\0", "f("])
def test_a_huge_text_is_read_as_far_as_it_is_worth(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    assert understand(text) == understand(text[:MOST_CHARACTERS])
