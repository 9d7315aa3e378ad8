"""Lines are run in the project, ended in time, cut to size and noted; destructive ones are not run at all."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from idumb_brain.operations import shell
from idumb_brain.surfaces.cli.main import main


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".idumb").mkdir()
    (tmp_path / "src").mkdir()
    return tmp_path


def test_a_harmless_line_is_run_and_noted(project: Path) -> None:
    told = shell.run("echo hi > note.txt; cat note.txt; exit 3", str(project), session="s1")
    assert told["ran"] and told["exitCode"] == 3 and told["output"] == "hi\n"
    (entry,) = map(json.loads, (project / ".idumb" / "brain" / "shell.log").read_text("utf-8").splitlines())
    assert entry["decision"] == "allow" and entry["exitCode"] == 3 and entry["session"] == "s1"


def test_a_destructive_line_is_refused_and_noted(project: Path) -> None:
    told = shell.run("ls; rm -rf src", str(project))
    assert not told["ran"] and told["decision"] == "block" and told["why"] and told["instead"] and (project / "src").is_dir()
    assert '"decision": "block"' in (project / ".idumb" / "brain" / "shell.log").read_text("utf-8")


def test_the_time_limit_ends_all_that_was_started(project: Path) -> None:
    told = shell.run("(sleep 2; touch late) & sleep 30", str(project), timeout=0.2)
    assert told["timedOut"] and told["exitCode"] is None and told["durationMs"] < 20_000
    time.sleep(2.2)
    assert not (project / "late").exists()


def test_the_middle_of_long_output_is_left_out(project: Path) -> None:
    told = shell.run("echo first; seq 100000; echo last", str(project), cap=1000)
    assert told["output"].startswith("first\n") and told["output"].endswith("last\n") and "bytes left out" in told["output"]
    assert len(told["output"]) < 1100 and told["outputBytes"] > 500_000


def test_a_project_may_add_commands(project: Path) -> None:
    tables = project / ".idumb" / "queries" / "shell"
    tables.mkdir(parents=True)
    (tables / "ours.toml").write_text('["wreck"]\nkind = "destructive"\nwhy = "it wrecks"\n')
    assert shell.check("sudo wreck all", str(project))["why"] == "it wrecks"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["check", "git status"], 0),
        (["check", "rm -rf /"], 3),
        (["run", "git push -f"], 3),
        (["run", "false"], 1),
        (["run", "echo hi"], 0),
    ],
)
def test_exit_codes(project: Path, words: list[str], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shell", *words, "--root", str(project), "--json"]) == code
    assert json.loads(capsys.readouterr().out)["data"]["line"] == words[1]
