"""What happens by itself when a session goes wrong, or long."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from tests.live.model import Model, Step, say
from tests.live.opencode import NOW, OpenCode


def test_three_cancels_make_a_session_strict_and_tell_the_agent(tmp_path: Path) -> None:
    with Model({"": [*[Step("Too slow.", seconds=2)] * 3, say("I ask first.")]}) as model:
        project = OpenCode(tmp_path, model)
        with project.serving() as server:
            session = server.session()
            for number in range(1, 4):
                asking = threading.Thread(target=server.prompt, args=(session, f"Try {number}"), daemon=True)
                asking.start()
                until = time.monotonic() + 20
                while len(model.turns()) < number and time.monotonic() < until:
                    time.sleep(0.05)
                server.post(f"/session/{session}/abort")
                asking.join(20)
            server.prompt(session, "Once more")
        assert "stopped you three times" in model.turns()[-1].users[-1]
        assert project.ask("session.show", session=session)["strict"] is True


def test_runaway_calls_are_told_to_the_agent(tmp_path: Path) -> None:
    many = tuple(("read", {"filePath": "README.md", "limit": number}) for number in range(1, 56))
    same = tuple(("read", {"filePath": "README.md"}) for _ in range(5))
    with Model({"": [Step(calls=same), Step(calls=many), say("Done.")]}) as model:
        project = OpenCode(
            tmp_path, model, settings={"permission": {"doom_loop": "allow"}},  # its own brake comes earlier
            environ={"IDUMB_BRAIN_NOW": NOW},  # within a minute, however slow the machine is
        )  # fmt: skip
        project.run("Look around")
        _, after_the_same, after_many = model.turns()  # old outputs are pruned by the turn after
        assert sum(one.startswith("[idumb: ") for one in after_many.results) == 4, (
            "of five reads that are the same the last counts"
        )
        assert sum("the same call again and again" in one for one in after_the_same.results) == 1
        assert sum("very many tools within a minute" in one for one in after_many.results) == 1
        assert not project.log


def test_long_prompts_are_purified_and_four_answers_are_kept(tmp_path: Path) -> None:
    answers = [say(f"Answer {number}: fines are cents.") for number in range(1, 6)]
    with Model({"": answers}) as model:
        project = OpenCode(tmp_path, model)
        with project.serving() as server:
            session = server.session()
            server.prompt(session, " ".join(["word"] * 140))
            grown = project.ask("session.show", session=session)
            for number in range(3):
                server.prompt(session, f"Short {number}")
            full = project.ask("session.show", session=session)
            server.compact(session)
            server.prompt(session, "After")
        assert not project.log
        assert "has grown long" in model.turns()[0].users[-1]
        assert grown["promptScore"] == 110 and grown["purify"] is True
        assert full["exports"] and [one["text"][:8] for one in full["exports"]] == [
            "Answer 1",
            "Answer 2",
            "Answer 3",
            "Answer 4",
        ]
        (entry,) = [project.ask("brain.show", id=id) for id in full["entriesCreated"]]
        assert entry["source"] == "synthesis" and "Answer 1: fines are cents." in entry["content"]
        after = project.ask("session.show", session=session)
        assert after["purify"] is False and after["promptScore"] == 0
        assert not project.log
