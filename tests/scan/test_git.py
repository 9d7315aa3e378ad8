"""Asking git leaves the repository as it is, for those who work in it at the same time."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from idumb_brain.scan.git import changed_lines, differences


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "a.py").write_text("x = 1\n")
    (tmp_path / "inner" / "b.py").write_text("y = 1\n")
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"]):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    return tmp_path


@pytest.mark.parametrize("place", [".", "inner"])
def test_the_index_is_not_written(root: Path, place: str) -> None:
    (root / "inner" / "b.py").write_text("y = 2\n")
    os.utime(root / "inner" / "a.py", (1, 1))  # another time, the same text: what git would note in its index
    before = (root / ".git" / "index").read_bytes()
    (root / ".git" / "index.lock").write_text("")  # somebody commits
    assert [(status, new) for status, _, new, _ in differences(root / place, "HEAD")] == [
        ("M", "b.py" if place == "inner" else "inner/b.py")
    ]
    assert list(changed_lines(root / place, "HEAD").values()) == [[(1, 1)]]
    (root / ".git" / "index.lock").unlink()
    differences(root / place, "HEAD")
    assert (root / ".git" / "index").read_bytes() == before
