"""The real OpenCode in a project of its own: nothing of the user's, no network but the loopback."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from idumb_brain.surfaces.calls import call
from tests.conftest import FIXTURES, REPOSITORY
from tests.live.model import Model
from tests.live.npm import installed

# Each takes away a way to the network, or something that differs from run to run.
_QUIET = {
    f"OPENCODE_{name}": "1"
    for name in (
        "DISABLE_MODELS_FETCH", "DISABLE_AUTOUPDATE", "DISABLE_DEFAULT_PLUGINS", "DISABLE_LSP_DOWNLOAD", "DISABLE_SHARE",
        "DISABLE_EXTERNAL_SKILLS", "DISABLE_CLAUDE_CODE", "DISABLE_TERMINAL_TITLE", "EXPERIMENTAL_DISABLE_FILEWATCHER",
    )
}  # fmt: skip
NOW = "2026-02-04T10:30:00Z"


class OpenCode:
    """One project with our plugin in it, and OpenCode run there again and again."""

    def __init__(
        self,
        folder: Path,
        model: Model,
        *,
        context: int = 200_000,
        environ: Mapping[str, str] | None = None,
        settings: Mapping[str, Any] | None = None,
        source: Path = FIXTURES / "projects" / "reading_room",
    ) -> None:
        self.binary = installed("opencode-*/bin/opencode")
        self.root = folder / source.name
        self.model = model
        shutil.copytree(source, self.root, ignore=shutil.ignore_patterns(".idumb", ".git"))
        home = folder / "home"
        for place in (self.root / ".opencode", home / ".config" / "opencode"):
            _needs_no_install(place)
        limit = {"context": context, "output": 1_000}
        scripted = {"name": "Scripted", "tool_call": True, "limit": limit}
        told = {
            "autoupdate": False, "share": "disabled", "model": "loop/scripted", "small_model": "loop/scripted",
            "enabled_providers": ["loop"],
            "provider": {
                "loop": {
                    "npm": "@ai-sdk/openai-compatible", "name": "Loop", "options": {"baseURL": model.url, "apiKey": "none"},
                    "models": {"scripted": scripted},
                }
            },
        }  # fmt: skip
        (self.root / "opencode.json").write_text(json.dumps(told | (settings or {})))
        self.environ = {
            "PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "NO_COLOR": "1", "GIT_CONFIG_GLOBAL": os.devnull,
            "PYTHONPATH": str(REPOSITORY), **_QUIET, **(environ or {}),
        }  # fmt: skip
        who = {f"GIT_{part}_{what}": "a@example.invalid" for part in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "The reading room"]):
            subprocess.run(["git", *words], cwd=self.root, env=self.environ | who, check=True)
        self.idumb("scan")
        self.idumb("setup", "opencode")

    def run(self, prompt: str, *words: str, seconds: float = 60) -> subprocess.CompletedProcess[str]:
        """``opencode run``: one prompt, until the agent is idle."""
        process = self._start(["run", *words, prompt])
        try:
            out, errors = process.communicate(timeout=seconds)
        finally:
            _end(process)
        return subprocess.CompletedProcess(words, process.returncode, out, errors)

    @contextlib.contextmanager
    def serving(self, seconds: float = 30) -> Iterator[Server]:
        process = self._start(["serve", "--hostname", "127.0.0.1", "--port", "0"])
        try:
            assert process.stdout
            while not (found := re.search(r"listening on (http://\S+)", line := process.stdout.readline())):
                assert line, "opencode serve ended before it listened"
            yield Server(found[1])
        finally:
            process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
            _end(process)

    def starts(self, script: str) -> None:
        """Have the plugin start a program of the test's instead of ours."""
        program = self.root / ".idumb" / "wrapped"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        plugin = self.root / ".opencode" / "plugin" / "idumb-brain.js"
        plugin.write_text(plugin.read_text().replace("const COMMANDS = [", f'const COMMANDS = [["{program}"]];[', 1))

    def signalling(self, number: int) -> str:
        """A line for the agent's shell that sends a signal to our child."""
        self.starts(f'echo $$ > .idumb/child; exec "{sys.executable}" -m idumb_brain "$@"')
        line = f"import os\nos.kill(int(open('.idumb/child').read()), {number})\n"
        (self.root / "scripts" / "signal_it.py").write_text(line)
        return "python3 scripts/signal_it.py"

    def idumb(self, *words: str) -> Any:
        """A command of ours in the project, as its user would run it."""
        run = subprocess.run(
            [sys.executable, "-m", "idumb_brain", "--json", "--root", str(self.root), *words],
            cwd=self.root, env=self.environ, capture_output=True, text=True,
        )  # fmt: skip
        assert run.returncode in (0, 3), f"{words}: {run.stdout}{run.stderr}"
        return json.loads(run.stdout)["data"]

    def ask(self, operation: str, **arguments: Any) -> Any:
        return json.loads(json.dumps(call(operation, arguments, str(self.root))))

    @property
    def log(self) -> str:
        """What our child had to complain of."""
        file = self.root / ".idumb" / "brain" / "brain.log"
        return file.read_text("utf-8") if file.exists() else ""

    def _start(self, words: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [str(self.binary), *words], cwd=self.root, env=self.environ | {"PWD": str(self.root)}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip


class Server:
    """``opencode serve``, for several prompts in one session."""

    def __init__(self, url: str) -> None:
        self.url = url

    def post(self, path: str, body: Mapping[str, Any] | None = None, seconds: float = 60) -> Any:
        request = urllib.request.Request(
            self.url + path, data=json.dumps(body or {}).encode(), headers={"content-type": "application/json"}, method="POST"
        )
        with urllib.request.urlopen(request, timeout=seconds) as answer:
            told = answer.read()
        return json.loads(told) if told else None

    def session(self) -> str:
        return str(self.post("/session")["id"])

    def prompt(self, session: str, text: str, seconds: float = 60, **more: Any) -> Any:
        return self.post(f"/session/{session}/message", {"parts": [{"type": "text", "text": text}], **more}, seconds)

    def compact(self, session: str) -> None:
        self.post(f"/session/{session}/summarize", {"providerID": "loop", "modelID": "scripted"})
        time.sleep(0.3)  # the event that tells of it is on its way


def _needs_no_install(folder: Path) -> None:
    """OpenCode installs its plugin package into every folder of settings, and waits for it, unless it looks installed."""
    needs = {"dependencies": {"@opencode-ai/plugin": "*"}}
    (folder / "node_modules").mkdir(parents=True)
    (folder / ".gitignore").write_text("node_modules\npackage.json\npackage-lock.json\n.gitignore\n")  # as OpenCode does
    (folder / "package.json").write_text(json.dumps(needs))
    (folder / "package-lock.json").write_text(json.dumps({"name": "none", "lockfileVersion": 3, "packages": {"": needs}}))


def _end(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
