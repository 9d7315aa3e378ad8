"""``shell check`` and ``shell run``: what a command line would do, and running it when nothing is lost by it.

Every line that was run or refused is noted in ``.idumb/brain/shell.log``, one JSON text a line.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from dataclasses import asdict
from pathlib import Path
from threading import Thread
from typing import IO, TYPE_CHECKING, Any

from idumb_brain.model.errors import BadInput
from idumb_brain.operations.project import Project, find_project, now
from idumb_brain.store.secrets import redacted

if TYPE_CHECKING:
    from idumb_brain.govern.shell.line import Context
    from idumb_brain.model.governance import Decision
    from idumb_brain.model.shell import Judgement

TIMEOUT = 120.0  # seconds
CAP = 30_000  # characters of output that are handed back
_LOOKED_AT = ("TMPDIR", "RUNNER_TEMP", "USER", "CI", "VIRTUAL_ENV")  # of the environment, to know what a variable stands for


def check(line: str, root: str | None = None, *, cwd: str | None = None) -> dict[str, Any]:
    """What a line would do, part by part, and the decision about it. Nothing is run."""
    project = find_project(root)
    judgement, decided = judged(project, line, _folder(project, cwd))
    return _told(judgement, decided)


def run(
    line: str, root: str | None = None, *, cwd: str | None = None, timeout: float = TIMEOUT, cap: int = CAP, session: str = ""
) -> dict[str, Any]:
    """Run a line in the project unless it is destructive. The time limit ends everything that the line started."""
    project = find_project(root)
    folder = _folder(project, cwd)
    judgement, decided = judged(project, line, folder)
    told = _told(judgement, decided) | {"ran": False, "exitCode": None, "durationMs": 0, "timedOut": False, "output": ""}
    if decided.decision != "block":
        told |= {"ran": True} | _run(line, folder, timeout, cap)
    _note(project, told | {"session": session})
    return told


def judged(project: Project, line: str, folder: Path) -> tuple[Judgement, Decision]:
    """What a line would do in a folder of the project, and the decision about it, for those who decide about more than the line."""
    from idumb_brain.govern.shell.decide import decision
    from idumb_brain.govern.shell.knowledge import load_knowledge
    from idumb_brain.govern.shell.line import judge
    from idumb_brain.scan.languages import query_folders

    if "\0" in line:
        raise BadInput("the line holds a NUL", why="no shell can be given one", instead="leave it out")
    judgement = judge(line, _context(project, folder), load_knowledge(query_folders(str(project.root))))
    return judgement, decision(judgement)


def _folder(project: Project, cwd: str | None) -> Path:
    folder = Path(os.path.abspath(project.root / cwd)) if cwd else project.root
    if not folder.is_dir():
        raise BadInput(f"{folder} is no folder", why="a line is run in one", instead="give a folder of the project")
    return folder


def _context(project: Project, folder: Path) -> Context:
    from idumb_brain.govern.shell.line import Context

    variables = {name: os.environ[name] for name in _LOOKED_AT if os.environ.get(name)}
    temporary = os.environ.get("TMPDIR", "")
    allowed = (os.path.normpath(temporary),) if temporary.count("/") > 1 else ()
    return Context(
        str(project.root), str(folder), os.environ.get("HOME", ""), _branch(project.root), (), allowed, variables
    )  # fmt: skip


def _branch(root: Path) -> str:
    """The branch that is checked out, read where git keeps it."""
    try:
        head = (root / ".git" / "HEAD").read_text("utf-8", "replace").strip()
    except OSError:
        return ""  # no git here, or a worktree: a branch nobody named counts as protected
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else ""


def _run(line: str, folder: Path, timeout: float, cap: int) -> dict[str, Any]:
    started = time.monotonic()
    process = subprocess.Popen(
        ["bash", "-c", line],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    assert process.stdout
    output = _Output(cap)
    reader = Thread(target=output.read, args=(process.stdout,), daemon=True)
    reader.start()
    try:
        code: int | None = process.wait(timeout)
    except subprocess.TimeoutExpired:
        code = None
    finally:
        _end(process)
    reader.join(1)  # whoever left the group may hold the pipe open for ever
    return {
        "exitCode": code, "timedOut": code is None, "durationMs": round((time.monotonic() - started) * 1000),
        "output": output.text(), "outputBytes": output.size,
    }  # fmt: skip


class _Output:
    """The beginning and the end of what is printed, however much it is; what went wrong stands at either."""

    def __init__(self, cap: int) -> None:
        self.half = max(1, cap // 2)
        self.size = 0
        self.head = bytearray()
        self.tail = bytearray()

    def read(self, stream: IO[bytes]) -> None:
        while chunk := os.read(stream.fileno(), 65536):
            self.size += len(chunk)
            room = self.half - len(self.head)
            self.head += chunk[:room]
            self.tail += chunk[room:]
            del self.tail[: -self.half]

    def text(self) -> str:
        head, tail = (part.decode("utf-8", "replace") for part in (bytes(self.head), bytes(self.tail)))
        left_out = self.size - len(self.head) - len(self.tail)
        return f"{head}\n[… {left_out:,} bytes left out …]\n{tail}" if left_out > 0 else head + tail


def _end(process: subprocess.Popen[bytes]) -> None:
    """The whole group goes: what the line left in the background must not outlive the answer."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except (ProcessLookupError, PermissionError):
            return
        try:
            process.wait(1)
        except subprocess.TimeoutExpired:
            continue


def _told(judgement: Judgement, decided: Decision) -> dict[str, Any]:
    from idumb_brain.govern.shell.decide import significance

    return {
        "line": judgement.line, "kind": judgement.kind, "destructive": judgement.destructive, "significance": significance(judgement),
        "parts": [asdict(part) for part in judgement.parts], "problems": list(judgement.problems),
        "decision": decided.decision, "what": decided.what, "why": decided.why, "instead": decided.instead,
        "evidence": list(decided.evidence),
    }  # fmt: skip


def _note(project: Project, told: dict[str, Any]) -> None:
    keys = ("line", "kind", "decision", "why", "ran", "exitCode", "durationMs", "timedOut", "session")
    entry = {"at": now()} | {key: told[key] for key in keys}
    with open(project.prepared().home / "brain" / "shell.log", "a", encoding="utf-8", errors="backslashreplace") as log:
        log.write(redacted(json.dumps(entry)) + "\n")
