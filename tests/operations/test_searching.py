"""``query``: what is found and why, kept up to date, whoever else is at it, whatever is asked."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from idumb_brain.model.errors import NotScanned
from idumb_brain.operations.project import find_project
from idumb_brain.operations.scanning import scan
from idumb_brain.operations.searching import Searcher, query
from tests.conftest import FIXTURES

ROOM = FIXTURES / "projects" / "reading_room"


@pytest.fixture
def room(tmp_path: Path) -> Path:
    root = tmp_path / "room"
    shutil.copytree(ROOM, root)
    scan(str(root))
    return root


def _ask(root: Path, text: str) -> dict[str, Any]:
    return query(text, str(root))


@pytest.mark.parametrize("file", sorted((FIXTURES / "queries").glob("*.txt")), ids=lambda file: file.stem)
def test_ranked(file: Path, tmp_path: Path, snapshot: Callable[[Path, str], None]) -> None:
    root = tmp_path / file.stem
    shutil.copytree(FIXTURES / "projects" / file.stem, root)
    scan(str(root))
    told = []
    for text in file.read_text("utf-8").splitlines():
        if text.startswith("#"):
            continue
        told.append(f"? {text}")
        data = query(text, str(root), limit=4)
        for kind, name in (("files", "path"), ("symbols", "id"), ("documents", "path")):
            told += [f"  {kind[:-1]} {one[name]}: {'; '.join(one['reasons'])}" for one in data[kind]]
    snapshot(file.with_suffix(".expected"), "\n".join(told) + "\n")


def test_what_changed_is_found_as_if_all_were_new(room: Path) -> None:
    texts = ["who borrows", "a lighthouse keeper", "Shelf"]
    _ask(room, "loan")
    (room / "lighthouse.py").write_text('"""The keeper of the lighthouse."""\n\ndef keeper():\n    return "Shelf"\n')
    victim = next(path for path in sorted(room.rglob("*.py")) if path.name != "lighthouse.py" and path.stat().st_size > 200)
    victim.write_text(victim.read_text() + "\n# whoever borrows a lighthouse\n")
    scan(str(room))
    grown = [_ask(room, text) for text in texts]
    (room / ".idumb" / "brain" / "search.db").unlink()
    fresh = [_ask(room, text) for text in texts]
    assert grown == fresh
    assert grown[1]["files"][0]["path"] == "lighthouse.py"


def test_what_is_gone_is_not_found(room: Path) -> None:
    first = _ask(room, "loan")["files"][0]["path"]
    (room / first).unlink()
    told = _ask(room, "loan")
    assert first in " ".join(told["notes"])
    scan(str(room))
    assert first not in [one["path"] for one in _ask(room, "loan")["files"]]


def test_history_speaks_and_grows(room: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=M", "-c", "user.email=m@x", "-C", str(room), *words], check=True, capture_output=True
        )

    git("init", "-q")
    target = sorted(room.rglob("*.py"))[0].relative_to(room).as_posix()
    git("add", target)
    git("commit", "-qm", "Teach the walrus to sing")
    scan(str(room))
    assert _ask(room, "walrus sings")["files"][0]["reasons"] == ['commit "Teach the walrus to sing" touched it']
    other = sorted(room.rglob("*.py"))[1].relative_to(room).as_posix()
    git("add", other)
    git("commit", "-qm", "Give the heron a hat")
    assert _ask(room, "heron hat")["files"][0]["path"] == other
    git("mv", target, "moved.py")
    git("commit", "-qm", "Move")
    scan(str(room))
    assert _ask(room, "walrus sings")["files"][0]["path"] == "moved.py"


def test_one_commit_of_everything_is_no_habit(room: Path) -> None:
    def commit() -> None:
        identity = ["-c", "user.name=M", "-c", "user.email=m@x"]
        for words in (["add", "-A"], ["commit", "-qm", "Import"]):
            subprocess.run(["git", *identity, "-C", str(room), *words], check=True, capture_output=True)

    def habits() -> list[str]:
        return [reason for hit in _ask(room, "borrow")["files"] for reason in hit["reasons"] if reason.startswith("often")]

    subprocess.run(["git", "init", "-q", str(room)], check=True)
    commit()
    scan(str(room))
    assert not habits()
    for _ in range(2):
        for path in ("library/loans.py", "library/readers.py"):
            with (room / path).open("a") as file:
                file.write("# borrow\n")
        commit()
    scan(str(room))
    assert habits()


def _asked_elsewhere(root: str) -> dict[str, Any]:
    return query("who borrows a loan", root)


def test_many_who_ask_at_once_are_told_the_same(room: Path) -> None:
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        first, *others = pool.map(_asked_elsewhere, [str(room)] * 8)
    assert first["files"]
    assert all(other == first for other in others)


def test_a_searcher_notices_what_others_do(room: Path) -> None:
    with Searcher(find_project(str(room))) as searcher:
        assert not [hit for hit in searcher.find("lighthouse").files if hit.path == "lighthouse.py"]
        (room / "lighthouse.py").write_text("def lighthouse():\n    return 1\n")
        scan(str(room))
        assert searcher.find("lighthouse").files[0].path == "lighthouse.py"


def test_a_searcher_outlives_the_stores_it_opened(room: Path) -> None:
    with Searcher(find_project(str(room))) as searcher:
        before = searcher.find("who borrows a loan")
        (room / ".idumb" / "brain" / "search.db").unlink()
        assert searcher.find("who borrows a loan") == before
        shutil.rmtree(room / ".idumb" / "brain")
        with pytest.raises(NotScanned):
            searcher.find("who borrows a loan")
        scan(str(room))
        assert searcher.find("who borrows a loan") == before


def _churns(root: str) -> None:
    for number in range(8):
        Path(root, f"extra_{number % 3}.py").write_text(f"def borrow_{number}():\n    return {number}\n")
        if number > 3:
            Path(root, f"extra_{number % 2}.py").unlink(missing_ok=True)
        scan(root)
        query("borrow", root)


def test_reading_while_others_write(room: Path) -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool, Searcher(find_project(str(room))) as searcher:
        writing = pool.submit(_churns, str(room))
        while not writing.done():
            assert searcher.find("who borrows a loan").files
        writing.result()


def test_seeds_pull_what_hangs_together(room: Path) -> None:
    with Searcher(find_project(str(room))) as searcher:
        paths = {hit.path for hit in searcher.find("zyxwvut").files}
        seeds = dict.fromkeys(sorted(path.relative_to(room).as_posix() for path in room.rglob("*.py")), 1.0)
        assert not paths
        assert searcher.find("zyxwvut", seeds=seeds).files


def test_another_ranker_may_say_what_is_near_in_meaning(room: Path) -> None:
    def meaning(text: str, paths: Sequence[str]) -> dict[str, float]:
        return {path: 1.0 for path in paths if path == "library/server.py" and "borrow" in text}

    with Searcher(find_project(str(room)), meaning=meaning) as searcher:
        found = {hit.path: hit.score.reasons for hit in searcher.find("borrow").files}
    assert "means something alike" in found["library/server.py"]


@pytest.mark.parametrize("path", ["library/shelves.py", "/home/mira/library/shelves.py", "shelves.py"])
def test_a_pasted_path_comes_first(room: Path, path: str) -> None:
    first = _ask(room, f"what about {path}:12 there")["files"][0]
    assert (first["path"], first["reasons"][0]) == ("library/shelves.py", "the text names it, line 12")


@pytest.mark.parametrize("text", ["", " \n\t", "\0\x01\x02", "x" * 100_000, "%s '; DROP TABLE docs; --", "\ud800", "(" * 5_000])
def test_any_text_is_answered(room: Path, text: str) -> None:
    told = query(text, str(room), budget=50)
    assert told["tokens"] <= 50
    assert told == query(text, str(room), budget=50)


def test_without_an_index_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotScanned):
        query("anything", str(tmp_path))


def test_files_that_cannot_be_read_are_no_obstacle(room: Path) -> None:
    (room / "blob.py").write_bytes(b"\0\1\2" * 100)
    (room / "lost.py").write_text("def lost():\n    pass\n")
    scan(str(room))
    (room / "lost.py").unlink()
    assert "lost.py" in [one["path"] for one in _ask(room, "lost")["files"]]
