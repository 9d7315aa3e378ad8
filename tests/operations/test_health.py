"""``doctor`` and ``gc``: each harm is found, told of with what to do, and mended where it can be; a sound project is left alone."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from idumb_brain.operations import anchors, brain, plans, tasks
from idumb_brain.operations.health import doctor
from idumb_brain.operations.heartbeat import Pulse
from idumb_brain.operations.project import Project, find_project
from idumb_brain.operations.scanning import scan
from idumb_brain.operations.tidying import gc
from idumb_brain.operations.work import working
from idumb_brain.surfaces.cli.main import main
from idumb_brain.surfaces.opencode import template
from tests.conftest import FIXTURES

Harm = Callable[[Project], None]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("IDUMB_BRAIN_NOW", "2026-02-04T10:30:00Z")
    root = tmp_path / "reading_room"
    shutil.copytree(FIXTURES / "projects" / "reading_room", root, ignore=shutil.ignore_patterns(".idumb"))
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    scan(str(root))
    brain.write("decision", "Books may stay", "for four weeks", str(root), evidence=["library/loans.py:1-5"])
    brain.write("gotcha", "Fines are rounded", "down", str(root))
    anchors.add("context", "high", "Loans are kept in cents", str(root), file="library/loans.py")
    with working(str(root), make=True) as work:
        plan = plans.create(work, "Fines", acceptance=["they are right"])
        first = plans.add(work, plan["id"], "Round them", expected="a function")
        plans.add(work, plan["id"], "Show them", expected="a page", depends=[first["id"]])
        tasks.move(work, "start", first["id"], session="one")
    return find_project(str(root))


def examined(project: Project, *, fix: bool = False) -> dict[str, Any]:
    return doctor(str(project.root), fix=fix, template=template())


def test_a_sound_project_is_well(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    before = _rows(project.brain)
    told = examined(project)
    assert told["ok"] and not told["findings"], told["findings"]
    again = examined(project, fix=True)
    assert again["mended"] == [] == again["backups"] and _rows(project.brain) == before
    assert main(["--root", str(project.root), "doctor"]) == 0
    assert "All is well" in capsys.readouterr().out


def sql(*statements: str) -> Harm:
    def harm(project: Project) -> None:
        with sqlite3.connect(project.brain) as connection:
            for statement in statements:
                connection.execute(statement)

    return harm


def scribbled(name: str) -> Harm:
    """The middle of a database is overwritten; what stood in its log is in the file first."""

    def harm(project: Project) -> None:
        file = project.brain.with_name(name)
        with sqlite3.connect(file) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        sound = file.read_bytes()
        file.write_bytes(sound[:4096] + b"\xa5" * (len(sound) - 4096))

    return harm


def written(path: str, text: str) -> Harm:
    def harm(project: Project) -> None:
        file = project.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    return harm


def set_up_with_a_python_that_went(project: Project) -> None:
    main(["--root", str(project.root), "--quiet", "setup", "opencode"])
    plugin = project.root / ".opencode/plugin/idumb-brain.js"
    text = plugin.read_text()
    command = next(line for line in text.splitlines() if line.startswith("const COMMANDS"))
    plugin.write_text(text.replace(command, 'const COMMANDS = [["/nowhere/python", "-m", "idumb_brain"], ["idumb-brain"]]'))
    Pulse(project, "opencode").felt("event")


def a_task_waits_for_what_is_gone(project: Project) -> None:
    sql("""UPDATE tasks SET depends_on = '["TASK-GONE"]' WHERE name = 'Show them'""")(project)


# what was done; area and words of the finding; words of what the doctor did about it, "" where people have to
HARMS: dict[str, tuple[Harm, str, str, str]] = {
    "files changed": (written("library/new.py", "x = 1\n"), "index", "the tree has changed", "files scanned: 1"),
    "index damaged": (scribbled("index.db"), "index", "index.db is damaged", "anew"),
    "index of another version": (
        lambda project: _set_version(project.index, 1), "index", "no index that this version can read", "scanned",
    ),
    "blocks damaged": (written(".idumb/brain/injected.db", "SQLite format 3\0 or not"), "index", "injected.db is damaged", "took out"),
    "brain damaged": (scribbled("brain.db"), "brain", "cannot be read as a database", "that could be read"),
    "no database": (written(".idumb/brain/brain.db", "dear diary"), "brain", "cannot be read as a database", "is kept as"),
    "newer brain": (lambda project: _set_version(project.brain, 900), "brain", "newer version", ""),
    "broken row": (sql("UPDATE entries SET confidence = 'very' WHERE type = 'gotcha'"), "brain", "rows of the brain are broken", "mended"),
    "evidence of nothing": (
        sql("INSERT INTO evidence VALUES ('E-GONE', 0, 'a.py', 1, 1, '', '', '')"), "brain", "evidence whose entry", "quarantine",
    ),
    "anchor of no task": (sql("UPDATE anchors SET task = 'TASK-GONE'"), "brain", "anchors whose task", "lost the mention"),
    "waits for ever": (a_task_waits_for_what_is_gone, "brain", "tasks whose depends on", ""),
    "words lost": (sql("DELETE FROM recall"), "brain", "out of step with the text index", "text index anew"),
    "broken settings": (written(".idumb/config.json", "{"), "settings", "not valid JSON", "wrote the defaults"),
    "setting of that name": (written(".idumb/config.json", '{"scan": {"maxBites": 1}}'), "settings", "scan.maxBites", ""),
    "broken rules": (written(".idumb/queries/governance/modes.toml", "= nothing"), "settings", "modes.toml", ""),
    "not ignored": (written(".idumb/.gitignore", "brain/*.lock\n"), "place", "does not ignore brain/*.db*", "added brain/*.db*"),
    "left lying": (written(".idumb/brain/brain.db.new-999999999", ""), "place", "processes that died", "took out 1"),
    "committed": (
        lambda project: _git(project, "add", "--force", ".idumb/brain/brain.db"), "place", "git tracks .idumb/brain/brain.db", "",
    ),
    "Python gone": (set_up_with_a_python_that_went, "agents", "OpenCode", "updated .opencode/plugin/idumb-brain.js"),
}  # fmt: skip


@pytest.mark.parametrize("harm", HARMS)
def test_harm_is_found_and_mended(harm: str, project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    does, area, what, did = HARMS[harm]
    does(project)
    told = examined(project)
    finding = next((one for one in told["findings"] if one["area"] == area and what in one["what"]), None)
    assert finding, told["findings"]
    assert finding["why"] and finding["instead"] and finding["mendable"] == bool(did)
    assert told["ok"] == all(one["severity"] == "note" for one in told["findings"])
    assert main(["--root", str(project.root), "doctor"]) == (0 if told["ok"] else 1)
    assert finding["what"] in capsys.readouterr().out
    mended = examined(project, fix=True)
    if did:
        assert any(did in one["did"] for one in mended["mended"]), mended["mended"]
        assert not any(what in one["what"] for one in mended["findings"]), mended["findings"]
        assert not any(one["mendable"] for one in examined(project)["findings"])
    else:
        assert any(what in one["what"] for one in mended["findings"])


def test_what_is_authored_is_copied_before_it_is_touched(project: Project) -> None:
    HARMS["broken row"][0](project)
    HARMS["anchor of no task"][0](project)
    before = _rows(project.brain)
    told = examined(project, fix=True)
    assert len(told["backups"]) == 1
    assert _rows(Path(told["backups"][0])) == before != _rows(project.brain)


def test_a_tie_that_was_cut_is_on_record(project: Project) -> None:
    HARMS["anchor of no task"][0](project)
    examined(project, fix=True)
    with sqlite3.connect(project.brain) as connection:
        before, after = connection.execute("SELECT before, after FROM changes WHERE action = 'doctor'").fetchone()
    assert (json.loads(before), json.loads(after)) == ({"task": "TASK-GONE"}, {"task": ""})


def test_where_nothing_was_scanned_nothing_is_made(tmp_path: Path) -> None:
    told = doctor(str(tmp_path))
    assert not told["ok"] and {one["area"] for one in told["findings"]} == {"index", "place"}
    assert not (tmp_path / ".idumb").exists()


def test_garbage_goes_and_the_last_copies_stay(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    copies = [project.brain.with_name(f"brain.db.backup-4-2025010{day}T000000Z") for day in range(1, 7)]
    for age, copy in enumerate(reversed(copies)):
        shutil.copy(project.brain, copy)
        os.utime(copy, (1_740_000_000 - age, 1_740_000_000 - age))
    theirs = project.brain.with_name("notes.999999999")  # a number at the end makes nothing ours
    theirs.write_text("mine")
    left = project.brain.with_name("brain.db.salvage-999999999")
    left.write_text("half")
    monkeypatch.setenv("IDUMB_BRAIN_NOW", "2026-03-04T10:30:00Z")
    would = gc(str(project.root), dry_run=True)
    assert left.exists() and all(copy.exists() for copy in copies)
    told = gc(str(project.root))
    assert (
        (told["copies"], told["leftovers"])
        == (would["copies"], [str(left)])
        == ([str(copy) for copy in copies[2::-1]], [str(left)])
    )
    assert [copy.exists() for copy in copies] == [False] * 3 + [True] * 3 and not left.exists() and theirs.exists()
    assert told["freedBytes"] == 3 * copies[-1].stat().st_size + 4
    assert told["sessions"] == would["sessions"] and gc(str(project.root))["freedBytes"] == 0


def test_a_database_that_holds_little_is_made_smaller(project: Project) -> None:
    with sqlite3.connect(project.index) as connection:
        connection.execute("CREATE TABLE bulk (text)")
        connection.executemany("INSERT INTO bulk VALUES (?)", [("x" * 1000,)] * 4000)
        connection.execute("DROP TABLE bulk")
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    before = project.index.stat().st_size
    told = gc(str(project.root))
    assert [Path(one["file"]).name for one in told["compacted"]] == ["index.db"]
    assert project.index.stat().st_size < before / 2 and examined(project)["ok"]


def test_who_writes_is_not_disturbed(project: Project) -> None:
    with sqlite3.connect(project.index, isolation_level=None) as connection:
        connection.execute("CREATE TABLE bulk (text)")
        connection.executemany("INSERT INTO bulk VALUES (?)", [("x" * 1000,)] * 4000)
        connection.execute("DROP TABLE bulk")
        connection.execute("BEGIN IMMEDIATE")
        told = gc(str(project.root))
        connection.execute("ROLLBACK")
    connection.close()
    assert [(Path(one["file"]).name, one["freedBytes"]) for one in told["compacted"]] == [("index.db", 0)]


def _set_version(file: Path, version: int) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute(f"PRAGMA user_version = {version}")


def _git(project: Project, *words: str) -> None:
    subprocess.run(["git", "-C", str(project.root), *words], check=True, capture_output=True)


def _rows(file: Path) -> list[str]:
    with sqlite3.connect(file) as connection:
        return list(connection.iterdump())
