"""The selector keeps its promises whatever it is given."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as some

from idumb_brain.model.selection import Budget, Candidate, Layout, Score
from idumb_brain.select.budget import tokens
from idumb_brain.select.fill import STUB, fill
from idumb_brain.select.page import written

LAYOUT = Layout("<block>", "</block>", (("", ""), ("anchors", "## Anchors"), ("files", "## Files")))
WORDS = "retry the login three times 5 cache store/code.py getUser – not before\n\n  if x:\n café 漢字 👩‍👩‍👧 🇻🇳"
texts = some.lists(some.sampled_from(WORDS.split(" ")), min_size=1, max_size=60).map(" ".join).map(str.strip) | some.text()


@some.composite
def candidates(draw: some.DrawFn) -> list[Candidate]:
    return [
        Candidate(
            draw(some.sampled_from(("anchor", "entry"))),
            f"{number}",
            Score(draw(some.integers(-30, 150)), ("because",)),
            tuple(sorted(draw(some.lists(texts, min_size=1, max_size=3)), key=len)),
            must=draw(some.integers(0, 5)) == 0,
            group=draw(some.sampled_from(("", "a", "b"))),
            section=draw(some.sampled_from(("", "anchors", "files", "elsewhere"))),
        )
        for number in range(draw(some.integers(0, 12)))
    ]


budgets = some.builds(Budget, some.none() | some.integers(0, 1500), some.none() | some.integers(0, 400))


@given(candidates(), budgets, some.sampled_from((LAYOUT, Layout())))
def test_budgets_are_kept_and_everybody_is_accounted_for(given: list[Candidate], budget: Budget, layout: Layout) -> None:
    made = fill(given, budget, layout)
    assert made.chars == len(made.text) <= (len(made.text) if budget.chars is None else budget.chars)
    assert made.tokens == tokens(made.text) <= (made.tokens if budget.tokens is None else budget.tokens)
    told = [(one.kind, one.id) for one in made.chosen] + [(one.kind, one.id) for one in made.dropped]
    assert sorted(told) == sorted((one.kind, one.id) for one in given)
    assert all(one.reason for one in made.dropped)
    assert all(one.text in made.text for one in made.chosen)


@given(candidates(), budgets, some.randoms())
def test_the_order_of_the_given_makes_no_difference(given: list[Candidate], budget: Budget, chance: Random) -> None:
    shuffled = chance.sample(given, len(given))
    assert fill(shuffled, budget, LAYOUT) == fill(given, budget, LAYOUT)


@given(candidates(), some.integers(0, 400))
def test_what_must_be_told_is_told_when_a_line_has_room(given: list[Candidate], chars: int) -> None:
    given = [replace(one, must=one.id == "0", forms=(f"{one.id} {'word ' * 9}", *one.forms)) for one in given]
    made = fill(given, Budget(chars), LAYOUT)
    if given and chars >= STUB.chars:
        assert "0" in {one.id for one in made.chosen}


@given(candidates())
def test_without_a_limit_all_is_told_in_full_but_what_repeats(given: list[Candidate]) -> None:
    made = fill(given, Budget(), LAYOUT)
    full = {one.id: len(one.forms) - 1 for one in given}
    assert all(one.form == full[one.id] for one in made.chosen)
    assert all(one.reason.startswith(("same as", "says nothing")) for one in made.dropped)


@given(candidates(), some.integers(0, 500), some.integers(0, 500))
def test_more_room_never_leaves_nothing(given: list[Candidate], chars: int, more: int) -> None:
    if fill(given, Budget(chars), LAYOUT).chosen:
        assert fill(given, Budget(chars + more), LAYOUT).chosen


@given(candidates())
def test_the_text_is_what_its_parts_make(given: list[Candidate]) -> None:
    made = fill(given, Budget(100_000), LAYOUT)
    assert made.text == written(made.chosen, LAYOUT)
