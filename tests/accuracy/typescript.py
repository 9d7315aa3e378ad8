"""Our import edges against the TypeScript compiler's own resolution: ``python -m tests.accuracy.typescript [FOLDER…]``.

Without folders it gets npm packages that ship TypeScript sources with path aliases. The compiler is installed into
``$IDUMB_ACCURACY_CACHE`` (``~/.cache/idumb-brain-accuracy``); the folders themselves are only read. Ends with 1 where
precision or recall is below 0.99.

An edge is a pair of files. Left out on both sides: files the scan skips, and targets that are no modules to the compiler
(styles, images, components). Imports of workspace packages that nobody has built resolve to nothing in the compiler;
what we make of them is listed, and counts neither way.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from idumb_brain.scan.refresh import ScanSettings, Workspace
from idumb_brain.store import code as store

BAR = 0.99
TOOLS = ("typescript@5.9.3", "@manypkg/tools@1.1.2")
WORKSPACES = ("rxjs@7.8.2", "@shopify/cli-hydrogen@12.0.2", "expo-template-default@58.0.5")
_LANGUAGES = frozenset({"javascript", "jsx", "typescript", "tsx"})
_MODULES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json")


class Import(NamedTuple):
    file: str
    line: int
    text: str
    target: str  # "" where it leads to no file of the project
    built: bool = False  # of a package of the workspace: the compiler needs it built


class Comparison(NamedTuple):
    ours: set[tuple[str, str]]
    theirs: set[tuple[str, str]]
    disagreements: list[str]
    beyond: list[str]

    @property
    def precision(self) -> float:
        return len(self.ours & self.theirs) / len(self.ours) if self.ours else 1.0

    @property
    def recall(self) -> float:
        return len(self.ours & self.theirs) / len(self.theirs) if self.theirs else 1.0


def main(folders: list[str]) -> int:
    tools = _installed(_cache() / "typescript")
    below = False
    for folder in [Path(folder).resolve() for folder in folders] or [_unpacked(name) for name in WORKSPACES]:
        ours, scanned = _our_imports(folder)
        compared = compare(ours, _their_imports(folder, scanned, tools), scanned)
        print(f"{folder}: {len(scanned)} files, {len(compared.theirs)} edges; ", end="")
        print(f"precision {compared.precision:.4f}, recall {compared.recall:.4f}")
        for line in compared.disagreements:
            print("  " + line)
        if compared.beyond:
            print(f"  {len(compared.beyond)} imports of packages that are not built, where the compiler finds nothing:")
            for line in compared.beyond:
                print("    " + line)
        below = below or compared.precision < BAR or compared.recall < BAR
    return int(below)


def compare(ours: Iterable[Import], theirs: Iterable[Import], scanned: set[str]) -> Comparison:
    mine: dict[tuple[str, str], Import] = {}
    for one in ours:
        if not one.target or (one.target in scanned and one.target.endswith(_MODULES)):
            mine.setdefault((one.file, one.text), one)
    other: dict[tuple[str, str], Import] = {}
    for one in theirs:
        if not one.target or (one.target in scanned and one.target != one.file):
            known = other.get((one.file, one.text))
            if known is None or (one.target and not known.target):
                other[one.file, one.text] = one
    disagreements, beyond = [], []
    left_out = set()
    for key in sorted({*mine, *other}):
        a, b = mine.get(key), other.get(key)
        target, truth = a.target if a else "", b.target if b else ""
        if target == truth:
            continue
        where = a or b
        assert where is not None
        told = f"{where.file}:{where.line} {where.text!r} ours: {target or '-'} theirs: {truth or '-'}"
        if b is not None and b.built and not truth:
            left_out.add(key)
            beyond.append(told)
        else:
            disagreements.append(told)
    return Comparison(
        {(one.file, one.target) for key, one in mine.items() if one.target and key not in left_out},
        {(one.file, one.target) for one in other.values() if one.target},
        disagreements,
        beyond,
    )


def _our_imports(folder: Path) -> tuple[list[Import], set[str]]:
    """Every import as we resolve it, and the files we read."""
    with tempfile.TemporaryDirectory() as scratch:
        index = Path(scratch, "index.db")
        with Workspace(str(folder), index, ScanSettings(), environ={}, now=lambda: "2026-02-04T10:30:00Z") as workspace:
            workspace.refresh()
        connection = store.open_for_reading(index)
        assert connection is not None
        records = [file for file in store.files(connection) if file.status != "skipped"]
        imports = [
            Import(one.file, one.line, _plain(one.text), target)
            for file in records
            if file.language in _LANGUAGES
            for one in store.imports_of(connection, file)
            for target in one.targets or ("",)
        ]
        connection.close()
    return imports, {file.path for file in records}


def _plain(text: str) -> str:
    """The compiler reports of ``/// <reference path="…"/>`` the path alone."""
    named = re.match(r"""///.*\bpath\s*=\s*["']([^"']*)""", text)
    return named[1] if named else text


def _their_imports(folder: Path, scanned: set[str], tools: Path) -> list[Import]:
    files = sorted(path for path in scanned if path.endswith((*_MODULES[:-1], "package.json")))
    told = subprocess.run(
        ["node", str(Path(__file__).with_name("typescript_edges.mjs")), str(tools)],
        input=json.dumps({"root": str(folder), "files": files}),
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(told.stdout)
    return [
        Import(file, one["line"], one["text"], one["target"] or "", one["member"])
        for file, imports in answer["files"].items()
        for one in imports
    ]


def _cache() -> Path:
    return Path(os.environ.get("IDUMB_ACCURACY_CACHE") or Path.home() / ".cache" / "idumb-brain-accuracy")


def _installed(folder: Path) -> Path:
    """A folder whose node_modules hold the compiler."""
    wanted = json.dumps({"private": True, "dependencies": dict(tool.rsplit("@", 1) for tool in TOOLS)}, indent=2)
    manifest = folder / "package.json"
    if not manifest.exists() or manifest.read_text("utf-8") != wanted or not (folder / "node_modules").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        manifest.write_text(wanted, "utf-8")
        subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent"], cwd=folder, check=True)
    return folder


def _unpacked(package: str) -> Path:
    """The files of a published package."""
    folder = _cache() / "packages" / package.strip("@").replace("/", "-")
    if not (folder / "package").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        packed = subprocess.run(
            ["npm", "pack", package, "--silent", "--pack-destination", str(folder)], capture_output=True, text=True, check=True
        )
        with tarfile.open(folder / packed.stdout.split()[-1]) as archive:
            archive.extractall(folder, filter="data")
    return folder / "package"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
