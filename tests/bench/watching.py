"""Proofs of watching: a thousand random changes, the time from a write to the index, an overflow of the system's queue.

    python -m tests.bench.watching [random|latency|overflow]... [--seed N] [--changes 1000] [--files 15000] [--writes 200]

Every proof runs the command ``idumb-brain watch`` as a process of its own, on a tree made for it. Exit code 1: the index
differs from a fresh scan, or the 95th percentile of the latency is above 150 ms.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from idumb_brain.store import code as store
from tests.scan.whole import assert_equal, contents, fresh

_BAR_MS = 150.0
_CALM = 3.0  # a little more than the watcher waits before it checks
_QUEUE = Path("/proc/sys/fs/inotify/max_queued_events")
_PATIENCE = 60.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("proofs", nargs="*", metavar="PROOF", help="random, latency, overflow (default: all)")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--changes", type=int, default=1000)
    parser.add_argument("--files", type=int, default=15_000)
    parser.add_argument("--writes", type=int, default=200)
    asked = parser.parse_args()
    proofs = asked.proofs or ["random", "latency", "overflow"]
    right = True
    if "random" in proofs:
        right &= random_changes(asked.seed if asked.seed is not None else random.SystemRandom().randrange(10**6), asked.changes)
    if "latency" in proofs:
        small, large = (latency(files, asked.writes) for files in (500, asked.files))
        print(f"p95 on the large tree / on the small one: {large / small:.2f}")
        right &= max(small, large) <= _BAR_MS
    if "overflow" in proofs:
        right &= overflow()
    return 0 if right else 1


def random_changes(seed: int, changes: int) -> bool:
    """Edits, moves, deletes, folders and checkouts; then the index must be that of a fresh scan."""
    print(f"random changes: seed {seed}, {changes} changes", flush=True)
    chance = random.Random(seed)
    with _place() as (tree, scratch):
        _package(tree / "shop", 60)
        git = ["git", "-C", str(tree), "-c", "user.name=a", "-c", "user.email=a@b"]
        (tree / ".gitignore").write_text(".idumb/\n")
        for words in (["init", "-q", "-b", "one"], ["add", "-A"], ["commit", "-qm", "one"], ["branch", "two"]):
            subprocess.run([*git, *words], check=True)
        with watching(tree):
            for step in range(changes):
                _change(tree, chance, step, git)
                if chance.random() < 0.08:
                    time.sleep(chance.uniform(0, 0.15))
            time.sleep(2 * _CALM)
            quiet(tree)
        return same(tree, scratch)


def latency(files: int, writes: int) -> float:
    """Milliseconds from the end of a write to the moment another process reads it in the index: the 95th percentile."""
    with _place() as (tree, _):
        for number in range(files // 100):
            _package(tree / f"pack{number}", 99)
        with watching(tree):
            time.sleep(_CALM + 1)
            index = store.open_for_reading(tree / ".idumb" / "brain" / "index.db")
            assert index is not None
            taken = []
            chance = random.Random(files)
            for step in range(writes):
                name = f"pack{chance.randrange(files // 100)}/m{chance.randrange(99)}.py"
                mark = f"written_{step}"
                with (tree / name).open("a") as file:
                    file.write(f"\n\ndef {mark}():\n    return {step}\n")
                began = time.perf_counter()
                while not index.execute("SELECT 1 FROM symbols WHERE name = ?", (mark,)).fetchone():
                    assert time.perf_counter() - began < _PATIENCE, f"{name} was not noticed"
                    time.sleep(0.001)
                taken.append((time.perf_counter() - began) * 1000)
                time.sleep(chance.uniform(0.02, 0.12))
            index.close()
    taken.sort()
    middle, high = taken[len(taken) // 2], taken[int(len(taken) * 0.95)]
    print(f"{files:,} files, {writes} writes: p50 {middle:.0f} ms, p95 {high:.0f} ms, slowest {taken[-1]:.0f} ms", flush=True)
    return high


def overflow() -> bool:
    """More events than the system keeps, while nobody reads them: what was lost must be found all the same."""
    with _place() as (tree, scratch), _short_queue() as queue:
        _package(tree / "shop", 60)
        with watching(tree) as process:
            time.sleep(_CALM + 1)
            witness = _Witness(tree / "shop")
            os.kill(process.pid, signal.SIGSTOP)
            for number in range(queue * 2):  # each write is at least two events
                (tree / "shop" / f"n{number % 1500}.py").write_text(f"def f{number}(): ...\n")
            (tree / "late").mkdir()
            (tree / "late" / "last.py").write_text("def the_last_one(): ...\n")
            (tree / "shop" / "m3.py").unlink()
            os.kill(process.pid, signal.SIGCONT)
            time.sleep(2 * _CALM)
            quiet(tree)
            lost = witness.overflowed()
        print(f"overflow: a queue of {queue:,} events, {2 * queue:,} writes while the watcher stood still; events lost: {lost}")
        return same(tree, scratch) and lost


@contextmanager
def watching(tree: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The command, from its first answer to its end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "idumb_brain", "--root", str(tree), "--json", "watch"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout
    process.stdout.readline()
    os.set_blocking(process.stdout.fileno(), False)
    reader = threading.Thread(target=_drain, args=(process,), daemon=True)
    reader.start()
    try:
        time.sleep(1.0)
        yield process
        assert process.poll() is None, "the watcher ended"
    finally:
        process.send_signal(signal.SIGCONT)
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        reader.join()


def _drain(process: subprocess.Popen[bytes]) -> None:
    """Read what it says, so that it never waits for a reader."""
    assert process.stdout
    while process.poll() is None:
        if not process.stdout.read(1 << 16):
            time.sleep(0.02)


class _Witness:
    """A queue of our own on the same folder, never read until the end: whether the system really lost events."""

    _ALL, _OVERFLOW = 0xFFF, 0x4000

    def __init__(self, folder: Path) -> None:
        self._system = ctypes.CDLL(None, use_errno=True)
        self._queue = self._system.inotify_init1(os.O_NONBLOCK)
        self._system.inotify_add_watch(self._queue, os.fsencode(folder), self._ALL)

    def overflowed(self) -> bool:
        raw = b""
        try:
            while chunk := os.read(self._queue, 1 << 20):
                raw += chunk
        except BlockingIOError:
            pass
        os.close(self._queue)
        at = 0
        while at < len(raw):
            _, mask, _, length = struct.unpack_from("iIII", raw, at)
            if mask & self._OVERFLOW:
                return True
            at += 16 + length
        return False


def _change(tree: Path, chance: random.Random, step: int, git: list[str]) -> None:
    files = sorted(path for path in tree.rglob("*.py") if ".git" not in path.parts)
    way = chance.choice(["edit", "edit", "edit", "new", "move", "delete", "folder", "move folder", "ignore", "checkout"])
    if way == "edit" and files:
        with chance.choice(files).open("a") as file:
            file.write(f"def g{step}(): ...\n")
    elif way == "new":
        (tree / "shop").mkdir(exist_ok=True)
        (tree / "shop" / f"n{chance.randrange(60)}.py").write_text(f"import shop.m{chance.randrange(60)}\n")
    elif way == "move" and files:
        (tree / "shop").mkdir(exist_ok=True)
        os.replace(chance.choice(files), tree / "shop" / f"moved{chance.randrange(20)}.py")
    elif way == "delete" and len(files) > 5:
        chance.choice(files).unlink()
    elif way == "folder":
        folder = tree / f"pack{chance.randrange(4)}"
        if folder.exists() and chance.random() < 0.5:
            shutil.rmtree(folder)
        else:
            (folder / "deep" / "er").mkdir(parents=True, exist_ok=True)
            (folder / "deep" / "er" / "a.py").write_text("from shop import m1\n")
    elif way == "move folder":
        old, new = tree / f"pack{chance.randrange(4)}", tree / f"pack{chance.randrange(4)}"
        if old.exists() and not new.exists():
            os.replace(old, new)
    elif way == "ignore" and step % 7 == 0:
        (tree / ".gitignore").write_text(f".idumb/\nm{chance.randrange(6)}?.py\n")
    elif way == "checkout" and step % 3 == 0:
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-qm", "more"], capture_output=True)
        subprocess.run([*git, "checkout", "-q", chance.choice(["one", "two"])], check=True)


def _package(folder: Path, files: int) -> None:
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    for number in range(files):
        (folder / f"m{number}.py").write_text(
            f'"""Module {number}."""\n\nfrom {folder.name}.m{(number + 1) % files} import f\n\n\n'
            + "".join(f"def f{'_' * i}(a, b=1):\n    return f(a + b)\n\n\n" for i in range(6))
        )


def quiet(tree: Path) -> None:
    """Wait until nobody has written to the index for a while."""
    index = tree / ".idumb" / "brain" / "index.db-wal"
    last, since = -1.0, time.monotonic()
    while time.monotonic() - since < _CALM:
        now = index.stat().st_mtime if index.exists() else 0.0
        if now != last:
            last, since = now, time.monotonic()
        time.sleep(0.1)


def same(tree: Path, scratch: Path) -> bool:
    try:
        assert_equal(contents(tree / ".idumb" / "brain" / "index.db"), fresh(tree, scratch))
    except AssertionError as error:
        print(f"DIFFERS: {str(error)[:2000]}")
        return False
    print("the index is that of a fresh scan")
    return True


@contextmanager
def _place() -> Iterator[tuple[Path, Path]]:
    with tempfile.TemporaryDirectory(prefix="idumb-watching-") as made:
        tree, scratch = Path(made, "tree"), Path(made, "scratch")
        tree.mkdir()
        scratch.mkdir()
        yield tree, scratch


@contextmanager
def _short_queue() -> Iterator[int]:
    """The queue as short as it may be made; as long as it is where nobody lets us."""
    before = int(_QUEUE.read_text())
    try:
        _QUEUE.write_text("200")
    except OSError:
        yield before
        return
    try:
        yield 200
    finally:
        _QUEUE.write_text(str(before))


if __name__ == "__main__":
    sys.exit(main())
