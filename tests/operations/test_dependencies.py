"""Packages declared, locked and imported: every project in fixtures/dependencies against what we say of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from idumb_brain.operations.dependencies import dependencies, package_graph
from idumb_brain.operations.scanning import scan
from idumb_brain.surfaces.cli.main import main
from tests.conftest import FIXTURES

CASES = sorted(path.name for path in (FIXTURES / "dependencies").iterdir() if path.is_dir())


@pytest.fixture
def project(tmp_path: Path) -> Callable[[str], Path]:
    def made(case: str) -> Path:
        root = tmp_path / case
        shutil.copytree(FIXTURES / "dependencies" / case, root)
        scan(str(root), jobs=1)
        return root

    return made


@pytest.mark.parametrize("case", CASES)
def test_case(case: str, project: Callable[[str], Path], snapshot: Callable[[Path, str], None]) -> None:
    data = package_graph(str(project(case)))
    snapshot(FIXTURES / "dependencies" / f"{case}.expected", "".join(line + "\n" for line in _told(data)))


def _told(data: dict[str, Any]) -> list[str]:
    lines = []
    for package in data["packages"]:
        lines.append(
            f"{package['manifest']}  {package['ecosystem']} {package['name'] or ''}{' sample' if package['sample'] else ''}"
        )
        for one in package["requirements"]:
            version = f" [{one['locked']}]" if one["locked"] else ""
            where = f" {one['files']} files, first {one['first']}" if one["first"] else ""
            lines.append(f"  {one['state']:<7} {one['group']} {one['package']}{version}{where}: {one['why']}")
    for key in ("unused", "undeclared", "transitive", "devInProduction", "unknown"):
        lines.append(f"{key}:")
        for one in data[key]:
            flags = "".join(f" {flag}" for flag in ("locked", "optional", "typesOnly", "dev") if one.get(flag))
            lines.append(
                f"  {one['in']} {one['package']}{flags} {', '.join(one.get('files', []))}: {one['why']}".replace(" :", ":")
            )
    return [*lines, *(f"problem {one['path']}:{one['line']} {one['message']}" for one in data["problems"])]


def test_check_fails_where_something_is_undeclared(project: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    root = project("python")
    assert main(["codemap", "packages", "--root", str(root)]) == 0
    shown = capsys.readouterr().out
    assert "left-over" in shown and "Undeclared" in shown
    assert main(["codemap", "packages", "--check", "--json", "--root", str(root)]) == 1
    first = capsys.readouterr().out
    assert main(["codemap", "packages", "--check", "--json", "--root", str(root)]) == 1
    assert capsys.readouterr().out == first
    assert {"declared", "unused", "undeclared"} <= json.loads(first)["data"].keys()
    assert dependencies(str(root)).keys() >= {"declared", "unused", "undeclared"}


def test_what_is_installed_counts_more_than_what_is_known(project: Callable[[str], Path]) -> None:
    root = project("python")
    record = root / ".venv/lib/python3.12/site-packages/left_over-1.0.dist-info/RECORD"
    record.parent.mkdir(parents=True)
    record.write_text("quite_another_name/__init__.py,,\nleft_over-1.0.dist-info/RECORD,,\n")
    (root / "reading_room" / "more.py").write_text("import quite_another_name\n")
    scan(str(root), jobs=1)
    assert "left-over" not in [one["package"] for one in dependencies(str(root))["unused"]]


def test_a_project_may_add_to_the_tables(project: Callable[[str], Path]) -> None:
    root = project("python")
    table = root / ".idumb/queries/dependencies/python.toml"
    table.parent.mkdir(parents=True)
    table.write_text('[tools]\nserve-shelf = "left-over"\n')
    (root / "Makefile").write_text("serve:\n\tserve-shelf\n")
    scan(str(root), jobs=1)
    found = {one["package"]: one for one in dependencies(str(root))["declared"]}
    assert found["left-over"]["why"] == "command serve-shelf (Makefile:2)"
