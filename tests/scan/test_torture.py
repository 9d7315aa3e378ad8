"""What must never happen: a crash, a wrong index, silence about what was skipped."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from idumb_brain.model.code import unpacked
from idumb_brain.model.errors import BrainError, StoreDamaged
from idumb_brain.scan.discover import DiscoverSettings
from idumb_brain.scan.languages import load_languages, query_folders
from idumb_brain.scan.read import ReadLimits
from idumb_brain.scan.refresh import ScanSettings
from idumb_brain.scan.worker import facts_of
from tests.conftest import FIXTURES, REPOSITORY
from tests.scan.whole import assert_equal, contents, fresh, workspace

SAMPLES = sorted(
    path
    for path in (FIXTURES / "languages").rglob("*")
    if path.is_file() and path.suffix != ".expected" and "broken" not in path.name and path.parent.name != "generic"
)
OPENERS = ("(", "[", "{", "((((", "if (", "x = [", "f(", "<a>", "begin ", "-", "!", "a.b(")


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_broken_syntax(sample: Path) -> None:
    """Cut, torn and shuffled: there is always an answer, and what it says lies inside the file."""
    languages = load_languages(query_folders(str(REPOSITORY)))
    whole = sample.read_bytes()
    chance = random.Random(sample.name)
    for _ in range(25):
        torn = bytearray(whole)
        for _ in range(chance.randint(1, 6)):
            start = chance.randrange(len(torn) or 1)
            end = start + chance.randint(1, 80)
            way = chance.choice(["cut", "end", "double", "noise", "shuffle"])
            if way == "cut":
                del torn[start:end]
            elif way == "end":
                del torn[start:]
            elif way == "double":
                torn[start:start] = torn[start:end]
            elif way == "noise":
                torn[start:start] = bytes(chance.randrange(1, 256) for _ in range(8))
            else:
                piece = list(torn[start:end])
                chance.shuffle(piece)
                torn[start:end] = bytes(piece)
        facts = facts_of(sample.name, "", languages, ReadLimits(), True, bytes(torn))
        lines = bytes(torn).count(b"\n") + 1
        symbols, comments, imports, references = facts[9], facts[10], facts[11], unpacked(facts[12])
        assert all(1 <= row[4] <= row[5] <= lines for row in symbols), "a symbol outside the file"
        assert all(-1 <= row[0] < number for number, row in enumerate(symbols)), "a parent after its child"
        assert all(1 <= row[2] <= row[3] <= lines and -1 <= row[0] < len(symbols) for row in comments)
        assert all(1 <= row[2] <= lines for row in imports)
        assert all(-1 <= row[0] < len(symbols) and row[2] >= 1 for row in references)


def _suffixes() -> list[str]:
    languages = load_languages(query_folders(str(REPOSITORY)))
    return sorted({path.suffix for path in SAMPLES if languages.of_path(path.name)})


def test_monsters(tmp_path: Path) -> None:
    """Depth, length, noise and odd encodings in every language: each file is read or skipped with a reason."""
    root = tmp_path / "tree"
    root.mkdir()
    for suffix in _suffixes():
        for number, opener in enumerate(OPENERS):
            (root / f"deep{number}{suffix}").write_text(opener * 10_000)
        (root / f"nested{suffix}").write_text("(" * 10_000 + ")" * 10_000 + "\n")
        (root / f"empty{suffix}").write_text("")
        (root / f"spaces{suffix}").write_text(" \t\r\n" * 3000)
        (root / f"nul{suffix}").write_bytes(b"a\0b\n" * 10)
        (root / f"utf16{suffix}").write_text("x = 1\n" * 10, "utf-16")
        (root / f"latin{suffix}").write_bytes("# für späte Bücher\n".encode("latin-1"))
        (root / f"bom{suffix}").write_text("﻿# x\n", "utf-8")
        (root / f"cr{suffix}").write_bytes(b"# a\r# b\r\n# c\n")
    (root / "long.py").write_text("x = '" + "y" * 20_000_000 + "'\n")
    (root / "long.js").write_text("f(" + "a," * 900_000 + ");\n")
    settings = ScanSettings(jobs=2, seconds_a_file=20)
    with workspace(root, tmp_path / "index.db", settings) as kept:
        report = kept.refresh()
        totals = kept.totals()
    skipped = dict(totals.skipped)
    assert report.seen == len(os.listdir(root)) == len(report.scanned) + report.skipped + report.unchanged
    assert skipped["long.py"].startswith("huge") and "minified" in skipped["long.js"]
    assert all("binary" in skipped[f"nul{suffix}"] for suffix in _suffixes())
    assert not any("Error" in reason for reason in skipped.values()), [r for r in skipped.values() if "Error" in r]
    assert all(f"{kind}{suffix}" not in skipped for kind in ("latin", "utf16", "bom", "cr") for suffix in _suffixes())
    assert_equal(contents(tmp_path / "index.db"), fresh(root, tmp_path, settings))


def test_huge_lines_when_the_limits_allow_them(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "long.py").write_text("x = '" + "y" * 20_000_000 + "'\n")
    (root / "ok.py").write_text("y = 1\n")
    size = 30_000_000
    settings = ScanSettings(DiscoverSettings(max_bytes=size), ReadLimits(max_bytes=size, minified_line=size))
    with workspace(root, tmp_path / "index.db", settings) as kept:
        kept.refresh()
    whole = contents(tmp_path / "index.db")
    assert [symbol.name for symbol in whole["long.py"]["symbols"]] == ["x"]
    assert len(whole["long.py"]["symbols"][0].signature) <= 2000


WORSE = """
import os, sys, time
from pathlib import Path
from idumb_brain.scan import worker
real = worker.facts_of
def facts_of(path, *rest):
    if "crash" in path: os.abort()
    if "hang" in path: time.sleep(600)
    if "eat" in path: bytearray(8 << 30)
    return real(path, *rest)
worker.facts_of = facts_of
"""
WORKER = f"""{WORSE}
protocol = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
worker.work(sys.stdin.buffer, protocol)
"""
# Only a process without threads is copied, and nobody knows what tests before this one left running here.
COPIES = f"""{WORSE}
from idumb_brain.scan.refresh import ScanSettings
from tests.scan.whole import workspace
with workspace(Path(sys.argv[1]), Path(sys.argv[2]), ScanSettings(jobs=2, seconds_a_file=1.5), copies=True) as kept:
    kept.refresh()
"""


@pytest.mark.parametrize("copies", [False, True], ids=["fresh workers", "copied workers"])
def test_a_grammar_that_crashes_or_never_returns(tmp_path: Path, copies: bool) -> None:
    root, index = tmp_path / "tree", tmp_path / "index.db"
    root.mkdir()
    for number in range(60):
        (root / f"fine{number}.py").write_text(f"def f{number}(): pass\n")
    for number in range(30):  # more in a row than workers may fail to start
        (root / f"crash{number:02}.py").write_text("x = 1\n")
    (root / "hang.py").write_text("x = 1\n")
    (root / "eat.py").write_text("x = 1\n")
    settings = ScanSettings(jobs=2, seconds_a_file=1.5)
    if copies:
        subprocess.run([sys.executable, "-c", COPIES, str(root), str(index)], cwd=REPOSITORY, check=True)
    else:
        with workspace(root, index, settings, worker_command=(sys.executable, "-c", WORKER)) as kept:
            kept.refresh()
    with workspace(root, index, settings) as kept:
        totals = kept.totals()
        skipped = dict(totals.skipped)
        assert len(skipped) == 32
        assert sum(reason == "the parser crashed (SIGABRT)" for reason in skipped.values()) == 30
        assert skipped["hang.py"] == "parsing took longer than 1.5 s"
        assert "MemoryError" in skipped["eat.py"]
        assert {problem.file for problem in totals.problems} == set(skipped)
        assert len(kept.refresh().scanned) == 32  # with a sane grammar they are tried again
        assert kept.totals().skipped == ()


def test_workers_that_cannot_start(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.py").write_text("x = 1\n")
    command = (sys.executable, "-c", "raise SystemExit(3)")
    with (
        workspace(root, tmp_path / "index.db", worker_command=command) as kept,
        pytest.raises(BrainError, match="cannot be started"),
    ):
        kept.refresh()


def _big_tree(root: Path) -> None:
    for folder in range(6):
        (root / f"p{folder}").mkdir(parents=True)
        (root / f"p{folder}" / "__init__.py").write_text("")
        for number in range(100):
            other = (folder + 1) % 6
            (root / f"p{folder}" / f"m{number}.py").write_text(
                f"from p{other}.m{number} import f\nfrom .m{(number + 1) % 100} import g\n"
                f"\n\ndef f(): ...\ndef g(): ...\n# TODO: {number}\n"
            )


def _scan(root: Path, **more: object) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "idumb_brain", "scan", "--root", str(root), "--quiet", "--json"]
    environment = dict(os.environ, PYTHONPATH=str(REPOSITORY), IDUMB_BRAIN_NOW="2026-02-04T10:30:00Z")
    return subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)  # type: ignore[call-overload, no-any-return]


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc which processes live")
def test_workers_end_with_the_scan_that_made_them(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    _big_tree(root)
    running = _scan(root)
    deadline = time.monotonic() + 20
    while len(workers := _children(running.pid)) < 2 and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    assert len(workers) >= 2 or running.poll() is not None
    running.kill()
    running.wait()
    while any(map(_lives, workers)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(_lives, workers))


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_killed_fifty_times(tmp_path: Path) -> None:
    """SIGKILL at random moments while the tree goes on changing; then one scan, equal to a first one."""
    root = tmp_path / "tree"
    _big_tree(root)
    index = root / ".idumb" / "brain" / "index.db"
    chance = random.Random(50)
    killed = rounds = 0
    patience = 0.6  # seconds that a scan takes, more or less; found out on the way, for machines differ
    while killed < 50 and rounds < 250:
        running = _scan(root)
        time.sleep(chance.uniform(0.05, patience))
        if running.poll() is None:
            running.send_signal(signal.SIGKILL)
            killed += 1
            patience = min(1.2, patience * 1.1)
        else:
            patience = max(0.1, patience * 0.8)
        running.communicate()
        number = chance.randrange(100)
        file = root / f"p{chance.randrange(6)}" / f"m{number}.py"
        if file.exists() and chance.random() < 0.5:
            file.unlink()
        else:
            file.write_text(f"from p{chance.randrange(6)}.m{chance.randrange(100)} import f\n")
        if rounds % 10 == 3:
            shutil.rmtree(root / ".idumb", ignore_errors=True)
        rounds += 1
    assert killed == 50, "the scans were over before they could be killed: nothing was tested"
    out, told = _scan(root).communicate()
    assert b'"error"' not in out, (out, told)
    assert_equal(contents(index), fresh(root, tmp_path))


def test_full_disk(tmp_path: Path) -> None:
    """A file that may not grow any more: a clear error, and nothing lost once there is room again."""
    root = tmp_path / "tree"
    _big_tree(root)

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))

    running = _scan(root, preexec_fn=small)
    out, _ = running.communicate()
    assert running.returncode == 4 and b"disk space" in out
    running = _scan(root)
    out, _ = running.communicate()
    assert running.returncode == 0, out
    assert_equal(contents(root / ".idumb" / "brain" / "index.db"), fresh(root, tmp_path))


def test_corrupt_index(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.py").write_text("x = 1\n")
    index = tmp_path / "index.db"
    index.write_bytes(b"this is not a database" * 500)
    with workspace(root, index) as kept, pytest.raises(StoreDamaged, match="cannot be read"):
        kept.refresh()
    assert index.read_bytes().startswith(b"this is not")  # never deleted behind anybody's back
