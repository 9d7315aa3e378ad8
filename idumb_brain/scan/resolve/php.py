"""PHP names to the files that declare them, as Composer's autoloader and PHP's own rules would. Runs no PHP.

A file provides the classes, functions and constants it declares (``php:Shop\\Shelf``). Where several files declare the
same class, the one that an autoload rule of a composer.json spells is meant: that of the nearest package first. Where
no rule tells, the name stays unresolved and says so.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from posixpath import dirname, join, normpath
from typing import Any, NamedTuple

from idumb_brain.model.code import SymbolRow
from idumb_brain.scan.resolve import FileView, ProjectView, Resolver, Want, bindings
from idumb_brain.scan.resolve.php_names import CLASSES, EXTENSIONS, LARAVEL_ALIASES, NAMESPACES, PACKAGES

CONFIGURATION = ("composer.json", "composer.lock")

_CLASSLIKE = frozenset({"class", "interface", "trait", "enum"})
_IMPORTS = {"use": "php:", "function": "php-fn:", "const": "php-const:"}
_NOT_CLASSES = frozenset({"self", "static", "parent"})
_PACKAGE_RULES = tuple((re.compile(pattern), package) for pattern, package in PACKAGES)
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def provides(path: str, package: str, symbols: Sequence[SymbolRow]) -> list[str]:
    keys: dict[str, None] = {}
    space = package
    spaces: dict[int, str] = {-1: package}
    for ordinal, (parent, name, _, kind, _, _, signature, _, _) in enumerate(symbols):
        if package:  # "namespace A;" holds until the next one
            around = space
        else:
            around = spaces[ordinal] = spaces.get(parent, "")
        if kind == "namespace":
            space = spaces[ordinal] = name
            continue
        if kind in _CLASSLIKE:
            keys["php:" + _joined(around, name)] = None
        elif kind == "function":
            keys["php-fn:" + _joined(around, name)] = None
        elif kind == "constant" and (parent < 0 or symbols[parent][3] not in _CLASSLIKE):
            full = name.lstrip("\\") if signature.startswith("define") else _joined(around, name)
            keys["php-const:" + full] = None
            if value := _value_of(name, signature):
                keys[f"php-value:{full}={value}"] = None
        else:
            continue
        while around:
            keys["php-ns:" + around] = None
            around = around.rpartition("\\")[0]
    return list(keys)


def resolver(project: ProjectView) -> Resolver:
    packages = _Packages(project)

    def wants(file: FileView) -> Iterator[Want]:
        own = packages.around(file.path)
        included: list[str] = []
        for ordinal, (kind, written, line, _) in enumerate(file.imports):
            if kind not in _IMPORTS:
                for want in _included(project, file, own, Want(ordinal, line, "include", ()), written):
                    included += [key for key in want.keys if key in project][:1]
                    yield want
        names = _Names(file)
        yield from _used(file, names, own, included)
        yield from _referred_to(file, names, own, included)

    return wants


def _used(file: FileView, names: _Names, own: _Chain, included: Sequence[str]) -> Iterator[Want]:
    """What ``use`` names. One that names a namespace leads to what is named through it."""
    for use in names.uses:
        prefix = _IMPORTS[use.kind]
        want = Want(use.ordinal, use.line, "import", ())
        found, why = own.choose(file, prefix, use.name, included)
        if found:
            yield want._replace(keys=(found,))
            continue
        if why:
            yield want._replace(reason=why)
            continue
        if use.kind == "use" and file.declared("php-ns:" + use.name) and not own.foreign(use.name):
            through = [path for name in names.through(use) for path in own.choose(file, "php:", name, included)[:1] if path]
            for path in dict.fromkeys(through):
                yield want._replace(keys=(path,))
            if not through:
                yield want._replace(reason=f"{use.name} is a namespace of this project, but nothing in it is named here")
            continue
        external, why = own.outside(file, use.kind, use.name)
        homes = (
            () if external or use.kind != "use" else tuple(own.homes(use.name))
        )  # a file that was not read is there all the same
        yield want._replace(keys=homes, external=external, reason=why)


def _referred_to(file: FileView, names: _Names, own: _Chain, included: Sequence[str]) -> Iterator[Want]:
    """Classes and functions named without any ``use``: in full, or of the same namespace."""
    asked: set[tuple[str, str]] = set()
    for _, kind, line, written in file.references:
        if kind == "type" or kind == "base":
            full, imported = names.of_class(written, line)
            if imported or not full or ("php:", full) in asked:
                continue
            asked.add(("php:", full))
            found, _ = own.choose(file, "php:", full, included)
            if found:
                yield Want(-1, line, "autoload", (found,))
            elif "\\" in written.lstrip("\\") and (package := own.foreign(full)):
                yield Want(-1, line, "autoload", (), external=package)
        elif kind == "call" and written[0] not in "$." and ":" not in written and "." not in written:
            for full in names.of_function(written, line):
                if ("php-fn:", full) in asked:
                    break
                asked.add(("php-fn:", full))
                found, _ = own.choose(file, "php-fn:", full, included)
                if found:
                    yield Want(-1, line, "call", (found,))
                    break


class _Use(NamedTuple):
    ordinal: int
    line: int
    kind: str
    name: str  # in full, without a leading backslash
    alias: str


class _Names:
    """What names mean in one file: its namespaces and what ``use`` brings into each."""

    def __init__(self, file: FileView) -> None:
        self._file = file
        # (last line, name) of namespaces in braces; (first line, name) of those that hold until the next one.
        self._blocks = sorted((last, name) for _, kind, last, name in file.references if kind == "scope")
        self._later = sorted((line, name) for _, kind, line, name in file.references if kind == "namespace")
        self.uses: list[_Use] = []
        self._aliases: dict[tuple[int, str, str], _Use] = {}
        for ordinal, row in enumerate(file.imports):
            kind, text, line, _ = row
            if kind in _IMPORTS:
                name = text.strip().lstrip("\\")
                alias = next((local for _, local in bindings(row)), "") or name.rpartition("\\")[2]
                use = _Use(ordinal, line, kind, name, alias)
                self.uses.append(use)
                self._aliases[self._place(line), kind, alias if kind == "const" else alias.lower()] = use

    def of_class(self, written: str, line: int) -> tuple[str, bool]:
        """The full name, and whether a ``use`` already tells of this dependency."""
        if written in _NOT_CLASSES or written[0] == "$":
            return "", False
        if written[0] == "\\":
            return written[1:], False
        if written[:10].lower() == "namespace\\":
            return _joined(self._space(line), written[10:]), False
        first, _, rest = written.partition("\\")
        use = self._aliases.get((self._place(line), "use", first.lower()))
        if use is not None:
            return _joined(use.name, rest), True
        return _joined(self._space(line), written), False

    def of_function(self, written: str, line: int) -> Iterable[str]:
        """The full names it may have, best first. Nothing where ``use function`` tells already."""
        if "\\" in written:
            full, _ = self.of_class(written, line)
            return (full,) if full else ()
        if (self._place(line), "function", written.lower()) in self._aliases:
            return ()
        space = self._space(line)
        return (f"{space}\\{written}", written) if space else (written,)

    def through(self, use: _Use) -> Iterator[str]:
        """Full names that start with the alias of a ``use``."""
        start = use.alias.lower() + "\\"
        for _, kind, _, written in self._file.references:
            if (kind == "type" or kind == "base") and written.lower().startswith(start):
                yield f"{use.name}\\{written[len(start) :]}"

    def _place(self, line: int) -> int:
        if self._blocks:
            return next((at for at, (last, _) in enumerate(self._blocks) if last >= line), -1)
        return sum(first <= line for first, _ in self._later) if self._later else 0

    def _space(self, line: int) -> str:
        if self._blocks:
            at = self._place(line)
            return self._blocks[at][1] if at >= 0 else ""
        return next((name for first, name in reversed(self._later) if first <= line), self._file.package)


class _Package(NamedTuple):
    """One composer.json and what is installed for it."""

    folder: str
    homes: Mapping[str, tuple[str, ...]]  # PSR-4: prefix ending in a backslash, or empty -> folders
    old_homes: Mapping[str, tuple[str, ...]]  # PSR-0
    listed: tuple[str, ...]  # files and folders of "files" and "classmap"
    required: tuple[str, ...]
    installed: Mapping[str, str]  # namespace prefix -> package, as composer.lock tells
    vendor: str


class _Packages:
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
        self._chains: dict[str, _Chain] = {}

    def around(self, path: str) -> _Chain:
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
            chain = self._chains[folder] = _Chain(tuple(found), self._homes, self._project)
        return chain


class _Chain:
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
            path = _joined(space, last.replace("_", "\\")).replace("\\", "/") + ".php"
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


def _joined(space: str, name: str) -> str:
    return f"{space}\\{name}" if space and name else space or name


# include and require


class _Dynamic(Exception):
    """A part of a path that only a run can tell."""


_TOP = "\x01"  # stands for the project's folder in paths that are known to lie below it
_TOKEN = re.compile(
    r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\$\w+)(?![\w\[-])|([A-Za-z_\\][\w\\]*(?:::\w+)?)|(\d+)|([().,]))"""
)
_IN_STRING = re.compile(r"\{(\$\w+)\}|(\$\w+)(?!\s*(?:\[|->))")
_SAME_PATH = frozenset({"realpath", "trailingslashit", "untrailingslashit", "wp_normalize_path"})


def _included(project: ProjectView, file: FileView, own: _Chain, want: Want, written: str) -> Iterator[Want]:
    try:
        path = _Script(project, file).value(written)
    except _Dynamic as why:
        yield want._replace(reason=str(why))
        return
    if path.startswith(("/", "phar:", "http:", "https:")):
        yield want._replace(external=path)
        return
    folder = dirname(file.path)
    if path.startswith(_TOP):
        candidates = [_below(path[1:].lstrip("/"))]
    else:  # PHP looks from where the program was started, then beside the file
        starts = [folder, "", *(package.folder for package in own.packages)]
        first = path.partition("/")[0]
        above = folder
        while above:  # a library that names itself: Zend/Loader.php from inside library/Zend
            if above.rpartition("/")[2] == first:
                starts.append(dirname(above))
            above = dirname(above)
        candidates = [_below(join(start, path)) for start in starts]
    keys = tuple(dict.fromkeys(key for key in candidates if key))
    if not keys:
        yield want._replace(reason="beyond the top of the project")
        return
    stem = keys[0].rpartition("/")[2].partition(".")[0]
    external = "" if any(key in project for key in keys) else _vendored(project, own, keys)
    yield want._replace(keys=keys, external=external, reason="" if external else f"no file {keys[0]}", watch=stem)


def _vendored(project: ProjectView, own: _Chain, keys: Sequence[str]) -> str:
    """The package whose installed file an include names; Composer itself for its autoloader."""
    for key in keys:
        for package in own.packages:
            if key.startswith(package.vendor + "/"):
                parts = key[len(package.vendor) + 1 :].split("/")
                return "/".join(parts[:2]) if len(parts) > 2 and parts[0] != "composer" else "composer"
        if "/vendor/autoload.php" in "/" + key:
            return "composer"
        if project.outside(key):
            return key
    return ""


def _below(path: str) -> str:
    """The path made plain, or "" when it leaves the project."""
    plain = normpath(path) if path else ""
    return "" if plain in (".", "..") or plain.startswith("../") else plain


class _Script:
    """One file, as far as its text says where its includes lie."""

    def __init__(self, project: ProjectView, file: FileView) -> None:
        self._project = project
        self._file = file

    def value(self, written: str, here: str = "", depth: int = 0) -> str:
        """What an expression of literals, folders and known constants comes to. Raises ``_Dynamic`` for any other."""
        if depth > 6:
            raise _Dynamic("its parts go round in a circle")
        here = here or self._file.path
        if not re.search(r"['\"$(]|__|^[A-Z_]+$", written):
            return written  # a literal whose quotes are gone
        if "$" in written and "/" in written and re.fullmatch(r"[\w./{}$-]+", written) and "->" not in written:
            return self._interpolated(written, here, depth)
        tokens = list(_tokens(written))
        if not tokens:
            return written
        value, at = self._concatenated(tokens, 0, here, depth)
        if at != len(tokens):
            raise _Dynamic(f"{_short(written)} is known only at run time")
        return value

    def _concatenated(self, tokens: Sequence[tuple[str, str]], at: int, here: str, depth: int) -> tuple[str, int]:
        value, at = self._term(tokens, at, here, depth)
        while at < len(tokens) and tokens[at] == ("sign", "."):
            more, at = self._term(tokens, at + 1, here, depth)
            value += more
        return value, at

    def _term(self, tokens: Sequence[tuple[str, str]], at: int, here: str, depth: int) -> tuple[str, int]:
        kind, text = tokens[at] if at < len(tokens) else ("end", "")
        if kind == "literal":
            return text, at + 1
        if kind == "string":
            return self._interpolated(text, here, depth), at + 1
        if kind == "variable":
            return self._variable(text, here, depth), at + 1
        if (kind, text) == ("sign", "("):
            value, at = self._concatenated(tokens, at + 1, here, depth)
            return value, _after(tokens, at, ")")
        if kind == "word":
            name = text.lstrip("\\")
            if at + 1 < len(tokens) and tokens[at + 1] == ("sign", "("):
                return self._called(name, tokens, at + 2, here, depth)
            return self._constant(name, here, depth), at + 1
        raise _Dynamic(f"{_short(text) or 'it'} is known only at run time")

    def _called(self, name: str, tokens: Sequence[tuple[str, str]], at: int, here: str, depth: int) -> tuple[str, int]:
        if name.lower() not in ("dirname", "plugin_dir_path", *_SAME_PATH):
            raise _Dynamic(f"{name}() is known only at run time")
        value, at = self._concatenated(tokens, at, here, depth)
        levels = 1
        if at < len(tokens) and tokens[at] == ("sign", ",") and tokens[at + 1 : at + 2] and tokens[at + 1][0] == "number":
            levels, at = int(tokens[at + 1][1]), at + 2
        at = _after(tokens, at, ")")
        if name.lower() in _SAME_PATH:
            return (value.rstrip("/") + "/" if name == "trailingslashit" else value), at
        for _ in range(levels):
            value = dirname(value.rstrip("/"))
        return (value + "/" if name == "plugin_dir_path" else value), at

    def _constant(self, name: str, here: str, depth: int) -> str:
        if name == "__DIR__":
            return f"{_TOP}/{dirname(here)}".rstrip("/")
        if name == "__FILE__":
            return f"{_TOP}/{here}"
        if name == "DIRECTORY_SEPARATOR" or name == "DS":
            return "/"
        values = set()
        for path in self._file.providers("php-const:" + name):
            for stated in _values_in(self._project.text(path), name):
                # The text may have changed since it was read: then its key is gone, and this file is asked again.
                if self._file.declared(f"php-value:{name}={stated}"):
                    values.add(self.value(stated, path, depth + 1))
        if len(values) == 1:
            return values.pop()
        raise _Dynamic(f"{name} is {'defined in several ways' if values else 'known only at run time'}")

    def _variable(self, name: str, here: str, depth: int) -> str:
        text = self._project.text(here)
        taken = re.escape(name) + r"\b"
        if re.search(rf"\b(?:function|fn)\b[^{{;]*{taken}|\bas\s+(?:\$\w+\s*=>\s*)?&?{taken}", text):
            raise _Dynamic(f"{name} is known only at run time")
        values = {found.strip() for found in re.findall(rf"(?<![\w>$]){re.escape(name)}\s*\??\??=(?![=>])\s*([^;\n]+);", text)}
        if len(values) == 1:
            return self.value(_unquoted(values.pop()), here, depth + 1)
        raise _Dynamic(f"{name} is {'set in several ways' if values else 'not set in this file'}")

    def _interpolated(self, text: str, here: str, depth: int) -> str:
        value = _IN_STRING.sub(lambda found: self._variable(found[1] or found[2], here, depth), text)
        if "$" in value:
            raise _Dynamic(f"{_short(text)} is known only at run time")
        return value.replace("\\\\", "/")


def _tokens(written: str) -> Iterator[tuple[str, str]]:
    at = 0
    kinds = ("literal", "string", "variable", "word", "number", "sign")
    while at < len(written):
        found = _TOKEN.match(written, at)
        if not found:
            if written[at:].strip():
                raise _Dynamic(f"{_short(written)} is known only at run time")
            return
        at = found.end()
        group = found.lastindex or 1
        yield kinds[group - 1], found[group]


def _after(tokens: Sequence[tuple[str, str]], at: int, sign: str) -> int:
    if at < len(tokens) and tokens[at] == ("sign", sign):
        return at + 1
    raise _Dynamic("a part of it is known only at run time")


def _short(written: str) -> str:
    flat = " ".join(written.split())
    return flat if len(flat) <= 60 else flat[:59] + "…"


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"" and value[0] not in value[1:-1]:
        return value[1:-1]
    return value


def _value_of(name: str, signature: str) -> str:
    return next(iter(_values_in(signature + ";", name)), "")


def _values_in(text: str, name: str) -> list[str]:
    """What a constant is said to be, where that may become part of a path."""
    last = re.escape(name.rpartition("\\")[2])
    if last not in text:
        return []
    found = re.findall(
        rf"\bdefine\s*\(\s*['\"][\w\\]*\b{last}['\"]\s*,\s*([^;]+?)\s*\)\s*;"
        rf"|\bconst\s+(?:\w+\s+)?{last}\s*=\s*([^;,]+?)\s*;",
        text,
    )
    values = [" ".join((a or b).split()) for a, b in found]
    return [value for value in values if len(value) <= 160 and re.search(r"['\"]|__(?:DIR|FILE)__", value)]
