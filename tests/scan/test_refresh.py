"""However the tree changed and however we got there, the index equals that of a first scan."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

from idumb_brain.model.errors import StoreDamaged
from idumb_brain.scan.refresh import ScanSettings
from idumb_brain.store import facts
from tests.conftest import FIXTURES
from tests.scan.whole import assert_equal, contents, fresh, workspace

PROJECTS = sorted(folder for folder in (FIXTURES / "projects").iterdir() if folder.is_dir())


@pytest.mark.parametrize("project", PROJECTS, ids=lambda folder: folder.name)
@pytest.mark.parametrize("seed", [1, 2])
def test_random_changes(project: Path, seed: int, tmp_path: Path) -> None:
    """Files come, go, move and change; one process keeps up by whole refreshes and by single files."""
    root = tmp_path / "tree"
    shutil.copytree(project, root)
    chance = random.Random(seed)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with workspace(root, tmp_path / "index.db") as kept:
        kept.refresh()
        for _ in range(6):
            touched = [path for _ in range(chance.randint(1, 3)) for path in _change(root, chance)]
            if chance.random() < 0.6:
                kept.rescan(touched)
            else:
                kept.refresh()
            assert_equal(contents(tmp_path / "index.db"), fresh(root, scratch))


def _change(root: Path, chance: random.Random) -> list[str]:
    files = sorted(path for path in root.rglob("*") if path.is_file())
    if not files:
        return []
    one, other = chance.choice(files), chance.choice(files)
    way = chance.choice(["remove", "move", "copy", "grow", "shrink", "swap", "touch", "new"])
    if way == "remove":
        one.unlink()
    elif way == "move":
        target = other.parent / f"moved_{one.name}"
        one.rename(target)
        return [_name(root, one), _name(root, target)]
    elif way == "copy":
        target = other.parent / one.name
        if target != one:
            shutil.copyfile(one, target)
        return [_name(root, target)]
    elif way == "grow":
        one.write_bytes(one.read_bytes() + other.read_bytes())
    elif way == "shrink":
        one.write_bytes(one.read_bytes()[: one.stat().st_size // 2])
    elif way == "swap" and one != other and one.suffix == other.suffix:
        text = one.read_bytes()
        one.write_bytes(other.read_bytes())
        other.write_bytes(text)
        return [_name(root, one), _name(root, other)]
    elif way == "touch":
        os.utime(one)
    else:
        target = one.with_name(f"new{chance.randint(0, 99)}{one.suffix}")
        target.write_bytes(other.read_bytes())
        return [_name(root, target)]
    return [_name(root, one)]


def _name(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix()


def _tree(root: Path, files: int, folder: str = "pkg") -> None:
    (root / folder).mkdir(parents=True)
    (root / folder / "__init__.py").write_text("")
    for number in range(files):
        before = f"from .m{number - 1} import f{number - 1}\n" if number else ""
        (root / folder / f"m{number}.py").write_text(
            f"{before}def f{number}(x: int) -> int:\n    '''Doc {number}.'''\n    return x\n"
        )


def test_unchanged_files_are_not_read_again(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    _tree(root, 30)
    os.utime(root / "pkg" / "m3.py", (1e9, 1e9))
    with workspace(root, tmp_path / "index.db") as kept:
        first = kept.refresh()
        assert (first.mode, len(first.scanned), first.unchanged) == ("full", 31, 0)
        kept.refresh()  # files written in this very instant are read once more to be sure
        again = kept.refresh()
        assert (again.mode, again.scanned, again.unchanged, again.removed) == ("incremental", (), 31, ())
        (root / "pkg" / "m7.py").write_text("x = 1\n")
        assert kept.refresh().scanned == ("pkg/m7.py",)
        (root / "pkg" / "m8.py").unlink()
        gone = kept.refresh()
        assert gone.removed == ("pkg/m8.py",) and gone.unchanged == 30


def test_same_content_with_another_time_is_not_rewritten(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    _tree(root, 5)
    with workspace(root, tmp_path / "index.db") as kept:
        kept.refresh()
        os.utime(root / "pkg" / "m1.py", (1e9, 1e9))
        assert kept.refresh().scanned == ()


def test_same_size_and_time_but_another_inode_is_seen(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    _tree(root, 5)
    file = root / "pkg" / "m1.py"
    with workspace(root, tmp_path / "index.db") as kept:
        kept.refresh()
        kept.refresh()
        stat = file.stat()
        other = tmp_path / "other"
        other.write_text(file.read_text().replace("f1", "g1"))
        os.utime(other, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        other.replace(file)
        assert kept.refresh().scanned == ("pkg/m1.py",)


def test_a_file_moved_in_one_go_keeps_its_edges(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.py").write_text("x = 1\n")
    (root / "z.py").write_text("import a\nimport b.c\n")
    with workspace(root, tmp_path / "index.db") as kept:
        kept.refresh()
        (root / "z.py").rename(root / "y.py")  # the newest file goes, and another comes
        kept.refresh()
        (root / "y.py").rename(root / "x.py")
        kept.rescan(["x.py", "y.py"])
    assert_equal(contents(tmp_path / "index.db"), fresh(root, tmp_path))


def test_a_single_new_file_is_judged_as_a_walk_would(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    _tree(root, 3)
    (root / ".gitignore").write_text("*.gen.py\n/out/\n")
    with workspace(root, tmp_path / "index.db") as kept:
        kept.refresh()
        (root / "pkg" / "a.gen.py").write_text("x = 1\n")
        (root / "out").mkdir()
        (root / "out" / "b.py").write_text("x = 1\n")
        (root / "pkg" / "c.py").write_text("x = 1\n")
        (root / "pkg" / "d.png").write_bytes(b"\x89PNG")
        report = kept.rescan(["pkg/a.gen.py", "out/b.py", "pkg/c.py", "pkg/d.png"])
        assert report.scanned == ("pkg/c.py",)
        assert_equal(contents(tmp_path / "index.db"), fresh(root, tmp_path))
        (root / ".gitignore").write_text("/out/\n")
        assert "pkg/a.gen.py" in kept.rescan([".gitignore"]).scanned
        shutil.rmtree(root / "pkg")
        kept.rescan(["pkg"])
        assert_equal(contents(tmp_path / "index.db"), fresh(root, tmp_path))


def test_files_that_change_while_we_scan(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    _tree(root, 500)
    chance = random.Random(5)

    def meddle(done: int, total: int, what: str) -> None:
        for _ in range(5):
            number = chance.randrange(500)
            file = root / "pkg" / f"m{number}.py"
            if chance.random() < 0.4:
                file.unlink(missing_ok=True)
            else:
                file.write_text(f"def other{number}(): pass\n")

    with workspace(root, tmp_path / "index.db") as kept:
        kept.refresh(progress=meddle)
        kept.refresh()
        assert_equal(contents(tmp_path / "index.db"), fresh(root, tmp_path))


def test_a_checkout_while_we_scan(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()

    def git(*words: str) -> None:
        identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(("git", *identity, *words), cwd=root, check=True, capture_output=True)

    git("init", "-q", "-b", "one")
    _tree(root, 450)
    git("add", "-A")
    git("commit", "-qm", "one")
    git("checkout", "-qb", "two")
    shutil.rmtree(root / "pkg")
    _tree(root, 450, "other")
    (root / "other" / "m3.py").write_text("from .m77 import f77\n")
    git("add", "-A")
    git("commit", "-qm", "two")
    moments = iter(["one", "two", "one"])

    def meddle(done: int, total: int, what: str) -> None:
        if done and done % 100 == 0 and (branch := next(moments, "")):
            git("checkout", "-q", branch)

    with workspace(root, tmp_path / "index.db") as kept:
        kept.refresh(progress=meddle)
        kept.refresh()
        assert_equal(contents(tmp_path / "index.db"), fresh(root, tmp_path))


def test_two_processes_share_an_index(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    _tree(root, 20)
    with workspace(root, tmp_path / "index.db") as one, workspace(root, tmp_path / "index.db") as other:
        one.refresh()
        other.refresh()
        (root / "pkg" / "m21.py").write_text("from .m2 import f2\n")
        one.rescan(["pkg/m21.py"])
        (root / "pkg" / "m2.py").rename(root / "pkg" / "n2.py")
        other.rescan(["pkg/m2.py", "pkg/n2.py"])
        (root / "pkg" / "m2.py").write_text("def f2(): ...\n")
        one.rescan(["pkg/m2.py"])
        assert_equal(contents(tmp_path / "index.db"), fresh(root, tmp_path))


def test_one_who_only_signs_knows_what_others_wrote(tmp_path: Path) -> None:
    """A scan that finds nothing to do must not take what it knew before somebody else's for the present."""
    root = tmp_path / "tree"
    (root / ".git" / "info").mkdir(parents=True)
    (root / "shop").mkdir()
    (root / "shop" / "shelf.py").write_text("def put(): ...\n")
    (tmp_path / "scratch").mkdir()
    index = tmp_path / "index.db"
    with workspace(root, index) as here, workspace(root, index) as there:
        here.refresh()
        (root / "till.py").write_text("from shop import shelf\n")
        os.utime(root / "till.py", (1, 1))  # long enough ago for its stat to vouch for it
        here.rescan(["till.py"])
        (root / "shop" / "shelf.py").unlink()
        there.rescan(["shop/shelf.py"])
        here.rescan(["till.py"])  # nothing has changed in it
        (root / ".git" / "info" / "exclude").write_text("nothing\n")
        here.refresh()  # nor anywhere; only what is ignored
        (root / "desk.py").write_text("from shop import shelf\n")
        here.rescan(["desk.py"])
        assert_equal(contents(index), fresh(root, tmp_path / "scratch"))


def test_what_was_rolled_back_is_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "tree"
    (root / "shop").mkdir(parents=True)
    (root / "till.py").write_text("from shop import shelf\n")
    (tmp_path / "scratch").mkdir()
    index = tmp_path / "index.db"
    with workspace(root, index) as kept:
        kept.refresh()
        (root / "desk.py").write_text("import till\n")
        kept.rescan(["desk.py"])
        (root / "shop" / "shelf.py").write_text("def put(): ...\n")
        with monkeypatch.context() as full:
            full.setattr(facts, "write_edges", _disk_full)
            with pytest.raises(StoreDamaged):
                kept.rescan(["shop/shelf.py"])
        (root / "shop" / "shelf.py").unlink()
        (root / "desk.py").write_text("import till\nfrom shop import shelf\n")
        kept.rescan(["desk.py", "shop/shelf.py"])
        assert_equal(contents(index), fresh(root, tmp_path / "scratch"))


def _disk_full(*_: object) -> None:
    raise sqlite3.OperationalError("database or disk is full")


def test_other_settings_make_another_index(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    _tree(root, 3)
    with workspace(root, tmp_path / "index.db") as plain:
        plain.refresh()
    with workspace(root, tmp_path / "index.db", ScanSettings(jobs=1, fences=True)) as fenced:
        report = fenced.refresh()
        assert report.mode == "full" and any("started anew" in note for note in report.notes)
