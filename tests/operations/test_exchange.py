"""The brain as files and back: nothing is lost, the order of machines does not matter, what earlier versions left is understood."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from idumb_brain.model.errors import BadInput
from idumb_brain.model.exchange import KINDS, LOGS, Content
from idumb_brain.model.governance import Halt
from idumb_brain.model.knowledge import Anchor, Entry, Evidence
from idumb_brain.model.work import Artifact, Checkpoint, Delegation, Gate, Plan, Section, Session, Task
from idumb_brain.operations import brain, exchange
from idumb_brain.operations.merging import merged
from idumb_brain.operations.project import find_project
from idumb_brain.render.exported import exported
from idumb_brain.store import exchange as store
from idumb_brain.store import knowledge
from tests.conftest import FIXTURES

NOW = {"IDUMB_BRAIN_NOW": "2026-02-04T10:30:00Z"}
LATER = {"IDUMB_BRAIN_NOW": "2026-02-05T10:30:00Z"}
CASES = sorted(one for one in (FIXTURES / "exchange").iterdir() if one.is_dir())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_files_of_earlier_versions(case: Path, tmp_path: Path, snapshot: Callable[[Path, str], None]) -> None:
    """What is read and what is not, and the brain that comes of it. The files stay as they are, and twice is once."""
    source, root = tmp_path / "source", tmp_path / "root"
    shutil.copytree(case, source, ignore=shutil.ignore_patterns("expected.txt"))
    root.mkdir()
    before = _files(source)
    told = exchange.import_(str(source), str(root), environ=NOW)
    assert _files(source) == before
    told["folder"] = "source"
    exchange.export(str(tmp_path / "out"), str(root), environ=NOW)
    report = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in _rows(told))
    result = "".join(f"\n== {path}\n{text}" for path, text in _files(tmp_path / "out").items())
    snapshot(case / "expected.txt", report + result)
    assert exchange.import_(str(source), str(root), environ=LATER)["changed"] == {}


def _rows(told: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(key, row) for key, value in told.items() for row in (value if isinstance(value, list) else [value])]


def _files(folder: Path) -> dict[str, str]:
    return {str(one.relative_to(folder)): one.read_text("utf-8") for one in sorted(folder.rglob("*")) if one.is_file()}


# -- any brain -------------------------------------------------------------------------------------------------------

TIMES = [f"2026-02-0{day}T10:30:0{second}Z" for day in (1, 2, 3) for second in (0, 1)]
WORDS = ["Wort", "<b>", "a\nb", '"quoted"', "  ", "雪", "\u2028", "]}", "x" * 50]
NAMES = ["one", "two", "three", "four", "CON", "Ünlaut/..", "a" * 150]


# Together these are circles; one machine may know one half of them, and the other the other.
ABOVE = {"one": "e-two", "two": "e-three", "three": "e-one", "four": "e-gone"}
AFTER = {"one": "e-three", "three": "e-four", "four": "e-one", "two": "e-gone"}


class Chance(random.Random):
    """Values as odd as those of people."""

    def word(self) -> str:
        return " ".join(self.choices(WORDS, k=self.randint(1, 3))).strip() or "word"

    def time(self) -> str:
        return self.choice(TIMES)

    def maybe_time(self) -> str:
        return self.choice(["", self.time()])

    def names(self, prefix: str) -> tuple[str, ...]:
        return tuple(sorted(f"{prefix}-{name}" for name in self.sample(NAMES, self.randint(0, 2))))


def some_brain(chance: Chance) -> Content:
    """Anything that may have been written, circles and lost links too."""
    made: dict[str, list[Any]] = {kind: [] for kind in KINDS}
    for name in chance.sample(NAMES, chance.randint(0, len(NAMES))):
        begun, t, after = chance.time(), chance.maybe_time, chance.choice(["", "", AFTER.get(name, "")])
        made["entries"].append(
            Entry(
                f"e-{name}", chance.choice(["decision", "gotcha"]), chance.word(), chance.word(),
                tuple(Evidence("a.py", line, line, "", "h", "") for line in range(chance.randint(0, 2))),
                chance.choice(["", ABOVE.get(name, "")]), chance.names("e"), (), (), after,
                begun, chance.time(), t(), begun, t() if after else "", chance.randint(0, 9), chance.randint(0, 100), "scan",
                {NAMES[-1]: "scan:1", NAMES[-2]: "scan:1", "one": "scan:2"}.get(name, ""), chance.randint(0, 3), t(), False, t(),
            )
        )  # fmt: skip
        made["anchors"].append(
            Anchor(
                f"a-{name}", "context", "high", chance.word(), "a.py", 3, "t-one", chance.names("e"), "h", begun, chance.time(), t(), t()
            )
        )  # fmt: skip
        made["plans"].append(
            Plan(f"p-{name}", chance.word(), (chance.word(),), "c", "g", "active", chance.names("p"), "o", "", begun, begun)
        )
        for step in ("a", "b"):
            task = Task(
                f"t-{name}{step}", f"p-{chance.choice(NAMES)}", chance.word(), chance.word(), "failed", chance.random() < 0.5,
                depends_on=tuple(f"t-{other}a" for other in chance.sample(NAMES, 1)), gate=chance.choice([None, Gate("t-x", "because")]),
                evidence=chance.word(), failure=chance.word(), created_at=begun, modified_at=chance.time(), archived_at=t(),
            )  # fmt: skip
            made["tasks"].append(task)
            made["checkpoints"].append(
                Checkpoint(f"c-{name}{step}", chance.choice([task.id, "t-gone"]), "write", begun, chance.word(), ("a.py",))
            )
        made["delegations"].append(Delegation(f"d-{name}", "a", "b", "t", created_at=begun, ended_at=t(), state="accepted"))
        made["artifacts"].append(
            Artifact(f"f-{name}", "research", "a.md", chance.word(), sections=(Section("s", 1, 2, "h"),), created_at=begun)
        )
        made["sessions"].append(
            Session(
                f"s-{name}",
                tools_used=(("write", 2),),
                injected=True,
                violations=chance.randint(0, 2),
                prompt_score=0.5,
                started_at=begun,
                updated_at=begun,
            )
        )
        made["halts"].append(Halt(f"h-{name}", "s", "R", "w", "y", "z", ("a",), "", ("e",), begun, t()))
    logs: dict[str, list[dict[str, Any]]] = {table: [] for table in LOGS}
    for _ in range(chance.randint(0, 9)):
        at, session = chance.time(), f"s-{chance.choice(NAMES)}"
        change = {
            "kind": "entry",
            "id": f"e-{chance.choice(NAMES)}",
            "at": at,
            "action": chance.choice(["write", "edit", "erase"]),
            "by": "manual",
        }
        logs["changes"].append({**change, "before": {}, "after": {"title": chance.word()}})
        logs["events"].append({"session": session, "at": at, "kind": "k", "key": "", "score": 0.5, "detail": chance.word()})
        logs["violations"].append(
            {
                "session": session,
                "at": at,
                "rule": "R",
                "tool": "t",
                "target": "",
                "decision": "block",
                "enforced": 1,
                "what": "w",
            }
        )
        logs["quarantine"].append({"origin": "entries", "id": "x", "at": at, "reason": "r", "repaired": 0, "row": {"a": None}})
    return Content({kind: {one.id: one for one in ones} for kind, ones in made.items()}, logs)


def kept(root: Path, content: Content) -> Path:
    """A project whose brain holds that, as far as one may."""
    root.mkdir()
    with find_project(str(root)).remembering(make=True, environ=NOW) as opened:
        store.put(opened, Content(), merged(Content(), content)[0])
    return root


def written(root: Path) -> dict[str, str]:
    with find_project(str(root)).remembering(environ=LATER) as opened:
        files = exported(store.content(opened))
        assert opened.notes == []
    return files


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=some.integers(0, 1 << 32))
def test_every_table_comes_back_as_it_was(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    tmp = tmp_path_factory.mktemp("trip")
    one = kept(tmp / "one", some_brain(Chance(seed)))
    first = exchange.export(str(tmp / "first"), str(one), environ=NOW)
    (tmp / "two").mkdir()
    told = exchange.import_(str(tmp / "first"), str(tmp / "two"), environ=LATER)
    assert told["problems"] == [] and told["notes"] == []
    exchange.export(str(tmp / "second"), str(tmp / "two"), environ=LATER)
    assert _files(tmp / "first") == _files(tmp / "second")
    assert exchange.export(str(tmp / "first"), str(one), environ=LATER)["written"] == [] and first["removed"] == []
    assert exchange.import_(str(tmp / "second"), str(one), environ=LATER)["changed"] == {}


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=some.integers(0, 1 << 32))
def test_the_order_of_two_machines_does_not_matter(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    tmp, chance = tmp_path_factory.mktemp("two"), Chance(seed)
    one, other = kept(tmp / "one", some_brain(chance)), kept(tmp / "other", some_brain(chance))
    for name, root in (("a", one), ("b", other)):
        exchange.export(str(tmp / name), str(root), environ=NOW)
    exchange.import_(str(tmp / "b"), str(one), environ=LATER)
    exchange.import_(str(tmp / "a"), str(other), environ=LATER)
    assert written(one) == written(other)
    for name in ("a", "b"):
        assert exchange.import_(str(tmp / name), str(one), environ=LATER)["changed"] == {}


# -- what an older export must not undo ------------------------------------------------------------------------------


@pytest.fixture
def root(tmp_path: Path) -> str:
    (tmp_path / "root" / ".idumb").mkdir(parents=True)
    return str(tmp_path / "root")


AWAY: dict[str, Callable[[str, str, str], Any]] = {
    "superseded": lambda root, one, other: brain.supersede(one, other, root, environ=LATER),
    "purged": lambda root, one, other: brain.purge([one], root, yes=True, environ=LATER),
    "deleted": lambda root, one, other: brain.purge([one], root, yes=True, hard=True, environ=LATER),
}


@pytest.mark.parametrize("case", AWAY)
def test_what_was_put_away_stays_away(case: str, root: str, tmp_path: Path) -> None:
    one = brain.write("decision", "Two weeks", "As ever.", root, environ=NOW)["id"]
    other = brain.write("decision", "Readers may keep a book for a month", "They asked.", root, environ=NOW)["id"]
    out = str(tmp_path / "out")
    exchange.export(out, root, environ=NOW)
    AWAY[case](root, one, other)
    assert exchange.import_(out, root, environ=LATER)["changed"] == {}
    assert [entry["id"] for entry in brain.listing(root, environ=LATER)["entries"]] == [other]
    twin = tmp_path / "twin"
    twin.mkdir()
    exchange.import_(out, str(twin), environ=NOW)
    exchange.export(out, root, environ=LATER)
    exchange.import_(out, str(twin), environ=LATER)
    assert [entry["id"] for entry in brain.listing(str(twin), environ=LATER)["entries"]] == [other]
    assert written(twin) == written(Path(root))
    if case == "deleted":
        assert b"As ever" not in find_project(str(twin)).brain.read_bytes()


def test_circles_are_refused_with_a_note(root: str) -> None:
    with find_project(root).remembering(make=True, environ=NOW) as opened:
        made = Entry("e-1", "decision", "One", "1", superseded_by="e-2", parent="e-2", created_at=TIMES[0], modified_at=TIMES[0])
        knowledge.add_entry(opened, replace(made, id="e-2", superseded_by="", parent=""), "manual")
        knowledge.add_entry(opened, made, "manual")
        mine = store.content(opened)
    theirs = Content(
        {
            "entries": {
                "e-1": replace(made, superseded_by="", parent=""),
                "e-2": replace(made, id="e-2", superseded_by="e-1", valid_to=TIMES[3], parent="e-1"),
            }
        }
    )
    both, notes = merged(mine, theirs)
    assert both == merged(theirs, mine)[0] or both.things == merged(theirs, mine)[0].things
    assert both.of("entries")["e-1"].superseded_by == "e-2" and both.of("entries")["e-2"].superseded_by == ""
    assert len(notes) == 2 and all("circle" in note for note in notes)


def test_what_others_wrote_into_the_files_is_not_lost(root: str, tmp_path: Path) -> None:
    """Somebody pulls the files of another machine, and exports before they import."""
    mine = brain.write("decision", "Two weeks", "As ever.", root, environ=NOW)["id"]
    out, twin = str(tmp_path / "out"), tmp_path / "twin"
    exchange.export(out, root, environ=NOW)
    twin.mkdir()
    exchange.import_(out, str(twin), environ=NOW)
    theirs = brain.write("gotcha", "Fines are rounded", "Down.", str(twin), environ=LATER)["id"]
    brain.update(mine, str(twin), content="As ever, but for the summer.", environ=LATER)
    exchange.export(out, str(twin), environ=LATER)
    own = brain.write("pattern", "Cards, never names", "Names are not unique.", root, environ=NOW)["id"]
    told = exchange.export(out, root, environ=LATER)
    assert told["removed"] == [] and any("2 things in the files are newer" in note for note in told["notes"])
    exchange.import_(out, root, environ=LATER)
    assert {one["id"] for one in brain.listing(root, environ=LATER)["entries"]} == {mine, theirs, own}
    assert "summer" in brain.show(mine, root, environ=LATER)["content"]
    assert "notes" not in exchange.export(out, root, environ=LATER)


@pytest.mark.parametrize("text", ["<<<<<<< ours\n", '"later": 1,\n'])
def test_files_that_cannot_be_read_are_not_written_over(text: str, root: str, tmp_path: Path) -> None:
    brain.write("decision", "Two weeks", "As ever.", root, environ=NOW)
    out = tmp_path / "out"
    exchange.export(str(out), root, environ=NOW)
    file = out / "knowledge" / "decision.json"
    first, rest = file.read_text().split("\n", 2)[0], file.read_text().split("\n", 1)[1]
    torn = rest.replace("idumb-brain/1", "idumb-brain/9") if "later" in text else rest.replace("\n", f"\n{text}", 2)
    file.write_text(f"{first}\n{torn}")
    before = file.read_text()
    with pytest.raises(BadInput, match="would be lost"):
        exchange.export(str(out), root, environ=LATER)
    assert file.read_text() == before


def test_only_files_that_are_ours_are_touched(root: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "plans").mkdir(parents=True)
    theirs = out / "plans" / "holiday.json"
    theirs.write_text('{"mine": true}')
    gone = brain.write("gotcha", "Gone", "Soon gone.", root, environ=NOW)["id"]
    assert "knowledge/gotcha.json" in exchange.export(str(out), root, environ=NOW)["written"]
    brain.purge([gone], root, hard=True, yes=True, environ=NOW)
    assert exchange.export(str(out), root, environ=NOW)["removed"] == ["knowledge/gotcha.json"]
    assert theirs.read_text() == '{"mine": true}' and not (out / "knowledge" / "gotcha.json").exists()
    (out / "state" / "history.json").write_text("{}")
    with pytest.raises(BadInput, match="not ours"):
        exchange.export(str(out), root, environ=NOW)
