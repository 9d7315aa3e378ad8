"""Dependencies between Go packages against the go command's own account of them.

    python -m tests.accuracy.go_packages [FOLDER…]

Our edges between files, by import statements, are collapsed to edges between the folders of packages and compared with
what ``go list`` reads in the same files. Without folders: Go modules from Debian's archive, and the standard library
that belongs to the go command. Files that ``go list`` leaves out for their build constraints, and folders it never
looks into (testdata), are left out on our side too; what is vendored is somebody else's. Every disagreement is listed.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tests.accuracy.measure import Score, compared, main, scanned
from tests.accuracy.trees import Unobtainable, debian, program, run

_BAR = 0.99
_DEBIAN = ("golang-golang-x-tools-dev", "golang-google-grpc-dev", "golang-github-prometheus-client-golang-dev")
_FILES = ("GoFiles", "CgoFiles", "TestGoFiles", "XTestGoFiles")
_IMPORTS = ("Imports", "TestImports", "XTestImports")
_FIELDS = ",".join(("Dir", "ImportPath", *_FILES, *_IMPORTS))

PackageEdge = tuple[str, str]


def measure(folders: Sequence[str] = ()) -> Iterator[Score]:
    program("go", "golang-go")
    for name, tree in [(folder, Path(folder).resolve()) for folder in folders] or _trees():
        modules = [file for file in sorted(tree.rglob("go.mod")) if not _is_hidden(file.relative_to(tree))]
        theirs, read = _their_edges(tree, [_listed(module) for module in modules])
        with scanned(tree) as code_map:
            files = (edge for edge in code_map.edges() if edge.kind == "import" and edge.source in read)
            pairs = {(os.path.dirname(edge.source), os.path.dirname(edge.target)) for edge in files}
        ours = {(source, target) for source, target in pairs if source != target}
        yield Score("go packages", "go list", name, len(read), *compared(ours, theirs, " -> ".join), _BAR, _BAR)


def _trees() -> Iterator[tuple[str, Path]]:
    for package in _DEBIAN:
        sources = debian(package) / "usr/share/gocode/src"
        module = min(sources.rglob("go.mod"), key=lambda file: len(file.parts))
        yield module.parent.relative_to(sources).as_posix(), module.parent
    version = run("go", "env", "GOVERSION").strip()
    yield f"standard library {version}", Path(run("go", "env", "GOROOT").strip(), "src").resolve()


def _is_hidden(path: Path) -> bool:
    """Where ``go list ./...`` never looks."""
    return any(part in ("testdata", "vendor") or part.startswith(("_", ".")) for part in path.parts)


def _listed(module: Path) -> list[dict[str, Any]]:
    """All packages of a module. Imports are read from the sources, so nothing has to be fetched for them."""
    environ = {**os.environ, "GOPROXY": "off", "GOWORK": "off", "GOFLAGS": ""}
    stated = re.search(r"^module\s+\"?([^\s\"]+)", module.read_text("utf-8"), re.MULTILINE)
    if stated is None:
        return []  # an empty go.mod keeps a folder out of the module around it
    name = stated[1]
    with tempfile.TemporaryDirectory(prefix="idumb-go-") as scratch:
        if name not in ("std", "cmd"):
            # With its requirements go would ask a registry for them before it reads a single file; it needs none.
            bare = Path(scratch, "go.mod")
            bare.write_text(f"module {name}\n\ngo 1.17\n", "utf-8")
            environ["GOFLAGS"] = f"-mod=readonly -modfile={bare}"
        packages = _go_list(["./..."], module.parent, environ)
        seen = {package["ImportPath"] for package in packages}
        imported = {path for package in packages for kind in _IMPORTS for path in package.get(kind, ())}
        # A package in a folder called testdata is left out above, yet it may be imported.
        more = sorted(path for path in imported - seen if path.startswith(name + "/") and "/vendor/" not in path)
        if more:
            packages += [package for package in _go_list(more, module.parent, environ) if "Dir" in package]
    return packages


def _go_list(patterns: Sequence[str], folder: Path, environ: dict[str, str]) -> list[dict[str, Any]]:
    command = ["go", "list", "-e", f"-json={_FIELDS}", *patterns]
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True)
    if done.returncode:
        raise Unobtainable(f"go list in {folder}: {done.stderr.strip()[-200:]}")
    decoder, packages, rest = json.JSONDecoder(), [], done.stdout.lstrip()
    while rest:
        package, end = decoder.raw_decode(rest)
        packages.append(package)
        rest = rest[end:].lstrip()
    return packages


def _their_edges(tree: Path, modules: Sequence[Sequence[dict[str, Any]]]) -> tuple[set[PackageEdge], set[str]]:
    """Edges between folders of packages, and the files that they were read in."""
    anywhere: dict[str, str] = {}
    for packages in modules:
        for package in packages:
            anywhere.setdefault(package["ImportPath"], _relative(package["Dir"], tree))
    edges: set[PackageEdge] = set()
    read: set[str] = set()
    for packages in modules:
        # Two modules of a tree may go by the same path, where one is made up for tests: a module's own packages come first.
        folder_of = anywhere | {package["ImportPath"]: _relative(package["Dir"], tree) for package in packages}
        for package in packages:
            source = _relative(package["Dir"], tree)
            for kind in _FILES:
                read.update(os.path.join(source, name) for name in package.get(kind, ()))
            for kind in _IMPORTS:
                targets = {folder_of[path] for path in package.get(kind, ()) if path in folder_of}
                edges.update((source, target) for target in targets if target != source)
    return edges, read


def _relative(folder: str, tree: Path) -> str:
    path = os.path.relpath(os.path.realpath(folder), tree)
    return "" if path == "." else path


if __name__ == "__main__":
    sys.exit(main(partial(measure, sys.argv[1:]), __doc__, ["--all"]))
