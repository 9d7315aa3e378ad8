"""Types of documents against labels given by people who read them, and every stale place we report against verdicts on it.

The labels and verdicts are data beside this file: repository, revision, path; no text of anybody's documents. The repositories
themselves are looked for in the folder $IDUMB_DOCUMENT_MIRRORS, as git directories OWNER+NAME/repo, OWNER+NAME or OWNER/NAME; what is
missing is named. ``types`` asks for types, ``stale`` scans whole checkouts and takes minutes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from idumb_brain.graph.documents import relate
from idumb_brain.model.documents import DEAD_ANCHOR, DEAD_LINK, TYPES
from idumb_brain.scan.documents import document_facts
from idumb_brain.scan.languages import query_folders
from idumb_brain.scan.refresh import ScanSettings, Workspace
from idumb_brain.store import code as store
from tests.accuracy.measure import Score, main
from tests.accuracy.trees import Unobtainable

_LABELS = Path(__file__).with_name("documents_labels.tsv")
_VERDICTS = Path(__file__).with_name("documents_verdicts.tsv")
_TYPE_BAR = 0.92
_STALE_BAR = 0.9
_PARTS = ("types", "stale")


@dataclass(frozen=True)
class _Label:
    part: str
    repository: str
    revision: str
    path: str
    label: str
    reason: str


@dataclass(frozen=True)
class _Verdict:
    repository: str
    revision: str
    path: str
    line: int
    kind: str
    text: str
    verdict: str
    note: str


def measure(parts: Sequence[str] = _PARTS) -> Iterator[Score]:
    if "types" in parts:
        yield from _types()
    if "stale" in parts:
        yield from _stale()


def labels() -> list[_Label]:
    return [_Label(*row) for row in _rows(_LABELS)]


def verdicts() -> list[_Verdict]:
    return [_Verdict(r[0], r[1], r[2], int(r[3]), *r[4:]) for r in _rows(_VERDICTS)]


def _types() -> Iterator[Score]:
    folders = query_folders()
    found: list[tuple[_Label, str]] = []
    known = labels()
    mirrors = _mirrors({(one.repository, one.revision) for one in known})
    for one in known:
        told = subprocess.run(
            ["git", "--git-dir", str(mirrors[one.repository]), "show", f"{one.revision}:{one.path}"], capture_output=True
        )
        if told.returncode:
            raise Unobtainable(f"{one.repository} at {one.revision} has no {one.path}: {told.stderr.decode().strip()}")
        document = document_facts(one.path, told.stdout, folders)
        found.append((one, document.type if document else "no document"))
    _print_confusion(found)
    for part in ("tuned", "second", "held"):
        mine = [(one, got) for one, got in found if one.part == part]
        wrong = [f"{one.repository} {one.path}: {got}, read as {one.label}" for one, got in mine if got != one.label]
        repositories = len({one.repository for one, _ in mine})
        yield Score(
            f"type ({part})", "people", f"{repositories} repositories", len(mine), len(mine) - len(wrong), wrong, (), _TYPE_BAR
        )


def _print_confusion(found: Sequence[tuple[_Label, str]]) -> None:
    counted = Counter((one.label, got) for one, got in found)
    columns = [*TYPES, *sorted({got for _, got in found} - set(TYPES))]
    print("read as ↓ said →".ljust(18) + "".join(name[:9].rjust(10) for name in columns))
    for label in TYPES:
        print(label.ljust(18) + "".join(str(counted[label, got] or ".").rjust(10) for got in columns))
    print()


def _stale() -> Iterator[Score]:
    """A place nobody gave a verdict on counts against us: it has not been read."""
    known = verdicts()
    said = {(v.repository, v.path, v.line, v.kind, v.text): v.verdict for v in known}
    revisions = sorted({(v.repository, v.revision) for v in known})
    mirrors = _mirrors(set(revisions))
    right: dict[bool, int] = {True: 0, False: 0}
    wrong: dict[bool, list[str]] = {True: [], False: []}
    files = 0
    for repository, revision in revisions:
        for place in _reported(mirrors[repository], revision):
            path, line, kind, text = place
            files += 1
            is_link = kind in (DEAD_LINK, DEAD_ANCHOR)
            verdict = said.get((repository, *place), "unread")
            if verdict == "true":
                right[is_link] += 1
            else:
                wrong[is_link].append(f"{repository} {path}:{line} {kind} {text}: {verdict}")
    tree = f"{len(revisions)} repositories"
    yield Score("dead links and anchors", "people, remark", tree, files, right[True], wrong[True], (), 1.0)
    yield Score("other stale places", "people", tree, files, right[False], wrong[False], (), _STALE_BAR)


def _reported(mirror: Path, revision: str) -> list[tuple[str, int, str, str]]:
    with tempfile.TemporaryDirectory(prefix="idumb-documents-") as scratch:
        root, index = Path(scratch, "tree"), Path(scratch, "index.db")
        subprocess.run(
            ["git", "clone", "-q", "--shared", "--no-checkout", str(mirror), str(root)], check=True, capture_output=True
        )
        subprocess.run(["git", "-C", str(root), "checkout", "-q", revision], check=True, capture_output=True)
        with Workspace(str(root), index, ScanSettings(), environ={}, now=lambda: "2026-02-04T10:30:00Z") as workspace:
            workspace.refresh()
        connection = store.open_for_reading(index)
        assert connection is not None
        try:
            related = relate(connection, root, query_folders())
        finally:
            connection.close()
    return [(one.file.path, stale.line, stale.kind, stale.text) for one in related for stale in one.stale]


def _mirrors(wanted: set[tuple[str, str]]) -> dict[str, Path]:
    top = os.environ.get("IDUMB_DOCUMENT_MIRRORS", "")
    if not top:
        raise Unobtainable("set IDUMB_DOCUMENT_MIRRORS to a folder of git directories, OWNER+NAME/repo; see --help")
    found: dict[str, Path] = {}
    missing: list[str] = []
    for repository, revision in sorted(wanted):
        joined = repository.replace("/", "+", 1)
        places = [
            Path(top, *parts) for parts in ((joined, "repo"), (joined, ".git"), (joined,), (repository, ".git"), (repository,))
        ]
        there = next((place for place in places if (place / "HEAD").is_file()), None)
        if there is None:
            missing.append(f"{repository} at {revision}")
        else:
            found[repository] = there
    if missing:
        raise Unobtainable(f"not in {top}: {', '.join(missing)}")
    return found


def _rows(file: Path) -> list[list[str]]:
    lines = [line for line in file.read_text("utf-8").split("\n") if line and not line.startswith("#")]
    return [line.split("\t") for line in lines[1:]]


if __name__ == "__main__":
    sys.exit(main(measure, __doc__, parts=_PARTS))
