"""The project map of small projects, as people see it, and the keys that others rely on."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from idumb_brain.operations.mapping import project_map, summary
from idumb_brain.operations.scanning import scan
from idumb_brain.surfaces.cli.people import show
from tests.conftest import FIXTURES

PROJECTS = ("reading_room", "typescript_workspace", "python_monorepo", "rust_workspace", "maven_modules")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    monkeypatch.setenv("IDUMB_BRAIN_NOW", "2026-02-04T10:30:00Z")

    def copied(name: str) -> str:
        root = tmp_path / name
        shutil.copytree(FIXTURES / "projects" / name, root)
        scan(str(root), jobs=1)
        return str(root)

    return copied


@pytest.mark.parametrize("name", PROJECTS)
def test_what_people_see(name: str, project: Callable[[str], str], snapshot: Callable[[Path, str], None]) -> None:
    told = io.StringIO()
    with redirect_stdout(told):
        show("map.map", project_map(project(name)))
    seen = "\n".join(line.rstrip() for line in told.getvalue().splitlines()) + "\n"
    snapshot(FIXTURES / "projects" / f"{name}.map.expected", seen)


def test_the_contract(project: Callable[[str], str]) -> None:
    root = project("reading_room")
    found = project_map(root)
    assert found.keys() >= {
        "rootStructure", "frameworksDetected", "governanceDetected", "documents", "documentRelations", "techStack", "dependencies",
        "packages", "lastFullScanAt", "lastIncrementalAt", "driftDetections",
    }  # fmt: skip
    assert found["dependencies"].keys() >= {"declared", "unused", "undeclared"}
    assert all(one.keys() >= {"name", "version", "configPath", "evidence"} for one in found["frameworksDetected"])
    assert all(
        one.keys() >= {"path", "type", "title", "sections", "linkedTo", "staleIndicators", "lastModified"}
        for one in found["documents"]
    )
    assert {"from": "README.md", "to": "library/loans.py", "kind": "link", "line": 3} in found["documentRelations"]
    assert (found["lastFullScanAt"], found["driftDetections"]) == ("2026-02-04T10:30:00Z", [])
    assert json.dumps(found) == json.dumps(project_map(root)), "the same tree gives the same map, byte for byte"
    assert summary(root) == found["summary"]


def test_depth_is_that_of_the_folders(project: Callable[[str], str]) -> None:
    root = project("reading_room")
    flat = project_map(root, depth=1)["rootStructure"]
    assert [child["name"] for child in flat["children"] if child["type"] == "directory"] == [
        "docs", "library", "scripts", "tests", "web",
    ]  # fmt: skip
    assert all("children" not in child for child in flat["children"])
    deep = project_map(root, depth=2)["rootStructure"]["children"]
    assert next(child for child in deep if child["name"] == "web")["children"][0]["path"] == "web/src"


def test_drift_is_told_of_and_changes_nothing(project: Callable[[str], str]) -> None:
    root = Path(project("reading_room"))
    (root / "library" / "new.py").write_text("x = 1\n")
    (root / "library" / "server.py").unlink()
    for _ in range(2):
        assert project_map(str(root))["driftDetections"] == [
            {"path": "library/new.py", "change": "added"},
            {"path": "library/server.py", "change": "deleted"},
        ]
