"""What belongs together in a small project with a brain, as people see it; and what a question starts from."""

from __future__ import annotations

import io
import shutil
import tomllib
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from idumb_brain.graph.entities import distances
from idumb_brain.model.entities import Node
from idumb_brain.model.errors import BadInput
from idumb_brain.model.knowledge import Anchor, Entry, Evidence
from idumb_brain.model.selection import ANCHOR, ENTRY, FILE, TASK
from idumb_brain.model.work import Task
from idumb_brain.operations import plans, tasks
from idumb_brain.operations.entities import entities, related, seeds_from
from idumb_brain.operations.project import find_project
from idumb_brain.operations.scanning import scan
from idumb_brain.operations.work import working
from idumb_brain.store import work as store
from idumb_brain.store.anchors import add_anchor
from idumb_brain.store.knowledge import add_entry
from idumb_brain.surfaces.cli.people import show
from tests.conftest import FIXTURES
from tests.surfaces.test_cli import git

NOW = "2026-02-04T10:30:00Z"
CASES = tomllib.loads((FIXTURES / "entities" / "reading_room.toml").read_text("utf-8"))


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The reading room, committed, scanned, with all that is known about it."""
    monkeypatch.setenv("IDUMB_BRAIN_NOW", NOW)
    root = tmp_path / "reading_room"
    shutil.copytree(FIXTURES / "projects" / "reading_room", root)
    git("init", "-q", cwd=root)
    git("add", "-A", cwd=root)
    git("commit", "-qm", "Open the reading room", cwd=root)
    scan(str(root), jobs=1)
    with find_project(str(root)).remembering(make=True) as brain:
        for told in CASES["entry"]:
            evidence = tuple(Evidence(**one) for one in told.get("evidence", ()))
            links = {name: tuple(told[name]) for name in ("related", "contradicts") if name in told}
            made = {"content": "", "created_at": NOW, "modified_at": NOW} | told | links | {"evidence": evidence}
            add_entry(brain, Entry(**made), "test")
        for told in CASES["anchor"]:
            made = {"created_at": NOW, "modified_at": NOW, "validated_at": NOW} | told | {"related": tuple(told["related"])}
            add_anchor(brain, Anchor(**made), "test")
    return root


def test_what_people_see(room: Path, snapshot: Callable[[Path, str], None]) -> None:
    seen = "\n".join(f"$ {_command(ask)}\n{_answer(room, ask)}" for ask in CASES["ask"])
    snapshot(FIXTURES / "entities" / "reading_room.expected", seen)
    assert seen == "\n".join(f"$ {_command(ask)}\n{_answer(room, ask)}" for ask in CASES["ask"]), "the same, asked again"


def test_every_step_is_told(room: Path) -> None:
    found = related("library/shelves.py", str(room), kinds=("entry",), depth=3)
    told = {one["id"]: one for one in found["related"]}
    assert told["four-weeks"]["path"] == ["library/shelves.py", "library/loans.py", "four-weeks"]
    assert [step["way"] for step in told["four-weeks"]["steps"]] == ["up", "up"]
    assert [step["relation"] for step in told["chaos"]["steps"]] == ["cites", "contradicts"]
    assert "forgotten" not in told and "two-weeks" not in told


def test_how_far_an_anchor_is_from_a_task(room: Path) -> None:
    with entities(find_project(str(room))) as known:
        task = Node(TASK, "task-untangle")
        others = [Node(ANCHOR, "mind-the-cycle"), Node(FILE, "library/readers.py"), Node(ENTRY, "four-weeks"), Node(ENTRY, "hen")]
        assert list(distances(known.graph, task, others).values()) == [1, 2, 2, None]


@pytest.mark.parametrize(
    "what",
    [
        "\0",
        "x" * 100_000,
        "\udcff",
        "a#" + "b" * 9999,
        "#",
        "diff:",
        "-rf",
        "deadbeef",
        "'; DROP TABLE files; --",
        "../../etc/passwd",
    ],
)
def test_what_is_no_name_of_anything(room: Path, what: str) -> None:
    with pytest.raises(BadInput) as error:
        related(what, str(room))
    assert error.value.what and error.value.instead and len(str(error.value)) < 10_500


def test_a_broken_row_of_the_brain_is_no_end(room: Path) -> None:
    with find_project(str(room)).remembering() as brain:
        brain.connection.execute("UPDATE anchors SET related = 'four-weeks'")
        brain.connection.execute("UPDATE entries SET parent = 'nobody' WHERE id = 'sundays'")
    found = related("library/readers.py", str(room), kinds=("anchor",))["related"]
    assert [one["id"] for one in found] == ["mind-the-cycle"]
    assert "four-weeks" not in [one["id"] for one in related("sundays", str(room), depth=1)["related"]]
    assert [one["id"] for one in related("mind-the-cycle", str(room), depth=1, kinds=("task",))["related"]] == ["task-untangle"]


@pytest.mark.parametrize(("option", "word"), [("kinds", "flie"), ("ways", "upwards")])
def test_kinds_and_ways_there_are_not(room: Path, option: str, word: str) -> None:
    with pytest.raises(BadInput, match=word):
        related("README.md", str(room), **{option: [word]})  # type: ignore[arg-type]


def test_what_has_changed(room: Path) -> None:
    loans = room / "library" / "loans.py"
    loans.write_text(loans.read_text("utf-8").replace("    shelf.put(title)", "    shelf.put(title.strip())"))
    (room / "library" / "fines.py").write_text("def fine(days: int) -> int:\n    return days * 10\n")
    scan(str(room), jobs=1)
    project = find_project(str(room))
    seeds = seeds_from(project, "diff")
    assert [node.id for node in seeds.nodes] == [
        "library/fines.py", "library/loans.py", "library/fines.py#fine", "library/loans.py#give_back",
    ]  # fmt: skip
    assert seeds.words == ("fines", "loans", "fine", "give_back")
    assert {path for path, weight in seeds.paths.items() if weight == 1.0} == {"library/fines.py", "library/loans.py"}
    assert list(seeds.paths.values()) == sorted(seeds.paths.values(), reverse=True)
    assert 0 < seeds.paths["library/readers.py"] < 1
    assert seeds_from(project, "four-weeks").words == ("A book may stay away for four weeks",)


def _command(ask: dict[str, Any]) -> str:
    ways = [f"--{way}" for way in ask.get("ways", ())]
    kinds = [f"--kind {kind}" for kind in ask.get("kinds", ())]
    numbers = [f"--{name} {ask[name]}" for name in ("depth", "limit") if name in ask]
    return " ".join(["related", ask["what"] or "''", *ways, *kinds, *numbers])


def _answer(room: Path, ask: dict[str, Any]) -> str:
    told = io.StringIO()
    try:
        data = related(root=str(room), **ask)
    except BadInput as error:
        return f"{str(error).replace(str(room), 'ROOT')}\n"
    with redirect_stdout(told):
        show("entities.related", data)
    return "\n".join(line.rstrip() for line in told.getvalue().splitlines()) + "\n"


def test_work_is_in_the_graph(room: Path) -> None:
    """plan → task → checkpoint → file, what waits for what, and back; a plan that was given up leads nowhere."""
    with working(str(room), make=True) as work:
        plan = plans.create(work, "Lending")["id"]
        schema = plans.add(work, plan, "schema", expected="tables", decisions=["four-weeks"])["id"]
        form = plans.add(work, plan, "form", expected="a page", depends=[schema])["id"]
        other = plans.add(work, plans.create(work, "Left")["id"], "left", expected="x", depends=[schema])["id"]
        tasks.move(work, "start", schema, session="s1")
        checkpoint = tasks.record(work, "write", "wrote it", files=["library/loans.py"], session="s1")
        plans.abandon(work, store.at(work.brain, Task, other).plan)  # type: ignore[union-attr]
    assert checkpoint
    down = {one["id"]: one for one in related(plan, str(room), ways=("down",), depth=3)["related"]}
    assert [step["id"] for step in down["library/loans.py"]["steps"]] == [schema, "library/loans.py"]
    assert down[schema]["title"] == "schema" and down[checkpoint["id"]]["kind"] == "checkpoint" and "four-weeks" in down
    beside = {one["id"]: one["reasons"][0] for one in related(schema, str(room), ways=("sideways",), depth=1)["related"]}
    assert beside == {form: f"waits for {schema}"}
    above = {
        one["id"] for one in related("library/loans.py", str(room), ways=("up",), kinds=("task", "plan", "session"))["related"]
    }
    assert above == {schema, plan, "s1"}
    assert other not in {one["id"] for one in related(schema, str(room), depth=3)["related"]}
    assert seeds_from(find_project(str(room)), "task").paths["library/loans.py"] > 0
