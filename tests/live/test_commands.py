"""What a person types: our commands are there, and what they need first is asked for."""

from __future__ import annotations

import json
from pathlib import Path

from tests.live.model import Model, say
from tests.live.opencode import OpenCode


def test_commands_run_and_chain_rules_hold(tmp_path: Path) -> None:
    own = {"command": {"idumb:execute-phase": {"template": "Execute phase $ARGUMENTS", "description": "the project's own"}}}
    with Model({"": [say("Here is where we stand."), say("It was refused."), say("It was exported.")]}) as model:
        project = OpenCode(tmp_path, model, environ={"IDUMB_ENFORCE": "true"}, settings=own)
        with project.serving() as server:
            session = server.session()
            server.post(f"/session/{session}/command", {"command": "idumb:status", "arguments": ""})
            server.post(f"/session/{session}/command", {"command": "idumb:execute-phase", "arguments": "2"})
            project.ask("brain.write", type="decision", title="Money", content="Fines are whole cents.")
            server.post(f"/session/{session}/command", {"command": "idumb:export", "arguments": "told"})
        status, refused, exported = model.turns()
        assert "govern_plan action=status" in status.users[-1]
        assert "was refused" in refused.users[-1] and "PLAN.md" in refused.users[-1] and "Execute phase" not in refused.users[-1]
        assert "was exported" in exported.users[-1] and "1 entries" in exported.users[-1]
        assert "Fines are whole cents." in (project.root / "told" / "knowledge" / "decision.json").read_text()
        record = json.loads((project.root / ".idumb" / "brain" / "sessions" / f"session-{session}.json").read_text())
        assert record["session"]["violations"] == 1, "each time it falls silent, its record is written"
        assert not project.log
