"""Python: one package a folder, whatever number of manifests tell of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from posixpath import basename, dirname

from idumb_brain.model.project import BUILD, DEV, Package, Requirement
from idumb_brain.scan.manifests.locks import Lock
from idumb_brain.scan.manifests.python.declared import Declared, normal
from idumb_brain.scan.manifests.python.listed import environment_yml, pipfile, requirements_txt
from idumb_brain.scan.manifests.python.locks import is_compiled, lock_for
from idumb_brain.scan.manifests.python.pyproject import pyproject
from idumb_brain.scan.manifests.python.setuptools import setup_cfg, setup_py
from idumb_brain.scan.manifests.tree import Tree, upwards
from idumb_brain.scan.resolve.npm import glob_pattern

# The order is that of trust: the first that states a name or a version is believed, and is the package's manifest.
_MANIFESTS = {
    "pyproject.toml": pyproject,
    "setup.cfg": setup_cfg,
    "setup.py": setup_py,
    "Pipfile": pipfile,
    "environment.yml": environment_yml,
    "environment.yaml": environment_yml,
}
_REQUIREMENTS = re.compile(r"(?:^|[-_.])require(?:ments?|s)?(?:[-_.].*)?\.(?:txt|in)$|^(?:test|dev)-requires\.txt$")
# Folders whose requirement files serve the package around them rather than make one.
_SERVING = frozenset(
    ("requirements", "requirement", "reqs", "docs", "doc", "documentation", "test", "tests", "testing", "ci", ".ci", ".github", "tools")
)  # fmt: skip


def read(tree: Tree) -> list[Package]:
    declared: dict[str, list[tuple[str, Declared]]] = {}  # folder -> manifest, what it says
    for name, reader in _MANIFESTS.items():
        for path in tree.named(name):
            if (found := reader(tree, path)) is not None:
                declared.setdefault(dirname(path), []).append((path, found))
    for path in _requirement_files(tree, declared):
        folder = _served(dirname(path), declared)
        if asked := requirements_txt(tree, path, DEV if folder != dirname(path) and _is_aside(dirname(path)) else ""):
            declared.setdefault(folder, []).append((path, Declared(requirements=tuple(asked))))
    locks: dict[str, Lock] = {}
    packages = [_package(tree, folder, parts, locks) for folder, parts in sorted(declared.items())]
    return _linked(packages, declared)


def _requirement_files(tree: Tree, declared: Mapping[str, object]) -> Iterator[str]:
    """Requirement files; those compiled from a manifest beside them are left out: they lock, they do not ask."""
    for path in tree.files:
        name = basename(path)
        if not name.endswith((".txt", ".in")) or dirname(path).endswith((".egg-info", ".dist-info")):
            continue
        in_folder = basename(dirname(path)) in ("requirements", "reqs")
        if not (_REQUIREMENTS.search(name) or in_folder):
            continue
        if name.endswith(".txt") and (path[:-3] + "in" in tree or (dirname(path) in declared and is_compiled(tree.text(path)))):
            continue
        yield path


def _served(folder: str, declared: dict[str, list[tuple[str, Declared]]]) -> str:
    if basename(folder) in _SERVING:
        above = next((one for one in upwards(dirname(folder)) if one in declared), None)
        if above is not None:
            return above
        return dirname(folder) if basename(folder) in ("requirements", "reqs") else folder
    return folder


def _is_aside(folder: str) -> bool:
    return basename(folder) not in ("requirements", "requirement", "reqs")


def _package(tree: Tree, folder: str, parts: list[tuple[str, Declared]], locks: dict[str, Lock]) -> Package:
    lock = lock_for(tree, folder, locks)
    requirements: dict[tuple[str, str, str, int], Requirement] = {}
    for _, part in parts:
        for one in part.requirements:
            if lock is not None and one.name and one.group != BUILD:
                version, line = lock.find(folder, one.name, one.wanted)
                one = replace(one, locked=version, locked_line=line)
            requirements.setdefault((one.manifest, one.name, one.group, one.line), one)
    return Package(
        path=folder,
        name=normal(next((part.name for _, part in parts if part.name), "")),
        version=next((part.version for _, part in parts if part.version), ""),
        ecosystem="python",
        manifest=parts[0][0],
        lock=lock.path if lock else "",
        requirements=tuple(requirements.values()),
        scripts=next((part.scripts for _, part in parts if part.scripts), ()),
        private=any(part.private for _, part in parts),
    )


def _linked(packages: list[Package], declared: dict[str, list[tuple[str, Declared]]]) -> list[Package]:
    """Requirements that are packages of the project, by the path they state or by name; members of uv's workspaces."""
    by_name = {package.name: package for package in reversed(packages) if package.name}
    by_folder = {package.path: package for package in packages}
    made = []
    for package in packages:
        requirements = []
        for one in package.requirements:
            other = by_folder.get(one.local) if one.local else None
            if other is None and one.name and one.group != BUILD:
                other = by_name.get(one.name)
            if other is package:
                other = None if one.name != package.name else package
            if other is None and not one.name:
                continue  # a path that leads to no package
            requirements.append(
                replace(one, name=one.name or other.name, local=other.manifest, locked="", locked_line=0)
                if other
                else replace(one, local="")
            )
        requirements = [one for one in requirements if one.name]
        members: list[str] = []
        for _, part in declared[package.path]:
            wanted, unwanted = ([glob_pattern(one) for one in ones] for ones in (part.members, part.unmembers))
            prefix = package.path + "/" if package.path else ""
            for other in packages:
                below = other.path[len(prefix) :] if other.path.startswith(prefix) else ""
                if below and any(p.match(below) for p in wanted) and not any(p.match(below) for p in unwanted):
                    members.append(other.manifest)
        made.append(replace(package, requirements=tuple(requirements), members=tuple(members)))
    return made
