"""Anchors are scored as promised."""

from __future__ import annotations

import pytest

from idumb_brain.model.knowledge import Anchor
from idumb_brain.select.anchors import kept_back, score

NOW = "2026-02-04T10:30:00Z"


@pytest.mark.parametrize(
    ("priority", "stale_since", "depth", "expected"),
    [
        ("critical", "", 0, 148),
        ("high", "", 0, 123),
        ("medium", "", 0, 98),
        ("low", "", 0, 73),
        ("critical", "2026-02-04T10:30:00Z", 0, 148),
        ("critical", "2026-02-04T04:30:00Z", 0, 142),
        ("critical", "2026-02-04T10:00:00Z", 0, 147.5),
        ("critical", "2026-02-02T10:30:00Z", 0, 100),
        ("critical", "2025-02-04T10:30:00Z", 0, 100),
        ("high", "", 1, 113),
        ("low", "2026-02-03T10:30:00Z", 3, 19),
        ("low", "2026-01-01T00:00:00Z", 5, -25),
        ("medium", "2027-01-01T00:00:00Z", 0, 98),
    ],
)
def test_score(priority: str, stale_since: str, depth: int, expected: float) -> None:
    assert score(Anchor("a", "decision", priority, "…"), stale_since, NOW, depth).value == expected


@pytest.mark.parametrize(
    ("anchor", "stale_since", "expected"),
    [
        (Anchor("a", "decision", "critical", "…"), "2026-01-01T00:00:00Z", ""),
        (Anchor("a", "decision", "high", "…"), "2026-01-01T00:00:00Z", "stale since 2026-01-01T00:00:00Z"),
        (Anchor("a", "decision", "low", "…"), "", ""),
        (Anchor("a", "decision", "critical", "…", superseded_by="b"), "", "superseded by b"),
        (Anchor("a", "decision", "critical", "…", purged_at=NOW), "", "purged"),
    ],
)
def test_who_is_told(anchor: Anchor, stale_since: str, expected: str) -> None:
    assert kept_back(anchor, stale_since) == expected
