"""What is installed beside the project, or locked for it: modules of distributions, programs and peers of npm packages.

Looks at metadata only; imports and runs nothing of it. Where nothing is installed it knows nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from posixpath import basename, join
from typing import Any

from idumb_brain.model.project import Package
from idumb_brain.scan.dependencies.tables import Tables
from idumb_brain.scan.manifests.tree import Tree, upwards

_ENVIRONMENTS = (".venv", "venv", "env", ".env", "__pypackages__")
_RECORDED = re.compile(r"^((?:\w+/)*\w+)(?:\.[\w.-]*)?(?:\.py|\.pyi|\.so|\.pyd),", re.MULTILINE)
_MOST = 8_000_000  # bytes of a manifest or record


@dataclass(frozen=True, slots=True)
class Known:
    """An npm package as its own manifest, or the lock file, tells of it."""

    programs: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Installed:
    modules: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # Python: dotted name -> distributions
    packages: Mapping[str, Known] = field(default_factory=dict)  # npm: name -> what it brings
    locked: Mapping[str, frozenset[str]] = field(default_factory=dict)  # lock file -> names


def installed(root: Path, tree: Tree, packages: Iterable[Package], tables: Tables) -> Installed:
    packages = list(packages)
    folders = sorted({folder for package in packages for folder in upwards(package.path)})
    python = any(package.ecosystem == "python" for package in packages)
    asked = [package for package in packages if package.ecosystem == "npm"]
    return Installed(
        _python_modules(root, folders) if python else {},
        _npm_packages(root, tree, asked),
        {lock: _locked(tree, lock, tables) for lock in sorted({package.lock for package in packages if package.lock})},
    )


def _python_modules(root: Path, folders: Iterable[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for folder in folders:
        for name in _ENVIRONMENTS:
            for pattern in ("lib/python3*/site-packages", "Lib/site-packages", "3*/lib"):
                for place in sorted((root / folder / name).glob(pattern)):
                    for record in sorted(place.glob("*.dist-info/RECORD")):
                        distribution = re.sub(r"[-_.]+", "-", record.parent.name.partition("-")[0]).lower()
                        for module in _modules(_text(record)):
                            found.setdefault(module, set()).add(distribution)
    return {module: tuple(sorted(names)) for module, names in found.items()}


def _modules(record: str) -> set[str]:
    """Dotted names, three words deep at most: enough to tell the parts of a namespace from each other."""
    names = set()
    for path in _RECORDED.findall(record):
        parts = path.split("/")
        if parts[-1] == "__init__":
            parts.pop()
        for depth in range(1, min(len(parts), 3) + 1):
            names.add(".".join(parts[:depth]))
    return names


def _npm_packages(root: Path, tree: Tree, packages: Iterable[Package]) -> dict[str, Known]:
    found: dict[str, Known] = {}
    for lock in sorted({package.lock for package in packages if package.lock}):
        name = basename(lock)
        if name in ("package-lock.json", "npm-shrinkwrap.json"):
            found |= _from_npm_lock(tree.text(lock))
        elif name in ("pnpm-lock.yaml", "yarn.lock"):
            found |= _from_yaml_lock(tree.text(lock))
    for package in packages:
        for requirement in package.requirements:
            called = requirement.alias or requirement.name
            for folder in upwards(package.path):
                manifest = root / join(folder, "node_modules", called, "package.json")
                if manifest.is_file() and isinstance(stated := _json(_text(manifest)), dict):
                    found[called] = _known(called, stated)
                    break
    return found


def _from_npm_lock(text: str) -> dict[str, Known]:
    stated = _json(text)
    packages = stated.get("packages") if isinstance(stated, dict) else None
    found = {}
    for place, package in packages.items() if isinstance(packages, dict) else ():
        name = place.rpartition("node_modules/")[2]
        if name and isinstance(package, dict) and place.count("node_modules/") == 1:
            found[name] = _known(name, package)
    return found


_ENTRY = re.compile(r"""^(?:  )?['"]?/?((?:@[^/\s]+/)?[^@/'"\s(:,]+)[@/][^\s].*:\s*$""")
_LIST = re.compile(r"^(\s+)(\w+):\s*$")
_ITEM = re.compile(r"""^(\s+)['"]?((?:@[^/\s]+/)?[^@/'"\s:]+)['"]?:""")


def _from_yaml_lock(text: str) -> dict[str, Known]:
    """Peers alone, of pnpm's and Yarn's files, which are too long for a parser: a name at the margin, a list below it."""
    found: dict[str, list[str]] = {}
    name, inside, depth = "", "", 0
    for row in text.split("\n"):
        if entry := _ENTRY.match(row):
            name, inside = entry[1], ""
        elif name and (key := _LIST.match(row)):
            depth, inside = len(key[1]), key[2]
        elif name and inside == "peerDependencies" and (item := _ITEM.match(row)) and len(item[1]) > depth:
            found.setdefault(name, []).append(item[2])
    return {name: Known(peers=tuple(sorted(peers))) for name, peers in found.items()}


def _known(name: str, stated: Mapping[str, Any]) -> Known:
    programs = stated.get("bin")
    peers = stated.get("peerDependencies")
    return Known(
        tuple(sorted(programs)) if isinstance(programs, dict) else (basename(name),) if isinstance(programs, str) else (),
        tuple(sorted(peers)) if isinstance(peers, dict) else (),
        any(isinstance(stated.get(key), str) for key in ("types", "typings")),
    )


def _locked(tree: Tree, lock: str, tables: Tables) -> frozenset[str]:
    for name, line in tables.locks:
        if name.match(basename(lock)):
            found = frozenset(line.findall(tree.text(lock)))
            return found | {re.sub(r"[-_.]+", "-", one).lower() for one in found}
    return frozenset()


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _text(file: Path) -> str:
    try:
        with open(file, "rb") as source:
            return source.read(_MOST).decode("utf-8", "replace")
    except OSError:
        return ""
