"""Paths that lead out of a project, spelt in every way, given to everything that takes one: nothing outside is read or written."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from idumb_brain.model.errors import BrainError
from idumb_brain.operations.project import find_project
from idumb_brain.surfaces.calls import call, operations
from idumb_brain.surfaces.mcp import resources
from tests.conftest import REPOSITORY

WORD = "zinnwald"  # stands in the files outside, and nowhere else
SPELT = (
    "../outside/{0}", "{1}/outside/{0}", "src/../../outside/{0}", "./.idumb/../../outside/{0}", "linked/{0}", "link.md", "link.py",
    "..%2foutside%2f{0}", "src//..//..//outside//{0}", "~/../{1}/outside/{0}", "file://{1}/outside/{0}", "../outside", "linked", "..", "/",
)  # fmt: skip
TAKES = {
    "file": ("codemap.show", "codemap.outline", "codemap.comments"),
    "what": ("related",),
    "target": ("codemap.impact",),
    "path": ("codemap.exports", "codemap.todos", "codemap.inconsistencies", "artifact.add"),
    "paths": ("scan",),
    "revision": ("codemap.diff",),
    "plan": ("plan.status",),
    "id": ("brain.show",),
    "focus": ("codemap.graph",),
    "from": ("query",),
    "text": ("query", "brain.query"),
}
ENTRY = {"type": "gotcha", "title": "Here", "content": "as it is", "force": True}
ANCHOR = {"type": "context", "priority": "high", "content": "as it is"}


@pytest.fixture
def inner(tmp_path: Path) -> Path:
    root, outside = tmp_path / "inner", tmp_path / "outside"
    for folder in (root / "src", outside):
        folder.mkdir(parents=True)
    (root / "src" / "a.py").write_text("def here() -> int:\n    return 1\n")
    (root / "README.md").write_text("# Inner\n\nSee [there](../outside/there.md) and `../outside/there.py`.\n")
    (root / "requirements.txt").write_text("-r ../outside/there.txt\n")
    (root / "pyproject.toml").write_text('[project]\nname = "inner"\nreadme = "../outside/there.md"\n')
    (outside / "there.py").write_text(f'"""{WORD}"""\n# TODO {WORD}\n\n\ndef {WORD}() -> None: ...\n')
    (outside / "there.md").write_text(f"# {WORD}\n\n## Of {WORD}\n")
    (outside / "there.txt").write_text(f"{WORD}==1.0\n")
    (root / "linked").symlink_to(outside)
    (root / "link.py").symlink_to(outside / "there.py")
    (root / "link.md").symlink_to(outside / "there.md")
    return root


def test_nothing_outside_is_read(inner: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(inner)
    before = _content(inner.parent / "outside")
    call("scan", {}, str(inner))
    told: list[tuple[str, str]] = []

    def asked(operation: str, arguments: dict[str, Any]) -> None:
        with suppress(BrainError):
            told.append((f"{operation} {arguments}", json.dumps(call(operation, arguments, str(inner)), default=str)))

    known = set(operations())
    for name in ("there.py", "there.md"):
        for spelt in (form.format(name, inner.parent) for form in SPELT):
            for argument, those in TAKES.items():
                for operation in those:
                    assert operation in known
                    asked(operation, {argument: [spelt] if argument == "paths" else spelt})
            asked("brain.write", ENTRY | {"evidence": spelt})
            asked("anchor.add", ANCHOR | {"file": spelt})
            with suppress(BrainError):
                told.append((spelt, resources.read(f"idumb://file/{spelt}", str(inner))))
    asked("map", {})
    assert not [operation for operation, text in told if WORD in text]
    assert not [name for name, content in _content(inner / ".idumb").items() if WORD.encode() in content]
    assert _content(inner.parent / "outside") == before


@pytest.mark.parametrize(
    "link", [".idumb", ".idumb/brain", ".idumb/.gitignore", ".idumb/brain/brain.log", ".idumb/brain/brain.db", ".idumb/brain/index.db",
             ".idumb/brain/knowledge", ".idumb/brain/sessions", ".idumb/config.json"],
)  # fmt: skip
def test_links_in_our_folder_lead_nothing_out(link: str, inner: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository may bring ``.idumb`` along as it likes; what is written lands beside other projects' caches, and it is said."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(inner.parent / "cache"))
    target = inner.parent / "outside" / "taken"
    if "." not in link.rpartition("/")[2][1:]:
        target.mkdir()
    (inner / link).parent.mkdir(parents=True, exist_ok=True)
    (inner / link).symlink_to(target)
    before = _content(inner.parent / "outside")
    call("init", {}, str(inner))
    call("brain.write", ENTRY, str(inner))
    call("export", {}, str(inner))
    with suppress(BrainError):
        call("doctor", {"fix": True}, str(inner))
    assert _content(inner.parent / "outside") == before
    project = find_project(str(inner))
    assert "leads out of the project" in project.note and project.home.is_relative_to(inner.parent / "cache")
    assert call("brain.list", {}, str(inner))["entries"]


def _content(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() if file.is_file() else b"" for file in sorted(folder.rglob("*"))}


@pytest.mark.rights
def test_a_folder_that_cannot_be_written_or_read(inner: Path) -> None:
    """What cannot be read is told of, and all else goes on; what cannot be written here is kept elsewhere."""
    without = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    if without and (not shutil.which("setpriv") or subprocess.run([*without, "true"], capture_output=True).returncode):
        pytest.skip("root may read and write everything, and setpriv cannot take that away here")
    (inner / "closed").mkdir()
    (inner / "closed" / "b.py").write_text("x = 1\n")
    (inner / "mute.py").write_text("x = 1\n")
    for path, mode in (("mute.py", 0), ("closed", 0), ("", 0o555)):
        (inner / path).chmod(mode)
    environ = os.environ | {"PYTHONPATH": str(REPOSITORY), "XDG_CACHE_HOME": str(inner.parent / "cache")}

    def asked(*words: str) -> Any:
        command = [*without, sys.executable, "-m", "idumb_brain", "--root", str(inner), "--json", *words]
        done = subprocess.run(command, capture_output=True, text=True, env=environ)
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)["data"]

    try:
        data = asked("scan")
        kept = asked("brain", "write", "--type", "gotcha", "--title", "Here", "--content", "as it is")["id"]
        listed = [one["id"] for one in asked("brain", "list")["entries"]]
    finally:
        for path in ("", "closed"):
            (inner / path).chmod(0o755)
    reasons = {row["path"]: row["reason"] for row in data["skipped"]}
    assert reasons["closed/"].startswith("unreadable") and reasons["mute.py"].startswith("unreadable")
    assert data["files"]["scanned"] and listed == [kept]
    assert not (inner / ".idumb").exists()
