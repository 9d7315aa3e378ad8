"""What the README and the guides say is true: their examples print what stands there, their references lead somewhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from idumb_brain.operations.guides import FOLDER, guides
from idumb_brain.store.config import Config, default_text
from tests.conftest import FIXTURES, REPOSITORY
from tests.reference import reference

PAGES = [REPOSITORY / "README.md", *sorted(FOLDER.glob("*.md"))]
_BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
_EXAMPLE = re.compile(r"^\$ (.+\n(?:> ?.*\n)*)((?:(?!\$ ).*\n)*)", re.MULTILINE)
# What differs from one machine and run to the next, and what the pages say in its place.
_SETTLED = ((r"\bin \d+(?:\.\d+)? m?s\b", "in 90 ms"), (r"index\.db, [\d.]+ MB", "index.db, 0.2 MB"))


@pytest.mark.parametrize("page", [page for page in PAGES if _BLOCK.search(page.read_text("utf-8"))], ids=lambda page: page.stem)
def test_examples(page: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Each is run in a copy of the project they are about, scanned before unless that is shown. ``--update`` writes what they print."""
    root = tmp_path / "reading_room"
    shutil.copytree(FIXTURES / "projects" / "reading_room", root)
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "idumb-brain"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m idumb_brain "$@"\n')
    program.chmod(0o755)
    environ = dict(
        os.environ, PYTHONPATH=str(REPOSITORY), IDUMB_BRAIN_NOW="2026-02-04T10:30:00Z", COLUMNS="100", HOME=str(tmp_path),
        PATH=f"{program.parent}{os.pathsep}{os.environ['PATH']}",
    )  # fmt: skip

    def printed(command: str) -> str:
        line = re.sub(r"^> ?", "", command, flags=re.MULTILINE)
        run = subprocess.run(line, shell=True, cwd=root, env=environ, capture_output=True, text=True)
        assert run.returncode == 0, f"{command}: {run.stderr}"
        told = run.stdout.replace(str(root), "/home/mira/reading_room")
        for pattern, settled in _SETTLED:
            told = re.sub(pattern, settled, told)
        return "".join(line.rstrip() + "\n" for line in told.splitlines())

    def made(block: re.Match[str]) -> str:
        return "```console\n" + "".join(f"$ {command}{printed(command)}" for command, _ in _EXAMPLE.findall(block[1])) + "```"

    text = page.read_text("utf-8")
    if not _EXAMPLE.findall(text)[0][0].startswith("idumb-brain scan"):
        printed("idumb-brain scan\n")
    _kept(page, _BLOCK.sub(made, text), request)


def test_the_reference_of_commands(request: pytest.FixtureRequest) -> None:
    _kept(FOLDER / "commands.md", reference(), request)


def test_every_page_is_listed() -> None:
    names = {one["name"] for one in guides()}
    assert names == {page.stem for page in FOLDER.glob("*.md")}
    readme = PAGES[0].read_text("utf-8")
    assert not [name for name in names if f"(idumb_brain/guides/{name}.md)" not in readme], "the README does not lead there"


def test_nothing_in_the_pages_is_stale(tmp_path: Path) -> None:
    """As we tell it of other projects: links, paths, symbols and commands that are gone."""
    for name in ("idumb_brain", "tests", "queries", "fixtures"):
        shutil.copytree(REPOSITORY / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    for name in ("README.md", "CHANGELOG.md", "LICENSE", "pyproject.toml"):
        shutil.copy(REPOSITORY / name, tmp_path)
    environ = dict(os.environ, PYTHONPATH=str(REPOSITORY))
    for words in (["scan"], ["scan", "documents", "--stale"]):
        run = subprocess.run(
            [sys.executable, "-m", "idumb_brain", *words, "--json", "--root", str(tmp_path)],
            capture_output=True,
            text=True,
            env=environ,
        )
        assert run.returncode == 0, run.stderr
    documents = json.loads(run.stdout)["data"]["documents"]
    ours = {page.relative_to(REPOSITORY).as_posix() for page in PAGES}
    stale = {one["path"]: one["staleIndicators"] for one in documents if one["path"] in ours and one["staleIndicators"]}
    assert not stale


def test_every_setting_is_told() -> None:
    told = (FOLDER / "settings.md").read_text("utf-8")
    keys = [
        name if not isinstance(value, dict) else f"{name}.{inner}"
        for name, value in json.loads(default_text()).items()
        if name != "version"
        for inner in (value if isinstance(value, dict) and value else [""])
    ]
    assert Config().version == 1 and not [key for key in keys if f"`{key}`" not in told]


def _kept(page: Path, actual: str, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update"):
        page.write_text(actual, "utf-8")
    else:
        before = page.read_text("utf-8") if page.exists() else ""
        assert actual == before, f"{page.name} says something else; if the new text is right, run pytest --update"
