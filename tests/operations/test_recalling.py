"""What recall may show, how it ranks, and what it does with bad questions."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idumb_brain.model.errors import BadInput
from idumb_brain.model.knowledge import ENTRY_TYPES, Entry, Evidence
from idumb_brain.operations import recalling
from idumb_brain.operations.recalling import recall
from idumb_brain.select.budget import tokens
from idumb_brain.store import knowledge
from idumb_brain.store.brain import Brain, begin, open_brain, opened, writing
from idumb_brain.store.recall import note_reading
from tests.conftest import FIXTURES

NOW = "2026-02-04T10:30:00Z"
BEFORE = "2026-01-01T00:00:00Z"
GOLDENS = FIXTURES / "recall"


def entry(id: str, title: str, content: str = "", type: str = "decision", **more: object) -> Entry:
    made = Entry(id, type, title, content, created_at=BEFORE, modified_at=BEFORE, valid_from=BEFORE)
    return replace(made, **more)  # type: ignore[arg-type]


def remember(brain: Brain, *entries: Entry) -> Brain:
    with writing(brain):
        for one in entries:
            knowledge.add_entry(brain, one, "manual")
    return brain


def library() -> list[Entry]:
    """The entries that the goldens ask about."""
    told = json.loads((GOLDENS / "entries.json").read_text("utf-8"))
    return [
        entry(
            one["id"], one["title"], one.get("content", ""), one.get("type", "decision"),
            evidence=tuple(Evidence(path) for path in one.get("evidence", ())),
            **{key: tuple(value) if isinstance(value, list) else value for key, value in one.get("more", {}).items()},
        )
        for one in told
    ]  # fmt: skip


@pytest.fixture
def brain(tmp_path: Path) -> Brain:
    return open_brain(tmp_path / "brain.db", NOW)


@pytest.mark.parametrize("golden", sorted(GOLDENS.glob("*.txt")), ids=lambda path: path.stem)
def test_ranking(golden: Path, brain: Brain, snapshot: Callable[[Path, str], None]) -> None:
    """The first line asks; below it are the answers with paths and reasons."""
    asked = golden.read_text("utf-8").splitlines()[0]
    lines = [asked, ""]
    for one in recall(remember(brain, *library()), asked):
        lines += [f"{one.score.value:.2f} {' → '.join(one.path)}", *(f"       {reason}" for reason in one.score.reasons)]
    snapshot(golden, "\n".join(lines) + "\n")


_WORDS = st.sampled_from(["token", "login", "cache", "queue", "retry", "parse", "getUserID", "snake_case", "the", "of"])
_TEXT = st.lists(_WORDS, min_size=1, max_size=6).map(" ".join)
_STATE = st.sampled_from(["current", "current", "superseded", "purged", "expired", "to come"])
_ENTRY = st.tuples(_TEXT, _TEXT, _STATE, st.integers(0, 7), st.integers(0, 7), st.sampled_from(ENTRY_TYPES))


@settings(max_examples=40, deadline=None)
@given(st.lists(_ENTRY, min_size=1, max_size=8), _TEXT, st.integers(1, 5))
def test_nothing_is_told_that_must_not_be(rows: list[tuple[str, str, str, int, int, str]], asked: str, limit: int) -> None:
    state = {
        "superseded": lambda at, other: {"superseded_by": f"e{other % len(rows)}"} if other % len(rows) != at else {},
        "purged": lambda at, other: {"purged_at": BEFORE},
        "expired": lambda at, other: {"valid_to": BEFORE},
        "to come": lambda at, other: {"valid_from": "2027-01-01T00:00:00Z"},
        "current": lambda at, other: {},
    }
    made = [
        entry(
            f"e{at}", title, content, type,
            parent=f"e{parent}" if parent < at else "", related=(f"e{other}",) if other < at else (), **state[how](at, other),
        )
        for at, (title, content, how, parent, other, type) in enumerate(rows)
    ]  # fmt: skip
    hidden = {one.id for one in made if one.superseded_by or one.purged_at or one.valid_to == BEFORE or one.valid_from > NOW}
    with opened(Path("nowhere", "brain.db"), NOW) as brain:
        remember(brain, *made)
        found = recall(brain, asked, limit=limit)
        assert not {one.entry.id for one in found} & hidden
        assert len(found) <= limit and len({one.entry.id for one in found}) == len(found)
        assert found == recall(brain, asked, limit=limit)
        assert all(one.path[-1] == one.entry.id and one.score.reasons for one in found)


BAD = {
    "syntax": '" * ( ) : ^ NEAR AND title:token -token {a b}', "nul": "to\0ken", "emoji": "🚀🔥", "lone surrogate": "a\ud800 token",
    "common words only": "what is the of", "single quote": "it's; DROP TABLE entries", "huge": "token login cache " * 6000,
    "many words": " ".join(f"word{n}" for n in range(20_000)), "one endless word": "x" * 100_000,
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_a_bad_question_is_only_text(case: str, brain: Brain) -> None:
    remember(brain, entry("e1", "Tokens of a login", "the cache of what is"), entry("e2", "Else", "nothing"))
    assert all(one.score.reasons for one in recall(brain, BAD[case]))


def test_a_question_without_answer_is_refused_with_what_was_meant(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="empty"):
        recalling.query(" \n", str(tmp_path))
    with pytest.raises(BadInput) as told:
        recalling.query("token", str(tmp_path), type="desicion")
    assert "decision" in told.value.instead
    with pytest.raises(BadInput, match="no date"):
        recalling.query("token", str(tmp_path), at="yesterday")


def test_what_was_superseded_leads_to_what_took_its_place_and_is_there_for_who_asks(brain: Brain) -> None:
    remember(
        brain,
        entry("old", "Sessions live in cookies", superseded_by="new", valid_to="2026-02-01T00:00:00Z"),
        entry("new", "Signed headers carry who asks", valid_from="2026-02-01T00:00:00Z", created_at="2026-02-01T00:00:00Z"),
    )
    (found,) = recall(brain, "cookies")
    assert (found.entry.id, found.path) == ("new", ("old", "new"))
    assert found.score.reasons[0] == "took the place of old, which says “cookies”"
    assert [one.entry.id for one in recall(brain, "cookies", at="2026-01-15T00:00:00Z")] == ["old"]
    assert "old" in [one.entry.id for one in recall(brain, "cookies", every=True)]


@settings(max_examples=20, deadline=None)
@given(budget=st.integers(1, 600))
def test_a_budget_is_never_exceeded(budget: int) -> None:
    rows = [{"id": f"e{n}", "content": 'said "so" \\ twice,\n' * (n * 3)} for n in range(6)]
    kept = recalling._within(rows, budget)
    assert not kept or tokens(json.dumps({"entries": kept}, ensure_ascii=False)) <= budget
    assert [one["id"] for one in kept] == [one["id"] for one in rows[: len(kept)]]


def test_reading_is_counted_but_never_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "brain.db"
    begin(file)
    with opened(file, NOW) as brain:
        remember(brain, entry("e1", "Tokens"))
        assert note_reading(brain, ["e1"])
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        assert not note_reading(brain, ["e1"])
        other.execute("ROLLBACK")
        other.close()
        after = knowledge.entry(brain, "e1")
        assert after and (after.access_count, after.last_accessed_at, after.modified_at) == (1, NOW, BEFORE)
