"""How fast we scan, as ratios against a floor or a peer that runs in the same minutes on the same tree.

The tree is Django's source distribution: its Python files for the comparison with parsing alone and with other
indexers, everything in it for memory. Prints one table; exit code 1: a bar was missed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from idumb_brain.scan.languages import load_languages, query_folders
from idumb_brain.scan.refresh import ScanSettings, Workspace
from tests.accuracy.trees import Unobtainable, cache, sdist
from tests.bench import peers
from tests.bench.clock import Cost, cost, here, in_turn
from tests.bench.rows import TITLES, Row, ratio_of, shown
from tests.conftest import REPOSITORY

_TREE = "django==5.2"
_MANY = 15_000
_TRIES = 3
# Compiled once, as an installed package is, wherever bytecode is not written beside the sources.
_HOME = {
    "PYTHONPATH": str(REPOSITORY),
    "PYTHONDONTWRITEBYTECODE": "",
    "PYTHONPYCACHEPREFIX": str(cache() / "bytecode"),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tries", type=int, default=_TRIES, metavar="N", help=f"take the best of N runs ({_TRIES})")
    parser.add_argument("--no-peers", action="store_true", help="do not install and run other indexers")
    options = parser.parse_args()
    missed = 0
    print(shown(TITLES))
    try:
        for row in rows(options.tries, not options.no_peers):
            missed += row.reached is False
            print(shown(row.cells), flush=True)
    except Unobtainable as error:
        print(f"not measured: {error}", file=sys.stderr)
        return 2
    return 1 if missed else 0


def rows(tries: int, with_peers: bool) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="idumb-speed-") as scratch:
        place = Path(scratch)
        tree = _python_of(sdist(_TREE), place / "tree")
        yield from _against_parsing(tree, place, tries)
        yield from _rescans(tree, place)
        yield _start(tries)
        yield from _memory(sdist(_TREE), place)
        if with_peers:
            yield from _against_peers(tree, place, tries)


def _against_parsing(tree: Path, place: Path, tries: int) -> Iterator[Row]:
    listed = place / "files.txt"
    languages = load_languages(query_folders())
    listed.write_text(
        "".join(f"{languages.by_name[languages.of_path(str(file))].grammar}\t{file}\n" for file in sorted(tree.rglob("*.py")))
    )
    files = len(listed.read_text().splitlines())
    found = in_turn(
        tries,
        parse=lambda: cost([sys.executable, "-m", "tests.bench.parse_only", str(listed)], cwd=REPOSITORY, environ=_HOME),
        scan=partial(_full_scan, tree),
    )
    parse, scan = found["parse"], found["scan"]
    yield ratio_of(f"full scan of {files:,} files, CPU, against parsing alone", scan.cpu, parse.cpu, 2.2, "s")
    yield ratio_of("the same with two workers, wall, against parsing on one", scan.wall, parse.wall, 1.3, "s")


def _rescans(tree: Path, place: Path) -> Iterator[Row]:
    with _open(tree, place / "small.db") as workspace:
        workspace.refresh()
        time.sleep(0.05)  # files written a moment ago are read twice
        workspace.refresh()
        found = in_turn(9, walk=lambda: here(partial(_stat_walk, tree)), rescan=lambda: here(workspace.refresh))
        yield ratio_of(
            "rescan of nothing changed, against a bare stat walk", found["rescan"].cpu * 1e3, found["walk"].cpu * 1e3, 3.0, "ms"
        )
        small = _one_file(workspace, tree)
    large_tree = place / "large"
    for number in range(5):
        shutil.copytree(tree, large_tree / f"copy{number}")
    with _open(large_tree, place / "large.db") as workspace:
        workspace.refresh()
        large = _one_file(workspace, large_tree / "copy2", "copy2/")
    shutil.rmtree(large_tree)
    yield Row("one file changed, in a running process, wall, median", f"{small:.1f} ms", "25 ms", small / 25, "<= 1", small <= 25)
    yield ratio_of("the same in a tree five times as large", large, small, 1.5, "ms")


def _one_file(workspace: Workspace, tree: Path, prefix: str = "") -> float:
    """Milliseconds to know of a function added to a file that others import, the median of many."""
    path = "django/db/models/fields/related.py"
    file = tree / path
    before = file.read_text()
    taken = []
    for number in range(21):
        file.write_text(f"{before}\n\ndef added_{number}(): ...\n")
        began = time.perf_counter()
        workspace.rescan([prefix + path])
        taken.append(1e3 * (time.perf_counter() - began))
    file.write_text(before)
    workspace.rescan([prefix + path])
    return statistics.median(taken)


def _start(tries: int) -> Row:
    command = [sys.executable, "-m", "idumb_brain", "--version"]
    found = in_turn(
        5 * tries,
        ours=lambda: cost(command, environ=_HOME),
        bare=lambda: cost([sys.executable, "-c", "pass"], environ=_HOME),
    )
    return ratio_of(
        "idumb-brain --version, wall, against python -c pass", found["ours"].wall * 1e3, found["bare"].wall * 1e3, 2.5, "ms"
    )


def _memory(whole: Path, place: Path) -> Iterator[Row]:
    """Everything in the tree, once and as often as it takes to have many files."""
    few = place / "few" / "copy0"
    shutil.copytree(whole, few, ignore=shutil.ignore_patterns("locale"))
    files = sum(len(names) for _, _, names in os.walk(few))
    small = _full_scan(few.parent)
    copies = -(-_MANY // files)
    for number in range(1, copies):
        shutil.copytree(few, place / "few" / f"copy{number}")
    large = _full_scan(few.parent)
    shutil.rmtree(few.parent)
    what = f"peak memory on {copies * files:,} files, all processes"
    yield Row(what, f"{large.peak:.0f} MB", "350 MB", large.peak / 350, "<= 1", large.peak <= 350)
    each = (large.peak - small.peak) * 1e3 / (copies * files - files)
    yield Row(
        "memory a file, beyond the first",
        f"{each:.1f} kB",
        f"{files:,} files: {small.peak:.0f} MB",
        each / 10,
        "<= 1",
        each <= 10,
    )


def _against_peers(tree: Path, place: Path, tries: int) -> Iterator[Row]:
    repository = peers.as_repository(tree, place / "repository")
    ours = in_turn(tries, scan=partial(_full_scan, repository))["scan"]
    shutil.rmtree(repository / ".idumb")
    codegraph = cost([peers.codegraph(), "init", str(repository)], environ={"CODEGRAPH_TELEMETRY": "0", "CI": "true"})
    shutil.rmtree(repository / ".codegraph")
    yield Row(
        "codegraph, CPU, against our full scan", f"{ours.cpu:.1f} s, {ours.peak:.0f} MB",
        f"{codegraph.cpu:.1f} s, {codegraph.peak:.0f} MB", codegraph.cpu / ours.cpu, ">= 5", codegraph.cpu >= 5 * ours.cpu,
    )  # fmt: skip
    words = (
        "--show-repo-map --no-check-update --analytics-disable --no-gitignore --yes-always --no-show-release-notes"
        " --no-show-model-warnings --model gpt-4o --openai-api-key none --map-tokens 4096"
    )
    aider = cost([peers.aider(), *words.split()], cwd=repository, environ={"HOME": str(place)})
    yield _beside("aider's repository map, CPU", ours, aider)
    tags = ["--recurse", "--languages=Python", "-o", str(place / "tags"), str(tree)]
    yield _beside("universal-ctags (definitions only), CPU", ours, cost([peers.ctags(), *tags]))


def _full_scan(tree: Path) -> Cost:
    return cost([sys.executable, "-m", "idumb_brain", "scan", "--root", str(tree), "--full", "--quiet", "--json"], environ=_HOME)


@contextmanager
def _open(tree: Path, index: Path) -> Iterator[Workspace]:
    with Workspace(str(tree), index, ScanSettings(), environ={}, now=lambda: "2026-02-04T10:30:00Z") as workspace:
        yield workspace


def _stat_walk(tree: Path) -> None:
    folders = [str(tree)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    entry.stat(follow_symlinks=False)


def _python_of(tree: Path, place: Path) -> Path:
    for file in tree.rglob("*.py"):
        copy = place / file.relative_to(tree)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    return place


def _beside(what: str, ours: Cost, theirs: Cost) -> Row:
    mine, other = f"{ours.cpu:.1f} s, {ours.peak:.0f} MB", f"{theirs.cpu:.1f} s, {theirs.peak:.0f} MB"
    return Row(what, mine, other, theirs.cpu / ours.cpu, "", None)


if __name__ == "__main__":
    sys.exit(main())
