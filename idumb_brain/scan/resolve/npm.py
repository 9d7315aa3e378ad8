"""The packages of a project: package.json files, the workspaces that tie them together, and the files they offer.

Knows nothing of what is installed: a package that is not in the project is somebody else's.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from idumb_brain.scan.resolve import ProjectView
from idumb_brain.scan.resolve.tsconfig import read_json, upwards

_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_LOCAL = re.compile(r"^(?:file|link|portal):(.+)$")
_YAML_ITEM = re.compile(r"""^\s*-\s+(['"]?)(.+?)\1\s*(?:#.*)?$""")


class Package:
    """One package.json."""

    def __init__(self, folder: str, stated: dict[str, Any]) -> None:
        self.folder = folder
        self.stated = stated
        self.name = name if isinstance(name := stated.get("name"), str) else ""
        self.dependencies: dict[str, str] = {}
        for kind in reversed(_DEPENDENCIES):
            if isinstance(part := stated.get(kind), dict):
                self.dependencies |= {str(key): str(value) for key, value in part.items()}


class Packages:
    """All packages of a project."""

    def __init__(self, project: ProjectView) -> None:
        self._project = project
        self._by_folder: dict[str, Package] = {}
        for path in project.named("package.json"):
            stated = read_json(project.text(path))
            if isinstance(stated, dict):
                folder = posixpath.dirname(path)
                self._by_folder[folder] = Package(folder, stated)
        self._workspaces = self._find_workspaces()
        self._scopes: dict[str, tuple[Package, ...]] = {}

    def at(self, folder: str) -> Package | None:
        return self._by_folder.get(folder)

    def around(self, path: str) -> tuple[Package, ...]:
        """The packages a file lies in, the nearest first."""
        return self._above(posixpath.dirname(path))

    def named(self, name: str, path: str) -> Package | None:
        """The package of the project that an import of this name in this file would find installed."""
        around = self.around(path)
        for package in around:
            spec = package.dependencies.get(name)
            if spec is not None:
                local = _LOCAL.match(spec)
                if local:
                    return self._by_folder.get(_joined(package.folder, local[1]))
                break
        for folder in upwards(posixpath.dirname(path)):
            member = self._workspaces.get(folder, {}).get(name)
            if member is not None:
                return member
        return None

    def declared(self, name: str, path: str) -> bool:
        """Does a package.json above the file ask for this package from elsewhere?"""
        return any(name in package.dependencies for package in self.around(path))

    def _above(self, folder: str) -> tuple[Package, ...]:
        known = self._scopes.get(folder)
        if known is None:
            here = self._by_folder.get(folder)
            above = self._above(posixpath.dirname(folder)) if folder else ()
            known = self._scopes[folder] = (here, *above) if here else above
        return known

    def _find_workspaces(self) -> dict[str, dict[str, Package]]:
        """Folder of each workspace → its packages by name."""
        globs: dict[str, list[str]] = {}
        for folder, package in self._by_folder.items():
            stated = package.stated.get("workspaces")
            if isinstance(stated, dict):
                stated = stated.get("packages")
            if isinstance(stated, list):
                globs.setdefault(folder, []).extend(one for one in stated if isinstance(one, str))
        for path in self._project.named("pnpm-workspace.yaml"):
            globs.setdefault(posixpath.dirname(path), []).extend(_yaml_list(self._project.text(path), "packages"))
        for path in self._project.named("lerna.json"):
            stated = read_json(self._project.text(path))
            if isinstance(stated, dict) and isinstance(stated.get("packages"), list):
                globs.setdefault(posixpath.dirname(path), []).extend(map(str, stated["packages"]))
        found: dict[str, dict[str, Package]] = {}
        for top, patterns in globs.items():
            wanted = [glob_pattern(pattern) for pattern in patterns if not pattern.startswith("!")]
            unwanted = [glob_pattern(pattern[1:]) for pattern in patterns if pattern.startswith("!")]
            members = found.setdefault(top, {})
            for folder, package in sorted(self._by_folder.items()):
                below = folder[len(top) + 1 :] if top and folder.startswith(top + "/") else folder if not top else ""
                inside = any(one.match(below) for one in wanted) and not any(one.match(below) for one in unwanted)
                if package.name and below and inside:
                    members.setdefault(package.name, package)
        return found


def offered(package: Package, subpath: str, conditions: tuple[str, ...], old: bool) -> Iterator[str]:
    """The files, below the package's folder, that an import of ``name/subpath`` may lead to, best first.

    Those under the conditions in force come first; then every other one, as what is built may be missing where the
    source another condition names is there.
    """
    exports = package.stated.get("exports")
    if exports is not None and not old:
        yield from exported(exports, "./" + subpath if subpath else ".", conditions)
        return
    if not subpath:
        for name in ("types", "typings", "source", "module", "main"):
            target = package.stated.get(name)
            if isinstance(target, str) and target:
                yield target
    else:
        yield subpath
    if exports is not None:
        yield from exported(exports, "./" + subpath if subpath else ".", conditions)


def exported(exports: Any, subpath: str, conditions: tuple[str, ...]) -> Iterator[str]:
    """What ``exports`` (or ``imports``) says of a subpath."""
    if not isinstance(exports, dict) or not any(str(key).startswith((".", "#")) for key in exports):
        if subpath == ".":
            yield from _targets(exports, "", conditions)
        return
    if subpath in exports and "*" not in subpath:
        yield from _targets(exports[subpath], "", conditions)
        return
    best: tuple[int, str, str] | None = None
    for key in exports:
        before, star, after = key.partition("*")
        if star:
            if subpath.startswith(before) and subpath.endswith(after) and len(subpath) >= len(before) + len(after):
                found = (len(before), key, subpath[len(before) : len(subpath) - len(after)])
                best = max(best, found) if best else found
        elif key.endswith("/") and subpath.startswith(key):
            found = (len(key), key, subpath[len(key) :])
            best = max(best, found) if best else found
    if best is not None:
        _, key, matched = best
        for target in _targets(exports[key], matched, conditions):
            yield target + matched if key.endswith("/") and target.endswith("/") else target


def _targets(value: Any, matched: str, conditions: tuple[str, ...]) -> Iterator[str]:
    seen = set()
    for everything in (False, True):
        for target in _walk(value, conditions, everything):
            if target not in seen:
                seen.add(target)
                yield target.replace("*", matched)


def _walk(value: Any, conditions: tuple[str, ...], everything: bool) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _walk(one, conditions, everything)
    elif isinstance(value, dict):
        for condition, one in value.items():
            if everything or condition == "default" or condition.partition("@")[0] in conditions:
                yield from _walk(one, conditions, everything)


def _yaml_list(text: str, key: str) -> list[str]:
    """The items of one list at the top of a simple YAML file, in blocks or in brackets."""
    found: list[str] = []
    inside = False
    for line in text.split("\n"):
        if line.startswith(key + ":"):
            inside = True
            flow = line.partition("[")[2].partition("]")[0]
            found += [item.strip().strip("'\"") for item in flow.split(",") if item.strip()]
        elif inside and (item := _YAML_ITEM.match(line)):
            found.append(item[2])
        elif inside and line.strip() and not line.lstrip().startswith("#") and not line.startswith((" ", "\t")):
            break
    return found


@lru_cache(maxsize=512)
def glob_pattern(pattern: str) -> re.Pattern[str]:
    parts = pattern.removeprefix("./").strip("/").split("/")
    out = ""
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if part == "**":
            out += r"(?:[^/]+/)*" + (r"[^/]*" if last else "")
        else:
            piece = re.escape(part).replace(r"\*", "[^/]*")
            piece = re.sub(r"\\{([^{}]*)\\}", lambda found: "(?:" + found[1].replace(",", "|") + ")", piece)
            out += piece + ("" if last else "/")
    return re.compile(out + r"\Z")


def _joined(folder: str, path: str) -> str:
    plain = posixpath.normpath(posixpath.join(folder, path))
    return "" if plain == "." else plain
