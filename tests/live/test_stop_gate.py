"""With the stop gate, an agent that stops with its task unfinished is told so; once."""

from __future__ import annotations

import json
from pathlib import Path

from tests.live.model import Model, Step, say, use
from tests.live.opencode import OpenCode


def test_an_unfinished_task_is_told_once(tmp_path: Path) -> None:
    steps: list[Step] = [say("to be filled in"), say("I stop here."), say("I really stop.")]
    with Model({"": steps}) as model:
        project = OpenCode(tmp_path, model)
        settings = project.root / ".idumb" / "config.json"
        told = json.loads(settings.read_text())
        settings.write_text(json.dumps(told | {"governance": {"stopGate": True}}))
        plan = project.ask("plan.create", name="Fines", acceptance=["fines are counted"])["id"]
        task = project.ask("plan.add", plan=plan, name="Write fines.py", expected="library/fines.py with the rates")["id"]
        steps[0] = use("govern_task", action="start", task=task)
        run = project.run("Add fines")
        assert run.returncode == 0, run.stderr
        turns = model.turns()
        assert len(turns) == 3 and "I really stop." in run.stdout
        assert "Write fines.py" in turns[2].users[-1] and "still active" in turns[2].users[-1]
        assert sum("still active" in one for one in turns[-1].users) == 1
        assert not project.log
