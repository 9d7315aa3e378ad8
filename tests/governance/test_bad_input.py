"""What people, hosts and processes get wrong: rule files, settings, rows of the brain, arguments, and writing at the same time."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from idumb_brain.model.errors import BadInput
from idumb_brain.operations import gate as gates
from idumb_brain.operations import records, sessions
from idumb_brain.operations.ground import standing
from tests.conftest import REPOSITORY

NOW = {"IDUMB_BRAIN_NOW": "2026-02-04T10:30:00Z"}
WRONG = {
    "no TOML": ("roles.toml", "[[[\n", "not valid TOML"),
    "a family that is none": ("roles.toml", '[[role]]\nname = "poet"\nfamilies = ["verse"]\n', "verse"),
    "a key that means nothing": ("roles.toml", '[[role]]\nname = "poet"\ncan_write = true\n', "can_write"),
    "a role without a name": ("roles.toml", '[[role]]\nfamilies = ["read"]\n', "name' is missing"),
    "a role like itself": ("roles.toml", '[[role]]\nname = "a"\nlike = "b"\n[[role]]\nname = "b"\nlike = "a"\n', "in the end like"),
    "a leaf that hands work on": ("roles.toml", '[[role]]\nname = "builder"\ndelegates = ["general"]\n', "leaf"),
    "two roles of one name": ("roles.toml", '[[role]]\nname = "poet"\naliases = ["builder"]\n', "two roles"),
    "a list of commands that is none": ("roles.toml", '[[role]]\nname = "poet"\nbash = ["@verses"]\n', "@verses"),
    "work handed to nobody": ("roles.toml", '[[role]]\nname = "coordinator"\ndelegates = ["poet"]\n', "poet"),
    "a table where a list belongs": ("roles.toml", "[role]\nname = 'x'\n", r"\[\[role\]\]"),
    "a text where a list belongs": ("modes.toml", 'never_right = "all"\n', "never_right"),
    "less than nothing": ("modes.toml", "retry_within = -1\n", "retry_within"),
    "evidence that is none": ("chains.toml", '[[rule]]\nid = "INIT-01"\nneeds = "luck"\n', "luck"),
    "a level that is none": ("chains.toml", '[[rule]]\nid = "INIT-01"\nlevel = "MAYBE"\n', "MAYBE"),
    "a category for nobody": ("delegation.toml", '[categories]\nverse = ["poet"]\n', "poet"),
    "a state that is none": ("sessions.toml", '[[transition]]\nname = "turn"\nto = "asleep"\n', "asleep"),
    "an action that is none": ("sessions.toml", '[[transition]]\nname = "turn"\ndoes = ["S3-R06 sing"]\n', "sing"),
    "a table with a hole": ("sessions.toml", '[[transition]]\nname = "stops"\nfrom = ["beginning"]\n', "no transition from"),
    "windows that cross": ("sessions.toml", "[windows]\nresume_after = 172800\n", "resume_after"),
    "a trigger that counts to nowhere": ("automation.toml", '[[trigger]]\nname = "hallucination"\nreaches = 0\n', "how far"),
    "events without a time": ("automation.toml", '[[trigger]]\nname = "runaway tools"\nseconds = 0\n', "within seconds"),
}  # fmt: skip


def _own(root: Path, name: str, text: str) -> None:
    file = root / ".idumb" / "queries" / "governance" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def _ask(root: Path, operation: Any, *words: Any, environ: dict[str, str] = NOW, **options: Any) -> Any:
    with standing(str(root), make=True, environ=environ) as ground:
        return operation(ground, *words, **options)


@pytest.mark.parametrize("what", WRONG)
def test_a_rule_file_that_cannot_be_used(what: str, tmp_path: Path) -> None:
    name, text, told = WRONG[what]
    _own(tmp_path, name, text)
    with pytest.raises(BadInput, match=name) as caught:
        _ask(tmp_path, gates.gate, "read")
    assert caught.value.instead
    assert caught.match(told)


def test_a_project_lays_its_rules_over_ours(tmp_path: Path) -> None:
    """Key by key: what it does not say stays as it is. The files are read again when they change."""
    assert _ask(tmp_path, gates.gate, "write", role="poet", args={"filePath": "verse.md"})["rule"] == "TOOL_NOT_FOR_ROLE"
    _own(tmp_path, "roles.toml", '[[role]]\nname = "idumb-Poet"\nlike = "executor"\npaths = ["*.md"]\n')
    assert _ask(tmp_path, gates.gate, "write", role="@poet", args={"filePath": "verse.md"})["rule"] == "NO_ACTIVE_TASK"
    assert _ask(tmp_path, gates.gate, "write", role="poet", args={"filePath": "src/a.py"})["rule"] == "PATH_NOT_FOR_ROLE"
    _own(tmp_path, "roles.toml", '[[role]]\nname = "executor"\npaths = ["*.md"]\n')
    assert _ask(tmp_path, gates.gate, "write", role="executor", args={"filePath": "verse.md"})["rule"] == "NO_ACTIVE_TASK"
    assert _ask(tmp_path, gates.gate, "govern_task", role="executor", args={"action": "complete"})["decision"] == "allow"
    _own(tmp_path, "chains.toml", '[[rule]]\nid = "INIT-01"\nlevel = "OFF"\n')
    assert _ask(tmp_path, gates.command, "/idumb:plan-phase")["decision"] == "allow"
    assert _ask(tmp_path, gates.command, "/idumb:roadmap")["rule"] == "PROJ-01"


MODES = {
    ("", "{}"): "guide",
    ("true", "{}"): "enforce",
    ("1", '{"governance": {"mode": "observe"}}'): "enforce",
    ("false", '{"governance": {"mode": "enforce"}}'): "guide",
    ("false", '{"governance": {"mode": "observe"}}'): "observe",
    ("", '{"governance": {"mode": "enforce"}}'): "enforce",
}


@pytest.mark.parametrize(("switch", "config"), MODES)
def test_the_mode(switch: str, config: str, tmp_path: Path) -> None:
    (tmp_path / ".idumb").mkdir()
    (tmp_path / ".idumb" / "config.json").write_text(config)
    assert _ask(tmp_path, gates.gate, "read", environ=NOW | {"IDUMB_ENFORCE": switch})["mode"] == MODES[switch, config]


@pytest.mark.parametrize(("switch", "config"), [("perhaps", "{}"), ("", '{"governance": {"mode": "harsh"}}')])
def test_a_mode_that_is_none(switch: str, config: str, tmp_path: Path) -> None:
    (tmp_path / ".idumb").mkdir()
    (tmp_path / ".idumb" / "config.json").write_text(config)
    with pytest.raises(BadInput):
        _ask(tmp_path, gates.gate, "read", environ=NOW | {"IDUMB_ENFORCE": switch})


ARGUMENTS: tuple[dict[str, Any], ...] = (
    {}, {"filePath": None}, {"filePath": 7}, {"filePath": ""}, {"filePath": "a\0b"}, {"filePath": "\udcff.py"}, {"filePath": "x" * 5_000},
    {"files": "a.py"}, {"files": [1, {"path": 2}]}, {"command": None}, {"command": ["ls", 1]}, {"patchText": 3}, {"subagent_type": {}},
    {"action": ["start"]}, {"task": {"id": 1}},
)  # fmt: skip


@pytest.mark.parametrize("tool", ["write", "apply_patch", "bash", "task", "govern_task", "Ünknown\x1b[2J"])
def test_arguments_no_host_should_send(tool: str, tmp_path: Path) -> None:
    _ask(tmp_path, sessions.created, "a", role="executor")
    for args in ARGUMENTS:
        told = _ask(tmp_path, gates.gate, tool, session="a", args=args)
        assert told["decision"] in ("allow", "warn", "block")
        assert told["decision"] == "allow" or (told["what"] and told["why"] and told["instead"] and told["evidence"])


@pytest.mark.parametrize("text", ["{", "[]", "7", '"a"', "null"])
def test_arguments_that_are_no_object(text: str) -> None:
    with pytest.raises(BadInput):
        gates.read_args(text)


def test_a_session_that_is_none(tmp_path: Path) -> None:
    told = _ask(tmp_path, gates.gate, "write", session="nobody told of it", role="validator")
    assert told["rule"] == "TOOL_NOT_FOR_ROLE"
    assert _ask(tmp_path, records.listed) == []
    for wrong in (
        lambda: _ask(tmp_path, sessions.created, " "),
        lambda: _ask(tmp_path, gates.gate, " "),
        lambda: _ask(tmp_path, records.shown, "x"),
        lambda: _ask(tmp_path, records.listed, state="asleep"),
        lambda: _ask(tmp_path, records.resume_halt, "halt-1"),
        lambda: _ask(tmp_path, sessions.checked, "a", "spelling", []),
    ):
        with pytest.raises(BadInput) as caught:
            wrong()
        assert caught.value.why and caught.value.instead


def test_its_own_parent(tmp_path: Path) -> None:
    _ask(tmp_path, sessions.created, "a", parent="a")
    assert _ask(tmp_path, records.shown, "a")["sessionLevel"] == 1


def test_a_circle_of_parents_written_by_hand(tmp_path: Path) -> None:
    _ask(tmp_path, sessions.created, "a", role="coordinator")
    _ask(tmp_path, sessions.created, "b", role="verifier", parent="a")
    with contextlib.closing(sqlite3.connect(tmp_path / ".idumb" / "brain" / "brain.db")) as brain, brain:
        brain.execute("UPDATE sessions SET parent = 'b' WHERE id = 'a'")
    assert _ask(tmp_path, records.shown, "b")["delegationDepth"] == 1
    assert _ask(tmp_path, gates.gate, "read", session="b")["decision"] == "allow"


def test_a_row_written_by_hand_is_mended(tmp_path: Path) -> None:
    _ask(tmp_path, sessions.created, "a", role="coordinator")
    with contextlib.closing(sqlite3.connect(tmp_path / ".idumb" / "brain" / "brain.db")) as brain, brain:
        brain.execute(
            "UPDATE sessions SET state = 'asleep', level = 9, tools_used = '[[1]]', children = '{', prompt_score = 'much'"
        )
    told = _ask(tmp_path, sessions.turn, "a")
    assert (
        told["session"]["sessionLevel"] == 1 and told["session"]["toolsUsed"] == [] and told["session"]["role"] == "coordinator"
    )
    assert "mended" in told["notices"][0]


_WRITER = """
import sys
from idumb_brain.operations import records, sessions
from idumb_brain.operations.ground import standing
for _ in range(25):
    with standing(sys.argv[1], make=True) as ground:
        sessions.tool_used(ground, "a", "edit", files=[sys.argv[2]])
"""


def test_many_processes_tell_of_one_session(tmp_path: Path) -> None:
    """No update is lost, whoever begins the session."""
    environ = dict(os.environ, PYTHONPATH=str(REPOSITORY), **NOW)
    writers = [
        subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path), f"{n}.py"], env=environ, stderr=subprocess.PIPE)
        for n in range(4)
    ]
    for writer in writers:
        _, told = writer.communicate(timeout=120)
        assert writer.returncode == 0, told
    kept = _ask(tmp_path, records.shown, "a")
    assert kept["toolsUsed"] == [{"tool": "edit", "count": 100}]
    assert sorted(kept["filesModified"]) == ["0.py", "1.py", "2.py", "3.py"]


def test_a_link_leads_where_it_leads(tmp_path: Path) -> None:
    _ask(tmp_path, sessions.created, "a", role="build")
    (tmp_path / "notes").symlink_to(tmp_path / ".idumb" / "brain")
    told = _ask(tmp_path, gates.gate, "write", session="a", args={"filePath": "notes/brain.db"})
    assert (told["rule"], told["enforced"]) == ("BRAIN_FILES", True)
