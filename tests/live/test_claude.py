"""Stories with the real Claude Code: what its hooks let us do."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.live.claude import Claude
from tests.live.model import Model, Step, say, use

DECISION = "The catalogue is made by hand: never sort it"
REPLACED = "The catalogue is sorted by name"


def _with_the_stop_gate(project: Claude) -> None:
    settings = project.root / ".idumb" / "config.json"
    told = json.loads(settings.read_text())
    settings.write_text(json.dumps(told | {"governance": {**told.get("governance", {}), "stopGate": True}}))


def test_a_session_is_told_what_it_needs_and_what_it_writes_is_found_at_once(tmp_path: Path) -> None:
    file = tmp_path / "reading_room" / "library" / "fines.py"
    steps = [
        use("Write", file_path=str(file), content="def fine_of(reader):\n    return 1\n"),
        use("mcp__idumb-brain__idumb_codemap", action="outline", file="library/fines.py"),
        use("Bash", command="false", description="fails"),
        say("Done."),
        say("Nothing more."),
    ]
    with Model({"": steps}) as model:
        project = Claude(tmp_path, model)
        project.talk("Readers who are late pay a fine", "And now?")
        first, *_, last = model.turns()
    assert first.all.count("<idumb-governance>") == first.all.count("<idumb-session>") == 1
    assert first.all.index("<idumb-session>") < first.all.index("Readers who are late")
    assert "reading-room: Python + TypeScript" in first.all
    assert last.all.count("<idumb-session>") == 1, "told once"
    _, outline, failed = last.results[:3]
    assert "without an active task" in last.all, "guide mode says what is missing, and lets it pass"
    assert "fine_of" in outline and "Exit code 1" in failed
    (kept,) = project.ask("session.list")
    assert kept["role"] == "build" and list(kept["filesModified"]) == ["library/fines.py"]
    assert not project.log


def test_enforced_a_write_waits_for_its_task_and_is_recorded_for_it(tmp_path: Path) -> None:
    file = tmp_path / "reading_room" / "library" / "fines.py"
    write = use("Write", file_path=str(file), content="FINE = 1\n")
    script = {"": [write, say("I need a task."), say("That will do.")]}
    with Model(script) as model:
        project = Claude(tmp_path, model, environ={"IDUMB_ENFORCE": "true"})
        plan = project.idumb("plan", "create", "Fines", "--acceptance", "readers pay")["id"]
        task = project.idumb("plan", "add", plan, "Charge readers", "--expected", "a fine", "--assign", "build")["id"]
        script[""] = [write, use("mcp__idumb-brain__govern_task", action="start", task=task), write, say("Done.")]
        project.talk("Charge them")
        refused, started, wrote = model.turns()[-1].results
    for part in ("without an active task", "WHY", "USE INSTEAD", "EVIDENCE"):
        assert part in refused
    assert "active" in started and "created" in wrote and file.exists()
    told = project.ask("task.status", task=task)
    (kept,) = project.ask("session.list")
    assert (told["claimedBy"], kept["task"]) == (kept["sessionId"], task), "the server knows whose call it was"
    assert [list(one["filesModified"]) for one in told["checkpoints"]] == [["library/fines.py"]]
    assert not project.log


def test_a_decision_is_told_again_word_for_word_after_every_compaction(tmp_path: Path) -> None:
    steps = [use("Bash", command="echo one", description="looks"), *(say(f"Answer {number}.") for number in range(3))]
    with Model({"": steps}) as model:
        project = Claude(tmp_path, model)
        old = project.idumb("brain", "write", "--type", "decision", "--title", "Order", "--content", REPLACED)["id"]
        project.idumb("brain", "write", "--type", "decision", "--title", "Order", "--content", DECISION, "--supersedes", old)
        project.idumb("anchor", "add", "--type", "decision", "--priority", "critical", "--content", DECISION)
        project.talk("Look around", "/compact", "Go on", "/compact", "And then?")
    assert [one.kind for one in model.asked].count("summary") == 2
    after = [one for one in model.turns() if "<idumb-reminder>" in one.all]
    assert len(after) == 2
    for one in after:
        assert DECISION in one.all and "Look around" not in one.all
        assert one.all.count("<idumb-reminder>") == 1
    assert not any(REPLACED in one.all for one in model.asked)
    kept = max(project.ask("session.list"), key=lambda one: one["compactionCount"])
    assert kept["compactionCount"] == 2 and len(kept["anchorsSurvived"]) == 1
    assert not project.log


def test_a_subagent_has_a_session_of_its_own_below_the_one_that_called_it(tmp_path: Path) -> None:
    hand = use("Agent", description="looks", prompt="LOOK at the shelves", subagent_type="general-purpose")
    child = [use("Bash", command="echo in the child", description="looks"), say("Seen.")]
    with Model({"LOOK at": child, "": [hand, say("Done.")]}) as model:
        project = Claude(tmp_path, model)
        project.talk("Have the shelves looked at")
    asked = next(one for one in model.turns() if "LOOK at the shelves" in one.users[-1] and not one.results)
    assert asked.all.count("<idumb-governance>") == 1 and "general-purpose" in asked.all
    below, above = sorted(project.ask("session.list"), key=lambda one: -one["sessionLevel"])
    assert (below["sessionLevel"], below["parentSession"], below["role"]) == (2, above["sessionId"], "general-purpose")
    assert list(above["childSessions"]) == [below["sessionId"]]
    assert not project.log


def test_agents_below_agents_are_as_deep_as_they_are_and_no_deeper_than_they_may_be(tmp_path: Path) -> None:
    def hand(to: str, prompt: str) -> Step:
        return use("Agent", description="hands on", prompt=prompt, subagent_type=to)

    script = {
        "LEVEL-3": [hand("explore", "LEVEL-4: go on"), say("Three is done.")],
        "LEVEL-2": [hand("roadmapper", "LEVEL-3: go on"), say("Two is done.")],
        "LEVEL-1": [hand("planner", "LEVEL-2: go on"), say("One is done.")],
        "LEAF": [say("I stop."), say("I really stop.")],
        "": [hand("mid-coordinator", "LEVEL-1: go on"), hand("builder", "LEAF: go on"), say("Done.")],
    }
    with Model(script) as model:
        project = Claude(tmp_path, model)
        _with_the_stop_gate(project)
        agents = project.root / ".claude" / "agents"
        agents.mkdir()
        for name in ("mid-coordinator", "planner", "roadmapper", "explore", "builder"):
            (agents / f"{name}.md").write_text(f"---\nname: {name}\ndescription: hands work on\n---\nYou work.\n")
        plan = project.idumb("plan", "create", "Fines", "--acceptance", "readers pay")["id"]
        task = project.idumb("plan", "add", plan, "Charge readers", "--expected", "a fine", "--assign", "builder")["id"]
        script["LEAF"].insert(0, use("mcp__idumb-brain__govern_task", action="start", task=task))
        project.talk("Hand it on", seconds=120)
        asked = [one.all for one in model.turns()]
    kept = {one["sessionId"]: one for one in project.ask("session.list")}
    above = {one["role"]: kept.get(one["parentSession"], {}).get("role", "") for one in kept.values()}
    assert above == {
        "build": "", "mid-coordinator": "build", "planner": "mid-coordinator", "roadmapper": "planner", "builder": "build",
    }  # fmt: skip
    levels = {one["role"]: one["sessionLevel"] for one in kept.values()}
    assert levels == {"build": 1, "mid-coordinator": 2, "planner": 3, "roadmapper": 3, "builder": 2}
    assert any("levels below the user" in one and "USE INSTEAD" in one for one in asked)
    assert not any("LEVEL-4: go on" in one and "LEVEL-3" not in one for one in asked), "the fourth was never made"
    leaf = [one for one in asked if "LEAF: go on" in one and "I stop." in one]
    assert task in leaf[0] and "still active" in leaf[0], "the stop gate holds for subagents, too"
    assert not project.log


@pytest.mark.parametrize(
    ("again", "resumes"), [("2026-02-04T12:30:00Z", 1), ("2026-02-06T12:30:00Z", 0)], ids=["two hours", "fifty hours"]
)
def test_a_session_that_slept_is_told_what_it_was_at_unless_it_slept_too_long(tmp_path: Path, again: str, resumes: int) -> None:
    with Model({"": [say("One."), say("Two.")]}) as model:
        project = Claude(tmp_path, model)
        project.environ["IDUMB_BRAIN_NOW"] = "2026-02-04T10:30:00Z"
        project.talk("Begin")
        project.environ["IDUMB_BRAIN_NOW"] = again
        project.talk("Go on", words=["--continue"])
        last = model.turns()[-1]
    assert "Begin" in last.all, "it is the same conversation"
    assert last.all.count("<idumb-resume>") == resumes
    assert last.all.count("<idumb-session>") == 2, "told when it began, and again"
    assert not project.log


def test_an_unfinished_task_is_told_once(tmp_path: Path) -> None:
    script: dict[str, list[Step]] = {"": []}
    with Model(script) as model:
        project = Claude(tmp_path, model)
        _with_the_stop_gate(project)
        plan = project.idumb("plan", "create", "Fines", "--acceptance", "readers pay")["id"]
        task = project.idumb("plan", "add", plan, "Charge readers", "--expected", "a fine", "--assign", "build")["id"]
        script[""] = [use("mcp__idumb-brain__govern_task", action="start", task=task), say("I stop."), say("I really stop.")]
        project.talk("Charge them")
        last = model.turns()[-1]
    assert len(model.turns()) == 3 and task in last.users[-1]
    assert not project.log


def test_without_us_it_goes_on_and_says_so(tmp_path: Path) -> None:
    with Model({"": [use("Bash", command="echo still here", description="works"), say("Done.")]}) as model:
        project = Claude(tmp_path, model)
        for file in (".claude/settings.json", ".mcp.json"):
            place = project.root / file
            place.write_text(place.read_text().replace(sys.executable, "/nowhere/python3"))
        (answer,) = project.talk("Work without it")
        last = model.turns()[-1]
    assert not answer["is_error"] and "still here" in last.results[0]
