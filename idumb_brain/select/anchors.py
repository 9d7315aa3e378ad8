"""What an anchor is worth now, and whether it is told at all. Pure; refuses to say since when one is stale.

    score = weight of its priority + max(0, 48 − hours stale) − 10 × depth

``depth`` is how far the anchor is from the active task in the entity graph: 0 where it hangs on the task itself, where there
is no active task, and where no way leads from one to the other, for an anchor is of the whole project.
"""

from __future__ import annotations

from datetime import datetime

from idumb_brain.model.knowledge import Anchor
from idumb_brain.model.selection import Score

WEIGHTS = {"critical": 100, "high": 75, "medium": 50, "low": 25}
_FRESH_HOURS = 48
_STEP = 10


def score(anchor: Anchor, stale_since: str, now: str, depth: int = 0) -> Score:
    """``stale_since`` is empty while it is not stale."""
    hours = _hours(stale_since, now)
    fresh = max(0.0, _FRESH_HOURS - hours)
    reasons = [
        f"{anchor.priority}: {WEIGHTS[anchor.priority]}",
        f"stale for {hours:.0f} h: +{fresh:.0f}" if stale_since else "fresh: +48",
    ]
    if depth:
        reasons.append(f"{depth} {'step' if depth == 1 else 'steps'} from the active task: −{_STEP * depth}")
    return Score(WEIGHTS[anchor.priority] + fresh - _STEP * depth, tuple(reasons))


def kept_back(anchor: Anchor, stale_since: str) -> str:
    """Why an anchor is not told; empty where it is. A critical one is told even when stale, and marked so."""
    if anchor.purged_at:
        return "purged"
    if anchor.superseded_by:
        return f"superseded by {anchor.superseded_by}"
    return f"stale since {stale_since}" if stale_since and anchor.priority != "critical" else ""


def _hours(then: str, now: str) -> float:
    """0 where that time is yet to come: a clock that was set back makes nothing fresher."""
    if not then or then >= now:
        return 0.0
    return (datetime.fromisoformat(now) - datetime.fromisoformat(then)).total_seconds() / 3600
