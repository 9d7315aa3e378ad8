"""``setup claude`` and ``setup mcp``: put in, checked, taken out; what others wrote there stays as it was."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import REPOSITORY

SETTINGS, SERVERS = ".claude/settings.json", ".mcp.json"
OTHERS = {
    SETTINGS: {
        "permissions": {"allow": ["Bash(ls:*)"]},
        "hooks": {
            "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "./check.sh"}]}],
            "Notification": [],
            "Stop": [{"hooks": [{"type": "command", "command": "say idumb-brain is done"}]}],
        },
        "model": "größer",
    },
    SERVERS: {"mcpServers": {"other": {"command": "other"}}},
}
EVENTS = {
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PreCompact", "Stop", "SubagentStart",
    "SubagentStop", "SessionEnd",
}  # fmt: skip


def setup(root: Path, *words: str, code: int = 0) -> Any:
    run = subprocess.run(
        [sys.executable, "-m", "idumb_brain", "--json", "--root", str(root), "setup", *words],
        cwd=REPOSITORY, capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == code, run.stdout + run.stderr
    told = json.loads(run.stdout)
    return told.get("data") or told["error"]


def _files(root: Path) -> dict[str, Any]:
    return {name: json.loads((root / name).read_text("utf-8")) for name in (SETTINGS, SERVERS) if (root / name).exists()}


@pytest.mark.parametrize("host, touched", [("claude", {SETTINGS, SERVERS}), ("mcp", {SERVERS})])
@pytest.mark.parametrize("before", [{}, OTHERS], ids=["an empty project", "settings of others"])
def test_put_in_checked_and_taken_out(tmp_path: Path, host: str, touched: set[str], before: dict[str, Any]) -> None:
    for name, told in before.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(json.dumps(told), "utf-8")
    assert setup(tmp_path, host, "--check", code=1)["problems"]
    assert setup(tmp_path, host, "--print")["did"] == "printed" and _files(tmp_path) == before

    assert setup(tmp_path, host)["did"] == ("updated" if before else "written")
    there = _files(tmp_path)
    assert {name for name in there if there[name] != before.get(name)} == touched
    assert there[SERVERS]["mcpServers"]["idumb-brain"]["args"] == ["-m", "idumb_brain", "mcp"]
    if host == "claude":
        ours = {event for event, rows in there[SETTINGS]["hooks"].items() if f"idumb_brain hook {event}" in json.dumps(rows)}
        assert ours == EVENTS
    assert setup(tmp_path, host, "--check")["problems"] == []
    assert setup(tmp_path, host)["did"] == "unchanged" and _files(tmp_path) == there

    assert setup(tmp_path, host, "--remove")["did"] == "removed"
    assert _files(tmp_path) == before and (tmp_path / ".claude").exists() == bool(before)
    assert setup(tmp_path, host, "--remove")["did"] == "unchanged"


def test_what_an_earlier_version_put_there_is_replaced_beside_what_others_have(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    old = [{"type": "command", "command": "/old/python -m idumb_brain hook Stop"}, {"type": "command", "command": "./mine.sh"}]
    (tmp_path / SETTINGS).write_text(json.dumps({"hooks": {"Stop": [{"hooks": old}], "Gone": [{"hooks": old[:1]}]}}))
    assert "is not what this version writes" in setup(tmp_path, "claude", "--check", code=1)["problems"][0]
    setup(tmp_path, "claude")
    hooks = _files(tmp_path)[SETTINGS]["hooks"]
    assert "/old/python" not in json.dumps(hooks) and "Gone" not in hooks
    assert hooks["Stop"][0] == {"hooks": [{"type": "command", "command": "./mine.sh"}]} and len(hooks["Stop"]) == 2


@pytest.mark.parametrize("text", ["{ // mine\n}", "[]", '{"hooks": []}'])
def test_settings_that_cannot_be_read_are_left_alone_and_so_is_the_rest(tmp_path: Path, text: str) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / SETTINGS).write_text(text)
    assert setup(tmp_path, "claude", code=2)["instead"]
    assert (tmp_path / SETTINGS).read_text() == text and not (tmp_path / SERVERS).exists()
