"""Composer: composer.json files, repositories of type path, composer.lock."""

from __future__ import annotations

import re
from dataclasses import replace
from posixpath import dirname, join
from typing import Any

from idumb_brain.model.project import DEV, RUNTIME, Package, Requirement
from idumb_brain.scan.manifests.lines import json_lines, json_object
from idumb_brain.scan.manifests.tree import Tree, folder_at
from idumb_brain.scan.resolve.npm import glob_pattern

_PLATFORM = re.compile(r"^(?:php(?:-64bit|-ipv6|-zts|-debug)?|hhvm|(?:ext|lib)-.+|composer(?:-plugin-api|-runtime-api)?)$")


def read(tree: Tree) -> list[Package]:
    packages: list[tuple[Package, dict[str, Any]]] = []
    for path in tree.named("composer.json"):
        stated, wrong = json_object(tree.text(path))
        if stated is None:
            tree.wrong(path, wrong)
        elif stated.get("name") or stated.get("require") or stated.get("require-dev"):
            packages.append((_package(tree, path, stated), stated))
    by_folder = {package.path: package for package, _ in packages}
    made = []
    for package, stated in packages:
        near = _near(package, stated, by_folder)
        requirements = tuple(
            replace(one, local=near[one.name], locked="", locked_line=0) if one.name in near else one
            for one in package.requirements
        )
        made.append(replace(package, requirements=requirements, members=tuple(sorted(near.values()))))
    return made


def _package(tree: Tree, path: str, stated: dict[str, Any]) -> Package:
    lines = json_lines(tree.text(path))
    lock = join(dirname(path), "composer.lock")
    locked = _locked(tree, lock) if tree.has(lock) else {}
    found = []
    for section, group in (("require", RUNTIME), ("require-dev", DEV)):
        table = stated.get(section)
        for name, wanted in table.items() if isinstance(table, dict) else ():
            if _PLATFORM.match(name) or not isinstance(wanted, str):
                continue
            version, line = locked.get(name.lower(), ("", 0))
            asked = "" if wanted == "*" else wanted
            found.append(Requirement(name.lower(), asked, group, path, lines.get((section, name), 1), version, "", line))
    scripts = stated.get("scripts")
    commands = [
        (name, command if isinstance(command, str) else " && ".join(one for one in command if isinstance(one, str)))
        for name, command in (scripts.items() if isinstance(scripts, dict) else ())
        if isinstance(command, (str, list))
    ]
    return Package(
        path=dirname(path),
        name=str(stated.get("name") or ""),
        version=str(stated.get("version") or ""),
        ecosystem="composer",
        manifest=path,
        lock=lock if tree.has(lock) else "",
        requirements=tuple(found),
        scripts=tuple(commands),
        private=stated.get("type") == "project",
    )


def _near(package: Package, stated: dict[str, Any], by_folder: dict[str, Package]) -> dict[str, str]:
    """Name → manifest of the packages that repositories of type path lead to."""
    repositories = stated.get("repositories")
    listed = repositories.values() if isinstance(repositories, dict) else repositories if isinstance(repositories, list) else ()
    found: dict[str, str] = {}
    for one in listed:
        if isinstance(one, dict) and one.get("type") == "path" and isinstance(place := one.get("url"), str):
            pattern = glob_pattern(folder_at(package.path, place))
            found.update({other.name: other.manifest for folder, other in by_folder.items() if pattern.match(folder)})
    return found


def _locked(tree: Tree, path: str) -> dict[str, tuple[str, int]]:
    text = tree.text(path)
    stated = tree.json(path)
    found: dict[str, tuple[str, int]] = {}
    at = 0
    line = 1
    for section in ("packages", "packages-dev"):
        listed = stated.get(section)
        for one in listed if isinstance(listed, list) else ():
            if isinstance(one, dict) and isinstance(name := one.get("name"), str):
                place = text.find(f'"name": "{name}"', at)
                if place >= 0:
                    line += text.count("\n", at, place)
                    at = place
                found[name.lower()] = (str(one.get("version") or "").removeprefix("v"), line)
    return found
