"""Dependencies between Go packages against the go command's own account of them. Compares; judges nothing but the bar.

    python -m tests.accuracy.go_packages [FOLDER…]

Our edges between files, by import statements, are collapsed to edges between the folders of packages and compared with
what ``go list`` reads in the same files. Without folders: Go modules from Debian's archive (``apt-get download``) and the
standard library that belongs to the go command. Files that ``go list`` leaves out for their build constraints, and
folders it never looks into (testdata), are left out on our side too. Exit code 1: below the bar; 2: not measured.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from idumb_brain.scan.discover import DiscoverSettings
from idumb_brain.scan.read import ReadLimits
from idumb_brain.scan.refresh import ScanSettings, Workspace
from idumb_brain.store import code as store

_BAR = 0.99
_DEBIAN = ("golang-golang-x-tools-dev", "golang-google-grpc-dev", "golang-github-prometheus-client-golang-dev")
_FILES = ("GoFiles", "CgoFiles", "TestGoFiles", "XTestGoFiles")
_IMPORTS = ("Imports", "TestImports", "XTestImports")
_FIELDS = ",".join(("Dir", "ImportPath", *_FILES, *_IMPORTS))

PackageEdge = tuple[str, str]


class Score(NamedTuple):
    tree: str
    packages: int
    both: int
    only_ours: Sequence[PackageEdge]
    only_theirs: Sequence[PackageEdge]

    @property
    def precision(self) -> float:
        return self.both / (self.both + len(self.only_ours)) if self.both else 0.0

    @property
    def recall(self) -> float:
        return self.both / (self.both + len(self.only_theirs)) if self.both else 0.0


def main(folders: Sequence[str]) -> int:
    if shutil.which("go") is None:
        print("not measured: there is no go on the path; apt-get install golang-go", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="idumb-go-") as scratch:
        try:
            trees = [Path(folder).resolve() for folder in folders] or list(_trees(Path(scratch)))
            scores = [compare(tree, Path(scratch)) for tree in trees]
        except subprocess.CalledProcessError as error:
            print(f"not measured: {' '.join(error.cmd)} failed\n{error.stderr}", file=sys.stderr)
            return 2
    for score in scores:
        print(
            f"{score.tree}: {score.packages} packages, {score.both} edges both know,"
            f" precision {score.precision:.4f}, recall {score.recall:.4f} (bar {_BAR} each)"
        )
        for source, target in score.only_ours:
            print(f"  only ours: {source} -> {target}")
        for source, target in score.only_theirs:
            print(f"  only go list's: {source} -> {target}")
    return 1 if any(min(score.precision, score.recall) < _BAR for score in scores) else 0


def compare(tree: Path, scratch: Path) -> Score:
    modules = [file for file in sorted(tree.rglob("go.mod")) if not _is_hidden(file.relative_to(tree))]
    packages = [package for module in modules for package in _listed(module, scratch)]
    theirs, read = _their_edges(tree, packages)
    ours = _our_edges(tree, scratch, read)
    return Score(str(tree), len(packages), len(ours & theirs), sorted(ours - theirs), sorted(theirs - ours))


def _trees(scratch: Path) -> Iterator[Path]:
    for package in _DEBIAN:
        folder = scratch / package
        folder.mkdir()
        _run(["apt-get", "download", package], folder)
        for archive in folder.glob("*.deb"):
            _run(["dpkg", "-x", archive.name, "files"], folder)
        sources = folder / "files/usr/share/gocode/src"
        module = min(sources.rglob("go.mod"), key=lambda file: len(file.parts))
        yield module.parent
    yield Path(_run(["go", "env", "GOROOT"], scratch).strip(), "src").resolve()


def _is_hidden(path: Path) -> bool:
    """Where ``go list ./...`` never looks."""
    return any(part in ("testdata", "vendor") or part.startswith(("_", ".")) for part in path.parts)


def _listed(module: Path, scratch: Path) -> list[dict[str, Any]]:
    """All packages of a module. Imports are read from the sources, so nothing has to be fetched for them."""
    environ = {**os.environ, "GOPROXY": "off", "GOWORK": "off", "GOFLAGS": ""}
    name = re.search(r"^module\s+\"?([^\s\"]+)", module.read_text("utf-8"), re.MULTILINE)
    if name and name[1] not in ("std", "cmd"):
        # With the requirements go would ask a registry for them before it reads a single file; it needs none of them.
        bare = Path(tempfile.mkdtemp(dir=scratch), "go.mod")
        bare.write_text(f"module {name[1]}\n\ngo 1.17\n", "utf-8")
        environ["GOFLAGS"] = f"-mod=readonly -modfile={bare}"
    packages = _go_list(["./..."], module.parent, environ)
    seen = {package["ImportPath"] for package in packages}
    imported = {path for package in packages for kind in _IMPORTS for path in package.get(kind, ())}
    more = sorted(path for path in imported - seen if name and path.startswith(name[1] + "/"))
    # A package in a folder called testdata is left out above, yet it may be imported.
    return packages + ([package for package in _go_list(more, module.parent, environ) if "Dir" in package] if more else [])


def _go_list(patterns: Sequence[str], folder: Path, environ: dict[str, str]) -> list[dict[str, Any]]:
    said = _run(["go", "list", "-e", f"-json={_FIELDS}", *patterns], folder, environ)
    decoder, packages, position = json.JSONDecoder(), [], 0
    while position < len(said):
        package, position = decoder.raw_decode(said, position)
        packages.append(package)
        position += len(said[position:]) - len(said[position:].lstrip())
    return packages


def _their_edges(tree: Path, packages: Sequence[dict[str, Any]]) -> tuple[set[PackageEdge], set[str]]:
    """Edges between folders of packages, and the files that they were read in."""
    folder_of = {package["ImportPath"]: _relative(package["Dir"], tree) for package in packages}
    edges: set[PackageEdge] = set()
    read: set[str] = set()
    for package in packages:
        source = _relative(package["Dir"], tree)
        for kind in _FILES:
            read.update(os.path.join(source, name) for name in package.get(kind, ()))
        for kind in _IMPORTS:
            targets = {folder_of[path] for path in package.get(kind, ()) if path in folder_of}
            edges.update((source, target) for target in targets if target != source)
    return edges, read


def _our_edges(tree: Path, scratch: Path, read: set[str]) -> set[PackageEdge]:
    index = Path(tempfile.mkdtemp(dir=scratch), "index.db")
    settings = ScanSettings(discover=DiscoverSettings(include=("*",)), limits=ReadLimits(generated=True))
    with Workspace(str(tree), index, settings, environ={}, now=lambda: "2026-02-04T10:30:00Z") as workspace:
        workspace.refresh()
    connection = store.open_for_reading(index)
    assert connection is not None
    pairs = {
        (os.path.dirname(edge.source), os.path.dirname(edge.target))
        for edge in store.edges(connection)
        if edge.kind == "import" and edge.source in read
    }
    connection.close()
    return {(source, target) for source, target in pairs if source != target}


def _relative(folder: str, tree: Path) -> str:
    path = os.path.relpath(os.path.realpath(folder), tree)
    return "" if path == "." else path


def _run(command: Sequence[str], folder: Path, environ: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=True)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
