"""The house is in order: layers, types, style; and what is shipped is whole."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

README = (REPOSITORY / "README.md").read_text("utf-8")
PROGRAMS = Path(sysconfig.get_path("scripts"))
CHECKS = {
    "style": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "types": ["mypy"],
    "layers": ["lint-imports"],
}


@pytest.mark.parametrize("check", CHECKS)
def test_check(check: str) -> None:
    program, *words = CHECKS[check]
    run = subprocess.run([str(PROGRAMS / program), *words], cwd=REPOSITORY, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_ci_runs_the_command_of_the_readme() -> None:
    """``.ci/run`` reads it from here; were it renamed, CI would find nothing to run."""
    commands = [line for line in README.splitlines() if line.startswith("python3 -m venv")]
    assert len(commands) == 2 and commands[0].endswith("idumb-brain scan .") and commands[1].endswith("pytest")


def test_the_wheel_holds_the_queries(tmp_path: Path) -> None:
    """Installed without a checkout, the scanner must still find its languages."""
    import zipfile

    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=REPOSITORY,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for folder in (REPOSITORY / "queries").iterdir():
        for file in folder.rglob("*") if folder.is_dir() else [folder]:
            assert f"idumb_brain/queries/{file.relative_to(REPOSITORY / 'queries').as_posix()}" in names
    for file in (REPOSITORY / "idumb_brain").rglob("*"):
        if file.suffix in (".js", ".css", ".html", ".svg", ".LICENSE", ".toml", ".md"):
            assert file.relative_to(REPOSITORY).as_posix() in names, "installed without a checkout, agents must still find it"
