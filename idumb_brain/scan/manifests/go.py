"""Go: go.mod files, and the go.work or replace directives that tie modules together. go.mod locks versions by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from posixpath import dirname, join

from idumb_brain.model.project import DEV, INDIRECT, RUNTIME, Package, Requirement
from idumb_brain.scan.manifests.tree import Tree, folder_at

_REPLACE = re.compile(r"^(\S+)(?:\s+\S+)?\s*=>\s*(\S+)(?:\s+(\S+))?")


def read(tree: Tree) -> list[Package]:
    packages = [_package(tree, path) for path in tree.named("go.mod")]
    by_folder = {package.path: package for package in packages}
    together: dict[str, dict[str, str]] = {}  # folder of a member -> modules of its go.work
    tops: dict[str, tuple[str, ...]] = {}
    for path in tree.named("go.work"):
        used = [folder_at(dirname(path), words[0]) for verb, words, _ in _directives(tree.text(path)) if verb == "use" and words]
        inside = [by_folder[folder] for folder in used if folder in by_folder]
        for package in inside:
            together.setdefault(package.path, {}).update({one.name: one.manifest for one in inside})
        tops[dirname(path)] = tuple(sorted(package.manifest for package in inside))
    made = []
    for package in packages:
        known = together.get(package.path, {})
        requirements = []
        for one in package.requirements:
            there = by_folder.get(one.local) if one.local else None
            local = there.manifest if there else known.get(one.name, "")
            requirements.append(replace(one, local=local, locked="" if local else one.locked))
        made.append(replace(package, requirements=tuple(requirements), members=tops.pop(package.path, ())))
    for folder, members in tops.items():
        made.append(Package(folder, "", "", "go", join(folder, "go.work"), "", members=members))
    return made


def _package(tree: Tree, path: str) -> Package:
    folder = dirname(path)
    lock = join(folder, "go.sum")
    lock = lock if tree.has(lock) else ""
    name = ""
    found: dict[str, Requirement] = {}
    tools: list[tuple[str, int]] = []
    replaced: dict[str, tuple[str, str]] = {}
    for verb, words, line in _directives(tree.text(path)):
        if verb == "module" and words:
            name = words[0].strip('"')
        elif verb == "require" and len(words) >= 2:
            group = INDIRECT if words[2:4] == ["//", "indirect"] or words[2:3] == ["//indirect"] else RUNTIME
            version = words[1]
            found[words[0]] = Requirement(words[0], version, group, path, line, locked=version if lock else "")
        elif verb == "tool" and words:
            tools.append((words[0], line))
        elif verb == "replace" and (one := _REPLACE.match(" ".join(words))):
            replaced[one[1]] = (one[2], one[3] or "")
    if not name:
        tree.wrong(path, "states no module")
    for module, (target, version) in replaced.items():
        if (known := found.get(module)) is None:
            continue
        if target.startswith("."):
            found[module] = replace(known, local=folder_at(folder, target))
        elif version:
            found[module] = replace(known, locked=version if lock else "")
    for tool, _ in tools:
        module = max((one for one in found if tool == one or tool.startswith(one + "/")), key=len, default="")
        if module and found[module].group == INDIRECT:
            found[module] = replace(found[module], group=DEV)
    if lock:
        sums = tree.text(lock)
        found = {module: replace(one, locked_line=_line(sums, f"{module} {one.locked} ")) for module, one in found.items()}
    return Package(folder, name, "", "go", path, lock, tuple(found.values()))


def _line(text: str, opening: str) -> int:
    at = 0 if text.startswith(opening) else text.find("\n" + opening) + 1
    return text.count("\n", 0, at) + 1 if at or text.startswith(opening) else 0


def _directives(text: str) -> Iterator[tuple[str, list[str], int]]:
    """(verb, words, line); a comment behind them counts as words, as ``// indirect`` says something."""
    block = ""
    for line, row in enumerate(text.split("\n"), 1):
        words = row.split()
        if not words or words[0].startswith("//"):
            continue
        if block:
            if words[0] == ")":
                block = ""
            else:
                yield block, words, line
        elif len(words) >= 2 and words[1] == "(":
            block = words[0]
        else:
            yield words[0], words[1:], line
