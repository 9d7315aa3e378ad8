"""Work that goes round in circles: the same issues after every plan, the same error after every fix. Advises, never stops it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise, takewhile

from idumb_brain.govern.rules.automation import Automation
from idumb_brain.model.governance import Decision

_VARYING = re.compile(r"0x[0-9a-f]+|\b\d+(?:\.\d+)?\b|\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Round:
    """What a checker said of a plan: its issues, as one mark, and the score it gave."""

    issues: str
    score: float


def mark(told: Iterable[str]) -> str:
    """The same for the same issues or error, whatever their order, line numbers, addresses and times."""
    lines = sorted({_VARYING.sub(" ", line).strip().lower() for line in told} - {""})
    return blake2b("\n".join(lines).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest() if lines else ""


def planner_checker(rounds: Sequence[Round], rules: Automation) -> Decision:
    """``rounds`` oldest first. A better score than in any round before with the same issues is progress."""
    last = rounds[-1] if rounds else None
    if last is None or not last.issues:
        return Decision.allow()
    same = list(takewhile(lambda one: one.issues == last.issues, reversed(rounds)))
    gains = [before.score < later.score for later, before in pairwise(same)]
    idle = 1 + len(list(takewhile(lambda gain: not gain, gains)))
    if idle < rules.planner_checker:
        return Decision.allow()
    return Decision.warn(
        what=f"The plan was checked {idle} times with the same issues and no better score.",
        why="The planner does not solve what the checker finds; another round will not either.",
        instead="Stop the loop: show the issues to the user, or let another role look at the plan.",
        evidence=(f"issues {last.issues}", "scores " + ", ".join(f"{one.score:g}" for one in reversed(same[:idle]))),
        rule="PLANNER_CHECKER_STALL",
    )


def validator_fix(errors: Sequence[str], rules: Automation) -> Decision:
    """``errors`` are marks, oldest first; an empty one is a validation that passed."""
    last = errors[-1] if errors else ""
    times = len(list(takewhile(lambda one: bool(one) and one == last, reversed(errors))))
    if times < rules.validator_fix:
        return Decision.allow()
    return Decision.warn(
        what=f"The same error came back {times} times after it was fixed.", why="The fixes do not touch its cause.",
        instead="Stop fixing: find the cause first, with the debugger, or ask the user.", evidence=(f"error {last}",),
        rule="VALIDATOR_FIX_STALL",
    )  # fmt: skip
