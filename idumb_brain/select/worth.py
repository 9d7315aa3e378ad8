"""What a piece of knowledge is worth now: stated confidence, less what time and changed sources took of it, with reasons.

Pure: nothing is rewritten by the passing of time. Refuses to look at files; it is told what became of the evidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from math import floor, log2

from idumb_brain.model.knowledge import Anchor, Entry, Evidence

# What became of something cited.
SAME, MOVED, CHANGED, GONE = "same", "moved", "changed", "gone"
_LEAVES = {SAME: 1.0, MOVED: 0.9, CHANGED: 0.5, GONE: 0.2}
_TOLD = {
    MOVED: "{where} is not the file it was, but the cited lines still stand in it",
    CHANGED: "{where} has changed since it was cited",
    GONE: "{where} is gone",
}

ENDLESS = "9999-12-31T23:59:59Z"
FLOOR = 0.3  # as a multiplier in ranking: what is doubtful is told later, not never
ANCHOR_HOURS = 48  # since its last validation, then an anchor is stale
_DAY = 86400
_SPANS = ((_DAY, "day"), (3600, "hour"), (60, "minute"))
_ERROR = 2  # seconds that a moment worked out beforehand may be wrong


@dataclass(frozen=True, slots=True)
class Standing:
    """``confidence`` is 0 to 100; ``stale`` says that somebody should look at it again."""

    confidence: int
    stale: bool = False
    reasons: tuple[str, ...] = ()

    @property
    def multiplier(self) -> float:
        return max(FLOOR, self.confidence / 100)


def standing(entry: Entry, now: str, states: Mapping[Evidence, str]) -> Standing:
    """Evidence of which nothing is told counts as being as it was."""
    over = _over(entry, now)
    if over:
        return Standing(0, True, over)
    age = seconds_since(max(entry.modified_at, entry.validated_at), now)
    aged = entry.stale_after > 0 and not entry.pinned and age >= entry.stale_after
    became = [states.get(one, SAME) for one in entry.evidence]
    value = min(100, max(0, entry.confidence)) * _left_by_time(entry, age) * _left_by_sources(became)
    reasons = [f"nobody has validated it for {span(age)}; half of it is gone every {span(entry.stale_after)}"] if aged else []
    reasons += [
        _TOLD[state].format(where=place(one)) for one, state in zip(entry.evidence, became, strict=True) if state in _TOLD
    ]
    return Standing(round(value), aged or CHANGED in became or GONE in became, tuple(reasons))


def stands_until(entry: Entry, now: str, states: Mapping[Evidence, str]) -> str:
    """How long ``standing`` tells the same while the sources stay as they are: rather too short than too long, and never back in time."""
    if _over(entry, now):
        return ENDLESS
    ends = [entry.valid_to or ENDLESS]
    if entry.stale_after > 0 and not entry.pinned:
        last = max(entry.modified_at, entry.validated_at)
        age = seconds_since(last, now)
        stated = min(100, max(0, entry.confidence)) * _left_by_sources([states.get(one, SAME) for one in entry.evidence])
        if rounded := round(stated * _left_by_time(entry, age)):
            ends.append(_later(last, timedelta(seconds=floor(entry.stale_after * log2(stated / (rounded - 0.5))) - _ERROR)))
        if age < entry.stale_after:
            ends.append(_later(last, timedelta(seconds=entry.stale_after)))
        else:  # it is told for how long nobody has validated it
            size = next((size for size, _ in _SPANS if age >= size), 1)
            ends.append(_later(last, timedelta(seconds=(age // size + 1) * size)))
    return min(ends)


def stale_since(anchor: Anchor, now: str, state: str, task_changed_at: str = "") -> tuple[str, str]:
    """Since when an anchor is stale, and why; "" while it is not. A clock that was set back makes nothing stale."""
    last = max(anchor.created_at, anchor.modified_at, anchor.validated_at)
    reasons = []
    if state in (CHANGED, MOVED, GONE):
        reasons.append((min(anchor.stale_since or now, now), f"{anchor.file} {'is gone' if state == GONE else 'has changed'}"))
    if task_changed_at > last:
        reasons.append((task_changed_at, f"{anchor.task} has changed"))
    due = _later(last, timedelta(hours=ANCHOR_HOURS))
    if due <= now:
        reasons.append((due, f"not validated for {ANCHOR_HOURS} hours"))
    return min(reasons, default=("", ""))


def stale_until(anchor: Anchor, now: str, told: str, state: str) -> str:
    """How long ``stale_since`` tells the same while its file and task stay as they are; ``told`` is what it tells now."""
    if not told:
        return _later(max(anchor.created_at, anchor.modified_at, anchor.validated_at), timedelta(hours=ANCHOR_HOURS))
    seen = state in (CHANGED, MOVED, GONE) and not "" < anchor.stale_since <= now  # right now, for the first time
    return now if seen else ENDLESS


def place(one: Evidence) -> str:
    """Evidence as it is written on a command line."""
    if not one.path:
        return one.commit[:12]
    lines = f":{one.line}" if one.line else ""
    return f"{one.path}{lines}{f'-{one.end_line}' if one.end_line > one.line else ''}"


def span(seconds: float) -> str:
    """A stretch of time in its largest fitting unit."""
    for size, name in _SPANS:
        if seconds >= size:
            count = int(seconds // size)
            return f"{count:,} {name}{'' if count == 1 else 's'}"
    return f"{int(seconds)} seconds"


def seconds_since(then: str, now: str) -> float:
    """0 where that time is not over yet: a clock that was set back makes nothing younger or older."""
    if not then or then >= now:
        return 0.0
    return (datetime.fromisoformat(now) - datetime.fromisoformat(then)).total_seconds()


def _over(entry: Entry, now: str) -> tuple[str, ...]:
    reasons = []
    if entry.superseded_by:
        reasons.append(f"superseded by {entry.superseded_by}")
    elif entry.valid_to and entry.valid_to <= now:
        reasons.append(f"no longer so since {entry.valid_to}")
    if entry.purged_at:
        reasons.append(f"purged at {entry.purged_at}")
    return tuple(reasons)


def _left_by_time(entry: Entry, age: float) -> float:
    return 1.0 if entry.pinned or entry.stale_after <= 0 else 0.5 ** (age / entry.stale_after)


def _left_by_sources(became: Sequence[str]) -> float:
    return sum(_LEAVES[state] for state in became) / len(became) if became else 1.0


@lru_cache(maxsize=4096)
def _later(then: str, by: timedelta) -> str:
    try:
        return (datetime.fromisoformat(then) + by).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return ENDLESS
