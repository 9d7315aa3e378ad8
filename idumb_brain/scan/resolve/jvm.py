"""Names of Java, Kotlin and Scala to the files that declare them. Knows no member of any type, and infers no type.

All three declare names in packages and use each other's. What stands directly in a package (a type, and in Kotlin and
Scala also a function, a value or what a package object holds) is a key: ``jvm:shop.Shelf``. An import leads to the file
of the longest name in it that somebody declares, so members and nested types lead to the type they belong to. Where
no import is needed (the same package, an import of everything, a name written in full) the names used in a file are
looked up as the compiler would, and lead to a file only where one declares them.

The same name may be declared in several modules. So every key is also declared once for each folder above the sources
(``jvm:shop.Shelf@core/src``), and wanted from the nearest place in sight: this file, its source set, its module, the
modules that one depends on. Several equally near in one module are variants of each other and all count; several in
modules the build does not connect with this one are called ``ambiguous``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from idumb_brain.model.code import SymbolRow
from idumb_brain.scan.resolve import FileView, ProjectView, Resolver, Want, bindings
from idumb_brain.scan.resolve.jvm_build import CONFIGURATION, Build, Libraries, Module, read_build

__all__ = ["CONFIGURATION", "provides", "resolver"]

_TYPES = frozenset({"class", "interface", "enum", "record", "object", "trait", "type"})
_CALLABLE = frozenset({"function", "method"})
_MAIN_SETS = ("main", "commonMain")
_TESTING = re.compile(r"test|Test|jmh|bench|sample", re.IGNORECASE)
_SET = re.compile(r"^src/([\w.-]+)/")
_TEST_SET = re.compile(r"(?:^|/)src/(?:\w*[tT]est|it|testFixtures)/")

# Top-level domains that open package names; what follows tells the vendor, and under these vendors the product.
_DOMAINS = frozenset({
    "ai", "app", "at", "be", "biz", "br", "ca", "cc", "ch", "cloud", "cn", "co", "com", "cz", "de", "dev", "edu", "es",
    "eu", "fi", "fr", "gov", "ie", "in", "info", "io", "it", "jp", "kr", "me", "mil", "name", "net", "nl", "no", "org",
    "pl", "ru", "se", "sh", "tech", "tv", "uk", "us",
})  # fmt: skip
_VENDORS = frozenset({
    "android", "apache", "amazonaws", "eclipse", "facebook", "fasterxml", "github", "gitlab", "google", "ibm", "jetbrains",
    "microsoft", "oracle", "squareup", "sun", "twitter", "typesafe",
})  # fmt: skip
_PLATFORMS = frozenset({"android", "kotlin", "scala"})
_JDK = frozenset({"java", "javax", "jdk", "sun"})
# What Scala lets one write without the "scala." before it.
_SCALA_PACKAGES = frozenset({
    "annotation", "beans", "collection", "compat", "compiletime", "concurrent", "deriving", "io", "jdk", "math", "quoted",
    "ref", "reflect", "runtime", "sys", "util",
})  # fmt: skip
_BESIDE_NAMES = re.compile(r"[\s`]|\$(?=\.|$)")  # Java calls the object Shelf of Scala Shelf$
_FAMILIES = frozenset({"androidx", "jakarta", "kotlinx"})  # one name, many packages


def provides(path: str, package: str, symbols: Sequence[SymbolRow]) -> list[str]:
    keys: dict[str, None] = {}
    if path.endswith((".kts", ".sc", ".sbt", ".mill")):
        return []  # a script's names are its own
    kotlin = path.endswith(".kt")
    places = (path, *_places(path, package))
    facade = ""
    packages = {package}
    spaces: dict[int, str] = {}  # symbols that are packages, as package clauses with bodies and package objects are
    for ordinal, (parent, name, _, kind, _, _, signature, _, _) in enumerate(symbols):
        name = name.replace("`", "")
        if parent >= 0 and parent not in spaces:
            if kind in _TYPES:
                keys[f"jvm-nested:{path}#{name}"] = None
            elif kind in _CALLABLE and not path.endswith(".java"):
                keys[f"jvm-own:{path}#{name}"] = None
            continue
        space = spaces[parent] if parent >= 0 else package
        full = _joined(space, name)
        if kind == "namespace" or signature.startswith("package object "):
            spaces[ordinal] = full
            packages.add(full)
            if kind == "namespace":
                keys[f"jvm-space:{path}#{full}"] = None
                continue
        elif kind == "module":
            keys["jvm-module:" + name] = None
            continue
        elif path.endswith(".java") and kind not in _TYPES:
            continue  # a member whose class could not be read
        elif kind == "given":
            keys["jvm-given:" + space] = None
            if not re.match(rf"(?:\w+ )*given {re.escape(name)}(?:\[.*\])?(?:\(.*\))?:", signature):
                continue  # without a name of its own, called by its type
        elif kotlin and kind not in _TYPES:
            facade = path.rpartition("/")[2].removesuffix(".kt")
            facade = facade[:1].upper() + re.sub(r"\W", "_", facade[1:]) + "Kt"
            if kind == "method" and (receiver := _receiver(signature, name)):
                keys["jvm-extension:" + full] = None
                keys[f"jvm-extension:{full}#{receiver}"] = None
        _declare(keys, full, name, places)
    if facade:
        _declare(keys, _joined(package, facade), facade, places)
    for space in filter(None, packages if symbols else ()):
        keys["jvm-home:" + space] = None
        while space:
            keys["jvm-package:" + space] = None
            space = space.rpartition(".")[0]
    return list(keys)


def _declare(keys: dict[str, None], full: str, name: str, places: Sequence[str]) -> None:
    keys["jvm-name:" + name] = None
    keys["jvm:" + full] = None
    keys.update((f"jvm:{full}@{place}", None) for place in places if place)
    if tests := _TEST_SET.search(places[0]):  # the module they belong to sees them from its other tests alone
        module = places[0][: tests.start()]
        keys.update((f"jvm-test:{full}@{place}", None) for place in (_under(module, "src"), module) if place)


def _places(path: str, package: str) -> Iterator[str]:
    """The folder the packages start in, as far as folders are named after packages, and those above it."""
    folder = path.rpartition("/")[0]
    for part in reversed(package.split(".") if package else ()):
        above, _, last = folder.rpartition("/")
        if last != part:
            break
        folder = above
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]


def _receiver(signature: str, name: str) -> str:
    found = re.search(r"(\w+)(?:<[^()]*>)?\??\." + re.escape(name) + r"\b", signature)
    return found[1] if found else ""


def resolver(project: ProjectView) -> Resolver:
    build = read_build(project)

    def wants(file: FileView) -> Iterator[Want]:
        module = build.module_of(file.path)
        return _File(file, build, _Sight(file, module)).wants()

    return wants


class _Found(NamedTuple):
    key: str
    ambiguous: bool = False


class _Sight:
    """Which of several declarations of a name a file sees."""

    def __init__(self, file: FileView, module: Module) -> None:
        self._declared = file.declared
        self._providers = file.providers
        self._known = module.known
        sources = next(_places(file.path, file.package), "")
        inside = file.path[len(module.folder) + 1 :] if module.folder else file.path
        named = _SET.match(inside)
        self._own = [file.path, sources]
        self._above = [*_places(file.path, file.package), ""]
        home = _under(module.folder, "src")
        if named:
            self._own += [f"{home}/{one}" for one in (named[1], *(_MAIN_SETS if named[1] not in _MAIN_SETS else ()))]
        self._testing = bool(named and _TESTING.search(named[1]))
        self._modules = [place for folder in (module.folder, *module.sees) for place in (_under(folder, "src"), folder) if place]

    def find(self, name: str, anywhere: bool = True) -> _Found | None:
        """The key of a declared name at the nearest place in sight; without a stated dependency only if ``anywhere``."""
        key, declared = "jvm:" + name, self._declared
        if not declared(key):
            return None
        for place in self._own:
            if place and declared(f"{key}@{place}"):
                return _Found(f"{key}@{place}")
        for place in self._modules:
            if declared(f"{key}@{place}") and (self._testing or not self._only_in_tests(name, place)):
                return _Found(f"{key}@{place}")
        if anywhere or not self._known:
            for place in self._above:
                there = f"{key}@{place}" if place else key
                if declared(there):
                    return _Found(there, self._known and len(self._providers(there)) > 1)
        return None

    def _only_in_tests(self, name: str, place: str) -> bool:
        tests = f"jvm-test:{name}@{place}"
        return self._declared(tests) and len(self._providers(tests)) == len(self._providers(f"jvm:{name}@{place}"))


class _Import(NamedTuple):
    ordinal: int
    line: int
    kind: str
    path: str  # without what stands for everything
    everything: bool


class _File:
    """The names of one file on their way to files."""

    def __init__(self, file: FileView, build: Build, sight: _Sight) -> None:
        self.file = file
        self.declared = file.declared
        self.libraries = build.libraries
        self.find = sight.find
        self.spaces = _spaces(file)
        self.bound: dict[str, str] = {}  # local name -> full name, where an import says so
        self.opened: list[tuple[_Import, str]] = []  # packages of this project whose names need no prefix
        self.opened_outside: set[str] = set()  # the same of others
        self.settled: set[int] = set()
        self.scala = file.language == "scala"

    def wants(self) -> Iterator[Want]:
        for ordinal, row in enumerate(self.file.imports):
            yield from self._imported(ordinal, row)
        yield from self._named()
        for one, package in self.opened:
            if one.ordinal not in self.settled:
                reason = f"{package} is a package of this project, but nothing it declares here is named in this file"
                yield Want(one.ordinal, one.line, "import", (), reason=reason)

    def _imported(self, ordinal: int, row: tuple[str, str, int, str]) -> Iterator[Want]:
        kind, text, line, _ = row
        path = text.replace("`", "") if ".given " in text else _BESIDE_NAMES.sub("", text)
        if kind == "requires":
            yield Want(ordinal, line, "import", ("jvm-module:" + path,), _external(path, self.libraries)[0])
            return
        everything = any(imported == "*" for imported, _ in bindings(row))
        givens = False
        head, _, last = path.rpartition(".")
        if last.startswith("given") and self.scala:
            path, givens = head, True
        elif last in ("*", "_"):
            path = head
        one = _Import(ordinal, line, kind, path, everything or givens)
        for imported, local in bindings(row):
            if imported != "*" and local and local != "_":
                self.bound[local.replace("`", "")] = path
        for full, inside in self._readings(path):
            package = bool(self.declared("jvm-package:" + full))
            found = self._longest(full, inside)
            if found:
                self._rename(row, full)
                yield Want(ordinal, line, "ambiguous" if found.ambiguous else "import", (found.key,))
                self.settled.add(ordinal)
                self.settled.update(other.ordinal for other, space in self.opened if inside and full == f"{space}.{path}")
            if package and givens:
                reason = f"{full} is a package of this project, but no file of it declares a given"
                yield Want(ordinal, line, "import", ("jvm-given:" + full,), reason="" if found else reason)
            elif package and one.everything:
                self.opened.append((one, full))
            elif package and self.scala and not found:  # its names follow, with this one before them
                self._rename(row, full)
                self.opened.append((one, full))
            if package or found:
                return
        yield self._nowhere(one)

    def _rename(self, row: tuple[str, str, int, str], full: str) -> None:
        for imported, local in bindings(row):
            if imported != "*" and local:
                self.bound[local.replace("`", "")] = full

    def _readings(self, path: str) -> Iterator[tuple[str, int]]:
        """What a path may mean, and how many of its words only say where it is read from. Scala reads outwards."""
        if not self.scala:
            yield path, 0
            return
        if path.startswith("_root_."):
            yield path.removeprefix("_root_."), 0
            return
        first, _, rest = path.partition(".")
        if first in self.bound and self.bound[first] != path:
            yield _joined(self.bound[first], rest), 0
        opened = [package for one, package in reversed(self.opened) if one.everything]
        for space in dict.fromkeys((*opened, *self.spaces)):
            if space:
                yield f"{space}.{path}", space.count(".") + 1
        yield path, 0

    def _longest(self, full: str, inside: int = 0) -> _Found | None:
        """The declaration that a full name is, or is inside of: ``shop.Shelf.Kind.OAK`` is in ``shop.Shelf``."""
        parts = full.split(".")
        end = 1 + self._packages(parts, len(parts) - 1)
        if end == 1:  # in no package at all: seen only from there
            return self.find(parts[0]) if not self.file.package else None
        for length in range(end, max(1, inside, end - 2), -1):
            if found := self.find(".".join(parts[:length])):
                return found
        return None

    def _packages(self, parts: list[str], most: int) -> int:
        """How many of the words name a package of this project, one inside the other."""
        end = 0
        while end < most and self.declared("jvm-package:" + ".".join(parts[: end + 1])):
            end += 1
        return end

    def _nowhere(self, one: _Import) -> Want:
        ordinal, line, path = one.ordinal, one.line, one.path
        first, _, rest = path.partition(".")
        if self.scala and (self.declared(f"jvm-nested:{self.file.path}#{first}") or first in ("this", "super")):
            return Want(ordinal, line, "import", (self.file.path,))  # what this very file declares
        if self.scala and self.bound.get(first, path) != path:
            path = _joined(self.bound[first], rest)
        elif self.scala and first in _SCALA_PACKAGES:
            path = "scala." + path
        elif self.scala and first[:1].isupper() and len(self.opened_outside) == 1:
            path = _joined(next(iter(self.opened_outside)), path)
        external, known = _external(path, self.libraries)
        if one.everything and one.kind != "local":
            self.opened_outside.add(one.path)
        if self.scala and "." not in external and not known:
            if first[:1].isupper():
                reason = f"{first} is not declared here: perhaps an import of everything from outside brings it"
                return Want(ordinal, line, "import", (), reason=reason)
            if one.kind == "local" and not self._is_library(first):
                reason = f"{first} is no package or object known here; if it is a value, its type decides"
                return Want(ordinal, line, "import", (), reason=reason)
        parts = path.split(".")
        end = self._packages(parts, len(parts))
        while end and not self.declared("jvm-home:" + ".".join(parts[:end])):
            end -= 1
        home = ".".join(parts[:end])
        if home and known <= home.count(".") + 1:
            reason = f"{home} is a package of this project, but nothing here declares {path}: generated, or of a library that shares it"
            return Want(ordinal, line, "import", (), reason=reason)
        return Want(ordinal, line, "import", (), external)

    def _is_library(self, first: str) -> bool:
        """Does an import at the top of the file, which can open packages only, start with the same word?"""
        return (
            first in _JDK
            or first in _PLATFORMS
            or any(kind == "import" and text.partition(".")[0] == first for kind, text, _, _ in self.file.imports)
        )

    def _named(self) -> Iterator[Want]:
        """Dependencies without an import of their own: what the names used in this file lead to."""
        parameters = {name for _, kind, _, name in self.file.references if kind == "parameter"}
        java = self.file.language == "java"
        extensions: dict[str, int] = {}
        seen: set[str] = set()
        for _, kind, line, name in self.file.references:
            if kind in ("parameter", "namespace") or name in seen:
                continue
            seen.add(name)
            name = _BESIDE_NAMES.sub("", name).replace("::", ".")
            if kind == "call" and "." in name:
                if not java:
                    extensions.setdefault(name[name.rfind(".") + 1 :], line)
                if java and not name[name.rfind(".") + 1 :][:1].isupper():
                    name = name.rpartition(".")[0]
            elif kind == "call" and java and not name[:1].isupper():
                continue  # a method of this type or of one it extends
            first, _, rest = name.partition(".")
            if not first or first in ("this", "super") or first in parameters:
                continue
            if first in self.bound:
                if rest and self.scala:
                    yield from self._through_package(first, rest)
                continue
            yield from self._simple(first, rest, line, kind == "call")
        if self.file.language == "kotlin":
            yield from self._extended(extensions, seen)

    def _simple(self, first: str, rest: str, line: int, called: bool) -> Iterator[Want]:
        path = self.file.path
        if self.declared("jvm-name:" + first):
            if self.declared(f"jvm-nested:{path}#{first}") or (called and not rest and self.declared(f"jvm-own:{path}#{first}")):
                return
            around = [(None, space) for space in self.spaces]
            steps = [*self.opened, *around] if self.scala else [*around, *self.opened]
            for one, space in steps:
                found = self.find(_joined(space, first), anywhere=one is not None and one.everything)
                if not found or (one is not None and not one.everything):
                    continue
                if one is None:
                    yield Want(-1, line, "package", (found.key,))
                else:
                    self.settled.add(one.ordinal)
                    yield Want(one.ordinal, one.line, "ambiguous" if found.ambiguous else "import", (found.key,))
                return
        if rest and first[:1].islower():
            for reading, inside in self._readings(f"{first}.{rest}"):
                if self.declared("jvm-package:" + reading.partition(".")[0]) and (found := self._longest(reading, inside)):
                    yield Want(-1, line, "ambiguous" if found.ambiguous else "qualified", (found.key,))
                    return

    def _through_package(self, first: str, rest: str) -> Iterator[Want]:
        for one, package in self.opened:
            if not one.everything and package == self.bound[first] and (found := self._longest(f"{package}.{rest}")):
                self.settled.add(one.ordinal)
                yield Want(one.ordinal, one.line, "ambiguous" if found.ambiguous else "import", (found.key,))
                return

    def _extended(self, called: dict[str, int], mentioned: set[str]) -> Iterator[Want]:
        """Extension functions that need no import, where the type they extend is named here: without types no more can be told."""
        spaces: list[tuple[_Import | None, str]] = [(None, space) for space in self.spaces]
        for method, line in called.items():
            for one, space in (*spaces, *self.opened):
                full = _joined(space, method)
                if method in self.bound or not self.declared("jvm-extension:" + full):
                    continue
                types = [name for name in (*mentioned, *self.bound) if name[:1].isupper() and "." not in name]
                if not any(self.declared(f"jvm-extension:{full}#{name}") for name in sorted(types)):
                    continue
                if found := self.find(full, anywhere=False):
                    if one is not None:
                        self.settled.add(one.ordinal)
                    yield Want(one.ordinal if one else -1, one.line if one else line, "extension", (found.key,))
                    break


def _spaces(file: FileView) -> tuple[str, ...]:
    """The packages whose names need no import here, innermost first. Scala's clauses each open their own."""
    if file.language != "scala":
        return (file.package,)
    spaces: list[str] = []
    around = ""
    for _, kind, _, name in file.references:
        if kind == "namespace":
            name = re.sub(r"[\s`]", "", name)
            if around and len(around) < len(file.package):
                around = _joined(around, name)
            elif not around:
                around = name
            else:  # a clause with a body, inside those before or beside others
                within = (_joined(space, name) for space in reversed(spaces))
                around = next((full for full in within if file.declared(f"jvm-space:{file.path}#{full}")), name)
            spaces.append(around)
    return (*reversed(spaces), "") if not file.package else tuple(reversed(spaces))


def _external(path: str, libraries: Libraries) -> tuple[str, int]:
    """The name a manifest gives to what a path is part of, and how many words of the path speak for that; else as much
    of the path as usually names a product, and 0."""
    parts = path.split(".")
    for end in range(len(parts), 0, -1):
        if ".".join(parts[:end]) in libraries.groups:
            return ".".join(parts[:end]), end
    for position, part in enumerate(parts[2:], 3):  # com.google.common.truth is the artifact truth of com.google.truth
        group = libraries.artifacts.get(part, "")
        if group.startswith(f"{parts[0]}.{parts[1]}."):
            return group, position
    first = parts[0]
    if first in _JDK:
        return "java", 0
    if first not in _PLATFORMS and first in libraries.artifacts:  # cats is in cats-core of org.typelevel
        return libraries.artifacts[first], 1
    count = 1
    if first in _DOMAINS and len(parts) > 1:
        count = 3 if parts[1] in _VENDORS else 2
    elif first in _FAMILIES:
        count = 2
    named = parts[:count]
    while len(named) > 1 and named[-1][:1].isupper():
        named.pop()
    return ".".join(named), 0


def _joined(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix and name else prefix or name


def _under(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
