"""What is told of given candidates, in full, as text that can be read: ``fixtures/selection``."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from idumb_brain.model.selection import Budget, Candidate, Layout, Score, Selection
from idumb_brain.select.fill import fill
from tests.conftest import FIXTURES

CASES = sorted((FIXTURES / "selection").glob("*.toml"))
LAYOUT = Layout("<told>", "</told>", (("", ""), ("anchors", "## Anchors"), ("code", "## Code")))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_selection(case: Path, snapshot: Callable[[Path, str], None]) -> None:
    stated = tomllib.loads(case.read_text("utf-8"))
    candidates = [
        Candidate(
            "entry", one["id"], Score(one["score"]), tuple(one["forms"]), one.get("must", False), one.get("group", ""),
            one.get("section", ""), one.get("says", ""),
        )
        for one in stated["candidates"]
    ]  # fmt: skip
    made = fill(candidates, Budget(stated.get("chars"), stated.get("tokens")), LAYOUT)
    snapshot(case.with_suffix(".txt"), _shown(made))


def _shown(made: Selection) -> str:
    told = "".join(
        f"told {one.id}: {'cut' if one.form < 0 else f'form {one.form}'}{''.join(f', {why}' for why in one.score.reasons)}\n"
        for one in made.chosen
    )
    dropped = "".join(f"left out {one.id}: {one.reason}\n" for one in made.dropped)
    return f"{made.text}\n\n{made.chars} characters, {made.tokens} tokens\n{told}{dropped}"
