"""The project map: what a repository is, what it is built with, how it hangs together, which of its documents lie."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from idumb_brain import __version__
from idumb_brain.graph.architecture import Architecture, is_code
from idumb_brain.graph.landmarks import Tested
from idumb_brain.graph.structure import Folder
from idumb_brain.model.code import Edge, FileRecord, Symbol
from idumb_brain.model.errors import StoreLocked
from idumb_brain.model.history import History
from idumb_brain.model.project import Package
from idumb_brain.model.roles import SOURCE, is_own, is_product
from idumb_brain.operations.project import Project, find_project
from idumb_brain.store import code as store
from idumb_brain.store.database import Connection

_DEPTH = 3
_HOT = 15
_UNTESTED = 10
_MODULE = re.compile(r"/v\d+$")  # of a Go module's path: which major version it is


def project_map(root: str | None = None, *, depth: int = _DEPTH) -> dict[str, Any]:
    """Everything at once. Reads the index, the manifests and git's history; changes nothing."""
    from idumb_brain.graph.structure import folder_tree
    from idumb_brain.operations.dependencies import dependencies
    from idumb_brain.operations.documents import documents, governance
    from idumb_brain.operations.history import folder_owners, project_history
    from idumb_brain.operations.stack import frameworks
    from idumb_brain.scan.manifests import read_packages

    project = find_project(root)
    with project.reading() as connection:
        files = store.files(connection)
        edges = store.edges(connection)
        mains = [*store.symbols_named(connection, "main"), *store.symbols_named(connection, "application")]
        scanned = {key: store.meta(connection, key) for key in ("scannedFull", "scanned")}
        languages = store.language_totals(connection)
    place = str(project.root)
    told = documents(place)
    stack = frameworks(place)
    packages, _ = read_packages(project.root, [file.path for file in files])
    past = project_history(project)
    return {
        "root": place,
        "name": _name(project, packages),
        "summary": _summary(project, packages, stack, languages, files),
        "rootStructure": _folder_data(folder_tree(files), project.root.name, depth),
        "languages": {name: {"files": n, "lines": lines, "bytes": size} for name, (n, lines, size) in languages.items()},
        "frameworksDetected": stack["frameworksDetected"],
        "techStack": stack["techStack"],
        "packages": [package | {"own": is_own(package["manifest"])} for package in stack["packages"]],
        "dependencies": dependencies(place),
        "architecture": _architecture(packages, files, edges, mains, past)
        | {"owners": [{"path": path or ".", **owners} for path, owners in folder_owners(project, past, depth=1).items()]},
        "governanceDetected": governance(place),
        "documents": told["documents"],
        "documentRelations": told["documentRelations"],
        "lastFullScanAt": scanned["scannedFull"] or None,
        "lastIncrementalAt": scanned["scanned"] or None,
        "driftDetections": _drift(project),
        "problems": stack["problems"],
    }


def summary(root: str | None = None) -> str:
    """The project in one line of at most 120 characters, as it goes into every system prompt."""
    project = find_project(root)
    with project.reading() as connection:
        return summary_of(project, connection)


def summary_of(project: Project, connection: Connection) -> str:
    """The same of an open index. It is kept there, for as long as the files in the index are the same."""
    from idumb_brain.operations.stack import frameworks
    from idumb_brain.scan.manifests import read_packages

    mark = f"{__version__} {store.content_mark(connection)}"
    if store.meta(connection, "summaryOf") == mark:
        return store.meta(connection, "summary")
    files = store.files(connection)
    packages, _ = read_packages(project.root, [file.path for file in files])
    made = _summary(project, packages, frameworks(str(project.root)), store.language_totals(connection), files)
    with suppress(StoreLocked):  # whoever is writing has something better to do; it is made again until it can be kept
        store.keep_meta(project.index, summaryOf=mark, summary=made)
    return made


def _name(project: Project, packages: Sequence[Package]) -> str:
    """What the package at the top calls itself; of several, the one with most to say of itself; else the folder's name."""
    tops = [package for package in packages if package.path == "" and package.name]
    if not tops:
        return project.root.name
    top = max(tops, key=lambda package: (len(package.requirements), package.name))
    return _MODULE.sub("", top.name).rpartition("/")[2] if top.ecosystem == "go" else top.name


def _summary(
    project: Project,
    packages: Sequence[Package],
    stack: dict[str, Any],
    languages: dict[str, tuple[int, int, int]],
    files: Sequence[FileRecord],
) -> str:
    from idumb_brain.render.summary import one_line

    product: Counter[str] = Counter()
    for file in files:
        if file.language and is_product(file.path):
            product[file.language] += file.lines
    lines = product or Counter({name: lines for name, (_, lines, _) in languages.items()})
    named = stack["techStack"]
    own = [package for package in packages if is_own(package.manifest)]
    return one_line(
        _name(project, packages),
        lines,
        [*named.get("framework", ()), *named.get("ui", ()), *named.get("database", ())],
        named.get("test-tool", ()),
        len(own),
        len(files),
    )


def _folder_data(folder: Folder, name: str, depth: int) -> dict[str, Any]:
    data: dict[str, Any] = {
        "name": name,
        "path": folder.path or ".",
        "type": "directory",
        "role": folder.role or SOURCE,
        "files": folder.files,
        "lines": folder.lines,
        "bytes": folder.size,
        "languages": {
            language: {"files": files, "lines": lines, "bytes": size}
            for language, (files, lines, size) in sorted(folder.languages.items(), key=lambda item: (-item[1][1], item[0]))
        },
    }
    if depth > 0:
        children = [_folder_data(child, name, depth - 1) for name, child in sorted(folder.children.items())]
        if not folder.path:
            children += [{"name": name, "path": name, "type": "file"} for name in sorted(folder.names)]
        data["children"] = children
    return data


def _architecture(
    packages: Sequence[Package], files: Sequence[FileRecord], edges: Sequence[Edge], mains: Iterable[Symbol], past: History
) -> dict[str, Any]:
    from idumb_brain.graph.architecture import architecture
    from idumb_brain.graph.landmarks import entry_points, hot_files, subjects_of_tests

    found: Architecture = architecture(files, edges)
    return {
        "modules": [
            {
                "path": module.path or ".",
                "files": module.files,
                "lines": module.lines,
                "language": module.language,
                "layer": module.layer,
                "dependsOn": [{"module": path or ".", "imports": imports} for path, imports in module.needs],
            }
            for module in found.modules
        ],
        "layers": [[path or "." for path in row] for row in found.layers],
        "againstLayers": [
            {
                "from": one.source or ".",
                "to": one.target or ".",
                "imports": one.imports,
                "example": f"{one.example.source}:{one.example.line}",
            }
            for one in found.against
        ],
        "entryPoints": [
            {"path": entry.path, "line": entry.line, "why": entry.why} for entry in entry_points(packages, files, mains)
        ],
        "hotFiles": [
            {"path": file.path, "neededBy": needed, "commits": commits, "lines": file.lines}
            for file, needed, commits in hot_files(files, edges, past)[:_HOT]
        ],
        "tests": _tests(files, subjects_of_tests(files, edges)),
    }


def _tests(files: Sequence[FileRecord], links: Sequence[Tested]) -> dict[str, Any]:
    sources = {file.path: file.lines for file in files if file.status == "scanned" and file.lines and is_code(file)}
    covered = {link.source for link in links}
    bare = sorted((path for path in sources if path not in covered), key=lambda path: (-sources[path], path))
    named = [link for link in links if link.why != "imports it"]
    return {
        "files": len({link.test for link in links}),
        "sources": len(sources),
        "sourcesTested": len(covered & sources.keys()),
        "links": [{"test": link.test, "source": link.source, "why": link.why} for link in named],
        "largestUntested": bare[:_UNTESTED],
    }


def _drift(project: Project) -> list[dict[str, Any]]:
    """Files that are no longer what was scanned, by a look at each."""
    from idumb_brain.operations.scanning import changed_files

    return [{"path": path, "change": change} for path, change in changed_files(project)]
