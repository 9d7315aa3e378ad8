"""Drift against git: fifty real commits replayed one by one on repositories nobody here wrote.

Against a revision, drift must say exactly what ``git diff --name-status -M`` says. Against the last scan, what was
added, modified, deleted and renamed unchanged must be the same; renames with changes are followed without git's help,
and told of separately. Clones are made beside the repositories given and thrown away.

    python -m tests.accuracy.replay REPOSITORY... [--commits 50] [--until REV]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from itertools import pairwise
from pathlib import Path

from idumb_brain.operations.drift import drift
from idumb_brain.operations.scanning import Workspace


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--commits", type=int, default=50)
    parser.add_argument("--until", default="HEAD", help="the last commit to replay (default HEAD)")
    asked = parser.parse_args()
    right = True
    for repository in asked.repositories:
        right &= replay(repository, asked.commits, asked.until)
    return 0 if right else 1


def replay(repository: Path, commits: int, until: str) -> bool:
    counted: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="idumb-replay-") as scratch:
        root = Path(scratch, "tree")
        _git(Path(scratch), "clone", "-q", "--shared", "--no-checkout", str(repository), str(root))
        told = _git(root, "rev-list", "--first-parent", f"--max-count={commits + 1}", until).split()
        chain = list(reversed(told))
        _git(root, "checkout", "-q", "-f", chain[0])
        (root / ".git" / "info" / "exclude").write_text(".idumb/\n")
        with Workspace(str(root)) as workspace:
            workspace.refresh()
            for old, new in pairwise(chain):
                _git(root, "checkout", "-q", "-f", new)
                truth = _truth(root, old, new)
                counted["commits"] += 1
                counted["files"] += sum(map(len, truth.values()))
                for name, revision in (("revision", f"{old}..{new}"), ("tree", old), ("scan", None)):
                    ours = _ours(drift(revision, str(root)))
                    _compare(name, new, ours, truth, counted, wrong)
                workspace.refresh()
    print(f"{repository.parent.name}: {json.dumps(dict(sorted(counted.items())))}")
    for line in wrong[:20]:
        print("  " + line)
    return not wrong


def _compare(
    name: str, commit: str, ours: dict[str, set[object]], truth: dict[str, set[object]], counted: Counter[str], wrong: list[str]
) -> None:
    similar_ours = {one for one in ours["renamed"] if one[2] < 100}  # type: ignore[index]
    similar_truth = {one for one in truth["renamed"] if one[2] < 100}  # type: ignore[index]
    counted["similar renames"] += len(similar_truth) if name == "scan" else 0
    if name == "scan":
        counted["similar renames agreed"] += len(similar_ours & similar_truth)
        if similar_ours != similar_truth:
            # What one side calls a rename the other calls one added and one deleted: judged as such.
            ours, truth = _unfollowed(ours), _unfollowed(truth)
    for what in ("added", "modified", "deleted", "renamed"):
        if ours[what] != truth[what]:
            counted[f"{name} wrong"] += 1
            difference = sorted(map(str, ours[what] ^ truth[what]))
            wrong.append(f"{name} {commit[:10]} {what}: {difference[:4]}")


def _unfollowed(side: dict[str, set[object]]) -> dict[str, set[object]]:
    similar = {one for one in side["renamed"] if one[2] < 100}  # type: ignore[index]
    return {
        "added": side["added"] | {one[1] for one in similar},  # type: ignore[index]
        "deleted": side["deleted"] | {one[0] for one in similar},  # type: ignore[index]
        "modified": side["modified"],
        "renamed": side["renamed"] - similar,
    }


def _truth(root: Path, old: str, new: str) -> dict[str, set[object]]:
    found: dict[str, set[object]] = {"added": set(), "modified": set(), "deleted": set(), "renamed": set()}
    parts = _git(root, "diff", "--name-status", "-z", "-M", old, new).split("\0")
    at = 0
    while at + 1 < len(parts):
        status = parts[at]
        if status[0] == "R":
            found["renamed"].add((parts[at + 1], parts[at + 2], int(status[1:])))
            at += 3
            continue
        found[{"A": "added", "D": "deleted"}.get(status[0], "modified")].add(parts[at + 1])
        at += 2
    return found


def _ours(data: dict[str, object]) -> dict[str, set[object]]:
    files = data["files"]
    assert isinstance(files, dict)
    found: dict[str, set[object]] = {what: set(files[what]) for what in ("added", "modified", "deleted")}
    found["renamed"] = {(one["from"], one["to"], one["similarity"]) for one in files["renamed"]}
    for one in files["outside"]:
        found[one["change"]].add(one["path"])
    return found


def _git(where: Path, *words: str) -> str:
    environ = dict(os.environ, GIT_CONFIG_GLOBAL=os.devnull)
    run = subprocess.run(["git", *words], cwd=where, env=environ, check=True, capture_output=True)
    return run.stdout.decode("utf-8", "surrogateescape")


if __name__ == "__main__":
    sys.exit(main())
