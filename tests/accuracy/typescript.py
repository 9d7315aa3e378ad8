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
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from idumb_brain.scan.refresh import ScanSettings, Workspace
from idumb_brain.store import code as store
from tests.accuracy.measure import Score, compared, main
from tests.accuracy.trees import cache, npm, run

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
    beyond: list[str]  # imports of packages nobody has built, where the compiler finds nothing


def measure(folders: Sequence[str] = ()) -> Iterator[Score]:
    tools = _installed(cache() / "typescript")
    for name, folder in [(folder, Path(folder).resolve()) for folder in folders] or [(name, npm(name)) for name in WORKSPACES]:
        ours, files = _our_imports(folder)
        told = compare(ours, _their_imports(folder, files, tools), files)
        notes = [f"{len(told.beyond)} imports of packages that are not built are left out", *told.beyond] if told.beyond else []
        both, only_ours, only_theirs = compared(told.ours, told.theirs, " -> ".join)
        yield Score("typescript edges", "tsc", name, len(files), both, only_ours, only_theirs, BAR, BAR, notes=notes)


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
    beyond = []
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
    return Comparison(
        {(one.file, one.target) for key, one in mine.items() if one.target and key not in left_out},
        {(one.file, one.target) for one in other.values() if one.target},
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
    script = Path(__file__).with_name("typescript_edges.mjs")
    told = run("node", str(script), str(tools), given=json.dumps({"root": str(folder), "files": files}))
    answer: dict[str, Any] = json.loads(told)
    return [
        Import(file, one["line"], one["text"], one["target"] or "", one["member"])
        for file, imports in answer["files"].items()
        for one in imports
    ]


def _installed(folder: Path) -> Path:
    """A folder whose node_modules hold the compiler."""
    wanted = json.dumps({"private": True, "dependencies": dict(tool.rsplit("@", 1) for tool in TOOLS)}, indent=2)
    manifest = folder / "package.json"
    if not manifest.exists() or manifest.read_text("utf-8") != wanted or not (folder / "node_modules").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        manifest.write_text(wanted, "utf-8")
        run("npm", "install", "--no-audit", "--no-fund", "--silent", cwd=folder)
    return folder


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word.startswith("-")]
    given = [word for word in sys.argv[1:] if not word.startswith("-")]
    sys.exit(main(partial(measure, given), __doc__ or "", words))
