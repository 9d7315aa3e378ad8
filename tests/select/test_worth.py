"""What knowledge is worth: a row a case, no clock and no files."""

from __future__ import annotations

import pytest

from idumb_brain.model.knowledge import Anchor, Entry, Evidence
from idumb_brain.select.worth import CHANGED, GONE, MOVED, SAME, Standing, place, span, stale_since, standing

START = "2026-01-01T00:00:00Z"
DAY = 86400
A, B = Evidence("a.py", 3, 5, hash="1"), Evidence("b.py", hash="2")

# what is stated, when it is read, what became of evidence; what it is worth, whether stale, a word of each reason
CASES = {
    "at once": ({}, START, {}, 100, False, ()),
    "half of its time": ({}, "2026-01-16T00:00:00Z", {}, 71, False, ()),
    "all of its time": ({}, "2026-01-31T00:00:00Z", {}, 50, True, ("for 30 days",)),
    "ten times its time": ({}, "2026-10-28T00:00:00Z", {}, 0, True, ("for 300 days",)),
    "validated since": ({"validated_at": "2026-01-31T00:00:00Z"}, "2026-01-31T00:00:00Z", {}, 100, False, ()),
    "less sure": ({"confidence": 60}, "2026-01-31T00:00:00Z", {}, 30, True, ("half",)),
    "pinned": ({"pinned": True}, "2036-01-01T00:00:00Z", {}, 100, False, ()),
    "lasts for ever": ({"stale_after": 0}, "2036-01-01T00:00:00Z", {}, 100, False, ()),
    "clock set back": ({}, "2020-01-01T00:00:00Z", {}, 100, False, ()),
    "confidence nobody may state": ({"confidence": 1000}, START, {}, 100, False, ()),
    "negative confidence": ({"confidence": -5}, START, {}, 0, False, ()),
    "evidence as it was": ({"evidence": (A, B)}, START, {A: SAME}, 100, False, ()),
    "lines moved": ({"evidence": (A,)}, START, {A: MOVED}, 90, False, ("a.py:3-5 is not the file it was",)),
    "evidence changed": ({"evidence": (A,)}, START, {A: CHANGED}, 50, True, ("a.py:3-5 has changed",)),
    "evidence gone": ({"evidence": (B,)}, START, {B: GONE}, 20, True, ("b.py is gone",)),
    "one of two gone": ({"evidence": (A, B)}, START, {A: SAME, B: GONE}, 60, True, ("b.py is gone",)),
    "pinned, but its source is gone": ({"evidence": (B,), "pinned": True}, START, {B: GONE}, 20, True, ("b.py is gone",)),
    "old and changed": ({"evidence": (A,)}, "2026-01-31T00:00:00Z", {A: CHANGED}, 25, True, ("30 days", "has changed")),
    "superseded": ({"superseded_by": "x", "valid_to": START}, START, {}, 0, True, ("superseded by x",)),
    "no longer so": ({"valid_to": "2026-01-02T00:00:00Z"}, "2026-01-03T00:00:00Z", {}, 0, True, ("no longer so",)),
    "so until later": ({"valid_to": "2026-01-02T00:00:00Z"}, START, {}, 100, False, ()),
    "purged": ({"purged_at": START}, START, {}, 0, True, ("purged",)),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_standing(case: str) -> None:
    stated, now, states, worth, stale, told = CASES[case]
    entry = Entry("e", "decision", "t", "c", **{"stale_after": 30 * DAY, "created_at": START, "modified_at": START} | stated)
    found = standing(entry, now, states)
    assert (found.confidence, found.stale, len(found.reasons)) == (worth, stale, len(told)), found
    for word, reason in zip(told, found.reasons, strict=True):
        assert word in reason


def test_doubt_weighs_less_but_never_nothing() -> None:
    assert [Standing(n).multiplier for n in (100, 50, 30, 0)] == [1.0, 0.5, 0.3, 0.3]


ANCHORS = {
    "fresh": ({}, "2026-01-02T23:59:59Z", SAME, "", ""),
    "48 hours": ({}, "2026-01-03T00:00:00Z", SAME, "", "2026-01-03T00:00:00Z"),
    "validated again": ({"validated_at": "2026-01-02T12:00:00Z"}, "2026-01-04T00:00:00Z", SAME, "", ""),
    "file changed": ({"file": "a.py"}, "2026-01-01T05:00:00Z", CHANGED, "", "2026-01-01T05:00:00Z"),
    "file changed, seen before": (
        {"file": "a.py", "stale_since": "2026-01-01T02:00:00Z"}, "2026-01-01T05:00:00Z", CHANGED, "", "2026-01-01T02:00:00Z",
    ),
    "file as it was again": ({"file": "a.py", "stale_since": "2026-01-01T02:00:00Z"}, "2026-01-01T05:00:00Z", SAME, "", ""),
    "file gone": ({"file": "a.py"}, "2026-01-01T05:00:00Z", GONE, "", "2026-01-01T05:00:00Z"),
    "task changed": ({"task": "t"}, "2026-01-01T05:00:00Z", SAME, "2026-01-01T04:00:00Z", "2026-01-01T04:00:00Z"),
    "task changed before": ({"task": "t"}, "2026-01-01T05:00:00Z", SAME, "2025-12-31T00:00:00Z", ""),
    "clock set back": ({}, "2020-01-01T00:00:00Z", SAME, "", ""),
}  # fmt: skip


@pytest.mark.parametrize("case", ANCHORS)
def test_stale_since(case: str) -> None:
    stated, now, state, task, since = ANCHORS[case]
    found, why = stale_since(Anchor("a", "context", "high", "c", created_at=START, **stated), now, state, task)
    assert found == since and bool(why) == bool(since)


@pytest.mark.parametrize(
    ("evidence", "written"),
    [(A, "a.py:3-5"), (B, "b.py"), (Evidence("c", 7, 7), "c:7"), (Evidence(commit="a" * 40), "a" * 12)],
)
def test_evidence_is_told_as_it_is_typed(evidence: Evidence, written: str) -> None:
    assert place(evidence) == written


@pytest.mark.parametrize(
    ("seconds", "told"), [(0, "0 seconds"), (60, "1 minute"), (7200, "2 hours"), (DAY, "1 day"), (1e9, "11,574 days")]
)
def test_span(seconds: float, told: str) -> None:
    assert span(seconds) == told
