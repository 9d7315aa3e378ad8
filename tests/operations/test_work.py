"""Plans, tasks, delegations and planning documents as somebody works with them, on a real brain."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from idumb_brain.model.errors import BadInput, BrainError, Refused
from idumb_brain.operations import artifacts, plans, tasks
from idumb_brain.operations.project import find_project
from idumb_brain.operations.work import changing, working
from idumb_brain.store import work as store
from tests.conftest import REPOSITORY


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    (tmp_path / ".git").mkdir()
    clock(monkeypatch, "2026-02-04T10:30:00Z")
    yield str(tmp_path)


def clock(monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    monkeypatch.setenv("IDUMB_BRAIN_NOW", moment)


def planned(root: str, *names: str, **last: Any) -> tuple[str, list[str]]:
    """A plan whose tasks each wait for the one before; its id and theirs."""
    plan = plans.create("Lending", root, acceptance=["a book can be lent"])["id"]
    made: list[str] = []
    for name in names:
        rest = last if name == names[-1] else {}
        made.append(plans.add(plan, name, root, expected=f"{name} works", depends=made[-1:], **rest)["id"])
    return plan, made


def test_from_plan_to_done(root: str) -> None:
    plan, (schema, form) = planned(root, "schema", "form")
    assert plans.status(root)["plans"][0]["status"] == "draft"
    assert plans.status(root)["ready"] == [schema]
    started = tasks.move("start", schema, root, session="s1")
    assert (started["status"], started["claimedBy"], started["next"]) == ("active", "s1", form)
    assert plans.status(root)["activePlan"] == plan
    tasks.record("write", "wrote models.py", root, files=["models.py"], session="s1")
    done = tasks.move("complete", schema, root, session="s1")
    assert (done["status"], done["unblocked"], done["artifacts"]) == ("completed", [form], ["models.py"])
    assert done["result"]["evidence"] == "1 checkpoints, the last: wrote models.py"
    tasks.move("start", form, root)
    tasks.move("review", form, root)
    last = tasks.move("complete", form, root, evidence="pytest: 12 passed", tests="pytest")
    assert last["result"] == {"evidence": "pytest: 12 passed", "filesModified": [], "testsRun": "pytest"}
    assert plans.status(root)["plans"][0]["status"] == "completed"
    assert plans.archive(plan, root)["status"] == "archived"
    assert plans.status(root)["plans"] == [] and len(plans.status(root, everything=True)["plans"]) == 1


def test_a_checkpoint_after_the_first_task_goes_to_the_second(root: str) -> None:
    _, (first, second) = planned(root, "first", "second")
    tasks.move("start", first, root)
    tasks.move("complete", first, root, evidence="seen")
    assert tasks.record("bash", "pytest", root) is None, "no task is at hand"
    tasks.move("start", second, root)
    kept = tasks.record("bash", "pytest", root)
    assert kept is not None and kept["task"] == second


# what is tried with a task in a state, and the words of the refusal
REFUSALS = {
    "starting what waits": ("start", "planned", {"depends": True}, "it depends on"),
    "completing what was not started": ("complete", "planned", {}, "it is planned"),
    "completing without anything to show": ("complete", "active", {}, "nothing shows that it was done"),
    "completing twice": ("complete", "completed", {"evidence": "again"}, "it is completed"),
    "reviewing what was not started": ("review", "planned", {}, "it is planned"),
    "failing what is done": ("fail", "completed", {"evidence": "no"}, "it is completed"),
    "starting what is another's": ("start", "planned", {"role": "investigator"}, "it is assigned to executor"),
    "starting what another session is at": ("start", "active", {"session": "s2"}, "session s1 has been at it"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals(case: str, root: str) -> None:
    action, state, given, why = REFUSALS[case]
    wait = given.pop("depends", False) if (given := dict(given)) else False
    plan, (first, second) = planned(root, "first", "second", assign="executor")
    one = second if wait else first
    if not wait:
        plans.add(plan, "third", root, expected="x")
    if "role" in given:
        one = plans.add(plan, "theirs", root, expected="x", assign="executor")["id"]
    if state in ("active", "completed"):
        tasks.move("start", one, root, session="s1")
    if state == "completed":
        tasks.move("complete", one, root, evidence="seen")
    before = tasks.status(one, root)
    with pytest.raises(Refused) as error:
        tasks.move(action, one, root, **given)
    assert why in error.value.why and error.value.instead and error.value.evidence and error.value.exit_code == 3
    assert tasks.status(one, root) == before, "a refusal changes nothing"


def test_failing_breaks_the_chain_and_trying_again_mends_it(root: str) -> None:
    _, (first, second) = planned(root, "first", "second")
    tasks.move("start", first, root)
    failed = tasks.move("fail", first, root, evidence="the library is gone")
    assert failed["archived"] == [first]
    broken = plans.status(root)["chainBreaks"]
    assert [(one["task"], one["needs"]) for one in broken] == [(second, first)]
    assert tasks.move("start", first, root)["archivedAt"] is None
    assert plans.status(root)["chainBreaks"] == []


def test_circles_are_refused_with_the_circle(root: str) -> None:
    _, (first, second, third) = planned(root, "first", "second", "third")
    with pytest.raises(BadInput) as error:
        plans.link(first, third, root)
    assert f"{first} → {third} → {second} → {first}" in error.value.why


def test_an_abandoned_plan_leaves_after_two_days(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, _ = planned(root, "first")
    plans.abandon(plan, root, reason="no time")
    assert plans.status(root)["plans"] == []
    for moment, gone in (("2026-02-06T10:30:00Z", []), ("2026-02-06T10:30:01Z", [plan])):
        clock(monkeypatch, moment)
        with changing(root) as work:
            assert plans.purge(work) == gone
    assert plans.status(root, everything=True)["plans"][0]["purgedAt"] == "2026-02-06T10:30:01Z"


def test_stale_tasks_are_told(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, (one,) = planned(root, "first")
    tasks.move("start", one, root)
    clock(monkeypatch, "2026-02-04T11:00:01Z")
    assert plans.status(root)["stale"] == [{"task": one, "idleSeconds": 1801}]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"after": "x"}, "nobody can judge"),
        ({"reason": "x"}, "it tells why"),
        ({"depends": ["task-unknown"]}, "nothing in the brain has that id"),
        ({"expected": "  "}, "there is nothing to remember"),
        ({"expected": "<private>all of it</private>"}, "all of it is private"),
    ],
)
def test_bad_tasks(given: dict[str, Any], why: str, root: str) -> None:
    plan, _ = planned(root, "first")
    with pytest.raises(BrainError) as error:
        plans.add(plan, "second", root, **({"expected": "x"} | given))
    assert why in error.value.why


def test_only_one_of_many_takes_a_task(root: str) -> None:
    _, (one,) = planned(root, "first")
    command = [sys.executable, "-m", "idumb_brain", "--root", root, "task", "start", one, "--session"]
    environ = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    running = [
        subprocess.Popen([*command, f"s{number}"], env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for number in range(8)
    ]
    assert sorted(process.wait() for process in running) == [0, *[3] * 7]
    for process in running:
        assert process.stderr is not None
        process.stderr.close()


def test_a_broken_row_costs_itself_alone(root: str) -> None:
    plan, (first, second) = planned(root, "first", "second")
    with changing(root) as work:
        work.brain.connection.execute("UPDATE tasks SET depends_on = 'garbage', state = 'dreaming' WHERE id = ?", (second,))
    with working(root) as work:
        assert [task.id for task in store.tasks(work.brain)] == [first]
        assert "dreaming" in work.brain.notes[0]
    assert [task["id"] for task in plans.status(root, plan)["plans"][0]["tasks"]] == [first]


def test_planning_documents(root: str) -> None:
    folder = Path(root)
    (folder / "research.md").write_text("# Research\n\nSessions or tokens?\n\n## Tokens\n\nThey scale.\n")
    (folder / "plan.md").write_text("# Plan\n\nUse tokens.\n")
    research = artifacts.add("research.md", root)
    assert (research["type"], [section["title"] for section in research["sections"]]) == ("research", ["Research", "Tokens"])
    plan = artifacts.add("plan.md", root, parent="research.md")
    assert (plan["type"], plan["chain"], plan["stale"]) == ("implementation-plan", [research["id"], plan["id"]], [])
    (folder / "research.md").write_text("# Research\n\nSessions or tokens?\n\n## Tokens\n\nThey do not scale.\n")
    assert artifacts.known(root)[0]["changedSections"] == ["Tokens"]
    assert artifacts.known(root)[1]["stale"] == [], "nobody has read it again yet"
    artifacts.add("research.md", root)
    assert "says something else by now" in artifacts.known(root)[1]["stale"][0]
    (folder / "plan2.md").write_text("# Plan\n\nUse sessions.\n")
    newer = artifacts.add("plan2.md", root, parent="research.md", supersedes="plan.md")
    assert [one["id"] for one in artifacts.known(root)] == [research["id"], newer["id"]]
    artifacts.move("abandoned", "research.md", root)
    assert "was abandoned" in artifacts.known(root)[0]["stale"][0]
    assert find_project(root).brain.exists()


@pytest.mark.parametrize("path", ["nowhere.md", "../outside.md", "."])
def test_documents_that_are_none(path: str, root: str) -> None:
    with pytest.raises(BadInput):
        artifacts.add(path, root)


def test_a_document_cannot_follow_from_its_own_child(root: str) -> None:
    for name in ("a.md", "b.md"):
        (Path(root) / name).write_text(f"# {name}\n")
    artifacts.add("a.md", root)
    artifacts.add("b.md", root, parent="a.md")
    with pytest.raises(BadInput, match=r"a chain has a beginning"):
        artifacts.add("a.md", root, parent="b.md")
