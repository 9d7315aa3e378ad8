"""Our code map of a tree against somebody else's account of it: scans, compares, prints. Judges nothing but bars.

A command is a module of this package with a ``measure`` that yields a ``Score`` for everything it compared.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from idumb_brain.model.code import Comment, Edge, FileRecord, Import, Symbol
from idumb_brain.scan.discover import DiscoverSettings
from idumb_brain.scan.read import ReadLimits
from idumb_brain.scan.refresh import ScanSettings, Workspace
from idumb_brain.store import code as store
from idumb_brain.store.database import Connection
from tests.accuracy.trees import Unobtainable

K = TypeVar("K", bound=Hashable)
_MAX_BYTES = 50_000_000


@dataclass(frozen=True)
class Score:
    """How far two accounts of one tree agree, on one question."""

    name: str
    truth: str
    tree: str
    files: int
    both: int
    only_ours: Sequence[str] = ()
    only_theirs: Sequence[str] = ()
    precision_bar: float | None = None  # None: the other side does not claim to know everything
    recall_bar: float | None = None
    notes: Sequence[str] = ()  # what was left out of the comparison, and why
    explained: Mapping[str, str] = field(default_factory=dict)  # a pattern of disagreements and why they are; they count

    @property
    def precision(self) -> float:
        return self.both / (self.both + len(self.only_ours)) if self.only_ours else 1.0

    @property
    def recall(self) -> float:
        return self.both / (self.both + len(self.only_theirs)) if self.only_theirs else 1.0

    @property
    def passed(self) -> bool:
        return (
            self.both > 0  # two empty accounts agree about nothing
            and (self.precision_bar is None or self.precision >= self.precision_bar)
            and (self.recall_bar is None or self.recall >= self.recall_bar)
        )


Measure = Callable[[], Iterable[Score]]


class CodeMap:
    """What our index says of a tree, file by file."""

    def __init__(self, root: Path, connection: Connection) -> None:
        self.root = root
        self._connection = connection
        self.files: Mapping[str, FileRecord] = {file.path: file for file in store.files(connection, "status = 'scanned'")}

    def symbols(self, path: str) -> list[Symbol]:
        return store.symbols_of(self._connection, self.files[path])

    def comments(self, path: str) -> list[Comment]:
        return store.comments(self._connection, self.files[path])

    def imports(self, path: str) -> list[Import]:
        return store.imports_of(self._connection, self.files[path])

    def edges(self) -> list[Edge]:
        return store.edges(self._connection)

    def unresolved(self) -> list[tuple[str, str, int, str]]:
        return store.unresolved(self._connection)


@contextmanager
def scanned(root: Path, *, exclude: Sequence[str] = ()) -> Iterator[CodeMap]:
    """The code map of a tree, in an index that is gone afterwards. Leaves the tree as it is.

    What a person would not want to read is still code: nothing is left out for being vendored or generated, only what
    ``exclude`` says, in patterns as ignore files have them.
    """
    settings = ScanSettings(
        discover=DiscoverSettings(
            _MAX_BYTES, vendored=True, include=("*", *(f"!{pattern}" for pattern in exclude)), exclude=tuple(exclude)
        ),
        limits=ReadLimits(_MAX_BYTES, minified_line=1_000_000, generated=True),
        seconds_a_file=120.0,
    )
    with tempfile.TemporaryDirectory(prefix="idumb-accuracy-") as scratch:
        index = Path(scratch, "index.db")
        with Workspace(str(root), index, settings, environ={}, now=lambda: "2026-02-04T10:30:00Z") as workspace:
            workspace.refresh()
        connection = store.open_for_reading(index)
        assert connection is not None
        try:
            yield CodeMap(root, connection)
        finally:
            connection.close()


def compared(ours: Iterable[K], theirs: Iterable[K], told: Callable[[K], str] = str) -> tuple[int, list[str], list[str]]:
    """How much both say, what only we say, what only they say. Saying a thing twice is two things."""
    mine, others = Counter(ours), Counter(theirs)
    both = sum((mine & others).values())
    return both, _lines(mine - others, told), _lines(others - mine, told)


def _lines(left: Counter[K], told: Callable[[K], str]) -> list[str]:
    return sorted(told(key) for key in left.elements())


def main(
    measure: Callable[..., Iterable[Score]],
    description: str,
    arguments: Sequence[str] | None = None,
    *,
    parts: Sequence[str] = (),
) -> int:
    """Run one command: a table, and below it where the two disagree. One with ``parts`` can be asked for some of them."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    if parts:
        parser.add_argument("only", nargs="*", metavar="PART", help=f"measure only these: {', '.join(parts)}")
    _add_listing_options(parser, 10)
    options = parser.parse_args(arguments)
    if not parts:
        return report(measure(), options)
    _check_known(parser, options.only, parts)
    return report(measure(options.only or parts), options)


def main_of_all(commands: Mapping[str, Measure], description: str, arguments: Sequence[str] | None = None) -> int:
    """Run several commands: one table of them all."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("only", nargs="*", metavar="COMMAND", help=f"run only these: {', '.join(commands)}")
    _add_listing_options(parser, 0)
    options = parser.parse_args(arguments)
    _check_known(parser, options.only, commands)
    return report((score for name in options.only or commands for score in scores_of(name, commands[name])), options)


def scores_of(name: str, measure: Measure) -> Iterator[Score]:
    """What a command finds; where it cannot be run, that is a bar missed, with the reason."""
    try:
        yield from measure()
    except Unobtainable as error:
        yield Score(name, "", "", 0, 0, precision_bar=1.0, recall_bar=1.0, notes=(f"not measured: {error}",))


def report(scores: Iterable[Score], options: argparse.Namespace) -> int:
    limit = sys.maxsize if options.all else options.limit
    table = _Table()
    done = []
    try:
        for score in scores:
            print(table.row(score), flush=True)
            done.append(score)
    except Unobtainable as error:
        print(f"not measured: {error}", file=sys.stderr)
        return 2
    for score in done:
        _print_differences(score, limit)
    missed = [score for score in done if not score.passed]
    print(f"\n{len(done) - len(missed)} of {len(done)} bars reached")
    return 1 if missed else 0


def _check_known(parser: argparse.ArgumentParser, asked: Sequence[str], known: Collection[str]) -> None:
    for name in asked:
        if name not in known:
            parser.error(f"there is no {name}; there are {', '.join(known)}")


def _add_listing_options(parser: argparse.ArgumentParser, limit: int) -> None:
    parser.add_argument("--limit", type=int, default=limit, metavar="N", help=f"list up to N disagreements of a kind ({limit})")
    parser.add_argument("--all", action="store_true", help="list every disagreement")


class _Table:
    """Rows as they come, under a head: a measurement may take minutes, and nobody likes to wait for the first."""

    _WIDTHS = (26, 20, 28, 6, 9, 9, 9, 13, 7)
    _HEAD = ("what", "truth", "tree", "files", "both say", "precision", "recall", "bars", "verdict")

    def __init__(self) -> None:
        print(self._joined(self._HEAD))
        print(self._joined(["-" * width for width in self._WIDTHS]))

    def row(self, score: Score) -> str:
        bars = "/".join("-" if bar is None else f"{bar:g}" for bar in (score.precision_bar, score.recall_bar))
        precision = f"{score.precision:.4f}" if score.precision_bar is not None else "-"
        return self._joined(
            (
                score.name, score.truth, score.tree, f"{score.files:,}", f"{score.both:,}", precision, f"{score.recall:.4f}", bars,
                "reached" if score.passed else "MISSED",
            )
        )  # fmt: skip

    def _joined(self, cells: Iterable[str]) -> str:
        return "  ".join(cell.ljust(width) for cell, width in zip(cells, self._WIDTHS, strict=True)).rstrip()


def _print_differences(score: Score, limit: int) -> None:
    shown = [("only we say", score.only_ours), (f"only {score.truth} says", score.only_theirs)]
    shown = [(who, lines) for who, lines in shown if lines and limit > 0]
    if not shown and not score.notes:
        return
    print(f"\n{score.name}, {score.tree}" if score.tree else f"\n{score.name}")
    for note in score.notes:
        print(f"  {note}")
    for who, lines in shown:
        print(f"  {who}: {len(lines):,}")
        for pattern, why in score.explained.items():
            if known := [line for line in lines if re.search(pattern, line)]:
                print(f"    {len(known):,}: {why}")
                lines = [line for line in lines if line not in known]
        for line in lines[:limit]:
            print(f"    {line}")
        if len(lines) > limit:
            print(f"    … and {len(lines) - limit:,} more (--all)")
