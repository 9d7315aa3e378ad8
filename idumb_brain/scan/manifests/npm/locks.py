"""Lock files of npm, pnpm, Yarn and Bun to versions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from posixpath import basename, dirname, join
from typing import Any

from idumb_brain.scan.manifests.lines import json_object, yaml_values
from idumb_brain.scan.manifests.locks import NOTHING, Lock, Locked
from idumb_brain.scan.manifests.tree import Tree, upwards

LOCKS = ("pnpm-lock.yaml", "yarn.lock", "package-lock.json", "npm-shrinkwrap.json", "bun.lock")


def lock_for(tree: Tree, folder: str, members: Mapping[str, tuple[str, ...]], made: dict[str, Lock | None]) -> Lock | None:
    """The lock file beside a package, or that of the workspace it is a member of."""
    tops = [folder, *(dirname(top) for top, inside in members.items() if join(folder, "package.json") in inside)]
    path = next((join(top, name) for top in tops for name in LOCKS if tree.has(join(top, name))), "")
    if not path:
        return None
    if path not in made:
        find = _READERS[basename(path)](tree, path)
        made[path] = Lock(path, find) if find else None
    return made[path]


_Find = Callable[[str, str, str], Locked]


def _npm(tree: Tree, path: str) -> _Find | None:
    text = tree.text(path)
    stated = tree.json(path)
    if not stated:
        return None
    top = dirname(path)
    packages = stated.get("packages")
    old = stated.get("dependencies")

    def find(folder: str, name: str, wanted: str) -> Locked:
        if isinstance(packages, dict):  # versions 2 and 3: every installed place by its path
            below = folder[len(top) + 1 :] if top else folder
            for place in upwards(below):
                key = join(place, "node_modules", name)
                found = packages.get(key)
                if isinstance(found, dict):
                    if found.get("link"):
                        return NOTHING  # a member of the workspace
                    return str(found.get("version") or ""), _line(text, f'"{key}": {{')
            return NOTHING
        found = old.get(name) if isinstance(old, dict) else None
        version = found.get("version") if isinstance(found, dict) else None
        if not isinstance(version, str) or ":" in version:
            return NOTHING
        return version, _line(text, f'"{name}": {{')

    return find


def _line(text: str, needle: str) -> int:
    at = text.find(needle)
    return text.count("\n", 0, at) + 1 if at >= 0 else 0


_PNPM_END = re.compile(r"^(?:packages|snapshots):", re.MULTILINE)


def _pnpm(tree: Tree, path: str) -> _Find | None:
    """Only the head of the file, which has a version for every requirement of every importer; the rest may be huge."""
    text = tree.text(path)
    end = _PNPM_END.search(text)
    versions: dict[tuple[str, str], Locked] = {}
    for keys, value, line in yaml_values(text[: end.start()] if end else text):
        importer = keys[1] if keys[0] == "importers" and len(keys) > 1 else "."
        rest = keys[2:] if keys[0] == "importers" else keys
        if len(rest) < 2 or not rest[0].endswith(("ependencies", "onfigDependencies")):
            continue
        if (len(rest) == 3 and rest[2] == "version") or (len(rest) == 2 and value):
            versions[importer, rest[1]] = (_pnpm_version(value), line)
    top = dirname(path)

    def find(folder: str, name: str, wanted: str) -> Locked:
        below = folder[len(top) + 1 :] if top else folder
        return versions.get((below or ".", name), NOTHING)

    return find


def _pnpm_version(written: str) -> str:
    """``1.2.3(peer@1)``, ``1.2.3_peer@1``, ``/name/1.2.3``, ``/name@1.2.3``, ``other@1.2.3`` are 1.2.3; a link is no version."""
    if written.startswith(("link:", "file:", "workspace:", "http", "git")) or "codeload" in written or "tar.gz" in written:
        return ""
    bare = re.sub(r"\(.*$", "", written)
    if bare.startswith("/"):
        parts = bare[1:].split("/")
        last = parts[-1]
        bare = last.rpartition("@")[2] if "@" in last[1:] else last
    elif "@" in bare.split("_")[0]:
        bare = bare.rpartition("@")[2]
    return bare.partition("_")[0]


def _yarn(tree: Tree, path: str) -> _Find | None:
    text = tree.text(path)
    versions: dict[str, Locked] = {}  # "name@range" -> version
    keys: list[str] = []
    for line, row in enumerate(text.split("\n"), 1):
        if not row or row[0] == "#":
            continue
        if row[0] != " ":
            keys = [one.strip().strip('"') for one in row.rstrip().rstrip(":").strip('"').split(", ")]
        elif keys and row.startswith("  version"):
            version = row[9:].lstrip(":").strip().strip('"')
            for key in keys:
                versions[key] = (version, line)
            keys = []
    if not versions and text.strip() and "__metadata" not in text and "yarn lockfile" not in text:
        tree.wrong(path, "holds no packages: not a lock file as Yarn writes it")

    def find(folder: str, name: str, wanted: str) -> Locked:
        found = versions.get(f"{name}@{wanted}") or versions.get(f"{name}@npm:{wanted}")
        if found is None:  # berry writes "patch:" and resolved catalog ranges; take the only one there is
            many = [v for key, v in versions.items() if key.startswith(name + "@") and "workspace:" not in key]
            found = many[0] if len({version for version, _ in many}) == 1 else None
        return NOTHING if found is None or found[0] == "0.0.0-use.local" else found

    return find


def _bun(tree: Tree, path: str) -> _Find | None:
    text = tree.text(path)
    stated, wrong = json_object(text)
    if stated is None:
        tree.wrong(path, wrong)
        return None
    packages: Any = stated.get("packages")
    names: dict[str, str] = {}  # folder -> name of the member
    for place, member in (stated.get("workspaces") or {}).items() if isinstance(stated.get("workspaces"), dict) else ():
        if isinstance(member, dict):
            names[place] = str(member.get("name") or "")
    top = dirname(path)

    def find(folder: str, name: str, wanted: str) -> Locked:
        below = folder[len(top) + 1 :] if top else folder
        own = names.get(below, "")
        for key in (f"{own}/{name}", name):
            found = packages.get(key) if isinstance(packages, dict) else None
            if isinstance(found, list) and found and isinstance(found[0], str):
                version = found[0].rpartition("@")[2]
                return (version, _line(text, f'"{key}": [')) if ":" not in version else NOTHING
        return NOTHING

    return find


_READERS: dict[str, Callable[[Tree, str], _Find | None]] = {
    "package-lock.json": _npm,
    "npm-shrinkwrap.json": _npm,
    "pnpm-lock.yaml": _pnpm,
    "yarn.lock": _yarn,
    "bun.lock": _bun,
}
