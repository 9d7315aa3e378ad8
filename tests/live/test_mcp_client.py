"""The MCP server in the hands of a client that is none of ours: OpenCode's, without our plugin."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.live.model import Model, say, use
from tests.live.opencode import OpenCode

SERVER = {"mcp": {"brain": {"type": "local", "command": [sys.executable, "-m", "idumb_brain", "mcp"], "enabled": True}}}


def test_its_tools_are_listed_used_and_refuse_with_a_reason(tmp_path: Path) -> None:
    steps = [
        use("brain_idumb_codemap", action="find", text="somebody may borrow a book that is overdue"),
        use("write", filePath="library/fines.py", content="def fine_of(reader):\n    return 1\n"),
        use("brain_idumb_codemap", action="outline", file="library/fines.py"),
        use("brain_govern_shell", action="run", line="rm -rf library"),
        say("Done."),
    ]
    with Model({"": steps}) as model:
        project = OpenCode(tmp_path, model, settings=SERVER)
        project.idumb("setup", "opencode", "--remove")
        run = project.run("Who may borrow?")
        assert run.returncode == 0, run.stderr
        first, *_, last = model.turns()
        assert {"brain_idumb_codemap", "brain_govern_task"} <= set(first.tools)
        assert "<idumb-governance>" not in first.all, "without the plugin nothing is told unasked"
        found, _, outline, refused = last.results
        assert "library/readers.py" in found
        assert "fine_of" in outline, "what the client wrote by its own tool is known when the server is asked"
        assert "refused" in refused.lower() and (project.root / "library" / "loans.py").exists()
        assert not project.log


def test_beside_the_plugin_calls_over_mcp_are_those_of_the_session(tmp_path: Path) -> None:
    with Model({"": []}) as model:
        project = OpenCode(tmp_path, model, settings=SERVER)
        plan = project.ask("plan.create", name="Fines", acceptance=["readers pay"])["id"]
        task = project.ask("plan.add", plan=plan, name="Charge readers", expected="a fine")["id"]
        model.script = {
            "": [
                use("govern_task", action="start", task=task),
                use("brain_idumb_brain", action="write", type="gotcha", title="Fines are cents", content="Never floats."),
                say("Done."),
            ]
        }
        run = project.run("Charge them")
        assert run.returncode == 0, run.stderr
        (session,) = project.ask("session.list")
        assert session["task"] == task
        assert {one["tool"] for one in session["toolsUsed"]} == {"govern_task", "brain_idumb_brain"}
        assert [one["title"] for one in project.ask("brain.list")["entries"]] == ["Fines are cents"]
        assert not project.log
