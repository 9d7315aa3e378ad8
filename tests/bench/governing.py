"""What a decision and a block cost when much is known: ``python -m tests.bench.governing [TIMES]``, with the brain open.

A made-up project with 400 files, 1,000 tasks in 25 plans, 500 anchors and 10,000 entries. Every block is made again after
nothing changed but the clock, after a checkpoint, after an entry was written and after another process wrote.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from idumb_brain.model.knowledge import ANCHOR_TYPES, ENTRY_TYPES, PRIORITIES, Anchor, Entry, Evidence
from idumb_brain.model.work import Checkpoint, Gate, Plan, Session, Task
from idumb_brain.operations import gate, tasks
from idumb_brain.operations.context import Teller
from idumb_brain.operations.evidence import Sources
from idumb_brain.operations.ground import Ground, standing
from idumb_brain.operations.lanes import Lane
from idumb_brain.operations.project import find_project, moment
from idumb_brain.operations.scanning import scan
from idumb_brain.operations.work import Work
from idumb_brain.render.blocks import BLOCKS
from idumb_brain.store import anchors, knowledge, sessions
from idumb_brain.store import work as store
from idumb_brain.store.brain import writing

_NOW = "2026-02-04T10:30:00Z"
_FILES, _PLANS, _TASKS, _ANCHORS, _ENTRIES = 400, 25, 1_000, 500, 10_000
_SYLLABLES = ("ka", "lo", "mi", "ter", "ver", "con", "pro", "sys", "ana", "gra", "ment", "ion", "al", "net", "dex", "ori")


def filled(root: Path, chance: random.Random) -> None:
    words = ["".join(chance.choices(_SYLLABLES, k=chance.randint(1, 4))) for _ in range(8_000)]
    weights = [1 / (place + 1) for place in range(len(words))]

    def text(count: int) -> str:
        return " ".join(chance.choices(words, weights, k=count))

    for number in range(_FILES):
        other = f"from f{chance.randrange(_FILES)} import value\n" if number else ""
        (root / f"f{number}.py").write_text(f'"""{text(12)}."""\n{other}value = {number}\n')
    scan(str(root))
    project = find_project(str(root))
    sources = Sources(project)
    with project.remembering(make=True) as brain, writing(brain):
        for number in range(_PLANS):
            plan = Plan(f"plan-{number}", text(4), (text(8),), state="active", created_at=_NOW, modified_at=_NOW)
            store.keep(brain, plan, "create", "manual")
        for number in range(_TASKS):
            at = number // _PLANS  # in its plan
            state = "completed" if at < 10 else "active" if at == 10 and number % _PLANS == 0 else "planned"
            before = f"task-{number - _PLANS}" if at else ""
            task = Task(
                f"task-{number}", f"plan-{number % _PLANS}", text(5), text(12), state, at > 30, "coordinator", "builder",
                "main" if state == "active" else "", depends_on=(before,) if before else (),
                gate=Gate(before, text(5)) if before and number % 7 == 0 else None,
                artifacts=tuple(f"f{chance.randrange(_FILES)}.py" for _ in range(3)) if state != "planned" else (),
                created_at=_NOW, modified_at=_NOW, started_at=_NOW if state != "planned" else "",
            )  # fmt: skip
            store.keep(brain, task, "plan", "manual")
        for number in range(2_000):
            done = Checkpoint(
                f"checkpoint-{number}", f"task-{number % 250}", "edit", _NOW, text(8), (f"f{number % _FILES}.py",), "main"
            )
            store.write(brain, done)
        for number in range(_ENTRIES):
            path = f"f{number % _FILES}.py"
            entry = Entry(
                f"fact-{number}", chance.choice(ENTRY_TYPES), text(6), text(34), (Evidence(path, 1, 1, "", sources.hash(path)),),
                created_at=_NOW, modified_at=_NOW, stale_after=30 * 86_400, confidence=chance.randint(50, 100),
            )  # fmt: skip
            knowledge.add_entry(brain, entry, "manual")
        for number in range(_ANCHORS):
            path = f"f{chance.randrange(_FILES)}.py"
            priority = PRIORITIES[min(3, number % 50)]
            anchor = Anchor(
                f"anchor-{number}", chance.choice(ANCHOR_TYPES), priority, text(12), path, 1, hash=sources.hash(path),
                created_at=_NOW, modified_at=_NOW, validated_at=_NOW,
            )  # fmt: skip
            anchors.add_anchor(brain, anchor, "manual")
        sessions.keep(brain, Session("main", "between_turn", role="builder", task="task-250", started_at=_NOW, updated_at=_NOW))


Figure = tuple[str, tuple[float, float]]


def timed(
    prepare: Callable[[int], Ground],
    work: Callable[[Ground], object],
    times: int,
    clock: Callable[[], float] = time.process_time,
) -> tuple[float, float]:
    """Median and the slowest of twenty, in milliseconds of this process's time. ``prepare`` is not counted."""
    took = []
    for number in range(times):
        ground = prepare(number)
        began = clock()
        work(ground)
        took.append((clock() - began) * 1000)
    took.sort()
    return took[len(took) // 2], took[int(len(took) * 0.95)]


def main(times: int) -> None:
    print(f"{'':<44}{'p50 ms':>10}{'p95 ms':>10}")
    for name, (median, slow) in figures(times):
        print(f"{name:<44}{median:>10.2f}{slow:>10.2f}", flush=True)


def figures(times: int) -> Iterator[Figure]:
    """What was done, with its median and the slowest of twenty in milliseconds."""
    os.environ["IDUMB_BRAIN_NOW"] = _NOW
    with tempfile.TemporaryDirectory() as folder:
        filled(Path(folder), random.Random(1))
        with standing(folder, make=True) as ground:
            yield from _measured(ground, times)


def _measured(ground: Ground, times: int) -> Iterator[Figure]:
    start = datetime.fromisoformat(_NOW)
    clock = iter(range(1, 1_000_000))

    def later(_: int = 0) -> Ground:
        time_then = (start + timedelta(seconds=7 * next(clock))).strftime("%Y-%m-%dT%H:%M:%SZ")
        return ground.at(time_then)

    def stepped(number: int, *, file: str = "f1.py") -> Ground:
        after = later()
        work = Work(after.project, after.brain, moment())
        tasks.record(work, "edit", f"step {number}", files=[file], session="main")
        return after

    def widened(number: int) -> Ground:
        return stepped(number, file=f"f{number + 20}.py")

    def learned(_: int) -> Ground:
        after = later()
        id = f"learned-{next(clock)}"
        knowledge.add_entry(after.brain, Entry(id, "gotcha", f"What {id} says", id, created_at=_NOW, modified_at=_NOW), "manual")
        return after

    def elsewhere(number: int) -> Ground:
        after = later()
        with after.project.remembering() as other:
            sessions.note(other, "other", "turn", key=str(number))
        return after

    for name in BLOCKS:
        teller = Teller(ground.project)
        first = timed(later, lambda after, name=name, teller=teller: teller.tell(after, name, session="main"), 1)
        yield f"{name}, the first time", first
        for what, prepare in (("the clock went on", later), ("a checkpoint more", stepped)):
            tell = partial(_told, teller, name)
            yield f"{name}, {what}", timed(prepare, tell, times)
    for what, prepare in (("a file more", widened), ("an entry more", learned), ("another process wrote", elsewhere)):
        again = max(5, times // 10)
        timed(prepare, lambda after: teller.tell(after, "system", session="main"), 1)
        yield f"system, {what}", timed(prepare, lambda after: teller.tell(after, "system", session="main"), again)
        aside = Teller(ground.project, Lane("aside"))
        timed(prepare, lambda after, aside=aside: aside.tell(after, "system", session="main"), 2)
        told = timed(prepare, lambda after, aside=aside: aside.tell(after, "system", session="main"), again, time.thread_time)
        yield f"  for who waits for serve, {what}", told

    teller = Teller(ground.project)
    for tool, args in (
        ("read", {"filePath": "f1.py"}),
        ("write", {"filePath": "f1.py"}),
        ("govern_task", {"action": "start", "task": "task-500"}),
    ):
        judge = partial(_judged, teller, tool, args)
        yield f"decision on {tool}", timed(later, judge, times)


def _told(teller: Teller, name: str, after: Ground) -> object:
    return teller.tell(after, name, session="main")


def _judged(teller: Teller, tool: str, args: dict[str, str], after: Ground) -> object:
    return gate.gate(teller.judging(after), tool, session="main", args=args)


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["100"])[0]))
