"""Sessions below sessions: as deep as they really are, and no deeper than they may be."""

from __future__ import annotations

from pathlib import Path

from tests.live.model import Model, Step, say, use
from tests.live.opencode import OpenCode

# OpenCode lets a subagent hand work on only where its profile says so.
PROFILE = "---\nmode: subagent\ndescription: hands work on\npermission:\n  task: allow\n---\nYou work.\n"


def _with_agents(project: OpenCode, *names: str) -> None:
    folder = project.root / ".opencode" / "agent"
    folder.mkdir()
    for name in names:
        (folder / f"{name}.md").write_text(PROFILE)


def _hand(to: str, prompt: str) -> Step:
    return use("task", description="handed on", prompt=prompt, subagent_type=to)


def test_a_delegated_task_reaches_its_agent_and_ends_with_it(tmp_path: Path) -> None:
    script = {"CHILD": [use("read", filePath="README.md"), say("Child is done.")], "": []}
    with Model(script) as model:
        project = OpenCode(tmp_path, model)
        plan = project.ask("plan.create", name="Fines", acceptance=["fines are counted"])["id"]
        task = project.ask("plan.add", plan=plan, name="Write fines.py", expected="library/fines.py with the rates")["id"]
        script[""] = [
            use("govern_delegate", action="assign", task=task, to="general", expected="The rates as a table"),
            _hand("general", "CHILD: do it"),
            say("Done."),
        ]
        run = project.run("Have fines written")
        assert run.returncode == 0, run.stderr
        first = model.turns("CHILD")[0]
        assert "<idumb-delegation>" in first.users[0] and "The rates as a table" in first.users[0] and task in first.users[0]
        assert "<idumb-session>" not in first.users[0]
        (delegation,) = project.ask("delegate.status", all=True)
        (parent,) = [one for one in project.ask("session.list") if one["sessionLevel"] == 1]
        (child,) = [one for one in project.ask("session.list") if one["sessionLevel"] == 2]
        assert delegation["status"] == "completed" and delegation["childSession"] == child["sessionId"]
        assert child["parentSession"] == parent["sessionId"] and parent["childSessions"] == [child["sessionId"]]
        assert not project.log


def test_the_fourth_level_is_refused_and_depth_pops(tmp_path: Path) -> None:
    script = {
        "LEVEL-3": [_hand("explore", "LEVEL-4: go on"), say("Three is done.")],
        "LEVEL-2": [_hand("roadmapper", "LEVEL-3: go on"), say("Two is done.")],
        "LEVEL-1": [_hand("planner", "LEVEL-2: go on"), say("One is done.")],
        "": [_hand("mid-coordinator", "LEVEL-1: go on"), _hand("builder", "LEAF: go on"), say("Done.")],
        "LEAF": [_hand("general", "BELOW-LEAF"), say("The leaf is done.")],
    }
    with Model(script) as model:
        project = OpenCode(tmp_path, model, settings={"subagent_depth": 9})
        _with_agents(project, "mid-coordinator", "planner", "roadmapper", "builder")
        project.ask("plan.create", name="Fines", acceptance=["fines are counted"])
        run = project.run("Hand it on", seconds=90)
        assert run.returncode == 0, run.stderr
        levels = {one["sessionId"]: (one["sessionLevel"], one["parentSession"]) for one in project.ask("session.list")}
        by_level = sorted(level for level, _ in levels.values())
        assert by_level == [1, 2, 2, 3, 3], "the fourth was never made; depth is 2 again for the second child"
        assert not model.turns("LEVEL-4") and not model.turns("BELOW-LEAF")
        (refused,) = model.turns("LEVEL-3")[-1].results
        assert "levels below the user" in refused and "USE INSTEAD" in refused
        (leaf,) = model.turns("LEAF")[-1].results
        assert "is a leaf" in leaf
        assert not project.log
