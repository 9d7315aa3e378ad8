"""A power cut in the middle of a write, and a disk that is full: what was acknowledged is there, and what fails says why."""

from __future__ import annotations

import random
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from idumb_brain.model.errors import BrainError
from idumb_brain.operations.project import find_project
from idumb_brain.store.brain import open_brain
from idumb_brain.surfaces.calls import call

NOW = "2026-02-04T10:30:00Z"
WRITES = 8
CUTS = 4  # of each write


def _write(root: Path, number: int, size: int = 200) -> str:
    words = {"type": "gotcha", "title": f"Number {number}", "content": f"{number} " + "x" * size, "force": True}
    return str(call("brain.write", words, str(root))["id"])


def _known(root: Path) -> set[str]:
    return {one["id"] for one in call("brain.list", {"all": True, "limit": 10_000}, str(root))["entries"]}


def test_a_power_cut_takes_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """On the disk is what was synced when the last write was acknowledged, and of what came behind it any part, torn anywhere."""
    root = tmp_path / "root"
    root.mkdir()
    first = _write(root, 0)
    file = find_project(str(root)).brain
    wal = file.with_name(file.name + "-wal")
    told, states = [first], []
    held = open_brain(file, NOW)  # while somebody has it open the log is not taken away
    try:
        states.append((file.read_bytes(), wal.read_bytes()))
        for number in range(1, WRITES):
            told.append(_write(root, number))
            states.append((file.read_bytes(), wal.read_bytes()))
    finally:
        held.close()
    chance = random.Random(3)
    for number in range(WRITES - 1):
        (old, old_log), (new, new_log) = states[number], states[number + 1]
        for cut in range(CUTS):
            at = chance.randint(0, len(new_log))
            torn = chance.randbytes(chance.choice((0, 1, 512, 4096)))
            after = tmp_path / f"after-{number}-{cut}"
            there = after / ".idumb" / "brain" / "brain.db"
            there.parent.mkdir(parents=True)
            there.write_bytes(old if new == old else new)
            log = old_log[: len(old_log)] + new_log[len(old_log) : max(at, len(old_log))] + torn if new == old else new_log
            there.with_name("brain.db-wal").write_bytes(log)
            known = _known(after)
            assert set(told[: number + 1]) <= known <= set(told[: number + 2]), (number, cut)
            with closing(sqlite3.connect(there)) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert _write(after, 100) in _known(after)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "small"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(place)], capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.rights
def test_a_full_disk_is_told_and_passes(small_disk: Path) -> None:
    (small_disk / "a.py").write_text("x = 1\n")
    call("scan", {}, str(small_disk))
    told: list[str] = []
    failed: Any = None
    for number in range(400):
        try:
            told.append(_write(small_disk, number, 20_000))
        except BrainError as error:
            failed = error
            break
    assert failed is not None and "full" in str(failed).lower(), failed
    assert set(told) <= _known(small_disk), "what can be read is read on a full disk, too"
    with pytest.raises(BrainError):
        _write(small_disk, 1_000, 20_000)
    subprocess.run(["mount", "-o", "remount,size=20m", str(small_disk)], check=True)
    assert {*told, _write(small_disk, 1_001)} <= _known(small_disk)
    assert not list((small_disk / ".idumb" / "brain").glob("*damaged*")), "a full disk is no damage"
