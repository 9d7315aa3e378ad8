"""The agents of the stories, as npm has them: those of ``package.json``, installed the first time."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from idumb_brain.store.lock import in_turn

_WANTED = Path(__file__).with_name("package.json")
_CACHE = Path(os.environ.get("IDUMB_TEST_CACHE") or Path.home() / ".cache" / "idumb-brain-tests") / "npm"
_INSTALL = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"]
_PATIENCE = 300.0  # seconds for another that installs them


def installed(program: str) -> Path:
    """The program, by its place below node_modules. Without npm the story is skipped; in CI that fails."""
    _CACHE.mkdir(parents=True, exist_ok=True)
    with in_turn(_CACHE / "install.lock", _PATIENCE):
        _install(_CACHE / "package.json")
    return min(_CACHE.glob(f"node_modules/{program}"))


def _install(there: Path) -> None:
    if there.exists() and there.read_bytes() == _WANTED.read_bytes():
        return
    if not shutil.which("npm"):
        pytest.skip("the agents are installed with npm, and there is none")
    needs = [f"{name}@{version}" for name, version in json.loads(_WANTED.read_text())["dependencies"].items()]
    run = subprocess.run([*_INSTALL, "--prefix", str(_CACHE), *needs], cwd=_CACHE, capture_output=True, text=True)
    if run.returncode:
        pytest.skip(f"npm could not install the agents: {run.stderr[-300:]}")
    shutil.copyfile(_WANTED, there)  # last: half an installation is none
