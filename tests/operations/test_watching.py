"""Whatever happens to a watched tree, its index ends up as a first scan would make it."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from idumb_brain.operations import watching
from idumb_brain.operations.project import find_project
from idumb_brain.operations.watching import Batch, Watcher
from tests.scan.whole import assert_equal, contents, fresh

PATIENCE = 20.0


@contextmanager
def watched(root: Path) -> Iterator[list[Batch]]:
    told: list[Batch] = []
    watcher = Watcher(find_project(str(root)), told.append).start()
    try:
        _until(lambda: bool(told))
        time.sleep(0.4)  # the watch begins after the first walk
        yield told
    finally:
        watcher.close()


def _until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def _settled(root: Path, told: list[Batch]) -> None:
    """Wait for the walk that follows when things have calmed down."""
    seen = len(told)
    _until(lambda: any(batch.about == "check" for batch in told[seen:]))


def _agrees(root: Path, scratch: Path) -> None:
    got = contents(root / ".idumb" / "brain" / "index.db")
    assert_equal(got, fresh(root, scratch))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / "shop").mkdir(parents=True)
    (root / "shop" / "__init__.py").write_text("")
    for number in range(30):
        (root / "shop" / f"m{number}.py").write_text(f"from shop.m{(number + 1) % 30} import f\n\n\ndef f(): ...\n")
    return root


def test_a_write_is_known_at_once(tree: Path, tmp_path: Path) -> None:
    with watched(tree) as told:
        (tree / "shop" / "m3.py").write_text("def brand_new(): ...\n")
        _until(lambda: any(batch.report.scanned == ("shop/m3.py",) for batch in told))
        assert [batch.about for batch in told if batch.report.scanned][-1] == "changes"
        _settled(tree, told)
    _agrees(tree, tmp_path)


def test_editors_that_write_by_rename(tree: Path, tmp_path: Path) -> None:
    with watched(tree) as told:
        (tree / "shop" / ".m4.py.swp").write_text("def renamed(): ...\n")
        os.replace(tree / "shop" / ".m4.py.swp", tree / "shop" / "m4.py")
        _until(lambda: any("shop/m4.py" in batch.report.scanned for batch in told))
        _settled(tree, told)
    _agrees(tree, tmp_path)


def test_the_root_goes_away_and_comes_back(tree: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "copy"
    shutil.copytree(tree, elsewhere)
    with watched(tree) as told:
        shutil.rmtree(tree)
        time.sleep(0.6)
        (elsewhere / "shop" / "late.py").write_text("x = 1\n")
        seen = len(told)
        os.rename(elsewhere, tree)
        _until(lambda: any(batch.about == "start" for batch in told[seen:]))
        time.sleep(0.4)
        (tree / "shop" / "later.py").write_text("y = 1\n")
        _until(lambda: any("shop/later.py" in batch.report.scanned for batch in told[seen:]))
        _settled(tree, told)
    _agrees(tree, tmp_path)


def test_other_settings_are_taken_up(tree: Path, tmp_path: Path) -> None:
    with watched(tree) as told:
        (tree / ".idumb" / "config.json").write_text('{"scan": {"exclude": ["m1*.py"]}}')
        _until(lambda: any(batch.about == "settings" and len(batch.report.removed) == 11 for batch in told))


def test_our_own_writes_and_caches_wake_nobody(tree: Path) -> None:
    with watched(tree) as told:
        _settled(tree, told)
        seen = len(told)
        (tree / "__pycache__").mkdir()
        (tree / "__pycache__" / "m.pyc").write_bytes(b"\0")
        (tree / ".idumb" / "brain" / "note.log").write_text("x")
        time.sleep(1.0)
        assert all(batch.about == "changes" and not batch.report.scanned for batch in told[seen:])
        assert len(told) - seen <= 1  # the new folder itself


def test_where_the_system_cannot_watch(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import watchfiles

    def full(*_: object, **__: object) -> Iterator[set[object]]:
        raise OSError(28, "no space left for another watch")
        yield

    monkeypatch.setattr(watchfiles, "watch", full)
    monkeypatch.setattr(watching, "_POLL", 0.1)
    notices: list[str] = []
    told: list[Batch] = []
    watcher = Watcher(find_project(str(tree)), told.append, notices.append).start()
    try:
        _until(lambda: len(told) > 1)
        (tree / "shop" / "m5.py").write_text("z = 1\n")
        _until(lambda: any("shop/m5.py" in batch.report.scanned for batch in told))
        assert "every 0.1 s instead" in notices[0]
    finally:
        watcher.close()


@pytest.mark.parametrize("seed", range(2))
def test_random_changes(tree: Path, tmp_path: Path, seed: int) -> None:
    """Five hundred edits, moves, deletes and checkouts for each seed."""
    chance = random.Random(seed)
    git = ["git", "-C", str(tree), "-c", "user.name=a", "-c", "user.email=a@b"]
    (tree / ".gitignore").write_text(".idumb/\n")
    subprocess.run([*git, "init", "-q", "-b", "one"], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-qm", "one"], check=True)
    subprocess.run([*git, "branch", "two"], check=True)
    with watched(tree) as told:
        for step in range(500):
            files = sorted(path for path in tree.rglob("*.py") if ".git" not in path.parts)
            way = chance.choice(["edit", "edit", "new", "move", "delete", "folder", "checkout"])
            if way == "edit" and files:
                with chance.choice(files).open("a") as file:
                    file.write(f"def g{step}(): ...\n")
            elif way == "new":
                (tree / "shop" / f"n{chance.randrange(40)}.py").write_text(f"import shop.m{chance.randrange(30)}\n")
            elif way == "move" and files:
                os.replace(chance.choice(files), tree / "shop" / f"moved{chance.randrange(20)}.py")
            elif way == "delete" and len(files) > 5:
                chance.choice(files).unlink()
            elif way == "folder":
                folder = tree / f"pack{chance.randrange(4)}"
                if folder.exists() and chance.random() < 0.5:
                    shutil.rmtree(folder)
                else:
                    folder.mkdir(exist_ok=True)
                    (folder / "a.py").write_text("from shop import m1\n")
            elif way == "checkout" and step % 10 == 0:
                subprocess.run([*git, "add", "-A"], check=True)
                subprocess.run([*git, "commit", "-qm", "more"], capture_output=True)
                subprocess.run([*git, "checkout", "-q", chance.choice(["one", "two"])], check=True)
            if chance.random() < 0.05:
                time.sleep(chance.uniform(0, 0.1))
        _settled(tree, told)
    _agrees(tree, tmp_path)
