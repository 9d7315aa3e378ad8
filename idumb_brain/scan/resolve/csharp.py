"""C# names to the files that declare them: namespaces, usings and project references. Knows no member of any type.

A ``using`` names a namespace, and a namespace is no file: the files it leads to are those declaring the types of that
namespace which are used here. A ``using`` of a project's namespace none of whose types or extension methods is named
here leads nowhere, and says so.

What a file can see ends with its project: the folder of the nearest *.csproj, what that links from elsewhere, and the
projects it refers to. So every type is declared once for each folder above it (``cs:Shop.Cart@src/Shop``), and wanted
from the folders in sight.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from posixpath import join, normpath
from typing import NamedTuple
from xml.etree import ElementTree

from idumb_brain.model.code import SymbolRow
from idumb_brain.scan.resolve import FileView, ProjectView, Resolver, Want, bindings

# ``global using`` reaches into other files; they keep to a few file names by habit, and those are read.
_GLOBAL_USINGS = ("GlobalUsings.cs", "GlobalUsing.cs", "Usings.cs", "_Usings.cs", "Imports.cs", "_Imports.cs", "Globals.cs")
_SHARED_PROPERTIES = ("Directory.Build.props", "Directory.Build.targets")
CONFIGURATION = ("*.csproj", "*.projitems", *_SHARED_PROPERTIES, *_GLOBAL_USINGS)

_TYPES = frozenset({"class", "struct", "interface", "enum", "record", "delegate"})
_GLOBAL_USING = re.compile(r"^\s*global\s+using\s+(static\s+)?(?:(\w+)\s*=\s*)?(?:global::)?([\w.]+)", re.MULTILINE)
_TYPE_ARGUMENTS = re.compile(r"<.*", re.DOTALL)
_SPACE = re.compile(r"\s+")


def provides(path: str, package: str, symbols: Sequence[SymbolRow]) -> list[str]:
    keys: dict[str, None] = {}
    folders = _folders_above(path)
    names = [package] * len(symbols)  # of the namespace each symbol lies in, or is
    for ordinal, (parent, name, _, kind, _, _, signature, _, _) in enumerate(symbols):
        outer = names[parent] if parent >= 0 else package
        names[ordinal] = outer
        inside_type = parent >= 0 and symbols[parent][3] != "namespace"
        if kind == "namespace":
            names[ordinal] = _joined(outer, _SPACE.sub("", name))
            keys[f"cs-own:{path}#{names[ordinal]}"] = None
        elif kind in _TYPES and inside_type:
            keys[f"cs-nested:{path}#{name}"] = None
        elif kind in _TYPES:
            keys["cs-name:" + name] = None
            keys.update(dict.fromkeys(_at("cs:" + _joined(outer, name), (*folders, path))))
            while outer:
                keys.update(dict.fromkeys(_at("cs-namespace:" + outer, (*folders, path))))
                outer = outer.rpartition(".")[0]
        elif kind == "method" and "(this " in signature.replace("( ", "("):
            keys["cs-extends-by:" + name] = None
            keys["cs-extension:" + _joined(outer, name)] = None
    return list(keys)


class _Using(NamedTuple):
    ordinal: int  # -1: stated for the whole project
    line: int
    kind: str  # using, static, alias
    name: str
    alias: str = ""


class _Project(NamedTuple):
    scopes: tuple[str, ...]  # folders and single files whose types are in sight, nearest first
    packages: tuple[str, ...]
    usings: tuple[_Using, ...]


def resolver(project: ProjectView) -> Resolver:
    project_of = _projects(project)

    def wants(file: FileView) -> Iterator[Want]:
        return _wants(file, project_of(file.path))

    return wants


def _wants(file: FileView, project: _Project) -> Iterator[Want]:
    declared = file.declared

    def in_sight(key: str) -> str:
        """The key at the nearest place in sight that declares it, or ""."""
        if not declared(key):
            return ""
        return next((there for there in _at(key, project.scopes) if declared(there)), "")

    around = list(_namespaces(file))
    usings = [*_usings(file), *project.usings]
    opened: list[tuple[_Using, str]] = []
    aliases: dict[str, str] = {}
    settled: set[int] = set()
    for using in usings:
        kind = "import" if using.ordinal >= 0 else "namespace"
        candidates = dict.fromkeys(_joined(prefix, using.name) for prefix in ("", *around))
        if using.kind == "using":
            full = next((name for name in candidates if in_sight("cs-namespace:" + name)), "")
            if full:
                opened.append((using, full))
                continue
        else:
            found = next((key for name in candidates for key in [_type_in_sight(name, in_sight)] if key), "")
            if found:
                yield Want(using.ordinal, using.line, kind, (found,))
            namespace = next((name for name in candidates if in_sight("cs-namespace:" + name)), "")
            if using.alias and (found or namespace):
                aliases[using.alias] = namespace or using.name
            if found:
                settled.add(using.ordinal)
                continue
            if namespace:
                opened.append((using._replace(kind="alias"), namespace))
                continue
        if using.ordinal >= 0:
            yield Want(using.ordinal, using.line, "import", (), _package_of(using.name, project.packages))
            settled.add(using.ordinal)

    for name, line in _types_used(file):
        first, _, rest = name.partition(".")
        if first in aliases:
            key = _type_in_sight(_joined(aliases[first], rest), in_sight) if rest else ""
            if key:
                alias = next(using for using in usings if using.alias == first)
                settled.add(alias.ordinal)
                yield Want(alias.ordinal, alias.line, "import" if alias.ordinal >= 0 else "namespace", (key,))
            continue
        for written in (first, first + "Attribute"):
            if not declared("cs-name:" + written):
                continue
            if declared(f"cs-nested:{file.path}#{written}"):
                break
            around_key = next((key for space in around if (key := in_sight("cs:" + _joined(space, written)))), "")
            if around_key:
                yield Want(-1, line, "namespace", (around_key,))
                break
            using_key = ""
            for using, namespace in opened:
                if using.kind == "using" and (using_key := in_sight(f"cs:{namespace}.{written}")):
                    settled.add(using.ordinal)
                    how = "import" if using.ordinal >= 0 else "namespace"
                    yield Want(using.ordinal, using.line if using.ordinal >= 0 else line, how, (using_key,))
                    break
            if using_key:
                break
        else:
            if rest:  # Models.Book, or the whole name
                for space in around:
                    if key := _type_in_sight(_joined(space, name), in_sight):
                        yield Want(-1, line, "namespace", (key,))
                        break

    for method, line in _methods_called(file) if opened else ():
        if not declared("cs-extends-by:" + method):
            continue
        for using, namespace in opened:
            key = f"cs-extension:{namespace}.{method}"
            if using.kind == "using" and declared(key):
                settled.add(using.ordinal)
                how = "import" if using.ordinal >= 0 else "namespace"
                yield Want(using.ordinal, using.line if using.ordinal >= 0 else line, how, (key,))

    for using, namespace in opened:
        if using.ordinal >= 0 and using.ordinal not in settled:
            reason = f"{namespace} is a namespace of this project, but nothing it declares is named here"
            yield Want(using.ordinal, using.line, "import", (), reason=reason)


def _usings(file: FileView) -> Iterator[_Using]:
    for ordinal, row in enumerate(file.imports):
        kind, text, line, _ = row
        name = _TYPE_ARGUMENTS.sub("", _SPACE.sub("", text)).removeprefix("global::").replace("::", ".")
        alias = next((local for _, local in bindings(row)), "")
        if kind == "extern":
            yield _Using(ordinal, line, "static", name)
        else:
            yield _Using(ordinal, line, "using" if kind == "global" else kind, name, alias)


def _namespaces(file: FileView) -> Iterable[str]:
    """The namespaces whose types need no using here, innermost first; "" is the one without a name."""
    spaces = [file.package] if file.package else []
    for _, kind, _, name in file.references:
        if kind == "namespace":
            name = _SPACE.sub("", name)
            whole = next(
                (_joined(s, name) for s in reversed(spaces) if file.declared(f"cs-own:{file.path}#{_joined(s, name)}")), name
            )
            spaces.append(whole)
    around: dict[str, None] = {}
    for space in sorted(spaces, key=lambda space: -space.count(".")):
        while space:
            around[space] = None
            space = space.rpartition(".")[0]
    return (*sorted(around, key=lambda space: -space.count(".")), "")


def _types_used(file: FileView) -> Iterator[tuple[str, int]]:
    """Names that may be types, with the line of their first use: what is called Like.This or written as a type."""
    seen: set[str] = set()
    for _, kind, line, name in file.references:
        if kind == "call":
            name = name.rpartition(".")[0]
        elif kind == "namespace":
            continue
        name = name.removeprefix("global::")
        if not name or name in seen or not name[0].isalpha() or name.startswith(("this.", "base.")):
            continue
        seen.add(name)
        yield name.replace("::", "."), line


def _methods_called(file: FileView) -> Iterator[tuple[str, int]]:
    seen: set[str] = set()
    for _, kind, line, name in file.references:
        if kind == "call" and "." in name:
            method = name[name.rfind(".") + 1 :]
            if method not in seen:
                seen.add(method)
                yield method, line


def _type_in_sight(name: str, in_sight: object) -> str:
    """The key of a type given by its whole name, perhaps followed by members of it: ``Shop.Cart.Empty``."""
    assert callable(in_sight)
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        found: str = in_sight("cs:" + ".".join(parts[:end]))
        if found:
            return found
    return ""


def _package_of(namespace: str, packages: Sequence[str]) -> str:
    """The package that most of a namespace's name is the name of, or else its first two words."""
    lowered = namespace.lower() + "."
    fitting = [package for package in packages if lowered.startswith(package.lower() + ".")]
    return max(fitting, key=len) if fitting else ".".join(namespace.split(".")[:2])


def _projects(project: ProjectView) -> Callable[[str], _Project]:
    """Which project a file belongs to, read from all project files at once."""
    stated: dict[str, _Stated] = {}  # by folder: several project files in one folder are variants of one project
    everywhere = sorted(project.with_suffix(".csproj"))
    for path in everywhere:
        folder = path.rpartition("/")[0]
        shared = [join(above, name) for above in _folders_above(path) for name in _SHARED_PROPERTIES]
        for file in (path, *(name for name in shared if name in project)):
            stated.setdefault(folder, _Stated()).read(project, file, folder, everywhere)
    for name in _GLOBAL_USINGS:
        for path in project.named(name):
            home = next((above for above in _folders_above(path) if above in stated), "")
            usings = stated.setdefault(home, _Stated()).usings if home in stated or not everywhere else []
            for static, alias, namespace in _GLOBAL_USING.findall(project.text(path)):
                usings.append(_Using(-1, 0, "static" if static else "alias" if alias else "using", namespace, alias))
    made: dict[str, _Project] = {}

    def project_of(path: str) -> _Project:
        folder = next((above for above in _folders_above(path) if above in stated), "")
        if folder not in made:
            made[folder] = _seen_from(folder, stated)
        return made[folder]

    return project_of


def _seen_from(folder: str, stated: dict[str, _Stated]) -> _Project:
    scopes: dict[str, None] = {}
    packages: dict[str, None] = {}
    waiting = [folder]
    seen = set(waiting)
    while waiting:  # references reach on: a project sees what the projects it refers to see
        current = waiting.pop(0)
        scopes[current] = None
        if own := stated.get(current):
            scopes.update(own.linked)
            packages.update(own.packages)
            waiting += [other for other in own.references if other not in seen]
            seen.update(own.references)
    usings = stated[folder].usings if folder in stated else []
    return _Project(tuple(scopes), tuple(packages), tuple(dict.fromkeys(usings)))


class _Stated:
    """What the project files of a folder say, in the order they say it."""

    def __init__(self) -> None:
        self.references: dict[str, None] = {}
        self.linked: dict[str, None] = {}
        self.packages: dict[str, None] = {}
        self.usings: list[_Using] = []

    def read(self, project: ProjectView, file: str, home: str, everywhere: Sequence[str]) -> None:
        here = file.rpartition("/")[0]
        for tag, attributes in _elements(project.text(file)):
            included = attributes.get("Include") or attributes.get("Update") or ""
            if tag == "Import":
                included = attributes.get("Project", "")
            for item in filter(None, included.replace("\\", "/").split(";")):
                item = item.strip()
                if tag == "ProjectReference":
                    for path in _matching(item, here, everywhere):
                        self.references[path.rpartition("/")[0]] = None
                elif tag == "PackageReference":
                    self.packages[item] = None
                elif tag == "Reference":
                    name = item.partition(",")[0]
                    own = [path for path in everywhere if path.endswith(f"/{name}.csproj")]
                    self.references.update((path.rpartition("/")[0], None) for path in own)
                    if not own:
                        self.packages[name] = None
                elif tag == "Compile" and item.startswith(("..", "$(")):
                    place = _place(item.partition("*")[0], here).rstrip("/")
                    if place in project or project.folder_exists(place):
                        self.linked[place] = None
                elif tag == "Import" and item.endswith(".projitems"):
                    place = _place(item, here)
                    if place in project:
                        self.linked[place.rpartition("/")[0]] = None
                elif tag == "Using":
                    static = attributes.get("Static", "").lower() == "true"
                    alias = attributes.get("Alias", "")
                    self.usings.append(_Using(-1, 0, "static" if static else "alias" if alias else "using", item, alias))
        self.references.pop(home, None)


def _elements(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError):
        return  # a project file that MSBuild could not read either says nothing
    for element in root.iter():
        yield element.tag.rpartition("}")[2], dict(element.attrib)


def _matching(item: str, here: str, everywhere: Sequence[str]) -> list[str]:
    wanted = _place(item, here)
    if "*" in wanted:
        return [path for path in everywhere if fnmatchcase(path, wanted.replace("**/", "*"))]
    if wanted in everywhere:
        return [wanted]
    if "$(" in item:  # a folder only MSBuild knows: the project's name tells, where only one has it
        named = [path for path in everywhere if path.rpartition("/")[2] == item.rpartition("/")[2]]
        return named if len(named) == 1 else []
    return []


def _place(item: str, here: str) -> str:
    for own in ("$(MSBuildThisFileDirectory)", "$(MSBuildProjectDirectory)/", "$(MSBuildProjectDirectory)"):
        item = item.removeprefix(own)
    place = normpath(join(here, item))
    return "" if place == "." else place


def _at(key: str, places: Iterable[str]) -> Iterator[str]:
    for place in places:
        yield f"{key}@{place}" if place else key


def _folders_above(path: str) -> tuple[str, ...]:
    folders = []
    while path:
        path = path.rpartition("/")[0]
        folders.append(path)
    return tuple(folders)


def _joined(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix and name else prefix or name
