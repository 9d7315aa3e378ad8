"""What has to do with the task at hand, by one who keeps what it found, is what one who looks anew finds."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from idumb_brain.model.knowledge import Anchor, Entry, Evidence
from idumb_brain.model.work import Plan, Task
from idumb_brain.operations import tasks
from idumb_brain.operations.ground import Ground, standing
from idumb_brain.operations.near_task import NearTask
from idumb_brain.operations.project import find_project, moment
from idumb_brain.operations.remembered import Remembered
from idumb_brain.operations.scanning import scan
from idumb_brain.operations.work import Work
from idumb_brain.store import anchors, knowledge
from idumb_brain.store import work as store
from idumb_brain.store.brain import writing

NOW = "2026-02-04T10:30:00Z"
FILES, TASKS, ANCHORS, ENTRIES = 12, 9, 14, 20


def filled(root: Path, chance: random.Random) -> None:
    for number in range(FILES):
        other = f"from f{chance.randrange(number)} import value\n" if number else ""
        (root / f"f{number}.py").write_text(f"{other}value = {number}\n")
    scan(str(root))
    with find_project(str(root)).remembering(make=True) as brain, writing(brain):
        store.keep(brain, Plan("plan-0", "one", state="active", created_at=NOW), "create", "manual")
        for number in range(TASKS):
            state = "planned" if number else "active"
            made = Task(
                f"task-{number}", "plan-0", f"word{number}", "done", state, claimed_by="" if number else "main", created_at=NOW,
                depends_on=(f"task-{chance.randrange(number)}",) if number else (), artifacts=(f"f{number}.py",),
            )  # fmt: skip
            store.keep(brain, made, "plan", "manual")
        for number in range(ENTRIES):
            knowledge.add_entry(brain, entry(f"fact-{number}", chance), "manual")
        for number in range(ANCHORS):
            anchors.add_anchor(brain, anchor(f"anchor-{number}", chance), "manual")


def entry(id: str, chance: random.Random) -> Entry:
    seen = (Evidence(f"f{chance.randrange(FILES)}.py", 1, 1),) if chance.random() < 0.7 else ()
    related = (f"fact-{chance.randrange(ENTRIES)}",) if chance.random() < 0.3 and not id.startswith("fact") else ()
    return Entry(id, "gotcha", f"{id} word{chance.randrange(30)}", "told", seen, related=related, created_at=NOW, modified_at=NOW)


def anchor(id: str, chance: random.Random) -> Anchor:
    task = f"task-{chance.randrange(TASKS)}" if chance.random() < 0.5 else ""
    return Anchor(id, "context", "high", f"{id} says", f"f{chance.randrange(FILES)}.py", 1, task, created_at=NOW, modified_at=NOW)


def happen(ground: Ground, number: int, chance: random.Random) -> None:
    brain, work = ground.brain, Work(ground.project, ground.brain, moment())
    known = knowledge.entry(brain, f"fact-{chance.randrange(ENTRIES)}")
    assert known
    match chance.randrange(6):
        case 0:
            knowledge.add_entry(brain, entry(f"later-{number}", chance), "manual")
        case 1:
            anchors.add_anchor(brain, anchor(f"noted-{number}", chance), "manual")
        case 2:
            tasks.record(work, "edit", f"step {number}", files=[f"f{chance.randrange(FILES)}.py"], session="main")
        case 3:
            knowledge.change_entry(brain, known, replace(known, purged_at=NOW), "purge", "manual")
        case 4:
            knowledge.change_entry(brain, known, replace(known, evidence=(Evidence("f0.py", 1, 1),)), "update", "manual")
        case 5:
            other = store.at(brain, Task, f"task-{chance.randrange(1, TASKS)}")
            assert other
            store.keep(brain, replace(other, artifacts=(*other.artifacts, f"f{chance.randrange(FILES)}.py")), "review", "manual")


@pytest.mark.parametrize("seed", range(6))
def test_who_keeps_finds_what_who_looks_anew_does(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IDUMB_BRAIN_NOW", NOW)
    chance = random.Random(seed)
    filled(tmp_path, chance)
    with standing(str(tmp_path)) as ground:
        near = NearTask(ground.project)
        remembered = Remembered(200, near.hear)
        for number in range(25):
            known = remembered.looked_at(ground.brain)
            task = store.at(ground.brain, Task, "task-0")
            assert task
            listed = anchors.anchors(ground.brain)
            anew = NearTask(ground.project)
            assert near.depths(task, listed, "index") == anew.depths(task, listed, "index")
            found, expected = near.entries(ground.brain, task, known.known), anew.entries(ground.brain, task, known.known)
            assert list(found) == list(expected)
            happen(ground, number, chance)
