"""Files of small projects that come, move and go: a rescan must know what a first scan would. A new case is a new table."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from tests.conftest import FIXTURES
from tests.scan.whole import assert_equal, contents, fresh, workspace

PROJECTS = FIXTURES / "projects"
CHANGES = [
    pytest.param(file.name.removesuffix(".changes.toml"), change, id=f"{file.name.split('.')[0]}-{'+'.join(change)}")
    for file in sorted(PROJECTS.glob("*.changes.toml"))
    for change in tomllib.loads(file.read_text("utf-8"))["change"]
]


@pytest.mark.parametrize(("project", "change"), CHANGES)
def test_rescan_equals_first_scan(project: str, change: dict[str, str | bool], tmp_path: Path) -> None:
    root = tmp_path / project
    shutil.copytree(PROJECTS / project, root)
    with workspace(root, tmp_path / "index.db") as made:
        made.refresh()
        for path, text in change.items():
            file = root / path
            if text is False:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(str(text), "utf-8")
        made.refresh()
    assert_equal(contents(tmp_path / "index.db"), fresh(root, tmp_path))
