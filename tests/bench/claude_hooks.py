"""How long a hook of Claude Code keeps the agent waiting: done by its own process, and answered by one that lives.

    python -m tests.bench.claude_hooks [PROJECT] [--times N]

Works in a copy of PROJECT, or of the small project of the fixtures. Times are of whole processes, as Claude Code starts them.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.conftest import FIXTURES, REPOSITORY

WRITE = {"tool_name": "Write", "tool_input": {"file_path": "library/loans.py"}}
EVENTS = (
    ("SessionStart", {"source": "startup"}), ("UserPromptSubmit", {"prompt": "Readers who are late pay a fine"}),
    ("PreToolUse", {"tool_name": "Read", "tool_input": {"file_path": "library/loans.py"}}),
    ("PreToolUse", {"tool_name": "Bash", "tool_input": {"command": "python -m pytest -q"}}), ("PreToolUse", WRITE),
    ("PostToolUse", WRITE | {"tool_response": {}}), ("PreCompact", {"trigger": "auto"}), ("Stop", {"last_assistant_message": "Done."}),
)  # fmt: skip
MOST_WAIT = 60.0  # seconds for the server and its first scan


def main() -> None:
    parser = argparse.ArgumentParser(description="hooks of Claude Code, measured")
    parser.add_argument("project", nargs="?", type=Path, default=FIXTURES / "projects" / "reading_room")
    parser.add_argument("--times", type=int, default=11)
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        shutil.copytree(words.project, root, ignore=shutil.ignore_patterns(".idumb", ".git"))
        (root / ".git").mkdir()
        environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | {
            "PYTHONPATH": str(REPOSITORY), "CLAUDE_PROJECT_DIR": str(root),
        }  # fmt: skip
        command = [sys.executable, "-m", "idumb_brain"]
        subprocess.run([*command, "--quiet", "scan"], cwd=root, env=environ, check=True, stdout=subprocess.DEVNULL)
        alone = _measured(command, root, environ, words.times)
        server = subprocess.Popen([*command, "mcp"], cwd=root, env=environ, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        _wait_for(root / ".idumb" / "brain" / "hooks.sock")
        answered = _measured(command, root, environ, words.times)
        server.kill()
        server.wait()
    print(f"{'hook':<24}{'by itself: p50':>16}{'p95':>8}{'answered: p50':>16}{'p95':>8}   ms")
    for (event, told), own, other in zip(EVENTS, alone, answered, strict=True):
        name = " ".join([event, str(told.get("tool_name", ""))])
        print(f"{name:<24}{_at(own, 50):>16.0f}{_at(own, 95):>8.0f}{_at(other, 50):>16.0f}{_at(other, 95):>8.0f}")


def _measured(command: list[str], root: Path, environ: dict[str, str], times: int) -> list[list[float]]:
    """Once more than asked for: the first time of each is not counted."""
    found: list[list[float]] = [[] for _ in EVENTS]
    for _ in range(times + 1):
        for taken, (event, told) in zip(found, EVENTS, strict=True):
            raw = json.dumps({"session_id": "measured", "cwd": str(root), "hook_event_name": event, **told}).encode()
            began = time.perf_counter()
            subprocess.run([*command, "hook", event], cwd=root, env=environ, input=raw, check=True, stdout=subprocess.DEVNULL)
            taken.append((time.perf_counter() - began) * 1_000)
    return [taken[1:] for taken in found]


def _wait_for(socket: Path) -> None:
    end = time.monotonic() + MOST_WAIT
    while not socket.exists():
        if time.monotonic() > end:
            raise SystemExit("the server did not begin to listen")
        time.sleep(0.05)


def _at(taken: list[float], percent: int) -> float:
    return statistics.quantiles(taken, n=100, method="inclusive")[percent - 1]


if __name__ == "__main__":
    main()
