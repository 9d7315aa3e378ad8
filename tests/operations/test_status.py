"""``status``: what it says of a project is so, and looking changes nothing."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from idumb_brain.operations import anchors, brain, plans, tasks
from idumb_brain.operations.companion import Companion
from idumb_brain.operations.lanes import AtOnce
from idumb_brain.operations.project import Project, find_project
from idumb_brain.operations.scanning import scan
from idumb_brain.operations.status import status
from idumb_brain.operations.upkeep import Upkeep
from idumb_brain.operations.work import working
from idumb_brain.surfaces.cli.main import main
from tests.conftest import FIXTURES

KEYS = {
    "root", "index", "scanned", "note", "lastScannedAt", "lastFullScanAt", "complete", "files", "fresh", "languages", "symbols",
    "comments", "imports", "problems", "repositories", "indexBytes", "version", "stale", "work", "sessions", "agents", "injected",
    "stores", "notes",
}  # fmt: skip


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("IDUMB_BRAIN_NOW", "2026-02-04T10:30:00Z")
    root = tmp_path / "reading_room"
    shutil.copytree(FIXTURES / "projects" / "reading_room", root, ignore=shutil.ignore_patterns(".idumb"))
    scan(str(root))
    return find_project(str(root))


def noted(text: str) -> None:
    raise AssertionError(text)


def test_everything_at_a_glance(project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    root = str(project.root)
    brain.write("decision", "Books may stay", "for four weeks", root, evidence=["library/loans.py:1-5"])
    brain.write("gotcha", "Fines are rounded", "down", root)
    anchors.add("context", "high", "Loans are kept in cents", root, file="library/loans.py")
    with working(root, make=True) as work:
        plan = plans.create(work, "Fines", acceptance=["they are right"])
        task = plans.add(work, plan["id"], "Round them", expected="a function")
        tasks.move(work, "start", task["id"], session="one")
    companion = Companion(project, Upkeep(project, AtOnce(), noted), noted)
    companion.began("one", agent="builder")
    companion.prompted("one", "Fix the fines")
    companion.system("one")
    companion.close()
    main(["--root", root, "setup", "opencode"])
    (project.root / "library" / "loans.py").write_text("nothing of what there was\n")
    monkeypatch.setenv("IDUMB_BRAIN_NOW", "2026-02-04T11:20:00Z")
    told = status(root)
    assert told.keys() == KEYS
    assert told["stale"]["entries"] == {"stale": 1, "lookedAt": 2, "of": 2}
    assert told["stale"]["anchors"] == {"stale": 1, "of": 1} and told["stale"]["tasks"] == {"stale": 1, "of": 1}
    assert (told["files"]["changed"], told["fresh"]) == (1, False)
    assert told["work"]["plan"]["name"] == "Fines" and told["work"]["task"]["claimedBy"] == "one"
    assert [one["sessionId"] for one in told["sessions"]["lately"]] == ["one"]
    assert [(one["host"], one["setUp"], one["heard"]) for one in told["agents"]] == [("opencode", True, None)]
    assert told["injected"]["today"]["blocks"] >= 2 and told["injected"]["today"]["tokens"] > 0
    assert told["stores"].keys() >= {"index.db", "brain.db", "injected.db"} and told["stores"]["brain.db"] > 0
    capsys.readouterr()
    assert main(["--root", root, "status"]) == 0
    shown = capsys.readouterr().out
    for text in (
        "1 changed",
        "1 of 2 entries",
        "1 of 1 anchors",
        "task Round them",
        "never heard of: OpenCode",
        "blocks to agents today",
    ):
        assert text in shown
    assert len(shown.splitlines()) < 24


def test_looking_changes_nothing_that_was_authored(project: Project) -> None:
    anchors.add("decision", "high", "Loans are kept in cents", str(project.root), file="library/loans.py")
    (project.root / "library" / "loans.py").unlink()
    before = _rows(project.brain)
    assert status(str(project.root))["stale"]["anchors"]["stale"] == 1
    assert _rows(project.brain) == before


def test_places_in_documents_are_counted_once_for_a_scan(project: Project) -> None:
    (project.root / "NOTES.md").write_text("# Notes\n\nSee [it](docs/gone.md) and [that](docs/lost.md).\n")
    scan(str(project.root))
    first = status(str(project.root))["stale"]["documents"]
    assert first["places"] >= 2 and status(str(project.root))["stale"]["documents"] == first
    (project.root / "NOTES.md").unlink()
    scan(str(project.root))
    assert status(str(project.root))["stale"]["documents"]["places"] == first["places"] - 2


def test_without_an_index_the_rest_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = status(str(tmp_path))
    assert told["scanned"] is False and told["stale"]["documents"] is None and told["stores"] == {}
    assert not (tmp_path / ".idumb").exists()
    assert main(["--root", str(tmp_path), "status"]) == 0
    assert "none yet" in capsys.readouterr().out


def _rows(file: Path) -> list[str]:
    with sqlite3.connect(file) as connection:
        return list(connection.iterdump())
