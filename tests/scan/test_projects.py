"""Small projects against the dependencies we find in them: what resolves where, what is external, what is not found."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from idumb_brain.scan.languages import load_languages, query_folders
from idumb_brain.scan.refresh import ScanSettings, Workspace
from idumb_brain.store import code as store
from tests.conftest import FIXTURES

OUTLINED = {language.name for language in load_languages(query_folders()).by_name.values() if language.generic}
PROJECTS = sorted(folder for folder in (FIXTURES / "projects").iterdir() if folder.is_dir())


@pytest.mark.parametrize("project", PROJECTS, ids=lambda folder: folder.name)
def test_project(project: Path, tmp_path: Path, snapshot: Callable[[Path, str], None]) -> None:
    root = tmp_path / project.name
    shutil.copytree(project, root)
    index = tmp_path / "index.db"
    with Workspace(str(root), index, ScanSettings(jobs=1), environ={}, now=lambda: "2026-02-04T10:30:00Z") as workspace:
        workspace.refresh()
    snapshot(project.with_suffix(".expected"), readable(index))


def readable(index: Path) -> str:
    connection = store.open_for_reading(index)
    assert connection is not None
    out = []
    for file in store.files(connection, "status != 'plain'"):
        if file.language in OUTLINED:
            continue  # a manifest, say: it depends on nothing
        out.append(file.path + (f"  (skipped: {file.reason})" if file.reason else ""))
        for edge in store.edges(connection, source=file.id):
            out.append(f"  {edge.line}  {edge.kind}  -> {edge.target}")
        out += [f"  {line}  external {package}" for path, package, line in store.externals(connection) if path == file.path]
        out += [
            f"  {line}  UNRESOLVED {text}: {why}" for path, text, line, why in store.unresolved(connection) if path == file.path
        ]
    connection.close()
    return "\n".join(out) + "\n"
