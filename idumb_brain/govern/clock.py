"""Seconds between two told times. Knows no present: whoever asks brings it along."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def seconds_between(earlier: str, later: str) -> float:
    """Negative when a clock was set back between them; what is no time counts as no time passed."""
    try:
        return (_read(later) - _read(earlier)).total_seconds()
    except ValueError:
        return 0.0


def elapsed(since: str, now: str) -> float:
    """Seconds that passed, never fewer than none: a clock that was set back has not undone anything."""
    return max(0.0, seconds_between(since, now))


def later(time: str, seconds: float) -> str:
    """So many seconds after a told time; "" where there is no such time."""
    try:
        return (_read(time) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return ""


def within(at: str, now: str, seconds: float) -> bool:
    """Whether something happened in the last so many seconds, and not in a future that a wrong clock once told of."""
    return 0 <= seconds_between(at, now) <= seconds


def _read(time: str) -> datetime:
    told = datetime.fromisoformat(time)
    return told if told.tzinfo else told.replace(tzinfo=UTC)
