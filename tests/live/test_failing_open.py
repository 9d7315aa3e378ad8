"""Whatever becomes of our child, the agent goes on, says so once, and nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.live.model import Model, say, use
from tests.live.opencode import OpenCode


def _children(project: OpenCode) -> list[int]:
    """Processes of ours that work in the project."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            if entry.name.isdigit() and b"serve" in words and (entry / "cwd").resolve() == project.root.resolve():
                found.append(int(entry.name))
        except (OSError, PermissionError):
            continue
    return found


@pytest.mark.parametrize(("number", "notices"), [(signal.SIGKILL, 0), (signal.SIGSTOP, 1)], ids=["killed", "hung"])
def test_it_is_started_again_and_nothing_is_lost(tmp_path: Path, number: int, notices: int) -> None:
    steps = [
        use("idumb_anchor", action="add", type="decision", priority="high", content="The till counts in cents."),
        use("bash", command="true", description="to be filled in"),
        use("idumb_anchor", action="list"),
        say("Done."),
    ]
    with Model({"": steps}) as model:
        project = OpenCode(tmp_path, model)
        plugin = project.root / ".opencode" / "plugin" / "idumb-brain.js"
        plugin.write_text(plugin.read_text().replace("const HOOK_MS = 8_000", "const HOOK_MS = 4_000"))
        steps[1] = use("bash", command=project.signalling(number), description="ends or stops our child")
        run = project.run("Go on, whatever happens")
        assert run.returncode == 0, run.stderr
        assert "The till counts in cents." in model.turns()[-1].results[-1]
        assert run.stderr.count("does not answer") == notices
        assert "<idumb-governance>" in model.turns()[-1].system
        (session,) = project.ask("session.list")
        used = {one["tool"]: one["count"] for one in session["toolsUsed"]}
        assert used["idumb_anchor"] == 2 and (notices or used["bash"] == 1), "only the call that hung may be missing"
        assert not project.log


@pytest.mark.parametrize(
    "child", ["exec sleep 600", "exit 3", "exec /nowhere/python", "echo not json at all; exec sleep 600"], ids=str.split
)
def test_missing_or_hung_the_agent_goes_on_with_one_notice(tmp_path: Path, child: str) -> None:
    with Model({"": [use("bash", command="echo still here", description="works"), say("Done.")]}) as model:
        project = OpenCode(tmp_path, model)
        project.starts(child)
        plugin = project.root / ".opencode" / "plugin" / "idumb-brain.js"
        plugin.write_text(plugin.read_text().replace("const HOOK_MS = 8_000", "const HOOK_MS = 500"))
        run = project.run("Work without it", seconds=60)
        assert run.returncode == 0, run.stderr
        assert "still here" in model.turns()[-1].results[0]
        assert run.stderr.count("idumb-brain does not answer") == 1, run.stderr


def test_what_cannot_start_us_is_passed_over(tmp_path: Path) -> None:
    with Model({"": [use("idumb_scan", action="status"), say("Done.")]}) as model:
        project = OpenCode(tmp_path, model)
        plugin = project.root / ".opencode" / "plugin" / "idumb-brain.js"
        old = '["/nowhere/python", "-m", "idumb_brain"], ["sh", "-c", "echo No module named idumb_brain >&2; exit 1"], '
        plugin.write_text(plugin.read_text().replace("const COMMANDS = [", f"const COMMANDS = [{old}", 1))
        run = project.run("How does it stand?")
        assert "does not answer" not in run.stderr
        assert "indexed" in model.turns()[-1].results[0] and "<idumb-governance>" in model.turns()[0].system


def test_no_child_outlives_its_host(tmp_path: Path) -> None:
    with Model({"": [use("bash", command="sleep 60", description="waits"), say("Done.")]}) as model:
        project = OpenCode(tmp_path, model)
        process = project._start(["run", "Wait"])
        until = time.monotonic() + 30
        while not model.turns() and time.monotonic() < until:
            time.sleep(0.1)
        assert _children(project), "there is a child while the host lives"
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        until = time.monotonic() + 10
        while _children(project) and time.monotonic() < until:
            time.sleep(0.1)
        assert not _children(project)
        subprocess.run(["pkill", "-s", str(process.pid)], check=False)
