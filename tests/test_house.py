"""The house is in order: layers, types, style; and what the README says is true."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.conftest import FIXTURES, REPOSITORY

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


_BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
_EXAMPLE = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
# What differs from one machine and run to the next, and what the README says in its place.
_SETTLED = ((r"\bin \d+(?:\.\d+)? m?s\b", "in 90 ms"), (r"index\.db, [\d.]+ MB", "index.db, 0.2 MB"))


def test_examples_of_the_readme(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Each is run in a copy of the project they are about. ``--update`` writes what they print into the README."""
    root = tmp_path / "reading_room"
    shutil.copytree(FIXTURES / "projects" / "reading_room", root)
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "idumb-brain"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m idumb_brain "$@"\n')
    program.chmod(0o755)
    environ = dict(
        os.environ, PYTHONPATH=str(REPOSITORY), IDUMB_BRAIN_NOW="2026-02-04T10:30:00Z", COLUMNS="100", HOME=str(tmp_path),
        PATH=f"{program.parent}{os.pathsep}{os.environ['PATH']}",
    )  # fmt: skip

    def printed(command: str) -> str:
        run = subprocess.run(command, shell=True, cwd=root, env=environ, capture_output=True, text=True)
        assert run.returncode == 0, f"{command}: {run.stderr}"
        told = run.stdout.replace(str(root), "/home/mira/reading_room")
        for pattern, settled in _SETTLED:
            told = re.sub(pattern, settled, told)
        return "".join(line.rstrip() + "\n" for line in told.splitlines())

    def made(block: re.Match[str]) -> str:
        told = "".join(f"$ {command}\n{printed(command)}" for command, _ in _EXAMPLE.findall(block[1]))
        return f"```console\n{told}```"

    actual = _BLOCK.sub(made, README)
    assert len(_BLOCK.findall(README)) >= 5
    if request.config.getoption("--update"):
        (REPOSITORY / "README.md").write_text(actual, "utf-8")
    else:
        assert actual == README, "an example prints something else; if the new text is right, run pytest --update"


def test_every_command_is_in_the_readme() -> None:
    from idumb_brain.surfaces.cli.arguments import build_parser

    verbs = next(action for action in build_parser()._actions if action.choices and isinstance(action.choices, dict))
    assert verbs.choices
    missing = [name for name in verbs.choices if f"`{name}" not in README and f"idumb-brain {name}" not in README]
    assert not missing, f"the README does not tell of {missing}"


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
    for file in (REPOSITORY / "idumb_brain" / "surfaces").rglob("*"):
        if file.suffix in (".js", ".toml"):
            assert file.relative_to(REPOSITORY).as_posix() in names, "installed without a checkout, agents must still find it"
