"""Swift modules to the files that declare what is used of them: package targets, Xcode folders. Infers no types.

An ``import`` names a module, and a module is no file: the files it leads to are those of the module that declare the
names used here. Inside a module nothing is imported at all, so there the names alone make the dependencies.

What belongs to a module is told by Package.swift: the folder of a target. Elsewhere it is the folder below the one
that holds the Xcode project, as its templates have it. Every name is declared once for each folder above it
(``swift:Shelf@Sources/Library``), and wanted from the folders of the modules in sight.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from posixpath import commonprefix, join, normpath
from typing import NamedTuple

from idumb_brain.model.code import SymbolRow
from idumb_brain.scan.resolve import FileView, ProjectView, Resolver, Want, bindings

# ``@_exported import`` reaches into other files; those keep to a few file names by habit, and those are read.
_EXPORTS = (
    "Exports.swift",
    "Exported.swift",
    "Export.swift",
    "Exported Imports.swift",
    "ExportedImports.swift",
    "Reexports.swift",
)
CONFIGURATION = ("Package.swift", "Package.resolved", "*.pbxproj", "*.podspec", *_EXPORTS)

_DOCUMENTATION = ".docc/"  # the code in there shows how to use the module it lies in
_TYPES = frozenset({"class", "struct", "enum", "actor", "protocol", "type"})
_HIDDEN = re.compile(r"(?:private|fileprivate)\b(?!\()")
_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TARGET = re.compile(r"\.(target|executableTarget|testTarget|macro|plugin|systemLibrary|binaryTarget)\s*\(")
_ARGUMENT = re.compile(r'\b(name|path)\s*:\s*"([^"]+)"')
_PRODUCT = re.compile(r'\.product\(\s*name:\s*"([^"]+)",\s*package:\s*"([^"]+)"')
_PACKAGE_URL = re.compile(r'\burl:\s*"([^"]+)"')
_PIN = re.compile(r'"(?:identity|package)"\s*:\s*"([^"]+)"')
_XCODE_PRODUCT = re.compile(
    r"isa = XCSwiftPackageProductDependency;\s*(?:package = \w+ /\* \w+ \"([^\"]+)\" \*/;\s*)?productName = \"?([^\";]+)\"?;"
)
_XCODE_TARGET = re.compile(r"isa = PBXNativeTarget;.*?\bname = \"?([^\";]+)\"?;", re.DOTALL)
_EXPORTED = re.compile(r"^\s*@_exported\s+import\s+(?:\w+\s+)?(\w+)", re.MULTILINE)
_NOT_IN_A_NAME = re.compile(r"\W")
_FOLDERS = {
    "testTarget": ("Tests", "Sources", "Source", "src", "srcs"),
    "plugin": ("Plugins",),
}
_USUAL_FOLDERS = ("Sources", "Source", "src", "srcs")


def provides(path: str, package: str, symbols: Sequence[SymbolRow]) -> list[str]:
    folders = () if _DOCUMENTATION in path else _folders_above(path)
    keys: dict[str, None] = dict.fromkeys(_at("swift-in:", folders))
    for parent, name, qualified, kind, _, _, signature, _, _ in symbols:
        shown = not _HIDDEN.match(signature)
        if kind != "extension" and (parent < 0 or kind in _TYPES or kind == "method"):
            keys[f"swift-own:{path}#{name}"] = None
        if parent < 0:
            if kind != "extension" and shown:
                keys.update(dict.fromkeys(_at(f"swift:#{name}" if kind == "macro" else "swift:" + name, folders)))
        elif symbols[parent][3] == "extension" and shown:
            if kind in _TYPES or "static " in signature:
                keys.update(dict.fromkeys(_at("swift:" + qualified, folders)))
            if kind == "method":
                keys.update(dict.fromkeys(_at("swift-member:" + name, folders)))
    return list(keys)


class _Module(NamedTuple):
    name: str
    home: str  # the folder of the manifest
    scopes: tuple[str, ...]  # the folders its files may lie in
    kind: str = ""
    around: tuple[str, ...] = ()  # where the rest of them may lie, if nothing tells: looked into last


class _Modules(NamedTuple):
    """All that the manifests of a project tell."""

    by_name: dict[str, list[_Module]]
    of_folder: dict[str, _Module]
    handed_on: dict[str, list[str]]  # module name → modules it exports as its own
    packages: dict[str, str]  # module name → the package it is a product of
    homes: tuple[str, ...]  # folders with an Xcode project, the deepest first
    manifests: frozenset[str]

    def of_path(self, path: str) -> _Module | None:
        if path in self.manifests or _DOCUMENTATION in path:
            return None
        folders = _folders_above(path)
        for folder in folders:
            if folder in self.of_folder:
                return self.of_folder[folder]
        home = next((home for home in self.homes if home in folders), "")
        below = path[len(home) + 1 if home else 0 :]
        top = join(home, below.partition("/")[0]) if "/" in below else home
        return _Module("", home, (top,), "", self.around(home))

    def around(self, home: str) -> tuple[str, ...]:
        """The whole folder of an Xcode project, unless parts of it are told to be modules of their own."""
        return () if any(_is_in(folder, home) and module.kind for folder, module in self.of_folder.items()) else (home,)

    def named(self, name: str, path: str) -> _Module | None:
        """The module of this name nearest to a path."""
        known = self.by_name.get(name, ())
        return max(known, key=lambda module: len(commonprefix([module.home + "/", path])), default=None)


def resolver(project: ProjectView) -> Resolver:
    modules = _modules(project)

    def wants(file: FileView) -> Iterator[Want]:
        return _wants(file, modules, project)

    return wants


def _wants(file: FileView, modules: _Modules, project: ProjectView) -> Iterator[Want]:
    own = modules.of_path(file.path)
    opened: list[tuple[int, _Module]] = []  # ordinal of the import, or -1 where the own module hands it on
    settled: set[int] = set()
    for ordinal, row in enumerate(file.imports):
        name, _, member = row[1].partition(".")
        found = modules.named(name, file.path) or _folder_module(name, own, file)
        line = row[2]
        if found is None:
            yield Want(ordinal, line, "import", (), external=modules.packages.get(name, name))
        elif found == own:
            yield Want(ordinal, line, "import", (), reason=f"this file is part of the module {name} itself")
        elif headers := _headers(found, project, file):
            for header in headers:
                yield Want(ordinal, line, "import", (header,))
        elif found.kind in ("binaryTarget", "systemLibrary"):
            yield Want(ordinal, line, "import", (), external=name)
        elif member and next(bindings(row), ("*", ""))[0] != "*":
            places = _at("swift:" + member, (*found.scopes, *found.around))
            yield Want(ordinal, line, "import", places, reason=f"the module {name} of this project declares no {member}")
        else:
            opened.append((ordinal, found))
            opened += [(ordinal, again) for again in _handed_on(name, modules, file.path)]
    if own is not None and own.name:
        opened += [(-1, again) for again in _handed_on(own.name, modules, file.path)]

    names_of = {module.name: (ordinal, module) for ordinal, module in opened}
    hidden = {name for _, kind, _, name in file.references if kind == "parameter"}
    for name, line in _names_used(file):
        first, _, rest = name.partition(".")
        if rest and first in names_of:  # Library.Shelf
            ordinal, module = names_of[first]
            for key in _declaring(rest, module.scopes, file.declared):
                settled.add(ordinal)
                yield _want(file, ordinal, line, key)
            continue
        if first in hidden:
            continue
        if file.declared(f"swift-own:{file.path}#{first}"):  # then only an extension of it can lie elsewhere
            for key in _declaring(name, own.scopes, file.declared) if own is not None else ():
                if key.startswith(f"swift:{first}."):
                    yield Want(-1, line, "module", (key,))
            continue
        if own is not None and (keys := _declaring(name, own.scopes, file.declared)):
            for key in keys:
                yield Want(-1, line, "module", (key,))
            continue
        around = [(-1, own.around)] if own is not None else []
        for ordinal, scopes in (*((o, m.scopes) for o, m in opened), *((o, m.around) for o, m in opened if m.around), *around):
            keys = _declaring(name, scopes, file.declared)
            for key in keys:
                settled.add(ordinal)
                yield _want(file, ordinal, line, key)
            if keys:
                break

    for ordinal, module in opened:  # what is handed on is handed on whole
        if ordinal >= 0 and ordinal not in settled and file.imports[ordinal][0] == "reexport":
            for key in _at("swift-in:", module.scopes):
                if file.declared(key):
                    settled.add(ordinal)
                    yield _want(file, ordinal, 0, key)
    for ordinal, module in opened:
        if ordinal < 0 or ordinal in settled:
            continue
        # Nothing by name: then what it is imported for are the methods its extensions add to other types.
        for member in _methods_called(file):
            for key in _at("swift-member:" + member, module.scopes):
                if file.declared(key):
                    settled.add(ordinal)
                    yield _want(file, ordinal, 0, key)
    for ordinal, module in opened:
        if ordinal >= 0 and ordinal not in settled:
            settled.add(ordinal)
            reason = f"{module.name} is a module of this project, but nothing it declares is named here"
            yield Want(ordinal, file.imports[ordinal][2], "import", (), reason=reason)


def _want(file: FileView, ordinal: int, line: int, key: str) -> Want:
    if ordinal < 0:
        return Want(-1, line, "module", (key,))
    kind = "reexport" if file.imports[ordinal][0] == "reexport" else "import"
    return Want(ordinal, file.imports[ordinal][2], kind, (key,))


def _declaring(name: str, scopes: Iterable[str], declared: Callable[[str], bool]) -> list[str]:
    """The keys in sight of ``A.B.c``: of A, and of A.B where an extension elsewhere declares that."""
    found = []
    parts = name.split(".")
    for end in range(1, min(len(parts), 3) + 1):
        key = next((key for key in _at("swift:" + ".".join(parts[:end]), scopes) if declared(key)), "")
        if key:
            found.append(key)
        elif end == 1 and len(parts) > 1 and not parts[0][:1].isupper():
            break
    return found


def _names_used(file: FileView) -> Iterator[tuple[str, int]]:
    """Names that may be declared elsewhere, each with the line of its first use."""
    seen: set[str] = set()
    for _, kind, line, name in file.references:
        if kind == "parameter" or not name or name[0] == "." or name.startswith(("self.", "super.", "Self.")):
            continue
        if kind == "macro":
            name = "#" + name
        if name not in seen:
            seen.add(name)
            yield name, line


def _methods_called(file: FileView) -> Iterable[str]:
    return dict.fromkeys(name[name.rfind(".") + 1 :] for _, kind, _, name in file.references if kind == "call")


def _handed_on(name: str, modules: _Modules, path: str) -> Iterator[_Module]:
    waiting, seen = list(modules.handed_on.get(name, ())), {name}
    while waiting:
        other = waiting.pop(0)
        if other in seen:
            continue
        seen.add(other)
        waiting += modules.handed_on.get(other, ())
        if module := modules.named(other, path):
            yield module


def _folder_module(name: str, own: _Module | None, file: FileView) -> _Module | None:
    """Outside of packages a folder may tell: ``import Library`` beside a folder Library with sources."""
    if own is None or own.name:
        return None
    for folder in (join(own.home, name), join(own.home, "Sources", name), join(own.home, "Source", name)):
        if file.declared("swift-in:@" + folder) and folder not in own.scopes:
            return _Module(name, own.home, (folder,), "", own.around)
    return None


def _headers(module: _Module, project: ProjectView, file: FileView) -> list[str]:
    """What a module in C shows: the header called like it, or all of its public folder."""
    if any(file.declared("swift-in:@" + scope) for scope in module.scopes):
        return []
    file.declared(f"stem:{module.name}")
    for scope in module.scopes:
        for folder in (scope + "/include", scope):
            headers = [path for path in project.files_in(folder) if path.endswith(".h")]
            umbrella = f"{folder}/{module.name}.h"
            if umbrella in headers:
                return [umbrella]
            if headers:
                return headers
    return []


def _modules(project: ProjectView) -> _Modules:
    found = _Modules({}, {}, {}, {}, _xcode_homes(project), frozenset(project.named("Package.swift")))
    for manifest in project.named("Package.swift"):
        _read_package(manifest, _COMMENT.sub(lambda quoted: quoted[1] or "", project.text(manifest)), found)
    for path in project.named("Package.resolved"):
        for pin in _PIN.findall(project.text(path)):
            found.packages.setdefault(pin, pin)
    for path in project.with_suffix(".pbxproj"):
        home = path.rpartition("/")[0].rpartition("/")[0]
        text = project.text(path)
        for package, product in _XCODE_PRODUCT.findall(text):
            found.packages.setdefault(product, package or product)
        for target in _XCODE_TARGET.findall(text):
            name = _NOT_IN_A_NAME.sub("_", target)
            if name not in found.by_name:
                places = (join(home, target), join(home, "Sources", target), join(home, "Source", target))
                _add(found, _Module(name, home, places, "", found.around(home)))
    for path in project.with_suffix(".podspec"):
        home, _, filename = path.rpartition("/")
        name = filename.removesuffix(".podspec")
        if name not in found.by_name:
            _add(found, _Module(name, home, (home,)))
    for filename in _EXPORTS:
        for path in project.named(filename):
            module = found.of_path(path)
            if module is not None and module.name:
                found.handed_on.setdefault(module.name, []).extend(_EXPORTED.findall(project.text(path)))
    return found


def _read_package(manifest: str, text: str, found: _Modules) -> None:
    home = manifest.rpartition("/")[0]
    for product, package in _PRODUCT.findall(text):
        found.packages.setdefault(product, package)
    for url in _PACKAGE_URL.findall(text):
        identity = url.rstrip("/").rpartition("/")[2].removesuffix(".git")
        found.packages.setdefault(identity, identity)
    targets = list(_targets(text))
    for kind, name, path in targets:
        if path:
            scopes: tuple[str, ...] = (_below(home, path),)
        else:
            scopes = tuple(_below(home, join(folder, name)) for folder in _FOLDERS.get(kind, _USUAL_FOLDERS))
            if kind != "testTarget" and sum(other[0] not in ("testTarget", "plugin") for other in targets) == 1:
                scopes += tuple(_below(home, folder) for folder in _USUAL_FOLDERS)
        _add(found, _Module(_NOT_IN_A_NAME.sub("_", name), home, scopes, kind))


def _targets(text: str) -> Iterator[tuple[str, str, str]]:
    """(kind, name, path) of every target; those that only refer to one stand inside another and are passed over."""
    at = 0
    while opening := _TARGET.search(text, at):
        at = _closing(text, opening.end())
        stated: dict[str, str] = {}
        for argument in _ARGUMENT.finditer(text, opening.end(), at):
            before = text[opening.end() : argument.start()]
            if before.count("(") == before.count(")") and before.count("[") == before.count("]"):
                stated.setdefault(argument[1], argument[2])
        if "name" in stated:
            yield opening[1], stated["name"], stated.get("path", "")


def _closing(text: str, at: int) -> int:
    depth = 1
    quoted = False
    for position in range(at, len(text)):
        character = text[position]
        if character == '"' and text[position - 1] != "\\":
            quoted = not quoted
        elif quoted:
            continue
        elif character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
            if depth == 0:
                return position
    return len(text)


def _add(found: _Modules, module: _Module) -> None:
    found.by_name.setdefault(module.name, []).append(module)
    for scope in module.scopes:
        if scope or not module.kind:
            found.of_folder.setdefault(scope, module)


def _xcode_homes(project: ProjectView) -> tuple[str, ...]:
    homes = {path.rpartition("/")[0].rpartition("/")[0] for path in project.with_suffix(".pbxproj")}
    return tuple(sorted(homes, key=lambda home: (-len(home), home)))


def _below(home: str, path: str) -> str:
    plain = normpath(join(home, path))
    return "" if plain == "." else plain


def _is_in(folder: str, home: str) -> bool:
    return not home or folder == home or folder.startswith(home + "/")


def _folders_above(path: str) -> tuple[str, ...]:
    """The folders a file lies in, nearest first, down to the top: ""."""
    above = []
    while path:
        path = path.rpartition("/")[0]
        above.append(path)
    return tuple(above)


def _at(key: str, scopes: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{key}@{scope}" for scope in scopes)
