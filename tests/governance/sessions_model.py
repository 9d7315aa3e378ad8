"""Sessions driven at random, each step in a newly opened brain: what they are told, how deep they nest, what is kept. The machine of
``everything`` is built on this one and runs it.

A model beside them knows only what the user was promised, not how it is done.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from idumb_brain.model.work import SESSION_STATES
from idumb_brain.operations import gate as gates
from idumb_brain.operations import records, sessions
from idumb_brain.operations.ground import standing

_ROLES = ("coordinator", "governance", "mid-coordinator", "verifier", "debugger", "planner", "builder", "validator", "sculptor")
_JUMPS = (1, 45, 1_700, 7_200, 86_400, 176_400, -3_600, -259_200)  # seconds; clocks are set back too
_HOUR, _TWO_DAYS = 3_600, 172_800


@dataclass
class Known:
    """What the model knows of a session."""

    parent: str
    role: str
    told: bool = False
    reminder: bool = False  # it was compacted and not reminded yet
    slept: str = ""  # resumable or over: somebody noticed, and it was not told yet
    refused: int = 0


class Sessions(RuleBasedStateMachine):
    @initialize()
    def begins(self) -> None:
        memory = Path("/dev/shm")  # where there is one: what is shown here is not how fast the disk is
        self.root = Path(tempfile.mkdtemp(prefix="sessions-", dir=memory if memory.is_dir() else None))
        self.clock = datetime(2026, 2, 4, 10, 30, tzinfo=UTC)
        self.known: dict[str, Known] = {}
        self.halted: list[str] = []

    def teardown(self) -> None:
        shutil.rmtree(getattr(self, "root", ""), ignore_errors=True)

    @property
    def now(self) -> str:
        return self.clock.strftime("%Y-%m-%dT%H:%M:%SZ")

    def ask(self, operation: Any, *words: Any, **options: Any) -> Any:
        with standing(str(self.root), make=True, environ={"IDUMB_BRAIN_NOW": self.now}) as ground:
            return operation(ground, *words, **options)

    def some(self, number: int) -> str:
        return sorted(self.known)[number % len(self.known)]

    def depth(self, id: str) -> int:
        parent = self.known[id].parent
        return 1 + self.depth(parent) if parent else 0

    def sleeps(self, id: str) -> str:
        """How long since it was last heard of, as the promise goes."""
        last = datetime.fromisoformat(self.ask(records.shown, id)["updatedAt"])
        seconds = (self.clock - last).total_seconds()
        return "over" if seconds >= _TWO_DAYS else "resumable" if seconds > _HOUR else ""

    def notice_sleep(self, id: str) -> None:
        """Resuming is for those who talk to the user; others are left alone."""
        known = self.known[id]
        slept = self.sleeps(id)
        if slept and not known.parent:
            known.slept, known.told, known.reminder = slept, False, False

    @rule(seconds=st.sampled_from(_JUMPS))
    def time_passes(self, seconds: int) -> None:
        self.clock += timedelta(seconds=seconds)

    @rule(role=st.sampled_from(_ROLES))
    @precondition(lambda self: len(self.known) < 12)
    def user_begins(self, role: str) -> None:
        id = f"s{len(self.known)}"
        self.ask(sessions.created, id, role=role)
        self.known[id] = Known("", role)

    @rule(number=st.integers(0, 99), role=st.sampled_from(_ROLES))
    @precondition(lambda self: 0 < len(self.known) < 12)
    def delegates(self, number: int, role: str) -> None:
        parent = self.some(number)
        verdict = self.ask(gates.gate, "task", session=parent, args={"subagent_type": role})
        chain = [self.known[parent].role]
        above = parent
        while above := self.known[above].parent:
            chain.append(self.known[above].role)
        never_right = len(chain) > 3 or role in chain or self.known[parent].role in ("builder", "validator")
        strict = self.ask(records.shown, parent)["strict"]  # then the other rules take effect, too
        assert verdict["enforced"] == never_right or (strict and verdict["enforced"]), verdict
        self.known[parent].refused += (verdict["decision"] != "allow") + len(verdict["warnings"])
        if verdict["halt"]:
            self.halted.append(verdict["halt"]["id"])
        if not verdict["enforced"]:
            id = f"s{len(self.known)}"
            self.ask(sessions.created, id, role=role, parent=parent)
            self.known[id] = Known(parent, role)

    @rule(number=st.integers(0, 99))
    @precondition(lambda self: self.known)
    def turn(self, number: int) -> None:
        id = self.some(number)
        known = self.known[id]
        self.notice_sleep(id)
        told = self.ask(sessions.turn, id)
        injected = [one["action"] for one in told["actions"] if one["action"].startswith("inject-")]
        if known.parent:
            expected = ["inject-reminder"] if known.reminder else [] if known.told else ["inject-delegation"]
        elif known.slept == "resumable":
            expected = ["inject-resume", "inject-prefix"]
        else:
            expected = ["inject-reminder"] if known.reminder else [] if known.told else ["inject-prefix", "inject-prefix"]
        assert injected == expected
        known.told, known.reminder, known.slept = True, False, ""

    @rule(number=st.integers(0, 99))
    @precondition(lambda self: self.known)
    def is_compacted(self, number: int) -> None:
        id = self.some(number)
        before = self.ask(records.shown, id)["compactionCount"]
        self.ask(sessions.compacted, id)
        assert self.ask(records.shown, id)["compactionCount"] == before + 1
        self.known[id].reminder, self.known[id].slept = True, ""

    @rule(number=st.integers(0, 99))
    @precondition(lambda self: self.known)
    def stops(self, number: int) -> None:
        self.ask(sessions.idle, self.some(number))

    @rule(number=st.integers(0, 99), words=st.integers(1, 200))
    @precondition(lambda self: self.known)
    def user_speaks(self, number: int, words: int) -> None:
        id = self.some(number)
        self.notice_sleep(id)
        told = self.ask(sessions.prompt, id, "word " * words)
        assert ("flow-indicator" in [one["action"] for one in told["actions"]]) == (words < 20)
        assert told["session"]["purify"] or told["session"]["promptScore"] <= 100

    @rule(number=st.integers(0, 99), file=st.sampled_from(["", "a.py", "b.py"]))
    @precondition(lambda self: self.known)
    def uses_a_tool(self, number: int, file: str) -> None:
        id = self.some(number)
        before = self.ask(records.shown, id)["toolsUsed"]
        after = self.ask(sessions.tool_used, id, "edit", files=[file] if file else [])["session"]
        assert sum(one["count"] for one in after["toolsUsed"]) == sum(one["count"] for one in before) + 1
        assert not file or file in after["filesModified"]

    @rule(number=st.integers(0, 99))
    @precondition(lambda self: self.known)
    def user_cancels(self, number: int) -> None:
        id = self.some(number)
        told = self.ask(sessions.cancelled, id)
        assert ("strict-mode" in [one["action"] for one in told["actions"]]) == (told["session"]["cancels"] == 3)

    @rule()
    @precondition(lambda self: self.halted)
    def human_resumes(self) -> None:
        assert self.ask(records.resume_halt, self.halted.pop())["resumedAt"] == self.now

    @rule()
    @precondition(lambda self: self.known)
    def garbage_goes(self) -> None:
        times = {id: datetime.fromisoformat(self.ask(records.shown, id)["updatedAt"]) for id in self.known}
        young = {id for id, at in times.items() if at >= self.clock - timedelta(days=7)}
        for id in list(young):
            while id := self.known[id].parent:
                young.add(id)
        would = self.ask(records.collect, dry_run=True)
        assert set(would["sessions"]) == self.known.keys() - young
        gone = self.ask(records.collect)
        assert (gone["sessions"], gone["halts"]) == (would["sessions"], would["halts"])
        self.known = {id: known for id, known in self.known.items() if id in young}
        self.halted = [id for id in self.halted if id in {one["id"] for one in self.ask(records.halts)}]

    @invariant()
    def what_is_kept_is_what_happened(self) -> None:
        if not getattr(self, "known", None):
            return
        kept = {one["sessionId"]: one for one in self.ask(records.listed)}
        assert kept.keys() == self.known.keys()
        for id, known in self.known.items():
            depth = self.depth(id)
            assert depth <= 3 and kept[id]["sessionLevel"] == min(1 + depth, 3)
            assert kept[id]["parentSession"] == known.parent
            assert kept[id]["sessionState"] in SESSION_STATES
            assert all(self.known[child].parent == id for child in kept[id]["childSessions"] if child in self.known)
