"""How a session that slept is met again: after two hours with what it was at, after two days as a new one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live.model import Model, Step, say, use
from tests.live.opencode import OpenCode

BEGAN = "2026-02-04T10:30:00Z"


@pytest.mark.parametrize(
    ("again", "resumes", "begins"),
    [("2026-02-04T10:40:00Z", 0, 0), ("2026-02-04T12:30:00Z", 1, 1), ("2026-02-06T12:30:00Z", 0, 1)],
    ids=["ten minutes", "two hours", "fifty hours"],
)
def test_resuming(tmp_path: Path, again: str, resumes: int, begins: int) -> None:
    with Model({"": [say("One."), say("Two.")]}) as model:
        project = OpenCode(tmp_path, model)
        project.environ["IDUMB_BRAIN_NOW"] = BEGAN
        project.run("Begin")
        project.environ["IDUMB_BRAIN_NOW"] = again
        project.run("Go on", "--continue")
        last = model.turns()[-1].users[-1]
        assert "Go on" in last
        assert last.count("<idumb-resume>") == resumes
        assert last.count("<idumb-session>") == begins
        if resumes:
            assert last.index("<idumb-resume>") < last.index("<idumb-session>") < last.index("Go on")
        assert not project.log


def test_a_child_that_goes_on_is_left_alone(tmp_path: Path) -> None:
    script: dict[str, list[Step]] = {"CHILD": [say("Half is done."), say("All is done.")], "": []}
    with Model(script) as model:
        project = OpenCode(tmp_path, model)
        hand = {"description": "handed on", "subagent_type": "general"}
        script[""] += [use("task", prompt="CHILD: begin", **hand), say("One.")]
        project.environ["IDUMB_BRAIN_NOW"] = BEGAN
        project.run("Begin")
        (child,) = [one["sessionId"] for one in project.ask("session.list") if one["sessionLevel"] == 2]
        script[""] += [use("task", prompt="CHILD: go on", task_id=child, **hand), say("Two.")]
        project.environ["IDUMB_BRAIN_NOW"] = "2026-02-04T12:30:00Z"
        project.run("Go on", "--continue")
        _, again = model.turns("CHILD")
        assert "CHILD: go on" in again.users[-1] and "Half is done." in again.all, "it is the same session"
        assert "<idumb" not in again.users[-1]
        assert not project.log
