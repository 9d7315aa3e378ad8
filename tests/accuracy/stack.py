"""The technologies we find in real repositories against what their manifests state, and against another detector.

The labels in ``stack_expected/`` were made by reading manifests, lock files and configuration by other means than our
code. A technology counts once a repository; a version counts against us where we give another one than the label.
The other detector is npm's @specfy/stack-analyser: what it says and we do not, and why, is in ``stack_differences.toml``.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from idumb_brain.operations import frameworks, scan
from tests.accuracy import trees
from tests.accuracy.measure import Score, main

PEER = "@specfy/stack-analyser@1.27.3"
BAR = 0.97
_HERE = Path(__file__).parent
LABELS = {file.stem: tomllib.loads(file.read_text("utf-8")) for file in sorted((_HERE / "stack_expected").glob("*.toml"))}
_DIFFERENCES: dict[str, Any] = tomllib.loads((_HERE / "stack_differences.toml").read_text("utf-8"))


def measure(names: Sequence[str] = tuple(LABELS)) -> Iterator[Score]:
    everything: list[Score] = []
    for name in names:
        label = LABELS[name]
        tree = trees.github(label["repository"], label["revision"])
        ours = _ours(tree)
        everything += [_technologies(name, label, ours), _versions(name, label, ours), _peer(name, tree, ours)]
        yield from everything[-3:]
    for kind in dict.fromkeys(score.name for score in everything):
        yield _together([score for score in everything if score.name == kind])


def _ours(tree: Path) -> dict[str, Any]:
    """What ``scan frameworks`` says, of a copy that may be indexed."""
    import shutil

    with tempfile.TemporaryDirectory(prefix="idumb-accuracy-") as scratch:
        copy = Path(scratch, "tree")
        shutil.copytree(tree, copy, symlinks=True)
        scan(str(copy))
        return frameworks(str(copy))


def _technologies(name: str, label: dict[str, Any], ours: dict[str, Any]) -> Score:
    expected = {*label["technologies"], *label.get("imported", {}).get("names", ())}
    found = {one["name"] for one in ours["frameworksDetected"]}
    return Score(
        "stack: technologies", "labels", name, len(ours["packages"]), len(expected & found), sorted(found - expected),
        sorted(expected - found), BAR, BAR,
    )  # fmt: skip


def _versions(name: str, label: dict[str, Any], ours: dict[str, Any]) -> Score:
    """Of the technologies both know: the same version, or one of the versions where packages differ."""
    found = {one["name"]: one["version"] for one in ours["frameworksDetected"]}
    both, wrong, missing = 0, [], []
    for technology, stated in label["technologies"].items():
        versions = stated if isinstance(stated, list) else [stated]
        given = found.get(technology)
        if given is None:
            continue
        if given in versions:
            both += bool(given)
        else:
            (wrong if given else missing).append(f"{technology}: {given or 'none'}, labelled {', '.join(versions) or 'none'}")
    return Score("stack: versions", "labels", name, len(ours["packages"]), both, wrong, missing, BAR, BAR)


def _peer(name: str, tree: Path, ours: dict[str, Any]) -> Score:
    """What the other detector says, in our words; what we say beyond it is not held against us, as it knows less."""
    said = _said_by_peer(tree)
    names = _DIFFERENCES["names"]
    known = {one["name"].lower() for one in (*ours["frameworksDetected"], *ours["elsewhere"])}
    agreed = {one for one in said if names.get(one, one).lower() in known}
    explained = {re.escape(f"{one} ") + "|" + re.escape(one) + "$": why for one, why in _DIFFERENCES["explained"].items()}
    unexplained = [one for one in said if one not in agreed and not _why(name, one)]
    left = [one for one in said if one not in agreed and _why(name, one)]
    notes = tuple(f"{one}: {_why(name, one)}" for one in left)
    return Score(
        "stack: agreement",
        "stack-analyser",
        name,
        len(ours["packages"]),
        len(agreed),
        (),
        unexplained,
        None,
        BAR,
        notes,
        explained,
    )


def _why(tree: str, one: str) -> str:
    by_tree = _DIFFERENCES.get("trees", {}).get(tree, {})
    return str(by_tree.get(one) or _DIFFERENCES["explained"].get(one) or "")


def _said_by_peer(tree: Path) -> list[str]:
    program = trees.npm_program(PEER) / "node_modules" / "@specfy" / "stack-analyser" / "dist" / "cli.js"
    with tempfile.TemporaryDirectory(prefix="idumb-accuracy-") as scratch:
        trees.run("node", str(program), str(tree), "-o", "said.json", "--flat", cwd=Path(scratch))
        said = json.loads(Path(scratch, "said.json").read_text("utf-8"))
    return sorted(said["techs"])


def _together(scores: Sequence[Score]) -> Score:
    first = scores[0]
    return Score(
        first.name, first.truth, "all together", sum(one.files for one in scores), sum(one.both for one in scores),
        [f"{one.tree}: {line}" for one in scores for line in one.only_ours],
        [f"{one.tree}: {line}" for one in scores for line in one.only_theirs], first.precision_bar, first.recall_bar,
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(measure, __doc__, parts=tuple(LABELS)))
