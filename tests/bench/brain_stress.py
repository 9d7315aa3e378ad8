"""The brain under many writers and sudden ends: ``python -m tests.bench.brain_stress [SECONDS] [KILLS]``.

Real processes and real SIGKILLs. Each writer is told of a write only after it is committed; what it was told is looked for
afterwards, one by one.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from idumb_brain.model.knowledge import Entry
from idumb_brain.store import brain as store
from idumb_brain.store import knowledge
from tests.conftest import REPOSITORY

_NOW = "2026-02-04T10:30:00Z"


@dataclass
class Told:
    written: int = 0
    acknowledged: int = 0
    reads: int = 0
    lost: int = 0
    kills: int = 0
    errors: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    write_ms: list[float] = field(default_factory=list)
    read_ms: list[float] = field(default_factory=list)


def together(file: Path, processes: int, seconds: float, pause: float = 0.0) -> Told:
    """Everybody writes and reads at once."""
    file.parent.mkdir(exist_ok=True)
    store.open_brain(file, _NOW).close()
    workers = [_worker(file, number, seconds, pause) for number in range(processes)]
    told = Told()
    ids: list[str] = []
    for worker in workers:
        out, error = worker.communicate(timeout=seconds + 120)
        if worker.returncode or error:
            told.errors.append(error.strip() or f"ended with {worker.returncode}")
        for line in out.splitlines():
            what, value, ms = line.split()
            if what == "wrote":
                ids.append(value)
                told.write_ms.append(float(ms))
            else:
                told.reads += 1
                told.read_ms.append(float(ms))
    told.written = told.acknowledged = len(ids)
    _look_for(file, ids, told)
    return told


def killed(file: Path, kills: int) -> Told:
    """A writer is killed at a random moment, again and again; every write it told of must be there."""
    chance = random.Random()
    file.parent.mkdir(exist_ok=True)
    store.open_brain(file, _NOW).close()
    told = Told(kills=kills)
    ids: list[str] = []
    for number in range(kills):
        worker = _worker(file, number, 60.0, 0.0)
        assert worker.stdout
        ids += [worker.stdout.readline().split()[1]]  # it has begun
        time.sleep(chance.uniform(0, 0.25))
        worker.send_signal(signal.SIGKILL)
        out, error = worker.communicate(timeout=60)
        told.errors += [error.strip()] if error else []
        whole = out[: out.rfind("\n") + 1]
        ids += [line.split()[1] for line in whole.splitlines() if line.startswith("wrote")]
        if number % 10 == 9 or number == kills - 1:
            _look_for(file, ids, told)
    told.acknowledged = len(ids)
    return told


def write_on(file: Path, name: str, seconds: float, pause: float) -> None:
    """What a worker does: write, tell, now and then read."""
    chance = random.Random(name)
    mine: list[str] = []
    brain = store.open_brain(file, _NOW)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        id = f"fact-{name}-{len(mine)}"
        began = time.perf_counter()
        made = Entry(
            id,
            "codebase-fact",
            f"Fact {len(mine)} of {name}",
            "It is so. " * chance.randrange(1, 60),
            created_at=_NOW,
            modified_at=_NOW,
        )
        knowledge.add_entry(brain, made, "manual")
        print("wrote", id, f"{(time.perf_counter() - began) * 1000:.3f}", flush=True)
        mine.append(id)
        if chance.random() < 0.5:
            began = time.perf_counter()
            one = knowledge.entry(brain, chance.choice(mine))
            assert one is not None, "a write is not there"
            knowledge.matching(brain, f'"{chance.randrange(50)}"', 10)
            knowledge.count_access(brain, [one.id])
            print("read", one.id, f"{(time.perf_counter() - began) * 1000:.3f}", flush=True)
        if pause:
            time.sleep(chance.uniform(0, 2 * pause))
    brain.close()


def _worker(file: Path, number: int, seconds: float, pause: float) -> subprocess.Popen[str]:
    name = f"{number}x{random.randrange(1 << 40):x}"
    return subprocess.Popen(
        [sys.executable, "-m", "tests.bench.brain_stress", "--worker", str(file), name, str(seconds), str(pause)],
        cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def _look_for(file: Path, ids: list[str], told: Told) -> None:
    brain = store.open_brain(file, _NOW)
    there = set(knowledge.ids(brain))
    told.lost = len([id for id in ids if id not in there])
    told.problems += store.problems(brain) + brain.notes
    brain.close()


def _percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0.0


def _print(name: str, told: Told) -> None:
    print(
        f"{name:<34}{told.acknowledged:>9,} writes acknowledged, {told.lost} lost, {len(told.errors)} errors, {len(told.problems)} problems"
    )
    for what, values in (("write", told.write_ms), ("read and count", told.read_ms)):
        if values:
            row = "  ".join(
                f"{label} {_percentile(values, share):8.2f}"
                for label, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1))
            )
            print(f"  {what:<16} ms  {row}   ({len(values):,})")
    for line in (told.errors + told.problems)[:5]:
        print(f"  {line}")


def main(seconds: float, kills: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _print(f"16 processes, {seconds:g} s, at a pace", together(Path(folder, "pace", "brain.db"), 16, seconds, 0.05))
        _print(f"16 processes, {seconds:g} s, flat out", together(Path(folder, "flat", "brain.db"), 16, seconds))
        _print(f"{kills} SIGKILLs", killed(Path(folder, "kill", "brain.db"), kills))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        write_on(Path(sys.argv[2]), sys.argv[3], float(sys.argv[4]), float(sys.argv[5]))
    else:
        main(float((sys.argv[1:] or ["60"])[0]), int((sys.argv[2:] or ["200"])[0]))
