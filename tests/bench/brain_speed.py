"""What the brain costs when much is known: ``python -m tests.bench.brain_speed [ENTRIES]`` (default 100,000).

Fills a brain with made-up knowledge about made-up files, then asks. Times are of the operation itself, without starting Python.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from idumb_brain.model.knowledge import ENTRY_TYPES, Entry, Evidence
from idumb_brain.operations import anchors, brain
from idumb_brain.operations.project import find_project
from idumb_brain.store import knowledge
from idumb_brain.store.brain import writing

_NOW = {"IDUMB_BRAIN_NOW": "2026-02-04T10:30:00Z"}
_FILES = 2_000
_SYLLABLES = ("ka", "lo", "mi", "ter", "ver", "con", "pro", "sys", "ana", "gra", "ment", "ion", "al", "net", "dex", "ori")


def filled(root: Path, entries: int, chance: random.Random) -> list[str]:
    """Ids of entries in words that are as rare and as common as those of a language are."""
    words = ["".join(chance.choices(_SYLLABLES, k=chance.randint(1, 4))) for _ in range(20_000)]
    weights = [1 / (place + 1) for place in range(len(words))]
    for number in range(_FILES):
        (root / f"f{number}.py").write_text(f"value = {number}\n")
    now = _NOW["IDUMB_BRAIN_NOW"]
    ids = []
    with find_project(str(root)).remembering(make=True, environ=_NOW) as open_brain:
        for start in range(0, entries, 1000):
            with writing(open_brain):
                for number in range(start, min(start + 1000, entries)):
                    text = chance.choices(words, weights, k=40)
                    made = Entry(
                        f"fact-{number}", chance.choice(ENTRY_TYPES), " ".join(text[:6]), " ".join(text[6:]),
                        (Evidence(f"f{number % _FILES}.py", 1, 1, "", "0", "0"),),
                        parent=f"fact-{number // 10 * 10}" if number % 10 else "", created_at=now, modified_at=now, stale_after=30 * 86400,
                    )  # fmt: skip
                    knowledge.add_entry(open_brain, made, "manual")
                    ids.append(made.id)
    return ids


def timed(work: Callable[[int], object], times: int) -> tuple[float, float]:
    """Median and the slowest of twenty, in milliseconds."""
    took = []
    for number in range(times):
        began = time.perf_counter()
        work(number)
        took.append((time.perf_counter() - began) * 1000)
    took.sort()
    return took[len(took) // 2], took[int(len(took) * 0.95)]


def main(entries: int) -> None:
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        ids = filled(Path(folder), entries, chance)
        took = time.perf_counter() - began
        size = find_project(folder).brain.stat().st_size / 1e6
        print(f"{entries:,} entries in {took:.1f} s, {took / entries * 1000:.2f} ms each; {size:.0f} MB")
        told = [brain.show(id, folder, environ=_NOW) for id in chance.sample(ids, 100)]
        print(f"{'':<34}{'p50 ms':>10}{'p95 ms':>10}")
        for name, (median, slow) in (_of_the_store(folder, ids, told) | _of_the_verbs(folder, ids, told)).items():
            print(f"{name:<34}{median:>10.2f}{slow:>10.2f}")


def _of_the_store(folder: str, ids: list[str], told: list[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    now = _NOW["IDUMB_BRAIN_NOW"]
    like = [
        Entry(f"new-{number}", "gotcha", one["title"][::-1], one["content"], created_at=now, modified_at=now)
        for number, one in enumerate(told)
    ]
    with find_project(folder).remembering(environ=_NOW) as open_brain:
        return {
            "store: write, one transaction": timed(lambda n: knowledge.add_entry(open_brain, like[n], "manual"), 100),
            "store: one entry": timed(lambda n: knowledge.entry(open_brain, ids[n * 7]), 100),
            "look for near-duplicates": timed(lambda n: brain.similar(open_brain, like[n]), 100),
        }


def _of_the_verbs(folder: str, ids: list[str], told: list[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    def write(number: int) -> object:
        title, content = f"New {number} {told[number]['title']}", f"{number} {told[number]['content'][::-1]}"
        return brain.write("gotcha", title, content, folder, evidence=[f"f{number}.py:1"], environ=_NOW)

    def add_anchor(number: int) -> object:
        return anchors.add("context", "high", f"Anchor {number}: {told[number]['title']}", folder, environ=_NOW)

    return {
        "brain write": timed(write, 100),
        "brain show": timed(lambda n: brain.show(ids[n * 11], folder, environ=_NOW), 100),
        "brain history of one": timed(lambda n: brain.history(ids[n * 11], folder, environ=_NOW), 50),
        "anchor add": timed(add_anchor, 20),
        "brain stale": timed(lambda n: brain.stale(folder, environ=_NOW), 3),
        "brain list": timed(lambda n: brain.listing(folder, environ=_NOW), 3),
        "brain tree": timed(lambda n: brain.tree("", folder, environ=_NOW), 3),
    }


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["100000"])[0]))
