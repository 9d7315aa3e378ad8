"""All figures in one table: speed, retrieval, accuracy, memory, governance, hooks, the page; beside peers and floors where there are any.

    python -m tests.bench [AREA…] [--markdown]

Each area has a command of its own that tells more; they are named in idumb_brain/guides/development.md. What cannot be
measured on this machine is a line with the reason. Exit code 1: a bar was missed.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

from idumb_brain import __version__
from tests.accuracy.trees import Unobtainable
from tests.bench.rows import TITLES, Row, at_least, at_most, shown


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("areas", nargs="*", metavar="AREA", help=f"only these: {', '.join(AREAS)}")
    parser.add_argument("--markdown", action="store_true", help="as a table for a document")
    options = parser.parse_args()
    for name in options.areas:
        if name not in AREAS:
            parser.error(f"there is no area {name}; there are {', '.join(AREAS)}")
    line = _markdown if options.markdown else shown
    print(machine(), end="\n\n")
    print(line(TITLES))
    if options.markdown:
        print("| --- | --- | --- | --- | --- | --- |")
    missed = 0
    for name in options.areas or AREAS:
        for row in _rows(AREAS[name], name):
            missed += row.reached is False
            print(line(row.cells), flush=True)
    return 1 if missed else 0


def machine() -> str:
    """What these figures were made on: they say nothing without it."""
    try:
        chip = next(line.partition(": ")[2] for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line)
    except (OSError, StopIteration):
        chip = platform.processor() or platform.machine()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"idumb-brain {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}, {chip},"
        f" {os.cpu_count()} cores, {memory:.0f} GiB, load {os.getloadavg()[0]:.1f}"
    )


def _rows(area: Callable[[], Iterator[Row]], name: str) -> Iterator[Row]:
    try:
        yield from area()
    except (Unobtainable, pytest.skip.Exception) as error:
        yield Row(name, "not measured", other=str(error))


def _markdown(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def scanning() -> Iterator[Row]:
    from tests.bench.speed import rows

    yield from rows(tries=3, with_peers=True)


def finding() -> Iterator[Row]:
    from tests.bench.retrieval import figures

    yield from figures()


def accuracy() -> Iterator[Row]:
    for name in ("python_ast", "python_imports", "typescript", "c_includes", "go_packages"):
        try:
            for score in import_module(f"tests.accuracy.{name}").measure():
                what, bar = f"{score.name}: {score.tree}", score.recall_bar
                least = min(score.precision, score.recall) if score.precision_bar else score.recall
                yield at_least(what[:58], least, bar, other=score.truth, digits=4)
        except Unobtainable as error:
            yield Row(name, "not measured", other=str(error))


def remembering() -> Iterator[Row]:
    from tests.bench.recall_speed import BAR, questioned

    taken = questioned(100_000, 200)
    yield at_most("brain query among 100,000 entries, p95", taken[int(len(taken) * 0.95)], BAR, "ms")


def governing() -> Iterator[Row]:
    from tests.bench.governing import figures

    for name, (_, p95) in figures(times=30):
        what = f"govern: {name.strip()}, p95"
        yield Row(what, f"{p95:.1f} ms") if "first time" in name else at_most(what, p95, 2.0, "ms")


def agents() -> Iterator[Row]:
    from tests.bench.live_hooks import measured, p95

    for name, times in measured().items():
        bar = 400.0 if name == "plugin start" else 10.0
        yield at_most(f"OpenCode waits: {name}, p95", p95(times), bar, "ms")


def looking() -> Iterator[Row]:
    from idumb_brain.operations.scanning import scan
    from tests.bench.page import made, measured

    with tempfile.TemporaryDirectory() as folder:
        root = made(Path(folder) / "project", 5000)
        scan(str(root))
        told = measured(root)
    yield at_most("view: first paint, 5,000 files", told.paint, 2000, "ms")
    yield at_most("view: graph drawn, 5,000 files", told.first, 2000, "ms")
    yield at_least("view: frames a second, panning", told.pan[0], 30, digits=0)
    yield at_least("view: frames a second, zooming", told.zoom[0], 30, digits=0)


AREAS: dict[str, Callable[[], Iterator[Row]]] = {
    "scanning": scanning, "finding": finding, "accuracy": accuracy, "remembering": remembering, "governing": governing,
    "agents": agents, "looking": looking,
}  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
