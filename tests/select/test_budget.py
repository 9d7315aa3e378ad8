"""The estimate holds on texts whose true counts are known, and adds up."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as some

from idumb_brain.select.budget import tokens, weight
from tests.conftest import FIXTURES

KNOWN = json.loads((FIXTURES / "tokens.json").read_text("utf-8"))


@pytest.mark.parametrize("known", KNOWN, ids=[f"{at} {one['kind']}" for at, one in enumerate(KNOWN)])
def test_never_far_below_the_dearest_nor_wildly_above(known: dict[str, object]) -> None:
    counts = known["tokens"]
    assert isinstance(counts, list)
    assert 0.95 * max(counts) <= tokens(str(known["text"])) <= 1.4 * max(counts)


@given(some.lists(some.text(min_size=1).map(lambda text: text.replace("\n", " ")), min_size=1))
def test_lines_add_up(lines: list[str]) -> None:
    assert weight("\n".join(lines)) == sum(map(weight, lines)) + (len(lines) - 1) * weight("\n")


@given(some.text())
def test_nothing_is_free_but_nothing(text: str) -> None:
    assert (tokens(text) == 0) == (text == "")
