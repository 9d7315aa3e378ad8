"""What was anchored outlives compactions, word for word; what was superseded does not come back."""

from __future__ import annotations

import signal
from pathlib import Path

from tests.live.model import Model, say, use
from tests.live.opencode import OpenCode

DECISION = "Fines are counted in whole cents, never in floats: accounting rounds half to even on 2026-01-31."
OLD = "Fines are counted in euros as floats, because the till prints them so."
NEW = "Fines are whole cents; the till divides when it prints."


def test_an_anchor_is_verbatim_after_two_compactions_and_a_superseded_entry_is_nowhere(tmp_path: Path) -> None:
    steps = [
        use("idumb_anchor", action="add", type="decision", priority="critical", content=DECISION),
        say("Anchored."), say("After one."), say("After two."),
    ]  # fmt: skip
    with Model({"": steps}) as model:
        project = OpenCode(tmp_path, model)
        old = project.ask("brain.write", type="decision", title="Money as floats", content=OLD)["id"]
        project.ask("brain.write", type="decision", title="Money in cents", content=NEW, supersedes=old, force=True)
        with project.serving() as server:
            session = server.session()
            server.prompt(session, "We decide how fines are counted")
            server.compact(session)
            server.prompt(session, "Go on")
            server.compact(session)
            server.prompt(session, "And on")
        summaries = [one for one in model.asked if one.kind == "summary"]
        assert len(summaries) == 2 and all(DECISION in one.all for one in summaries), "the summariser is told"
        assert all("<idumb-governance>" not in one.system for one in summaries)
        for turn in model.turns()[-2:]:
            assert DECISION in turn.all and "Anchored." not in turn.all, "the anchor is there though the summary lost it"
            assert turn.users[-1].count("<idumb-reminder>") == 1
        assert not any(OLD in one.all for one in model.asked)
        assert any(NEW in one.all for one in model.asked)
        kept = project.ask("session.show", session=session)
        assert kept["compactionCount"] == 2 and len(kept["anchorsSurvived"]) == 1
        assert not project.log


def test_a_session_that_goes_on_by_itself_is_left_alone_for_a_turn_then_reminded_whoever_serves_it(tmp_path: Path) -> None:
    steps = [
        use("bash", tokens=19_500, command="true", description="nothing"),
        use("bash", command="true", description="nothing"),
        use("bash", command="true", description="to be filled in"),
        say("Done."),
    ]  # fmt: skip
    with Model({"": steps}) as model:
        project = OpenCode(tmp_path, model, context=20_000)
        project.ask("anchor.add", type="decision", priority="critical", content=DECISION)
        steps[2] = use("bash", command=project.signalling(signal.SIGKILL), description="ends our child")
        run = project.run("Work until the context is full")
        assert run.returncode == 0, run.stderr
        before, alone, after, restarted = model.turns()
        assert "<idumb-governance>" in before.system
        assert "Continue if you have next steps" in alone.users[-1] and "<idumb" not in alone.system
        for one in (after, restarted):
            assert DECISION in one.system and "<idumb-reminder>" in one.system
        assert not project.log
