"""npm: package.json files and the workspaces of npm, Yarn, pnpm and Bun that tie them together; deno.json files beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from posixpath import dirname
from typing import Any

from idumb_brain.model.project import DEV, OPTIONAL, PEER, RUNTIME, Package, Requirement
from idumb_brain.scan.manifests.lines import json_lines, json_object, yaml_values
from idumb_brain.scan.manifests.locks import Lock
from idumb_brain.scan.manifests.npm.deno import deno_packages
from idumb_brain.scan.manifests.npm.locks import lock_for
from idumb_brain.scan.manifests.tree import Tree, beside, folder_at, upwards
from idumb_brain.scan.resolve.npm import glob_pattern

_GROUPS = {
    "dependencies": RUNTIME,
    "devDependencies": DEV,
    "optionalDependencies": OPTIONAL,
    "peerDependencies": PEER,
}
_PATH = re.compile(r"^(?:file|link|portal):(.+)$")
_ALIAS = re.compile(r"^npm:((?:@[^/@]+/)?[^@]+)(?:@(.*))?$")
_Catalogs = Mapping[tuple[str, str], str]  # catalog, package -> range


def read(tree: Tree) -> list[Package]:
    stated: dict[str, dict[str, Any]] = {}  # manifest -> contents
    for path in tree.named("package.json"):
        found, wrong = json_object(tree.text(path))
        if found is None:
            tree.wrong(path, wrong)
        elif found.get("name") or found.get("workspaces") or any(found.get(group) for group in _GROUPS):
            stated[path] = found
    members = _workspaces(tree, stated)
    catalogs = _catalogs(tree, stated)
    locks: dict[str, Lock | None] = {}
    packages = [
        _package(tree, path, found, members, catalogs, lock_for(tree, dirname(path), members, locks))
        for path, found in stated.items()
    ]
    return [*_linked(packages, members), *deno_packages(tree)]


def _package(
    tree: Tree,
    path: str,
    stated: dict[str, Any],
    members: Mapping[str, tuple[str, ...]],
    catalogs: Mapping[str, _Catalogs],
    lock: Lock | None,
) -> Package:
    folder = dirname(path)
    lines = json_lines(tree.text(path))
    requirements: dict[tuple[str, str], Requirement] = {}
    for section, group in _GROUPS.items():
        table = stated.get(section)
        for name, wanted in table.items() if isinstance(table, dict) else ():
            if not isinstance(wanted, str):
                continue
            written = _from_catalog(name, wanted, folder, catalogs)
            alias = _ALIAS.match(written)
            real, asked = (alias[1], alias[2] or "") if alias else (name, written)
            one = Requirement(
                real, "" if asked in ("*", "latest") else asked, group, path, lines.get((section, name), 1),
                alias=name if real != name else "",
            )  # fmt: skip
            if lock is not None:
                version, line = lock.find(folder, name, written)
                one = replace(one, locked=version, locked_line=line)
            requirements.setdefault((name, group), one)
    scripts = stated.get("scripts")
    return Package(
        path=folder,
        name=str(stated.get("name") or ""),
        version=str(stated.get("version") or ""),
        ecosystem="npm",
        manifest=path,
        lock=lock.path if lock else "",
        requirements=tuple(requirements.values()),
        members=members.get(path, ()),
        scripts=tuple((k, v) for k, v in scripts.items() if isinstance(v, str)) if isinstance(scripts, dict) else (),
        entries=tuple(dict.fromkeys(_entries(path, stated))),
        private=stated.get("private") is True,
    )


def _entries(path: str, stated: Mapping[str, Any]) -> Iterator[str]:
    for key in ("main", "module", "browser", "types", "typings", "source", "bin", "exports"):
        waiting = [stated.get(key)]
        while waiting:
            value = waiting.pop(0)
            if isinstance(value, str) and value and "*" not in value:
                yield beside(path, value)
            elif isinstance(value, dict):
                waiting += value.values()
            elif isinstance(value, list):
                waiting += value


def _workspaces(tree: Tree, stated: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    """Manifest of each workspace's root → manifests of its members."""
    globs: dict[str, list[str]] = {}
    for path, found in stated.items():
        listed = found.get("workspaces")
        if isinstance(listed, dict):
            listed = listed.get("packages")
        if isinstance(listed, list):
            globs.setdefault(path, []).extend(one for one in listed if isinstance(one, str))
    for path in tree.named("pnpm-workspace.yaml"):
        listed = [value for keys, value, _ in yaml_values(tree.text(path)) if keys == ("packages", "-") and value]
        globs.setdefault(beside(path, "package.json"), []).extend(listed)
    for path in tree.named("lerna.json"):
        found_lerna, wrong = json_object(tree.text(path))
        if found_lerna is None:
            tree.wrong(path, wrong)
        elif isinstance(listed := found_lerna.get("packages"), list):
            globs.setdefault(beside(path, "package.json"), []).extend(one for one in listed if isinstance(one, str))
    made: dict[str, tuple[str, ...]] = {}
    for top, patterns in globs.items():
        wanted = [glob_pattern(one) for one in patterns if not one.startswith("!")]
        unwanted = [glob_pattern(one[1:]) for one in patterns if one.startswith("!")]
        prefix = dirname(top) + "/" if dirname(top) else ""
        inside = []
        for path in stated:
            below = dirname(path)[len(prefix) :] if path.startswith(prefix) else ""
            if below and any(one.match(below) for one in wanted) and not any(one.match(below) for one in unwanted):
                inside.append(path)
        made[top] = tuple(sorted(inside))
    return made


def _catalogs(tree: Tree, stated: Mapping[str, Mapping[str, Any]]) -> dict[str, _Catalogs]:
    """Folder of a workspace → its catalogs: versions stated once for all members (pnpm, Bun, Yarn)."""
    made: dict[str, dict[tuple[str, str], str]] = {}
    for path in tree.named("pnpm-workspace.yaml", ".yarnrc.yml"):
        catalog = made.setdefault(dirname(path), {})
        for keys, value, _ in yaml_values(tree.text(path)):
            if keys[0] == "catalog" and len(keys) == 2:
                catalog["default", keys[1]] = value
            elif keys[0] == "catalogs" and len(keys) == 3:
                catalog[keys[1], keys[2]] = value
    for path, found in stated.items():
        places = [found, found["workspaces"]] if isinstance(found.get("workspaces"), dict) else [found]
        for place in places:
            one, many = place.get("catalog"), place.get("catalogs")
            if isinstance(one, dict):
                made.setdefault(dirname(path), {}).update({("default", k): str(v) for k, v in one.items()})
            for name, table in many.items() if isinstance(many, dict) else ():
                if isinstance(table, dict):
                    made.setdefault(dirname(path), {}).update({(name, k): str(v) for k, v in table.items()})
    return {folder: catalog for folder, catalog in made.items() if catalog}


def _from_catalog(name: str, wanted: str, folder: str, catalogs: Mapping[str, _Catalogs]) -> str:
    if not wanted.startswith("catalog:"):
        return wanted
    which = wanted.removeprefix("catalog:").strip() or "default"
    return next((catalogs[up][which, name] for up in upwards(folder) if (which, name) in catalogs.get(up, {})), wanted)


def _linked(packages: list[Package], members: Mapping[str, tuple[str, ...]]) -> list[Package]:
    """Requirements that the workspace, or a path, answers from within the project."""
    by_manifest = {package.manifest: package for package in packages}
    by_folder = {package.path: package for package in packages}
    names: dict[str, dict[str, str]] = {}  # manifest of a member or root -> name -> manifest
    for top, inside in members.items():
        together = {by_manifest[path].name: path for path in reversed((top, *inside)) if path in by_manifest}
        for path in (top, *inside):
            names.setdefault(path, {}).update(together)
    made = []
    for package in packages:
        requirements = []
        for one in package.requirements:
            local = ""
            if place := _PATH.match(one.wanted):
                other = by_folder.get(folder_at(package.path, place[1]))
                local = other.manifest if other else ""
            elif not one.wanted.startswith(("http:", "https:", "git", "github:")):
                local = names.get(package.manifest, {}).get(one.name, "")
                if local and not one.wanted.startswith("workspace:") and one.locked:
                    local = ""  # the lock says it came from the registry
            requirements.append(replace(one, local=local))
        made.append(replace(package, requirements=tuple(requirements)))
    return made
