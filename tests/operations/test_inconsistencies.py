"""Where comments contradict code, on samples in every style; and what git, settings and comments have to say about it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from idumb_brain.model.errors import BadInput
from idumb_brain.operations.inconsistencies import inconsistencies
from idumb_brain.operations.scanning import scan
from idumb_brain.store import code as store
from tests.conftest import FIXTURES

NOW = "2026-02-04T10:30:00Z"
SAMPLES = sorted(folder for folder in (FIXTURES / "inconsistencies").iterdir() if folder.is_dir())


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IDUMB_BRAIN_NOW", NOW)


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What is found in all samples at once: one scan is cheaper than one each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IDUMB_BRAIN_NOW", NOW)
        root = _scanned(FIXTURES / "inconsistencies", tmp_path_factory.mktemp("samples"))
        return inconsistencies(root=str(root), doubtful=True)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda folder: folder.name)
def test_sample(sample: Path, everything: list[dict[str, Any]], snapshot: Callable[[Path, str], None]) -> None:
    found = [one for one in everything if one["file"].startswith(sample.name + "/")]
    snapshot(sample.with_name(sample.name + ".expected"), "".join(_readable(one) for one in found))


def test_only_changed_files_are_examined_again(tmp_path: Path) -> None:
    root = _scanned(FIXTURES / "inconsistencies" / "project", tmp_path)
    first = inconsistencies(root=str(root))
    before = _examined(root)
    (root / "later.js").write_text("/** @param nobody */\nexport function later() {}\n")
    scan(str(root), jobs=1)
    assert set(before) - set(_examined(root)) == {"later.js"}
    second = inconsistencies(root=str(root))
    assert [one["kind"] for one in second if one["file"] == "later.js"] == ["param-unknown"]
    others = [one for one in first if one["file"] not in ("later.js", "again.js")]
    assert [one for one in second if one["file"] not in ("later.js", "again.js")] == others
    assert set(_examined(root)) == set(before)


def test_a_file_written_to_since_the_scan_is_left_alone(tmp_path: Path) -> None:
    root = _scanned(FIXTURES / "inconsistencies" / "java", tmp_path)
    (root / "Shelf.java").write_text("/** d */ class Shelf {}\n")
    assert [one for one in inconsistencies(root=str(root)) if one["kind"].startswith("param")] == []
    assert _examined(root) == {}


def test_git_remembers_what_a_name_was(tmp_path: Path) -> None:
    root = tmp_path / "room"
    root.mkdir()

    def commit(text: str) -> None:
        (root / "desk.py").write_text(text)
        for words in (["add", "."], ["-c", "user.name=m", "-c", "user.email=m@x", "commit", "-qm", "c"]):
            subprocess.run(["git", "-C", str(root), *words], check=True)

    subprocess.run(["git", "init", "-q", str(root)], check=True)
    comment = "# Stamps the card, then calls `lend_at_desk` for the rest; `os_specific_thing` is nobody's.\n"
    commit(f"def lend_at_desk():\n    return 1\n\n\n{comment}def stamp():\n    return lend_at_desk()\n")
    commit(f"{comment}def stamp():\n    return 1\n")
    scan(str(root), jobs=1)
    (found,) = inconsistencies(root=str(root))
    assert found["kind"] == "name-gone" and "lend_at_desk" in found["message"] and "removed by" in found["evidence"][1]["text"]
    assert inconsistencies(root=str(root), history=False) == []


def test_settings_silence_kinds_and_paths(tmp_path: Path) -> None:
    root = _scanned(FIXTURES / "inconsistencies" / "project", tmp_path)
    assert {"todo-duplicate", "claim-unsupported"} <= {one["kind"] for one in inconsistencies(root=str(root))}
    settings = {"inconsistencies": {"ignore": ["todo-duplicate"], "paths": ["mailer.js"], "other": 1}, "mine": 2}
    (root / ".idumb" / "config.json").write_text(json.dumps(settings))
    found = inconsistencies(root=str(root))
    assert found and not {"todo-duplicate", "claim-unsupported"} & {one["kind"] for one in found}
    assert json.loads((root / ".idumb" / "config.json").read_text()) == settings


def test_kinds_and_paths_can_be_asked_for(tmp_path: Path) -> None:
    root = _scanned(FIXTURES / "inconsistencies" / "project", tmp_path)
    found = inconsistencies(str(root / "later.js"), str(root), kinds=["todo-overdue"])
    assert found and {(one["file"], one["kind"]) for one in found} == {("later.js", "todo-overdue")}
    with pytest.raises(BadInput, match="todo-overdu"):
        inconsistencies(root=str(root), kinds=["todo-overdu"])


def _scanned(sample: Path, tmp_path: Path) -> Path:
    root = tmp_path / sample.name
    shutil.copytree(sample, root, ignore=shutil.ignore_patterns("*.expected"))
    scan(str(root), jobs=1)
    return root


def _examined(root: Path) -> dict[str, str]:
    connection = store.open_for_reading(root / ".idumb" / "brain" / "index.db")
    assert connection is not None
    try:
        return dict(connection.execute("SELECT path, facts FROM examined JOIN files ON id = file"))
    finally:
        connection.close()


def _readable(one: dict[str, Any]) -> str:
    head = f"{one['file']}:{one['line']}  {one['severity']}  {one['kind']}  {one['confidence']:g}  {one['symbol'] or '-'}\n"
    return f"{head}  {one['message']}\n" + "".join(
        f"    {proof['path']}:{proof['line']}  {proof['text']}\n" for proof in one["evidence"]
    )
