"""What a command costs: processor seconds of it and its children, time on the wall, peak memory of all of them together."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_SAMPLE = 0.02  # seconds between two looks at the memory


@dataclass(frozen=True)
class Cost:
    cpu: float  # seconds, user and system
    wall: float
    peak: float = 0.0  # megabytes, summed over all processes at the worst moment; pages they share count for each


def cost(command: Sequence[str], *, cwd: Path | None = None, environ: Mapping[str, str] | None = None) -> Cost:
    """Run a command to its end. One that fails says so."""
    began = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=cwd, env=dict(os.environ, **(environ or {})), stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr
    watch = _Watch(process.pid)
    watch.start()
    told = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    watch.over.set()
    watch.join()
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)}: {told.decode(errors='replace')[-500:]}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, watch.peak)


def cheapest(runs: Sequence[Cost]) -> Cost:
    """The best of several runs of the same thing: what it costs when nobody disturbs it."""
    return Cost(min(run.cpu for run in runs), min(run.wall for run in runs), max(run.peak for run in runs))


def in_turn(tries: int, **commands: Callable[[], Cost]) -> dict[str, Cost]:
    """Every command as often as told, one after the other, so that a slow minute of the machine hits all of them."""
    runs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(tries):
        for name, run in commands.items():
            runs[name].append(run())
    return {name: cheapest(made) for name, made in runs.items()}


def here(work: Callable[[], object]) -> Cost:
    """What a piece of work costs this very process."""
    before, began = time.process_time(), time.perf_counter()
    work()
    return Cost(time.process_time() - before, time.perf_counter() - began)


class _Watch(threading.Thread):
    """Looks at the memory of a process and all below it until told that they are over."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.over = threading.Event()
        self.peak = 0.0
        self._pid = pid

    def run(self) -> None:
        while not self.over.wait(_SAMPLE):
            self.peak = max(self.peak, _resident(self._pid) / 1e6)


def _resident(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (OSError, ValueError):
        return 0  # over since we were told of it, or a system that does not tell
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(_resident(int(child)) for child in children)
