"""What Composer makes of a PHP project: packages, where their names live, which file a name means. Runs no Composer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from posixpath import dirname, join, normpath
from typing import Any, NamedTuple

from idumb_brain.scan.resolve import FileView, ProjectView
from idumb_brain.scan.resolve.php_names import CLASSES, EXTENSIONS, LARAVEL_ALIASES, NAMESPACES, PACKAGES

_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PACKAGE_RULES = tuple((re.compile(pattern), package) for pattern, package in PACKAGES)


class _Package(NamedTuple):
    """One composer.json and what is installed for it."""

    folder: str
    homes: Mapping[str, tuple[str, ...]]  # PSR-4: prefix ending in a backslash, or empty -> folders
    old_homes: Mapping[str, tuple[str, ...]]  # PSR-0
    listed: tuple[str, ...]  # files and folders of "files" and "classmap"
    required: tuple[str, ...]
    installed: Mapping[str, str]  # namespace prefix -> package, as composer.lock tells
    vendor: str


class Packages:
    """All composer packages of the project, and which of them surround a file."""

    def __init__(self, project: ProjectView) -> None:
        self._project = project
        self._by_folder: dict[str, _Package] = {}
        for path in project.named("composer.json"):
            stated = _json(project.text(path))
            if stated:
                folder = dirname(path)
                self._by_folder[folder] = _read_package(project, folder, stated)
        self._homes: dict[str, list[str]] = {}
        for package in self._by_folder.values():
            for prefix, folders in package.homes.items():
                self._homes.setdefault(prefix, []).extend(folders)
        self._chains: dict[str, Chain] = {}

    def around(self, path: str) -> Chain:
        folder = dirname(path)
        chain = self._chains.get(folder)
        if chain is None:
            found = []
            above = folder
            while True:
                if above in self._by_folder:
                    found.append(self._by_folder[above])
                if not above:
                    break
                above = dirname(above)
            chain = self._chains[folder] = Chain(tuple(found), self._homes, self._project)
        return chain


class Chain:
    """The packages around a folder, innermost first: how names are found from there."""

    def __init__(self, packages: tuple[_Package, ...], everywhere: Mapping[str, Sequence[str]], project: ProjectView) -> None:
        self.packages = packages
        self.project = project
        self._everywhere = everywhere
        self._outside: dict[str, str] = {}

    def choose(self, file: FileView, prefix: str, name: str, included: Sequence[str]) -> tuple[str, str]:
        """(the file that declares a name, "") or ("", why it cannot be told); both empty where nobody declares it."""
        paths = file.providers(prefix + name)
        if not paths:
            return "", ""
        if len(paths) == 1 and not self.foreign(name):
            return paths[0], ""
        if file.path in paths:
            return file.path, ""
        homes = list(self.homes(name)) if prefix == "php:" else []
        ranked = [(self._rank(path, homes, included, name), path) for path in paths]
        best = min(rank for rank, _ in ranked)
        if best >= _NO_RULE and self.foreign(name):
            return "", ""  # a stand-in, for tests or for an editor: what runs is the installed one
        candidates = [path for rank, path in ranked if rank == best]
        if len(candidates) == 1:
            return candidates[0], ""
        shown = ", ".join(candidates[:2]) + (" …" if len(candidates) > 2 else "")
        return "", f"{name} is declared in {len(candidates)} files, and nothing tells which is meant: {shown}"

    def foreign(self, name: str) -> str:
        """The installed package whose namespace a name lies in, as composer.lock tells; "" for the project's own."""
        known = self._outside.get(name)
        if known is None:
            known = self._outside[name] = self._installed(name)
        return known

    def outside(self, file: FileView, kind: str, name: str) -> tuple[str, str]:
        """(external package, "") or ("", why there is none), for a name that nobody in the project declares."""
        if package := self.foreign(name):
            return package, ""
        space, _, last = name.rpartition("\\")
        own = next((prefix for prefix in _prefixes(name) if prefix and prefix in self._everywhere), "")
        top = name.partition("\\")[0]
        required = [package for around in self.packages for package in around.required]
        if not own and (package := _required(name, required)):
            return package, ""
        if kind == "use" and own:
            return "", f"no {next(iter(self.homes(name)))}"
        if own or (space and file.declared("php-ns:" + space)):
            return "", f"no {_WHAT[kind]} {name} in this project"
        if extension := next((extension for start, extension in EXTENSIONS.items() if name.startswith(start)), ""):
            return extension, ""
        if not space:
            if kind != "use" or last in CLASSES:
                return "php", ""
            if "ext-" + last.lower() in required:
                return "ext-" + last.lower(), ""
            if last in LARAVEL_ALIASES and any(name in ("laravel/framework", "illuminate/support") for name in required):
                return "laravel/framework", ""
            return "", f"no class {last} in this project or in PHP, and no package says that it has one"
        if top in NAMESPACES:
            return "php", ""
        return _by_rule(name) or top, ""

    def _installed(self, name: str) -> str:
        for package in self.packages:
            for prefix in _prefixes(name):
                if prefix and prefix in self._everywhere:
                    return ""
                if found := package.installed.get(prefix) if prefix else "":
                    return found
        return ""

    def homes(self, name: str) -> Iterator[str]:
        """Where autoloading would look, the rules of the nearest package first."""
        seen = set()
        for package in self.packages:
            for path in (*_at_home(name, package.homes), *_at_old_home(name, package.old_homes)):
                if path not in seen:
                    seen.add(path)
                    yield path
        for path in _at_home(name, self._everywhere):
            if path not in seen:
                seen.add(path)
                yield path

    def _rank(self, path: str, homes: Sequence[str], included: Sequence[str], name: str) -> int:
        if path in included:
            return 0
        if path in homes:
            return 1 + homes.index(path)
        for distance, package in enumerate(self.packages):
            if any(path == place or path.startswith(place + "/") or not place for place in package.listed):
                return _NO_RULE - 100 + distance
        for distance, package in enumerate(self.packages):
            if package.folder and path.startswith(package.folder + "/"):
                return _NO_RULE + distance
        return 2 * _NO_RULE


_NO_RULE = 1000
_WHAT = {"use": "class", "function": "function", "const": "constant"}


def _prefixes(name: str) -> Iterator[str]:
    """``A\\B\\C`` lies below ``A\\B\\C\\``, ``A\\B\\``, ``A\\`` and everything."""
    at = len(name)
    yield name + "\\"
    while (at := name.rfind("\\", 0, at)) > 0:
        yield name[: at + 1]
    yield ""


def _at_home(name: str, homes: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for prefix in _prefixes(name):
        for folder in homes.get(prefix, ()):
            rest = name[len(prefix) :].replace("\\", "/")
            if rest:
                yield f"{folder}/{rest}.php" if folder else f"{rest}.php"


def _at_old_home(name: str, homes: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for prefix, folders in homes.items():
        if name.startswith(prefix):
            space, _, last = name.rpartition("\\")
            path = "/".join([*space.split("\\"), *last.split("_")]).lstrip("/") + ".php"
            for folder in folders:
                yield f"{folder}/{path}" if folder else path


def _required(name: str, required: Sequence[str]) -> str:
    """The required package whose name a namespace spells: ``GuzzleHttp\\Client`` is of guzzlehttp/guzzle."""
    first, *more = [_flat(part) for part in name.split("\\")[:3]]
    by_likeness: dict[int, set[str]] = {}
    for package in required:
        vendor, _, short = package.partition("/")
        flat = _flat(short)
        if not flat:
            continue
        if _flat(vendor) == first:
            if flat in more or flat == "".join(more):
                return package
            by_likeness.setdefault(1 if first.startswith(flat) else 2, set()).add(package)
        elif flat in (first, first + "".join(more[:1]), f"php{first}", f"{first}php"):
            by_likeness.setdefault(3, set()).add(package)
        elif short.partition("-")[0] == first:
            by_likeness.setdefault(4, set()).add(package)
    ruled = _by_rule(name)
    if ruled and (ruled in required or min(by_likeness, default=3) > 2):
        return ruled
    for _, packages in sorted(by_likeness.items()):
        if len(packages) == 1:
            return packages.pop()
    return ""


def _by_rule(name: str) -> str:
    for pattern, package in _PACKAGE_RULES:
        if found := pattern.match(name):
            return package.format(*(_WORDS.sub("-", part).lower() for part in found.groups()))
    return ""


@lru_cache(maxsize=4096)
def _flat(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _read_package(project: ProjectView, folder: str, stated: Mapping[str, Any]) -> _Package:
    homes: dict[str, tuple[str, ...]] = {}
    old_homes: dict[str, tuple[str, ...]] = {}
    listed: list[str] = []
    for section in ("autoload", "autoload-dev"):
        rules = _mapping(stated.get(section))
        for prefix, places in _mapping(rules.get("psr-4")).items():
            homes[prefix] = homes.get(prefix, ()) + tuple(_place(folder, place) for place in _list(places))
        for prefix, places in _mapping(rules.get("psr-0")).items():
            old_homes[prefix] = old_homes.get(prefix, ()) + tuple(_place(folder, place) for place in _list(places))
        listed += [_place(folder, place) for kind in ("files", "classmap") for place in _list(rules.get(kind))]
    required = [name for section in ("require", "require-dev", "suggest") for name in _mapping(stated.get(section))]
    vendor = _place(folder, str(_mapping(stated.get("config")).get("vendor-dir") or "vendor"))
    lock = _json(project.text(_place(folder, "composer.lock")))
    installed: list[Any] = [*_list(lock.get("packages")), *_list(lock.get("packages-dev"))]
    if not installed:
        told = _json(project.text(f"{vendor}/composer/installed.json"))
        installed = _list(told.get("packages"))
    return _Package(folder, homes, old_homes, tuple(listed), tuple(required), _namespaces(installed), vendor)


def _namespaces(installed: Iterable[Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for package in installed:
        name = _mapping(package).get("name")
        rules = _mapping(_mapping(package).get("autoload"))
        for kind in ("psr-4", "psr-0"):
            for prefix in _mapping(rules.get(kind)):
                if isinstance(name, str) and prefix:
                    found.setdefault(prefix if prefix[-1] in "\\_" else prefix + "\\", name)
    return found


def _place(folder: str, place: object) -> str:
    path = normpath(join(folder, str(place).rstrip("/") or "."))
    return "" if path == "." else path


def _json(text: str) -> Mapping[str, Any]:
    try:
        return _mapping(json.loads(text)) if text else {}
    except ValueError:
        return {}  # Composer could not read it either


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value] if isinstance(value, str) else []
