"""A session that keeps the map true: at its start, after writes, every so many writes; with real git."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from idumb_brain.operations.codemap import show
from idumb_brain.operations.keeping import Keeper
from idumb_brain.operations.project import find_project
from tests.conftest import FIXTURES


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "reading_room"
    shutil.copytree(FIXTURES / "projects" / "reading_room", root)
    (root / ".idumb").mkdir()
    (root / ".idumb" / "config.json").write_text(json.dumps({"automation": {"driftEvery": 2}}))
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "as it was")
    return root


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", "-c", "user.name=mira", "-c", "user.email=mira@library", *words], cwd=root, check=True)


def test_a_session(root: Path) -> None:
    with Keeper(find_project(str(root))) as keeper:
        begun = keeper.started()
        assert "library/loans.py" in begun["scanned"]
        assert begun["summary"].startswith("reading-room: Python + TypeScript")
        assert [(one["path"], one["line"], one["text"]) for one in begun["stale"]] == [("README.md", 4, "CONTRIBUTING.md")]
        assert keeper.started()["scanned"] == [], "what is known is not read again"

        (root / "library" / "shelves.py").write_text("class Shelf:\n    def take(self) -> str:\n        return ''\n")
        first = keeper.written([str(root / "library" / "shelves.py")])
        assert (first["scanned"], first["drift"]) == (["library/shelves.py"], None)
        assert [one["signature"] for one in show("library/shelves.py", str(root))["symbols"]][1] == "def take(self) -> str"

        (root / "docs" / "adr" / "0001-four-weeks.md").unlink()
        second = keeper.written(["docs/adr/0001-four-weeks.md"])["drift"]
        assert second["since"]["files"]["deleted"] == ["docs/adr/0001-four-weeks.md"]
        assert "Shelf.take" in [one["name"] for one in second["since"]["api"] if one["breaking"]]
        assert [one["text"] for one in second["stale"]] == ["CONTRIBUTING.md", "docs/adr/0001-four-weeks.md"]
        (root / "library" / "new.py").write_text("x = 1\n")
        assert keeper.written(["library/new.py"])["drift"] is None, "the count starts anew"


def test_a_session_without_git(root: Path) -> None:
    shutil.rmtree(root / ".git")
    with Keeper(find_project(str(root))) as keeper:
        keeper.started()
        for name in ("one", "two"):
            (root / f"{name}.py").write_text("x = 1\n")
        told = keeper.written(["one.py", "two.py"])["drift"]
    assert told["since"] is None
    assert len(told["stale"]) == 1
