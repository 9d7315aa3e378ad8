"""Swift: Package.swift and Package.resolved, Podfile and Podfile.lock. Programs, not run: calls with literals are read."""

from __future__ import annotations

import re
from posixpath import basename, dirname, join

from idumb_brain.model.project import RUNTIME, Package, Requirement
from idumb_brain.scan.manifests.tree import Tree, folder_at

_PACKAGE = re.compile(r"\.package\s*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)", re.DOTALL)
_NAME = re.compile(r"\bPackage\s*\(\s*name:\s*\"([^\"]+)\"")
_URL = re.compile(r"\b(?:url|id):\s*\"([^\"]+)\"")
_PATH = re.compile(r"\bpath:\s*\"([^\"]+)\"")
_FROM = re.compile(
    r"\b(?:from|exact|branch|revision):?\s*[(:]?\s*\"([^\"]+)\"|\"([\d.]+)\"\s*\.\.[.<]\s*\"[\d.]+\"|\(\s*\"([\d.]+)\"\s*\)"
)
_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"])//[^\n]*", re.DOTALL)
_POD = re.compile(r"^\s*pod\s+[\"']([^\"']+)[\"'](?:\s*,\s*[\"']([^\"']+)[\"'])?(?:.*?:path\s*=>\s*[\"']([^\"']+)[\"'])?")
_POD_LOCKED = re.compile(r"^  - \"?([\w+./-]+) \(([^)=~<> ]+)\)")


def read(tree: Tree) -> list[Package]:
    manifests = [path for path in tree.files if re.fullmatch(r"Package(?:@swift-[\d.]+)?\.swift", basename(path))]
    folders: dict[str, str] = {}
    for path in sorted(manifests, key=lambda one: (dirname(one), basename(one) != "Package.swift")):
        folders.setdefault(dirname(path), path)
    packages = [_package(tree, path, folders) for path in folders.values()]
    return packages + [_pods(tree, path) for path in tree.named("Podfile")]


def _package(tree: Tree, path: str, folders: dict[str, str]) -> Package:
    folder = dirname(path)
    text = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), tree.text(path))
    lock = join(folder, "Package.resolved")
    locked = _resolved(tree, lock) if tree.has(lock) else {}
    found: dict[str, Requirement] = {}
    for one in _PACKAGE.finditer(text):
        line = text.count("\n", 0, one.start()) + 1
        if url := _URL.search(one[1]):
            name = identity(url[1])
            version, at = locked.get(name, ("", 0))
            wanted = _FROM.search(one[1])
            asked = next(filter(None, wanted.groups()), "") if wanted else ""
            found.setdefault(name, Requirement(name, asked, RUNTIME, path, line, version, "", at))
        elif place := _PATH.search(one[1]):
            local = folders.get(folder_at(folder, place[1]), "")
            name = identity(place[1]) if place[1].strip("./") else identity(local)
            found.setdefault(name, Requirement(name, "", RUNTIME, path, line, local=local))
    named = _NAME.search(text)
    if not named:
        tree.wrong(path, "states no package name that could be read")
    return Package(folder, named[1] if named else "", "", "swift", path, lock if locked else "", tuple(found.values()))


def identity(url: str) -> str:
    """What SwiftPM knows a package by: the last part of its address, lower case."""
    return basename(url.rstrip("/")).removesuffix(".git").lower()


def _resolved(tree: Tree, path: str) -> dict[str, tuple[str, int]]:
    text = tree.text(path)
    stated = tree.json(path)
    pins = stated.get("pins")
    if pins is None and isinstance(stated.get("object"), dict):
        pins = stated["object"].get("pins")
    found: dict[str, tuple[str, int]] = {}
    for pin in pins if isinstance(pins, list) else ():
        if not isinstance(pin, dict):
            continue
        address = str(pin.get("location") or pin.get("repositoryURL") or pin.get("identity") or "")
        state = pin.get("state")
        version = state.get("version") if isinstance(state, dict) else None
        at = text.find(f'"{address}"')
        found[identity(address)] = (version if isinstance(version, str) else "", text.count("\n", 0, at) + 1 if at >= 0 else 0)
    return found


def _pods(tree: Tree, path: str) -> Package:
    lock = join(dirname(path), "Podfile.lock")
    locked: dict[str, tuple[str, int]] = {}
    for line, row in enumerate(tree.text(lock).split("\n") if tree.has(lock) else (), 1):
        if pin := _POD_LOCKED.match(row):
            locked.setdefault(pin[1], (pin[2], line))
    found: dict[str, Requirement] = {}
    for line, row in enumerate(tree.text(path).split("\n"), 1):
        if pod := _POD.match(row):
            version, at = locked.get(pod[1], ("", 0))
            found.setdefault(pod[1], Requirement(pod[1], pod[2] or "", RUNTIME, path, line, version, "", at))
    return Package(dirname(path), "", "", "cocoapods", path, lock if locked else "", tuple(found.values()))
