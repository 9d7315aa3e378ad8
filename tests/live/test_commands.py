"""What a person types: our commands are there, and what they need first is asked for."""

from __future__ import annotations

from pathlib import Path

from tests.live.model import Model, say
from tests.live.opencode import OpenCode


def test_commands_run_and_chain_rules_hold(tmp_path: Path) -> None:
    own = {"command": {"idumb:execute-phase": {"template": "Execute phase $ARGUMENTS", "description": "the project's own"}}}
    with Model({"": [say("Here is where we stand."), say("It was refused.")]}) as model:
        project = OpenCode(tmp_path, model, environ={"IDUMB_ENFORCE": "true"}, settings=own)
        with project.serving() as server:
            session = server.session()
            server.post(f"/session/{session}/command", {"command": "idumb:status", "arguments": ""})
            server.post(f"/session/{session}/command", {"command": "idumb:execute-phase", "arguments": "2"})
        status, refused = model.turns()
        assert "govern_plan action=status" in status.users[-1]
        assert "was refused" in refused.users[-1] and "PLAN.md" in refused.users[-1] and "Execute phase" not in refused.users[-1]
        assert not project.log
