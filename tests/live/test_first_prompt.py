"""A new session is told what it needs to know; once."""

from __future__ import annotations

from pathlib import Path

from tests.live.model import Model, say
from tests.live.opencode import OpenCode


def test_the_first_prompt_carries_prefix_and_system_block_and_the_second_does_not_repeat(tmp_path: Path) -> None:
    with Model({"": [say("First answer."), say("Second answer.")]}) as model:
        project = OpenCode(tmp_path, model)
        with project.serving() as server:
            session = server.session()
            server.prompt(session, "Readers who lost their card cannot borrow")
            server.prompt(session, "And now?")
        first, second = model.turns()
        assert first.users[0].count("<idumb-session>") == 1
        assert first.users[0].index("<idumb-session>") < first.users[0].index("Readers who lost")
        assert first.system.count("<idumb-governance>") == 1
        assert "reading-room: Python + TypeScript" in first.system
        assert "\n".join(second.users).count("<idumb-session>") == 1, "stored once, and not told anew"
        assert second.system.count("<idumb-governance>") == 1
        aside = [one for one in model.asked if one.kind != "turn"]
        assert aside and not any("<idumb" in one.system for one in aside)
        assert {"idumb_codemap", "idumb_brain", "govern_task"} <= first.tools.keys()
        kept = project.ask("session.show", session=session)
        assert (kept["sessionLevel"], kept["role"]) == (1, "build")
        assert not project.log


def test_a_bare_prompt_is_met_with_the_files_it_is_about(tmp_path: Path) -> None:
    with Model({"": [say("I look at them."), say("I go on.")]}) as model:
        project = OpenCode(tmp_path, model)
        with project.serving() as server:
            session = server.session()
            server.prompt(session, "Fix which readers may borrow a book")
            server.prompt(session, "Go on")
        for turn in model.turns():
            _, _, files = turn.system.partition("## Files at hand")
            assert "library/readers.py" in files and "library/loans.py" in files
        assert not project.log


def test_the_system_block_has_the_files_of_the_task_at_hand(tmp_path: Path) -> None:
    with Model({"": [say("I look at them.")]}) as model:
        project = OpenCode(tmp_path, model)
        plan = project.ask("plan.create", name="Cards", acceptance=["no card, no book"])["id"]
        task = project.ask(
            "plan.add", plan=plan, name="Readers without a card", expected="may_borrow of Reader asks for the card"
        )["id"]
        project.ask("task.start", task=task)
        project.run("Go on")
        (turn,) = model.turns()
        _, _, files = turn.system.partition("## Files at hand")
        assert "library/readers.py" in files and "Readers without a card" in turn.system
        assert not project.log
