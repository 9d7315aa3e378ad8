"""Enforced, a write needs a task; guided, it gets a word along."""

from __future__ import annotations

from pathlib import Path

from tests.live.model import Model, Step, say, use
from tests.live.opencode import OpenCode

WRITE = ("write", {"filePath": "library/fines.py", "content": "CENTS = 100\n"})


def test_enforced_a_write_waits_for_its_task(tmp_path: Path) -> None:
    steps: list[Step] = [Step(calls=(WRITE,)), say("to be filled in"), Step(calls=(WRITE,)), say("to be filled in"), say("Done.")]
    with Model({"": steps}) as model:
        project = OpenCode(tmp_path, model, environ={"IDUMB_ENFORCE": "true"})
        plan = project.ask("plan.create", name="Fines", acceptance=["fines are counted"])["id"]
        task = project.ask("plan.add", plan=plan, name="Write fines.py", expected="library/fines.py with the rates")["id"]
        steps[1] = use("govern_task", action="start", task=task)
        steps[3] = use("govern_task", action="complete", task=task, evidence="library/fines.py holds the rates")
        run = project.run("Add fines")
        assert run.returncode == 0, run.stderr
        refused, started, written, completed = model.turns()[-1].results
        for part in ("BLOCKED", "WHAT", "WHY", "USE INSTEAD", "EVIDENCE"):
            assert part in refused, refused
        assert "status: active" in started and "Wrote file" in written and "status: completed" in completed
        told = project.ask("task.status", task=task)
        assert [one["tool"] for one in told["checkpoints"]] == ["write"]
        assert told["artifacts"] == ["library/fines.py"]
        (session,) = project.ask("session.list")
        assert session["violationCount"] == 1 and session["tasksCompleted"] == [task]
        assert not project.log


def test_guided_a_write_without_a_task_passes_with_a_hint(tmp_path: Path) -> None:
    steps = [Step(calls=(WRITE,)), use("bash", command="rm -fr / --no-preserve-root", description="oh no"), say("Done.")]
    with Model({"": steps}) as model:
        project = OpenCode(tmp_path, model)
        project.run("Add fines")
        written, refused = model.turns()[-1].results
        assert "Wrote file" in written and "NOT BLOCKED, BUT LOOK OUT" in written and "govern_task" in written
        assert "USE INSTEAD" in refused, "what is never right is refused in every mode"
        assert (project.root / "library" / "fines.py").exists()


def test_the_hint_of_a_call_that_failed_comes_with_the_next_turn(tmp_path: Path) -> None:
    steps = [
        use("edit", filePath="library/nowhere.py", oldString="a", newString="b"),
        use("read", filePath="README.md"),
        say("Done."),
    ]
    with Model({"": steps}) as model:
        project = OpenCode(tmp_path, model)
        project.run("Add fines")
        _, after, later = model.turns()
        assert "LOOK OUT" not in after.results[0] and "LOOK OUT" in after.system and "LOOK OUT" not in later.system
        assert not project.log


def test_tests_and_builds_that_are_run_are_checkpoints(tmp_path: Path) -> None:
    steps = [
        use("bash", command="ls library", description="looks"),
        use("bash", command="python3 -m unittest discover tests", description="tests"),
        say("Done."),
    ]
    with Model({"": steps}) as model:
        project = OpenCode(tmp_path, model)
        plan = project.ask("plan.create", name="Fines", acceptance=["fines are counted"])["id"]
        task = project.ask("plan.add", plan=plan, name="Write fines.py", expected="library/fines.py")["id"]
        project.ask("task.start", task=task)
        project.run("Run the tests")
        (checkpoint,) = project.ask("task.status", task=task)["checkpoints"]
        assert checkpoint["tool"] == "bash" and "python3 -m unittest" in checkpoint["summary"]
