"""The real Claude Code in a project of its own: nothing of the user's, no account, no network but the loopback."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from idumb_brain.surfaces.calls import call
from tests.conftest import FIXTURES, REPOSITORY
from tests.live.model import Model
from tests.live.npm import installed

_MODEL = "claude-sonnet-4-5"
_ALLOWED = "Bash,Read,Write,Edit,Agent,mcp__idumb-brain"
_QUIET = (
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING",
    "CLAUDE_CODE_DISABLE_TERMINAL_TITLE",
)  # fmt: skip


class Claude:
    """One project that was set up for Claude Code, which is run there again and again."""

    def __init__(self, folder: Path, model: Model, *, environ: Mapping[str, str] | None = None) -> None:
        self.binary = installed("@anthropic-ai/claude-code-*/claude")
        self.root = folder / "reading_room"
        shutil.copytree(FIXTURES / "projects" / "reading_room", self.root, ignore=shutil.ignore_patterns(".idumb"))
        home = folder / "home"
        home.mkdir()
        self.environ = {
            "PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "PYTHONPATH": str(REPOSITORY),
            "ANTHROPIC_BASE_URL": model.url.removesuffix("/v1"), "ANTHROPIC_API_KEY": "not-a-key",
            **dict.fromkeys(_QUIET, "1"), **(environ or {}),
        }  # fmt: skip
        self.idumb("scan")
        self.idumb("setup", "claude")

    def talk(self, *prompts: str, words: Sequence[str] = (), seconds: float = 60) -> list[Any]:
        """One session, headless: each prompt when the agent is done with the one before. What it answered."""
        process = subprocess.Popen(
            [str(self.binary), "-p", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json", "--model", _MODEL,
             "--allowedTools", _ALLOWED, "--mcp-config", ".mcp.json", *words],
            cwd=self.root, env=self.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True,
        )  # fmt: skip
        late = threading.Timer(seconds, _end, (process,))
        late.start()
        try:
            answers = [_answer(process, prompt) for prompt in prompts]
            process.stdin.close()
            process.wait()
            return answers
        finally:
            late.cancel()
            _end(process)

    def idumb(self, *words: str) -> Any:
        """A command of ours in the project, as its user would run it."""
        run = subprocess.run(
            [sys.executable, "-m", "idumb_brain", "--json", "--root", str(self.root), *words],
            cwd=self.root, env=self.environ, capture_output=True, text=True,
        )  # fmt: skip
        assert run.returncode == 0, f"{words}: {run.stdout}{run.stderr}"
        return json.loads(run.stdout)["data"]

    def ask(self, operation: str, **arguments: Any) -> Any:
        return call(operation, arguments, str(self.root))

    @property
    def log(self) -> str:
        """What our hooks had to complain of."""
        file = self.root / ".idumb" / "brain" / "brain.log"
        return file.read_text("utf-8") if file.exists() else ""


def _answer(process: subprocess.Popen[str], prompt: str) -> Any:
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write(json.dumps({"type": "user", "message": {"role": "user", "content": prompt}}) + "\n")
    process.stdin.flush()
    for line in process.stdout:
        told = json.loads(line)
        if told["type"] == "result":
            return told
    raise AssertionError(f"Claude Code ended before it answered {prompt!r}: {process.stderr.read()}")


def _end(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
