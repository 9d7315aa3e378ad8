"""``gate`` and ``session`` as scripts and people meet them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from idumb_brain.operations import gate, sessions
from idumb_brain.operations.ground import standing
from tests.surfaces.test_cli import NOW, data, error, run

NOTES = json.dumps({"filePath": "notes.md"})
HAND_ON = json.dumps({"subagent_type": "general"})


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A chain of four sessions, the last of which tried to hand its work on."""
    (tmp_path / ".git").mkdir()
    with standing(str(tmp_path), make=True, environ={"IDUMB_BRAIN_NOW": "2026-02-04T10:00:00Z"}) as ground:
        above = ""
        for id, role in (("a", "coordinator"), ("b", "governance"), ("c", "planner"), ("d\x1b[2J", "verifier")):
            sessions.created(ground, id, role=role, parent=above)
            above = id
        sessions.tool_used(ground, above, "edit", files=["library/loans.py"])
        gate.gate(ground, "task", session=above, args={"subagent_type": "debugger"})
    return tmp_path


def test_what_is_refused_ends_with_3_where_it_takes_effect(project: Path) -> None:
    told = data("gate", "write", "--role", "validator", "--args", NOTES, cwd=project)
    assert (told["decision"], told["enforced"], told["mode"]) == ("block", False, "guide")
    assert all(told[part] for part in ("what", "why", "instead", "evidence"))
    enforced = data("gate", "write", "--role", "validator", "--args", NOTES, cwd=project, exit_code=3, IDUMB_ENFORCE="true")
    assert (enforced["enforced"], enforced["mode"]) == (True, "enforce")
    assert data("gate", "task", "--role", "builder", "--args", HAND_ON, cwd=project, exit_code=3)["rule"] == "LEAF_DELEGATES"
    assert data("gate", "read", "--role", "validator", cwd=project)["decision"] == "allow"


def test_asking_makes_no_brain(tmp_path: Path) -> None:
    data("gate", "read", cwd=tmp_path)
    assert data("session", "list", cwd=tmp_path) == []
    assert not (tmp_path / ".idumb").exists()


def test_a_session_is_recorded_by_the_gate(project: Path) -> None:
    data("gate", "write", "--session", "b", "--args", NOTES, cwd=project)
    assert [one["rule"] for one in data("session", "show", "b", cwd=project)["refused"]] == ["TOOL_NOT_FOR_ROLE", "FIRST_TOOL"]


def test_people_see_reasons(project: Path) -> None:
    told = run("gate", "task", "--role", "builder", "--args", HAND_ON, cwd=project)
    assert told.returncode == 3
    assert all(part in told.stdout for part in ("block", "WHAT: ", "WHY: ", "USE INSTEAD: ", "EVIDENCE: ", "LEAF_DELEGATES"))


def test_people_see_sessions_and_halts(project: Path) -> None:
    """And nothing of what they are called drives the terminal."""
    for words, seen in (
        (("session", "list"), ("d\\x1b[2J", "verifier", "halted", "4 sessions")),
        (
            ("session", "show", "d\x1b[2J"),
            ("coordinator → governance → planner → verifier", "edit 1", "library/loans.py", "resume-halt"),
        ),
        (("session", "halts"), ("MAX_DELEGATION_DEPTH_EXCEEDED", "resume-halt", "1 halt")),
        (("session", "gc", "--dry-run"), ("0 sessions would go", "not heard of since 2026-01-28T10:30:00Z")),
    ):
        told = run(*words, cwd=project)
        assert told.returncode == 0, told.stderr
        assert "\x1b" not in told.stdout
        assert not [part for part in seen if part not in told.stdout], told.stdout


def test_a_human_lets_halted_work_go_on(project: Path) -> None:
    (halt,) = data("session", "halts", cwd=project)
    assert halt["chain"] == ["coordinator", "governance", "planner", "verifier"] and halt["id"] in halt["howToResume"]
    assert data("session", "resume-halt", halt["id"], cwd=project)["resumedAt"] == NOW
    assert data("session", "halts", cwd=project) == []
    assert data("session", "show", "d\x1b[2J", cwd=project)["halts"][0]["resumedAt"] == NOW


@pytest.mark.parametrize(
    "words",
    [
        ("gate",), ("gate", "write", "--args", "{"), ("gate", "write", "--args", "[]"), ("session", "show", "x"),
        ("session", "list", "--state", "asleep"), ("session", "resume-halt", "x"),
    ],
)  # fmt: skip
def test_what_cannot_be_answered(words: tuple[str, ...], project: Path) -> None:
    assert error(*words, cwd=project)["why"]
