"""What git knows about a project, asked of git itself. Reads only; a folder without git has no answers, not errors."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from idumb_brain.model.errors import BadInput

_PATIENCE = 60


def blame(root: Path, lines: Mapping[str, Sequence[int]]) -> dict[tuple[str, int], tuple[str, float]]:
    """(file, line) → (author, time of the commit) for lines that are committed."""
    if not (root / ".git").exists() and not _git(root, "rev-parse", "--git-dir"):
        return {}
    found: dict[tuple[str, int], tuple[str, float]] = {}

    def ask(file: str) -> tuple[str, str]:
        ranges = [part for line in lines[file] for part in ("-L", f"{line},{line}")]
        return file, _git(root, "blame", "--line-porcelain", *ranges, "--", file)

    with ThreadPoolExecutor(4) as pool:
        for file, told in pool.map(ask, sorted(lines)):
            line, author, when = 0, "", 0.0
            for row in told.split("\n"):
                word, _, rest = row.partition(" ")
                if len(word) == 40 and rest[:1].isdigit():
                    line = int(rest.split(" ")[1])
                elif word == "author":
                    author = rest
                elif word == "author-time":
                    when = float(rest)
                elif row.startswith("\t") and author != "Not Committed Yet":
                    found[file, line] = (author, when)
    return found


def changed_since(root: Path, revision: str) -> list[tuple[str, str, str]]:
    """(status letter, old path, new path) of every file that differs from a revision, renames followed."""
    if not _git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"):
        raise BadInput(
            f"{revision} is not a revision git knows here",
            why="git rev-parse does not find it" if (root / ".git").exists() else f"{root} is not a git repository",
            instead="give a branch, tag or commit, or none to compare with the last scan",
        )
    told = _git(root, "diff", "--name-status", "-z", "-M", "--relative", revision, "--")
    parts = told.split("\0")
    rows = []
    at = 0
    while at + 1 < len(parts):
        status = parts[at][:1]
        if status in "RC":
            rows.append((status, parts[at + 1], parts[at + 2]))
            at += 3
        else:
            rows.append((status, parts[at + 1], parts[at + 1]))
            at += 2
    untracked = _git(root, "ls-files", "--others", "--exclude-standard", "-z")
    rows += [("A", path, path) for path in untracked.split("\0") if path]
    return rows


def gone_from_history(root: Path, paths: Sequence[str]) -> frozenset[str]:
    """Which of these paths, files or folders, a commit removed or renamed. Empty without git."""
    found: set[str] = set()
    wanted = set(paths)
    for start in range(0, len(paths), 500):
        told = _git(
            root, "log", "--no-renames", "--diff-filter=D", "--name-only", "--format=", "-z", "--relative",
            "--", *(f":(literal){path}" for path in paths[start : start + 500]),
        )  # fmt: skip
        for path in told.split("\0"):
            path = path.strip("\n")
            while path:
                if path in wanted:
                    found.add(path)
                path = path.rpartition("/")[0]
    return frozenset(found)


def content_at(root: Path, revision: str, path: str) -> bytes:
    run = subprocess.run(["git", "-C", str(root), "show", f"{revision}:./{path}"], capture_output=True, timeout=_PATIENCE)
    return run.stdout if run.returncode == 0 else b""


def _git(root: Path, *arguments: str) -> str:
    try:
        run = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, timeout=_PATIENCE)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return run.stdout.decode("utf-8", "surrogateescape") if run.returncode == 0 else ""
