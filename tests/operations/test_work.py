"""Plans, tasks, delegations and planning documents as somebody works with them, on a real brain."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from idumb_brain.model.errors import BadInput, BrainError, Refused
from idumb_brain.operations import artifacts, delegations, plans, records, sessions, tasks
from idumb_brain.operations import gate as gates
from idumb_brain.operations.ground import standing
from idumb_brain.operations.work import Work, working
from idumb_brain.store import sessions as session_store
from idumb_brain.store import work as store
from tests.conftest import REPOSITORY


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Work]:
    (tmp_path / ".git").mkdir()
    monkeypatch.setenv("IDUMB_BRAIN_NOW", "2026-02-04T10:30:00Z")
    with working(str(tmp_path), make=True) as work:
        yield work


def at(work: Work, moment: str) -> Work:
    """The same at another time."""
    return replace(work, brain=replace(work.brain, now=moment), moment=datetime.fromisoformat(moment))


def planned(work: Work, *names: str, **last: Any) -> tuple[str, list[str]]:
    """A plan whose tasks each wait for the one before; its id and theirs."""
    plan = plans.create(work, "Lending", acceptance=["a book can be lent"])["id"]
    made: list[str] = []
    for name in names:
        rest = last if name == names[-1] else {}
        made.append(plans.add(work, plan, name, expected=f"{name} works", depends=made[-1:], **rest)["id"])
    return plan, made


def test_from_plan_to_done(work: Work) -> None:
    plan, (schema, form) = planned(work, "schema", "form")
    assert plans.status(work)["plans"][0]["status"] == "draft"
    assert plans.status(work)["ready"] == [schema]
    started = tasks.move(work, "start", schema, session="s1")
    assert (started["status"], started["claimedBy"], started["next"]) == ("active", "s1", form)
    assert plans.status(work)["activePlan"] == plan
    tasks.record(work, "write", "wrote models.py", files=["models.py"], session="s1")
    done = tasks.move(work, "complete", schema, session="s1")
    assert (done["status"], done["unblocked"], done["artifacts"]) == ("completed", [form], ["models.py"])
    assert done["result"]["evidence"] == "1 checkpoints, the last: wrote models.py"
    tasks.move(work, "start", form)
    tasks.move(work, "review", form)
    last = tasks.move(work, "complete", form, evidence="pytest: 12 passed", tests="pytest")
    assert last["result"] == {"evidence": "pytest: 12 passed", "filesModified": [], "testsRun": "pytest"}
    assert plans.status(work)["plans"][0]["status"] == "completed"
    assert plans.archive(work, plan)["status"] == "archived"
    assert plans.status(work)["plans"] == [] and len(plans.status(work, everything=True)["plans"]) == 1


def test_a_checkpoint_after_the_first_task_goes_to_the_second(work: Work) -> None:
    _, (first, second) = planned(work, "first", "second")
    tasks.move(work, "start", first)
    tasks.move(work, "complete", first, evidence="seen")
    assert tasks.record(work, "bash", "pytest") is None, "no task is at hand"
    tasks.move(work, "start", second)
    kept = tasks.record(work, "bash", "pytest")
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
def test_refusals(case: str, work: Work) -> None:
    action, state, given, why = REFUSALS[case]
    wait = given.pop("depends", False) if (given := dict(given)) else False
    plan, (first, second) = planned(work, "first", "second", assign="executor")
    one = second if wait else first
    if not wait:
        plans.add(work, plan, "third", expected="x")
    if "role" in given:
        one = plans.add(work, plan, "theirs", expected="x", assign="executor")["id"]
    if state in ("active", "completed"):
        tasks.move(work, "start", one, session="s1")
    if state == "completed":
        tasks.move(work, "complete", one, evidence="seen")
    before = tasks.status(work, one)
    with pytest.raises(Refused) as error:
        tasks.move(work, action, one, **given)
    assert why in error.value.why and error.value.instead and error.value.evidence and error.value.exit_code == 3
    assert tasks.status(work, one) == before, "a refusal changes nothing"


def test_failing_breaks_the_chain_and_trying_again_mends_it(work: Work) -> None:
    _, (first, second) = planned(work, "first", "second")
    tasks.move(work, "start", first)
    failed = tasks.move(work, "fail", first, evidence="the library is gone")
    assert failed["archived"] == [first]
    broken = plans.status(work)["chainBreaks"]
    assert [(one["task"], one["needs"]) for one in broken] == [(second, first)]
    assert tasks.move(work, "start", first)["archivedAt"] is None
    assert plans.status(work)["chainBreaks"] == []


def test_circles_are_refused_with_the_circle(work: Work) -> None:
    _, (first, second, third) = planned(work, "first", "second", "third")
    with pytest.raises(BadInput) as error:
        plans.link(work, first, third)
    assert f"{first} → {third} → {second} → {first}" in error.value.why


def test_an_abandoned_plan_leaves_after_two_days(work: Work) -> None:
    plan, _ = planned(work, "first")
    plans.abandon(work, plan, reason="no time")
    assert plans.status(work)["plans"] == []
    for moment, gone in (("2026-02-06T10:30:00Z", []), ("2026-02-06T10:30:01Z", [plan])):
        assert plans.purge(at(work, moment)) == gone
    assert plans.status(work, everything=True)["plans"][0]["purgedAt"] == "2026-02-06T10:30:01Z"


def test_stale_tasks_are_told(work: Work) -> None:
    _, (one,) = planned(work, "first")
    tasks.move(work, "start", one)
    assert plans.status(at(work, "2026-02-04T11:00:01Z"))["stale"] == [{"task": one, "idleSeconds": 1801}]


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
def test_bad_tasks(given: dict[str, Any], why: str, work: Work) -> None:
    plan, _ = planned(work, "first")
    with pytest.raises(BrainError) as error:
        plans.add(work, plan, "second", **({"expected": "x"} | given))
    assert why in error.value.why


def test_only_one_of_many_takes_a_task(work: Work) -> None:
    _, (one,) = planned(work, "first")
    command = [sys.executable, "-m", "idumb_brain", "--root", str(work.project.root), "task", "start", one, "--session"]
    environ = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    running = [
        subprocess.Popen([*command, f"s{number}"], env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for number in range(8)
    ]
    assert sorted(process.wait() for process in running) == [0, *[3] * 7]
    for process in running:
        assert process.stderr is not None
        process.stderr.close()


def test_a_broken_row_costs_itself_alone(work: Work) -> None:
    plan, (first, second) = planned(work, "first", "second")
    work.brain.connection.execute("UPDATE tasks SET depends_on = 'garbage', state = 'dreaming' WHERE id = ?", (second,))
    assert [task.id for task in store.tasks(work.brain)] == [first]
    assert "dreaming" in work.brain.notes[0]
    assert [task["id"] for task in plans.status(work, plan)["plans"][0]["tasks"]] == [first]


def test_planning_documents(work: Work) -> None:
    folder = work.project.root
    (folder / "research.md").write_text("# Research\n\nSessions or tokens?\n\n## Tokens\n\nThey scale.\n")
    (folder / "plan.md").write_text("# Plan\n\nUse tokens.\n")
    research = artifacts.add(work, "research.md")
    assert (research["type"], [section["title"] for section in research["sections"]]) == ("research", ["Research", "Tokens"])
    plan = artifacts.add(work, "plan.md", parent="research.md")
    assert (plan["type"], plan["chain"], plan["stale"]) == ("implementation-plan", [research["id"], plan["id"]], [])
    (folder / "research.md").write_text("# Research\n\nSessions or tokens?\n\n## Tokens\n\nThey do not scale.\n")
    assert artifacts.known(work)[0]["changedSections"] == ["Tokens"]
    assert artifacts.known(work)[1]["stale"] == [], "nobody has read it again yet"
    artifacts.add(work, "research.md")
    assert "says something else by now" in artifacts.known(work)[1]["stale"][0]
    (folder / "plan2.md").write_text("# Plan\n\nUse sessions.\n")
    newer = artifacts.add(work, "plan2.md", parent="research.md", supersedes="plan.md")
    assert [one["id"] for one in artifacts.known(work)] == [research["id"], newer["id"]]
    artifacts.move(work, "abandoned", "research.md")
    assert "was abandoned" in artifacts.known(work)[0]["stale"][0]
    assert work.project.brain.exists()
    (folder / "bare.md").write_text("Use tokens.\n")
    assert [one["title"] for one in artifacts.add(work, "bare.md")["sections"]] == [""]
    (folder / "bare.md").write_text("Use sessions.\n")
    assert artifacts.known(work)[-1]["changedSections"] == [""]


def _inherits(work: Work, session: str) -> str:
    """The task that a session would take over when it writes; what it has itself is none of it."""
    with standing(str(work.project.root)) as ground:
        found = session_store.session(ground.brain, session)
        assert found
        session_store.keep(ground.brain, replace(found, task=""))
        told = gates.gate(ground, "write", session=session, role="executor", args={"filePath": "a.py"})
        found = session_store.session(ground.brain, session)
        assert found and found.task == told["inherits"]
        session_store.keep(ground.brain, replace(found, task=""))
        return str(told["inherits"])


def test_whose_task_it_is(work: Work) -> None:
    """The session that goes on with it, those it handed work to, and a person; what others do is not recorded for it."""
    for id, parent in (("above", ""), ("below", "above"), ("other", "")):
        with standing(str(work.project.root), make=True) as ground:
            sessions.created(ground, id, parent=parent)
    _, (one,) = planned(work, "first")
    tasks.move(work, "start", one, session="above")
    assert tasks.record(work, "edit", "wrote it", session="other") is None
    assert tasks.record(work, "edit", "wrote <private>the key</private> it", session="below")["summary"] == "wrote it"  # type: ignore[index]
    for action in ("start", "review", "complete", "fail"):
        with pytest.raises(Refused, match="session above has been at it"):
            tasks.move(work, action, one, session="other", evidence="seen")
    assert [_inherits(work, id) for id in ("below", "other")] == [one, ""]
    _, (another,) = planned(work, "second")
    tasks.move(work, "start", another)
    assert _inherits(work, "other") == another, "the one that nobody holds, though another was started, too"
    tasks.move(work, "complete", another, evidence="seen")
    assert tasks.move(work, "start", one, session="below")["claimedBy"] == "below"
    assert tasks.move(at(work, "2026-02-04T11:30:01Z"), "start", one, session="other")["claimedBy"] == "other", (
        "nobody heard of it"
    )
    with standing(str(work.project.root), make=True) as ground:
        assert [records.shown(ground, id)["task"] for id in ("above", "below", "other")] == [one, one, one]
        sessions.idle(ground, "other")
    assert tasks.move(work, "complete", one, session="above", evidence="seen")["status"] == "completed"
    with standing(str(work.project.root), make=True) as ground:
        assert [records.shown(ground, id)["task"] for id in ("above", "below", "other")] == ["", "", ""]


def test_what_others_rely_on_stays_completed(work: Work) -> None:
    first, (done,) = planned(work, "first")
    ahead = plans.add(work, first, "later", expected="x", ahead=True)["id"]
    second = plans.create(work, "Returns", depends=[first])["id"]
    then = plans.add(work, second, "second", expected="x")["id"]
    tasks.move(work, "start", done)
    tasks.move(work, "complete", done, evidence="seen")
    plans.add(work, first, "much later", expected="x", ahead=True)
    assert plans.status(work, first)["plans"][0]["status"] == "completed", "what is merely foreseen reopens nothing"
    tasks.move(work, "start", then)
    for again in (lambda: plans.add(work, first, "more", expected="x"), lambda: tasks.move(work, "start", ahead)):
        with pytest.raises(Refused, match="could start because it was completed"):
            again()


def test_what_is_done_of_a_plan_that_was_given_up_is_still_done(work: Work) -> None:
    plan, (first, _) = planned(work, "first", "second")
    other = plans.add(work, plans.create(work, "Returns")["id"], "third", expected="x", depends=[first])["id"]
    tasks.move(work, "start", first)
    tasks.move(work, "complete", first, evidence="seen")
    plans.abandon(work, plan)
    assert tasks.status(work, first)["archivedAt"] is None
    assert tasks.status(work, other)["status"] == "planned"


@pytest.mark.parametrize("path", ["nowhere.md", "../outside.md", "."])
def test_documents_that_are_none(path: str, work: Work) -> None:
    with pytest.raises(BadInput):
        artifacts.add(work, path)


def test_a_document_cannot_follow_from_its_own_child(work: Work) -> None:
    for name in ("a.md", "b.md"):
        (work.project.root / name).write_text(f"# {name}\n")
    artifacts.add(work, "a.md")
    artifacts.add(work, "b.md", parent="a.md")
    with pytest.raises(BadInput, match=r"a chain has a beginning"):
        artifacts.add(work, "a.md", parent="b.md")


def test_delegations(work: Work) -> None:
    plan = plans.create(work, "Lending", owner="coordinator")["id"]
    one = plans.add(work, plan, "schema", expected="tables")["id"]
    made = delegations.assign(work, one, "executor", role="coordinator", expires="30min", tools=["write"])
    assert (made["from"], made["to"], made["status"], made["expiresAt"]) == (
        "coordinator", "executor", "assigned", "2026-02-04T11:00:00Z",
    )  # fmt: skip
    assert tasks.status(work, one)["assignedTo"] == "executor" and tasks.status(work, one)["allowedTools"] == ["write"]
    assert delegations.status(at(work, "2026-02-04T11:00:00Z"))[:1] == [], "its time is over"
    again = delegations.assign(work, one, "executor", role="coordinator")
    assert [one["status"] for one in delegations.status(work, everything=True)] == ["recalled", "assigned"]
    tasks.move(work, "start", one, role="executor")
    assert delegations.accepted(work, one, "child")["childSession"] == "child"  # type: ignore[index]
    assert delegations.recall(work, again["id"])["status"] == "recalled"
    assert tasks.status(work, one)["status"] == "planned" and tasks.status(work, one)["assignedTo"] == ""


def test_a_session_hands_on_as_what_it_is(work: Work) -> None:
    """Not as whoever asked for the task."""
    with standing(str(work.project.root), make=True) as ground:
        sessions.created(ground, "s1", role="builder")
    plan = plans.create(work, "Lending", owner="coordinator")["id"]
    one = plans.add(work, plan, "schema", expected="tables")["id"]
    with pytest.raises(Refused, match="builder is a leaf"):
        delegations.assign(work, one, "executor", session="s1")


def test_delegations_end(work: Work) -> None:
    """By the rules: after a day, with their task, and only once."""
    _, (one,) = planned(work, "first", assign="executor")
    made = delegations.assign(work, one, "executor", role="coordinator")["id"]
    late = at(work, "2026-02-05T10:30:00Z")
    assert delegations.accepted(late, one, "child") is None and delegations.status(late) == []
    with pytest.raises(BadInput, match="it is expired"):
        delegations.recall(late, made)
    assert delegations.accepted(work, one, "child") is not None
    assert delegations.accepted(work, one, "another") is None
    assert delegations.ended(late, "child") is None
    tasks.move(work, "start", one)
    tasks.move(work, "complete", one, evidence="seen")
    assert delegations.status(work, everything=True)[0]["status"] == "completed"


# who hands on to whom, and which rule is in the way
HANDED = {
    "a leaf": ("builder", "executor", "leaf"),
    "to a role it may not hand to": ("planner", "coordinator", "may hand work to"),
}


@pytest.mark.parametrize("case", HANDED)
def test_delegations_refused(case: str, work: Work) -> None:
    sender, receiver, why = HANDED[case]
    one = plans.add(work, plans.create(work, "Lending")["id"], "schema", expected="tables")["id"]
    with pytest.raises(Refused) as error:
        delegations.assign(work, one, receiver, role=sender)
    assert why in error.value.why
    assert delegations.status(work) == []
