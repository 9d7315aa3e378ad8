"""Dart and Flutter: pubspec.yaml files, pub's workspaces, pubspec.lock."""

from __future__ import annotations

from dataclasses import replace
from posixpath import dirname, join

from idumb_brain.model.project import DEV, RUNTIME, Package, Requirement
from idumb_brain.scan.manifests.lines import yaml_values
from idumb_brain.scan.manifests.tree import Tree, folder_at
from idumb_brain.scan.resolve.npm import glob_pattern

_GROUPS = {"dependencies": RUNTIME, "dev_dependencies": DEV}


def read(tree: Tree) -> list[Package]:
    packages = [_package(tree, path) for path in tree.named("pubspec.yaml")]
    by_folder = {package.path: package for package in packages}
    together: dict[str, dict[str, str]] = {}
    for package in packages:
        inside = [by_folder[folder] for folder in package.members if folder in by_folder]
        for member in (package, *inside) if inside else ():
            together.setdefault(member.path, {}).update({other.name: other.manifest for other in (package, *inside)})
    made = []
    for package in packages:
        known = together.get(package.path, {})
        requirements = []
        for one in package.requirements:
            there = by_folder.get(one.local[2:]) if one.local else None
            local = there.manifest if there else known.get(one.name, "")
            requirements.append(replace(one, local=local, locked="", locked_line=0) if local else replace(one, local=""))
        members = tuple(sorted(by_folder[folder].manifest for folder in package.members if folder in by_folder))
        made.append(replace(package, requirements=tuple(requirements), members=members))
    return made


def _package(tree: Tree, path: str) -> Package:
    folder = dirname(path)
    name = version = ""
    private = shares = False
    found: dict[tuple[str, str], Requirement] = {}
    members: list[str] = []
    for keys, value, line in yaml_values(tree.text(path)):
        head = keys[0]
        if head == "name" and len(keys) == 1:
            name = value
        elif head == "version" and len(keys) == 1:
            version = value
        elif head == "publish_to":
            private = value == "none"
        elif head == "resolution":
            shares = value == "workspace"
        elif head == "workspace" and keys[-1] == "-":
            members.append(value)
        elif head in _GROUPS and len(keys) == 2:
            group = _GROUPS[head]
            found[keys[1], group] = Requirement(keys[1], "" if value == "any" else value, group, path, line)
        elif head in _GROUPS and len(keys) == 3 and (known := found.get((keys[1], _GROUPS[head]))):
            if keys[2] == "version":
                known = replace(known, wanted=value)
            elif keys[2] == "path":
                known = replace(known, local="./" + folder_at(folder, value))
            elif keys[2] == "sdk":
                known = replace(known, wanted=f"sdk:{value}")
            elif keys[2] == "git":
                known = replace(known, wanted=f"git:{value}" if value else "git:")
            found[keys[1], _GROUPS[head]] = known
    if not name:
        tree.wrong(path, "states no name: not a pubspec")
    lock = join(folder, "pubspec.lock")
    if not tree.has(lock):
        lock = tree.nearest(dirname(folder), "pubspec.lock") if shares and folder else ""
    locked = _locked(tree.text(lock)) if lock else {}
    requirements = []
    for one in found.values():
        fixed, line = locked.get(one.name, ("", 0)) if not one.wanted.startswith("sdk:") else ("", 0)
        requirements.append(replace(one, locked=fixed, locked_line=line))
    folders = [folder_at(folder, one) for one in members if "*" not in one]
    patterns = [glob_pattern(folder_at(folder, one)) for one in members if "*" in one]
    if patterns:
        folders += [dirname(one) for one in tree.named("pubspec.yaml") if any(p.match(dirname(one)) for p in patterns)]
    return Package(folder, name, version, "pub", path, lock, tuple(requirements), tuple(folders), private=private)


def _locked(text: str) -> dict[str, tuple[str, int]]:
    found: dict[str, tuple[str, int]] = {}
    name = ""
    for line, row in enumerate(text.split("\n"), 1):
        if row.startswith("    version: ") and name:
            found[name] = (row[13:].strip().strip("\"'"), line)
        elif row.startswith("  ") and row[2:3] not in (" ", ""):
            name = row.strip().rstrip(":").strip("\"'")
    return found
