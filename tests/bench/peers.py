"""Other indexers, installed where the trees are kept, and what they need to be told. Compared with, never imported."""

from __future__ import annotations

import shutil
import sys
import venv
from pathlib import Path

from tests.accuracy.trees import cache, program, run

_CODEGRAPH = "@colbymchenry/codegraph@1.6.1"
_AIDER = "aider-chat==0.86.2"


def codegraph() -> str:
    """The program; npm installs it once."""
    home = cache() / "peers" / _CODEGRAPH.replace("/", "+")
    found = home / "node_modules" / ".bin" / "codegraph"
    if not found.exists():
        home.mkdir(parents=True, exist_ok=True)
        print(f"installing {_CODEGRAPH}", file=sys.stderr)
        run("npm", "install", "--silent", "--prefix", str(home), _CODEGRAPH)
    return str(found)


def aider() -> str:
    """The program; pip installs it once, in an environment of its own: it wants other versions than we do."""
    home = cache() / "peers" / _AIDER
    found = home / "bin" / "aider"
    if not found.exists():
        print(f"installing {_AIDER}", file=sys.stderr)
        venv.create(home, with_pip=True)
        run(str(home / "bin" / "python"), "-m", "pip", "install", "--quiet", _AIDER)
    return str(found)


def ctags() -> str:
    return program("ctags", "universal-ctags")


def as_repository(tree: Path, copy: Path) -> Path:
    """A copy of a tree as a git repository: most indexers read nothing else."""
    shutil.copytree(tree, copy, symlinks=True)
    run("git", "init", "-q", str(copy))
    run("git", "-C", str(copy), "add", "-A")
    run("git", "-C", str(copy), "-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "-qm", "as it is")
    return copy
