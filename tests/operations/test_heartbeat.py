"""What a host leaves behind while it talks to us, and what is made of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from idumb_brain.operations.heartbeat import Pulse, heard
from idumb_brain.operations.project import Project, find_project
from idumb_brain.surfaces.cli.main import main
from tests.conftest import REPOSITORY

PLUGIN = ".opencode/plugin/idumb-brain.js"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return find_project(str(tmp_path)).prepared()


def check(project: Project, host: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capsys.readouterr()
    main(["--root", str(project.root), "--json", "setup", host, "--check"])
    told = json.loads(capsys.readouterr().out)["data"]
    assert isinstance(told, dict)
    return told


def test_counts_go_on_from_process_to_process(project: Project) -> None:
    pulse = Pulse(project, "claude", every=0)
    pulse.felt("SessionStart")
    pulse.felt("Stop", "it broke")
    Pulse(project, "claude", every=0).felt("Stop")
    told = heard(project, "claude")
    assert told and (told["answered"], told["problems"], told["lastHook"]) == (3, 1, "Stop")
    assert told["lastProblem"]["what"] == "it broke" and told["python"] == sys.executable and told["pid"] == os.getpid()


def test_between_beats_nothing_is_written_but_a_problem_is(project: Project) -> None:
    pulse = Pulse(project, "opencode")
    for _ in range(5):
        pulse.felt("event")
    assert (heard(project, "opencode") or {})["answered"] == 1
    pulse.felt("event", "it broke")
    assert (heard(project, "opencode") or {})["answered"] == 6


@pytest.mark.parametrize("harm", ["a folder in its place", "no folder"])
def test_where_it_cannot_be_written_nobody_is_disturbed(project: Project, harm: str) -> None:
    if harm == "no folder":
        (project.home / "brain").rmdir()
    else:
        (project.home / "brain" / "mcp.heartbeat").mkdir()
    Pulse(project, "mcp").felt("event")
    assert heard(project, "mcp") is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"at": 7}', '{"at": "x", "pid": "me"}', "\xff"])
def test_a_note_that_makes_no_sense_is_none_or_nobody(project: Project, text: str) -> None:
    (project.home / "brain" / "mcp.heartbeat").write_text(text, "latin-1")
    told = heard(project, "mcp")
    assert told is None or told["running"] is False
    Pulse(project, "mcp").felt("event")
    assert (heard(project, "mcp") or {})["answered"] == 1


def test_a_number_that_was_given_to_another_process_is_not_ours(project: Project) -> None:
    with subprocess.Popen(["sleep", "60"]) as other:
        told = {"at": "2026-02-04T10:30:00Z", "host": "mcp", "pid": other.pid, "version": "0.1.0"}
        (project.home / "brain" / "mcp.heartbeat").write_text(json.dumps(told))
        assert (heard(project, "mcp") or {})["running"] is False
        other.kill()


def test_a_process_that_lives_is_told_of_with_the_plugin_it_loaded(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--root", str(project.root), "setup", "opencode"])
    version = next(line for line in (project.root / PLUGIN).read_text().splitlines() if line.startswith("const VERSION")).split(
        '"'
    )[1]
    for loaded, problems in ((version, []), ("0.0.1+older", ["OpenCode runs with an older plugin: start it anew"])):
        with subprocess.Popen(
            [sys.executable, "-m", "idumb_brain", "serve", "--stdio"], cwd=project.root, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        ) as serve:  # fmt: skip
            assert serve.stdin and serve.stdout
            asked = {"jsonrpc": "2.0", "id": 1, "method": "hello", "params": {"plugin": loaded}}
            serve.stdin.write(json.dumps(asked).encode() + b"\n")
            serve.stdin.flush()
            serve.stdout.readline()
            told = check(project, "opencode", capsys)
            assert (told["alive"], told["problems"], told["heard"]["plugin"]) == (True, problems, loaded)
    told = check(project, "opencode", capsys)
    assert (told["alive"], told["problems"]) == (False, [])


def _gone(text: str) -> str:
    return text.replace(sys.executable, "/nowhere/python")


def _another(text: str) -> str:
    return text.replace(sys.executable, "/bin/false")


@pytest.mark.parametrize("host, file", [("opencode", PLUGIN), ("claude", ".claude/settings.json"), ("mcp", ".mcp.json")])
@pytest.mark.parametrize("harm, why", [(_gone, "is not there any more"), (_another, "cannot be run")])
def test_a_command_that_does_not_start_us_is_noticed(
    project: Project, capsys: pytest.CaptureFixture[str], host: str, file: str, harm: Any, why: str
) -> None:
    main(["--root", str(project.root), "setup", host])
    assert check(project, host, capsys)["problems"] == []
    written = project.root / file
    written.write_text(harm(written.read_text()))
    assert any(why in problem and file in problem for problem in check(project, host, capsys)["problems"])
    main(["--root", str(project.root), "setup", host])
    assert check(project, host, capsys)["problems"] == []
