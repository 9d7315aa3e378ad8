"""The tools an agent is offered: those of its role; and what a command line answers that is run through ours."""

from __future__ import annotations

import json
from pathlib import Path

from idumb_brain.surfaces.tools import TOOLS
from tests.live.model import Model, Step, say, use
from tests.live.opencode import OpenCode

LONG = "seq 1000000 1100000; echo first; echo '  second'; exit 3"


def _line(line: str, **more: object) -> Step:
    return use("govern_shell", action="run", line=line, **more)


def test_a_role_sees_its_tools_and_command_lines_are_limited_capped_and_noted(tmp_path: Path) -> None:
    script: dict[str, list[Step]] = {"CHILD": [say("Built.")], "LOOK": [say("Seen.")], "": []}
    settings = {"agent": {"general": {"permission": {"govern_plan": "allow"}}}}
    with Model(script) as model:
        project = OpenCode(tmp_path, model, settings=settings)
        profiles = project.root / ".opencode" / "agent"
        profiles.mkdir()
        (profiles / "builder.md").write_text("---\nmode: subagent\ndescription: builds\n---\nYou build.\n")
        plan = project.ask("plan.create", name="Fines", acceptance=["fines are counted"])["id"]
        task = project.ask("plan.add", plan=plan, name="Count fines", expected="they are counted", assign="build")["id"]
        script[""] = [
            use("govern_task", action="start", task=task),
            _line(LONG),
            _line("echo begun; sleep 60", timeout=1),
            _line("python3 -m unittest nowhere"),
            _line("rm -rf library"),
            use("task", description="builds", prompt="CHILD: build it", subagent_type="builder"),
            use("task", description="looks", prompt="LOOK at it", subagent_type="general"),
            say("Done."),
        ]
        run = project.run("Have it built")
        assert run.returncode == 0, run.stderr
        first, *_, last = model.turns("Have it built")
        (child,), (looked,) = model.turns("CHILD"), model.turns("LOOK")
        assert not project.log

        ours = {tool.name for tool in TOOLS}
        assert first.tools.keys() & ours == ours
        assert child.tools.keys() & ours == {"idumb_codemap", "idumb_anchor", "govern_task", "govern_shell"}
        assert "govern_plan" in looked.tools, "what the user's settings say stands"

        _, capped, ended, tested, refused, *_ = last.results
        assert capped.startswith("exit 3 after") and "\n1000000\n1000001\n" in capped and capped.endswith("first\n  second")
        assert "bytes left out" in capped and len(capped) < 13_000
        assert ended.startswith("exit 124: ended after 1") and "begun" in ended
        assert tested.startswith("exit 1 after")
        assert "USE INSTEAD" in refused and (project.root / "library").is_dir()
        noted = [json.loads(line) for line in (project.root / ".idumb" / "brain" / "shell.log").read_text().splitlines()]
        (session,) = [one["sessionId"] for one in project.ask("session.list") if one["sessionLevel"] == 1]
        assert [(one["exitCode"], one["timedOut"], one["session"]) for one in noted] == [
            (3, False, session), (None, True, session), (1, False, session),
        ]  # fmt: skip
        (checkpoint,) = project.ask("task.status", task=task)["checkpoints"]
        assert "unittest nowhere (exit 1)" in checkpoint["summary"]
