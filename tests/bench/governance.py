"""How long a decision takes: the gate alone, with its brain, an event told to it. Prints one table; exit code 1: a bar was missed."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from idumb_brain.govern.gate import judge
from idumb_brain.govern.rules import load_rules
from idumb_brain.govern.sessions import advance
from idumb_brain.model.governance import Call, Facts, TaskFacts
from idumb_brain.model.work import Session
from idumb_brain.operations import gate as gates
from idumb_brain.operations import sessions
from idumb_brain.operations.ground import standing
from idumb_brain.scan.languages import query_folders

_NOW = "2026-02-04T10:30:00Z"
_SESSIONS = 1_000
_TRIES = 400
_ROUNDS = 5
_BAR = 2.0  # milliseconds, of 95 in 100


def main() -> int:
    rules = load_rules(query_folders())
    missed = 0
    print(f"{'what':58}  {'p50 ms':>8}  {'p95 ms':>8}  {'bar':>6}")
    task = TaskFacts("tn-1", "Count the shelves", paths=("src/**",))
    session = Session("s", "between_turn", injected=True, first_tool="read", updated_at=_NOW)
    facts = Facts(session, rules.roles.named("executor"), now=_NOW, root="/p", chain=("coordinator", "executor"), task=task)
    line = {"command": "git status && npm test -- --watch=false | tail -5"}
    allowed, refused = Call("edit", {"filePath": "src/a.py"}), Call("edit", {"filePath": "docs/a.md"})
    with tempfile.TemporaryDirectory(prefix="governance-") as place, standing(_project(place), make=True) as ground:
        for number in range(_SESSIONS):
            sessions.created(ground, f"s{number}", role="builder", parent=f"s{number // 10}" if number else "")
        timed: list[tuple[str, Callable[[], object], bool]] = [
            ("a decision: allowed", lambda: judge(allowed, facts, rules), True),
            ("a decision: refused", lambda: judge(refused, facts, rules), True),
            ("a step of a session", lambda: advance(session, "turn", _NOW, rules.sessions), True),
            (
                f"gate, brain kept open, {_SESSIONS} sessions: nothing to keep",
                lambda: gates.gate(ground, "read", session="s777"),
                True,
            ),
            ("gate for a shell line of three commands", lambda: gates.gate(ground, "bash", session="s777", args=line), True),
            ("gate that refuses and records it", lambda: gates.gate(ground, "govern_plan", session="s777"), False),
            ("a tool that was used, told and counted", lambda: sessions.tool_used(ground, "s777", "read"), False),
        ]
        gates.gate(ground, "read", session="s777")
        for what, run, barred in timed:
            middle, high = _measured(run)
            missed += barred and high > _BAR
            print(
                f"{what:58}  {middle:8.3f}  {high:8.3f}  {f'≤ {_BAR:g}' if barred else '':>6}{'  MISSED' if barred and high > _BAR else ''}"
            )
    return 1 if missed else 0


def _project(place: str) -> str:
    (Path(place) / ".git").mkdir()
    return place


def _measured(run: Callable[[], object]) -> tuple[float, float]:
    """The best of several rounds, so that a slow moment of the machine is not taken for ours."""
    rounds = []
    for _ in range(_ROUNDS):
        took = []
        for _ in range(_TRIES):
            began = time.perf_counter()
            run()
            took.append((time.perf_counter() - began) * 1000)
        rounds.append((statistics.median(took), statistics.quantiles(took, n=20)[-1]))
    return min(middle for middle, _ in rounds), min(high for _, high in rounds)


if __name__ == "__main__":
    sys.exit(main())
