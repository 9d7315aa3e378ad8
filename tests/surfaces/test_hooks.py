"""``hook EVENT`` as Claude Code calls it: a process for every event, which never fails the agent."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import FIXTURES, REPOSITORY

EVENT = {
    "session_id": "one",
    "hook_event_name": "PreToolUse",
    "tool_name": "Write",
    "tool_input": {"file_path": "library/loans.py"},
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "reading_room"
    shutil.copytree(FIXTURES / "projects" / "reading_room", root, ignore=shutil.ignore_patterns(".idumb"))
    (root / ".git").mkdir()
    return root


def hook(project: Path, event: str, told: Any, **environ: str) -> dict[str, Any]:
    raw = told if isinstance(told, bytes) else json.dumps(told).encode()
    run = subprocess.run(
        [sys.executable, "-m", "idumb_brain", "hook", event], cwd=project / "docs", input=raw, capture_output=True,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY), "CLAUDE_PROJECT_DIR": str(project), **environ},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    answer = json.loads(run.stdout)
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize(
    "event, told",
    [("PreToolUse", b""), ("PreToolUse", b"not json"), ("PreToolUse", b"[]"), ("PreToolUse", {}), ("Dance", EVENT),
     ("Stop", {"session_id": 7}), ("PostToolUse", EVENT | {"tool_input": "text", "tool_response": []}), ("PreCompact", {"session_id": ""})],
)  # fmt: skip
def test_whatever_comes_in_the_agent_goes_on(project: Path, event: str, told: Any) -> None:
    assert "deny" not in json.dumps(hook(project, event, told, IDUMB_ENFORCE="true"))


def test_a_brain_that_cannot_be_read_is_told_of_once_and_logged(project: Path) -> None:
    (project / ".idumb" / "brain").mkdir(parents=True)
    (project / ".idumb" / "brain" / "brain.db").mkdir()
    told = {"session_id": "one", "source": "startup"}
    assert "The work goes on without it" in hook(project, "SessionStart", told)["systemMessage"]
    assert hook(project, "PreToolUse", EVENT) == {}
    assert "PreToolUse failed" in (project / ".idumb" / "brain" / "brain.log").read_text()


def test_enforced_it_denies_and_elsewhere_it_hints_once_in_a_session(project: Path) -> None:
    hook(project, "SessionStart", {"session_id": "one", "source": "startup"})
    hook(project, "UserPromptSubmit", {"session_id": "one", "prompt": "Fix it"})
    first, second = (hook(project, "PreToolUse", EVENT)["hookSpecificOutput"], hook(project, "PreToolUse", EVENT))
    assert "without an active task" in first["additionalContext"] and second == {}
    denied = hook(project, "PreToolUse", EVENT, IDUMB_ENFORCE="true")["hookSpecificOutput"]
    assert denied["permissionDecision"] == "deny" and "Use instead: " in denied["permissionDecisionReason"]


@pytest.fixture
def resident(project: Path) -> Iterator[subprocess.Popen[bytes]]:
    """An MCP server of the project, as Claude Code keeps one."""
    process = subprocess.Popen(
        [sys.executable, "-m", "idumb_brain", "mcp"], cwd=project, env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    end = time.monotonic() + 20
    while not (project / ".idumb" / "brain" / "hooks.sock").exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    yield process
    process.kill()
    process.wait()


def test_a_server_that_lives_answers_for_those_alike_and_nobody_misses_it_when_it_is_gone(
    project: Path, resident: subprocess.Popen[bytes]
) -> None:
    def who_answered(**environ: str) -> int:
        answer = hook(project, "SessionStart", {"session_id": "one", "source": "startup"}, **environ)
        assert "<idumb-governance>" in answer["hookSpecificOutput"]["additionalContext"]
        return int(json.loads((project / ".idumb" / "brain" / "claude.heartbeat").read_text())["pid"])

    assert who_answered() == resident.pid
    assert who_answered(IDUMB_ENFORCE="true") != resident.pid
    assert who_answered() == resident.pid
    resident.kill()
    resident.wait()
    assert who_answered() != resident.pid
