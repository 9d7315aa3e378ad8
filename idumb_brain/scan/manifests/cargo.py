"""Cargo: Cargo.toml files, what they inherit from their workspace, Cargo.lock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from posixpath import dirname, join
from typing import Any

from idumb_brain.model.project import BUILD, DEV, OPTIONAL, RUNTIME, Package, Requirement
from idumb_brain.scan.manifests.lines import TomlLines, toml_table
from idumb_brain.scan.manifests.locks import Lock, pinned_lock, toml_packages
from idumb_brain.scan.manifests.tree import Tree, folder_at, upwards
from idumb_brain.scan.resolve.npm import glob_pattern

_GROUPS = {"dependencies": RUNTIME, "dev-dependencies": DEV, "build-dependencies": BUILD}
_GROUPS |= {"dev_dependencies": DEV, "build_dependencies": BUILD}


def read(tree: Tree) -> list[Package]:
    stated: dict[str, Mapping[str, Any]] = {}  # folder -> contents
    for path in tree.named("Cargo.toml"):
        found, wrong, line = toml_table(tree.text(path))
        if found is None:
            tree.wrong(path, wrong, line)
        elif "package" in found or "workspace" in found or "project" in found:
            stated[dirname(path)] = found
    roots = {folder: workspace for folder, found in stated.items() if isinstance(workspace := found.get("workspace"), dict)}
    members = {folder: _members(folder, workspace, stated) for folder, workspace in roots.items()}
    root_of = {member: folder for folder, inside in members.items() for member in inside}
    locks: dict[str, Lock] = {}
    packages = [
        _package(tree, folder, found, _root(folder, found, roots, root_of), members.get(folder, ()), locks)
        for folder, found in stated.items()
    ]
    by_folder = {package.path: package for package in packages}
    return [
        replace(
            package,
            requirements=tuple(
                replace(one, local=there.manifest, locked="", locked_line=0)
                if one.local and (there := by_folder.get(one.local[2:]))
                else replace(one, local="")
                for one in package.requirements
            ),
        )
        for package in packages
    ]


def _root(
    folder: str, found: Mapping[str, Any], roots: Mapping[str, Any], root_of: Mapping[str, str]
) -> tuple[str, Mapping[str, Any]]:
    """The workspace a package belongs to: its folder and what it states."""
    if folder in roots:
        return folder, roots[folder]
    if folder in root_of:
        return root_of[folder], roots[root_of[folder]]
    package = found.get("package")
    if isinstance(package, dict) and isinstance(place := package.get("workspace"), str):
        above = folder_at(folder, place)
        return (above, roots[above]) if above in roots else (folder, {})
    above = next((one for one in upwards(dirname(folder)) if one in roots), "") if folder else ""
    if above in roots and folder and not _excluded(folder, above, roots[above]):
        return above, roots[above]  # a path dependency of a member is a member, too
    return folder, {}


def _excluded(folder: str, top: str, workspace: Mapping[str, Any]) -> bool:
    below = folder[len(top) + 1 :] if top else folder
    return any(below == one or below.startswith(one.rstrip("/") + "/") for one in _texts(workspace.get("exclude")))


def _members(top: str, workspace: Mapping[str, Any], stated: Mapping[str, Any]) -> tuple[str, ...]:
    wanted = [glob_pattern(one) for one in _texts(workspace.get("members"))]
    prefix = top + "/" if top else ""
    inside = []
    for folder in stated:
        below = folder[len(prefix) :] if folder.startswith(prefix) else ""
        if below and any(one.match(below) for one in wanted) and not _excluded(folder, top, workspace):
            inside.append(folder)
    return tuple(sorted(inside))


def _package(
    tree: Tree,
    folder: str,
    found: Mapping[str, Any],
    root: tuple[str, Mapping[str, Any]],
    members: tuple[str, ...],
    locks: dict[str, Lock],
) -> Package:
    path = join(folder, "Cargo.toml")
    top, workspace = root
    package = _table(found, "package") or _table(found, "project")
    version = package.get("version")
    if isinstance(version, dict):
        version = _table(workspace, "package").get("version")
    lock_path = next((place for one in (folder, top) if tree.has(place := join(one, "Cargo.lock"))), "")
    if lock_path and lock_path not in locks:
        locks[lock_path] = pinned_lock(lock_path, toml_packages(tree.text(lock_path)))
    requirements = []
    for one in _requirements(path, found, TomlLines(tree.text(path)), top, _table(workspace, "dependencies")):
        if lock_path:
            locked, line = locks[lock_path].find(folder, one.name, one.wanted)
            one = replace(one, locked=locked, locked_line=line)
        requirements.append(one)
    publish = package.get("publish")
    return Package(
        path=folder,
        name=str(package.get("name") or ""),
        version=version if isinstance(version, str) else "",
        ecosystem="cargo",
        manifest=path,
        lock=lock_path,
        requirements=tuple(requirements),
        members=tuple(join(member, "Cargo.toml") for member in members),
        private=publish is False or publish == [],
    )


def _requirements(
    path: str, found: Mapping[str, Any], lines: TomlLines, top: str, inherited: Mapping[str, Any]
) -> Iterator[Requirement]:
    tables: list[tuple[tuple[str, ...], Mapping[str, Any]]] = [((), found)]
    tables += [(("target", name), target) for name, target in _table(found, "target").items() if isinstance(target, dict)]
    for keys, table in tables:
        for section, group in _GROUPS.items():
            for key, asked in _table(table, section).items():
                name, wanted, optional, place = _asked(key, asked, dirname(path))
                if isinstance(asked, dict) and asked.get("workspace") is True and key in inherited:
                    name, wanted, _, place = _asked(key, inherited[key], top)
                yield Requirement(
                    name, wanted, OPTIONAL if optional and group == RUNTIME else group, path, lines.of(*keys, section, key),
                    local=place, alias=key if key != name else "",
                )  # fmt: skip


def _asked(key: str, asked: Any, folder: str) -> tuple[str, str, bool, str]:
    """Name, range, optional?, folder."""
    if isinstance(asked, str):
        return key, "" if asked == "*" else asked, False, ""
    if not isinstance(asked, dict):
        return key, "", False, ""
    wanted = asked.get("version")
    if not isinstance(wanted, str):
        wanted = f"git+{asked['git']}" if isinstance(asked.get("git"), str) else ""
    name = asked.get("package")
    place = asked.get("path")
    return (
        name if isinstance(name, str) else key,
        "" if wanted == "*" else wanted,
        asked.get("optional") is True,
        "./" + folder_at(folder, place) if isinstance(place, str) else "",
    )


def _table(stated: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = stated.get(key)
    return found if isinstance(found, dict) else {}


def _texts(found: Any) -> tuple[str, ...]:
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()
