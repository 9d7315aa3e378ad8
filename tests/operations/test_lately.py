"""An old answer at once, or a new one later: who waits for what."""

from __future__ import annotations

import threading
from typing import Any

from idumb_brain.operations import lately
from idumb_brain.operations.lanes import Lane
from idumb_brain.operations.lately import Lately


def test_the_answer_before_serves_until_there_is_a_new_one(monkeypatch: Any) -> None:
    monkeypatch.setattr(lately, "_REST", 0.0)
    go_on, lane = threading.Event(), Lane("aside")
    asked = Lately(lane, "nothing")
    assert asked.answer("fines", 1, lambda: "first") == "first", "the first answer is waited for"

    def slowly() -> str:
        go_on.wait()
        return "second"

    assert asked.answer("fines", 2, slowly) == "first"
    assert asked.answer("fines", 3, lambda: "third") == "first", "one is looked for already"
    go_on.set()
    lane.do(lambda: None).result()
    assert asked.answer("fines", 2, lambda: "nobody asks for it") == "second"


def test_without_a_lane_every_answer_is_the_newest() -> None:
    asked = Lately(None, "nothing")
    assert [asked.answer("fines", number, lambda number=number: f"{number}") for number in range(3)] == ["0", "1", "2"]


def test_what_takes_too_long_is_nothing_for_now(monkeypatch: Any) -> None:
    monkeypatch.setattr(lately, "_PATIENCE", 0.05)
    go_on = threading.Event()
    asked = Lately(Lane("aside"), "nothing")
    assert asked.answer("fines", 1, lambda: "late" if go_on.wait() else "") == "nothing"
    go_on.set()
