"""Small projects with documents of every format, good and stale, against what we say about them."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from idumb_brain.operations.documents import documents, governance
from idumb_brain.operations.scanning import scan
from tests.conftest import FIXTURES

CASES = sorted(folder for folder in (FIXTURES / "documents").iterdir() if folder.is_dir())


@pytest.mark.parametrize("case", CASES, ids=lambda folder: folder.name)
def test_documents(case: Path, tmp_path: Path, snapshot: Callable[[Path, str], None]) -> None:
    root = _scanned(case, tmp_path)
    snapshot(case.with_suffix(".expected"), _readable(documents(str(root)), governance(str(root))))


def test_an_answer_is_the_same_each_time_and_json(tmp_path: Path) -> None:
    root = _scanned(CASES[0], tmp_path)
    first = json.dumps([documents(str(root)), governance(str(root))])
    scan(str(root), full=True)
    assert json.dumps([documents(str(root)), governance(str(root))]) == first


def test_facts_follow_the_files(tmp_path: Path) -> None:
    """A link dies with its target, and lives again with it, without the document being read anew."""
    root = _scanned(FIXTURES / "documents" / "site", tmp_path)
    page = root / "docs" / "index.md"
    kept = page.read_text("utf-8")

    def stale() -> list[tuple[str, str]]:
        found = documents(str(root))["documents"]
        return [(one["path"], indicator["text"]) for one in found for indicator in one["staleIndicators"]]

    before = stale()
    page.unlink()
    scan(str(root))
    assert ("README.md", "docs/index.md") in stale()
    page.write_text(kept, "utf-8")
    scan(str(root))
    assert stale() == before
    page.write_text(kept + "\n[more](more.md)\n", "utf-8")
    scan(str(root))
    assert set(stale()) - set(before) == {("docs/index.md", "more.md")}


def test_what_is_ignored_may_be_there(tmp_path: Path) -> None:
    """A file nobody commits is not dead while it lies there, nor when it could be made."""
    (tmp_path / ".gitignore").write_text("made/\nlocal.md\n")
    (tmp_path / "local.md").write_text("# Local\n")
    (tmp_path / "README.md").write_text("# Top\n\n[local](local.md) [made](made/report.md) [gone](gone.md)\n")
    scan(str(tmp_path))
    (readme,) = documents(str(tmp_path))["documents"]
    assert [one["text"] for one in readme["staleIndicators"]] == ["gone.md"]


def test_git_remembers_paths_that_are_gone(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-C", str(tmp_path), "-c", "user.name=m", "-c", "user.email=m@x.org", *words], check=True, capture_output=True
        )

    git("init", "-q")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "old.py").write_text("x = 1\n")
    (tmp_path / "src" / "new.py").write_text("y = 1\n")
    git("add", ".")
    git("commit", "-qm", "one")
    (tmp_path / "src" / "old.py").unlink()
    said = "# Top\n\nRuns `src/old.py`.\n\nAnd `src/never.py`, `src/new.py`.\n\nOnce there was `src/old.py`, removed since.\n"
    (tmp_path / "README.md").write_text(said)
    git("add", ".")
    git("commit", "-qm", "two")
    scan(str(tmp_path))
    (readme,) = documents(str(tmp_path))["documents"]
    assert [(one["line"], one["kind"], one["text"]) for one in readme["staleIndicators"]] == [(3, "missing-path", "src/old.py")]
    assert {"src/new.py"} == set(readme["linkedTo"])


def _scanned(case: Path, tmp_path: Path) -> Path:
    root = tmp_path / case.name
    shutil.copytree(case, root, symlinks=True)
    scan(str(root))
    return root


def _readable(data: dict[str, Any], governance: list[dict[str, Any]]) -> str:
    out: list[str] = []
    for one in data["documents"]:
        role = f", {one['role']}" if one["role"] else ""
        out.append(f"{one['path']}  {one['type']} {one['confidence']}{role}  {one['title'] or '-'}")
        out += [f"  why: {reason}" for reason in one["reasons"]]
        out += [f"  front: {key} = {value!r}" for key, value in one["frontMatter"].items()]
        out += [
            f"  {'#' * section['level']} {section['title']}  :{section['line']} #{section['anchor']}"
            for section in one["sections"]
        ]
        out += [f"  STALE :{stale['line']} {stale['kind']} {stale['text']}  ({stale['why']})" for stale in one["staleIndicators"]]
    out.append("")
    out += [f"{row['from']}:{row['line']} {row['kind']} -> {row['to']}" for row in data["documentRelations"]]
    out.append("")
    for found in governance:
        out.append(f"{found['name']}  {found['kind']}  in {found['scope'] or 'all'}  {found['counts']}")
        out += [f"  {evidence['path']}  {evidence['why']}" for evidence in found["evidence"]]
    return "\n".join(out) + "\n"
