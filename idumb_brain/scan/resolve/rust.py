"""Rust paths to the files of modules: the module tree of each crate, and the crates of Cargo manifests. Expands no macro.

A file says which modules it declares, and so where their files must be (``rs-child:src/shelf.rs``): that is the module
tree, to be walked downwards by names and upwards by providers. A path leads to the file of the last module in it, which
defines or re-exports what is named; items of inline modules are in the file around them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from posixpath import join, normpath
from typing import Any, NamedTuple

from idumb_brain.model.code import ImportRow, SymbolRow
from idumb_brain.scan.resolve import FileView, ProjectView, Resolver, Want, bindings

CONFIGURATION = ("Cargo.toml",)

_PATH_ATTRIBUTE = re.compile(r'#\[path\s*=\s*"([^"]+)"')
_STANDARD = frozenset({"std", "core", "alloc", "proc_macro", "test"})
_OWN_FOLDER = frozenset({"mod.rs", "lib.rs", "main.rs"})  # files whose modules are beside them
_TARGETS = re.compile(r"(?:src/(?:lib|main)\.rs|build\.rs|(src/bin|examples|tests|benches)/(?:[^/]+\.rs|[^/]+/main\.rs))\Z")
_SWITCHES = {"autobins": "src/bin", "autoexamples": "examples", "autotests": "tests", "autobenches": "benches"}
_TABLES = ("dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies")
_NAMESPACES = frozenset({"module", "enum", "struct", "trait", "union", "type"})
_MAX_STEPS = 8  # from one `use` to the next


def provides(path: str, package: str, symbols: Sequence[SymbolRow]) -> list[str]:
    keys: dict[str, None] = {}
    in_modules: list[bool] = []
    for parent, name, qualified, kind, line, end_line, signature, _, _ in symbols:
        around = symbols[parent][2] if parent >= 0 else ""
        reachable = qualified == _nested(around, name) and (not around or (in_modules[parent] and symbols[parent][3] == "module"))
        in_modules.append(reachable)
        if kind not in _NAMESPACES:
            continue
        keys[f"rs:{path}#{qualified}" if reachable else f"rs-local:{path}#{name}"] = None
        if reachable and kind == "module":
            keys[f"rs-mod:{path}#{qualified}"] = None
            stated = _PATH_ATTRIBUTE.search(signature)
            if stated:
                keys["rs-path-child:" + _joined(_folder(path), stated[1])] = None
            elif line == end_line:  # not written out here
                keys.update(dict.fromkeys(_child_keys(path, qualified.split("::")[:-1], name)))
    return list(keys)


def hands_on(path: str, imports: Sequence[ImportRow]) -> list[str]:
    keys: dict[str, None] = {}
    for row in imports:
        if row[0] == "hidden":
            keys[f"rs:{path}#{row[1]}"] = keys[f"rs-mod:{path}#{row[1]}"] = None
            keys.update(dict.fromkeys(_child_keys(path, (), row[1])))
        elif row[0] in ("use", "reexport", "extern"):
            for imported, local in bindings(row):
                keys["rs-glob:" + path if imported == "*" and not local else f"rs-use:{path}#{local}"] = None
        elif row[0] == "include":
            keys["rs-glob:" + path] = None  # whatever stands in there
    return list(keys)


def _child_keys(path: str, around: Sequence[str], name: str) -> Iterator[str]:
    """Where the file of a module is: beside those that are the root of a crate, below all others."""
    folder, filename = _folder(path), path[path.rfind("/") + 1 :]
    beside = "/".join(filter(None, (folder, *around, name)))
    if filename in _OWN_FOLDER:
        yield from (f"rs-child:{beside}.rs", f"rs-child:{beside}/mod.rs")
    else:
        below = "/".join(filter(None, (path.removesuffix(".rs"), *around, name)))
        yield from (f"rs-child:{below}.rs", f"rs-child:{below}/mod.rs")
        yield from (f"rs-root-child:{beside}.rs", f"rs-root-child:{beside}/mod.rs")


class _Place(NamedTuple):
    """A module: a file, and the names of the inline modules in it."""

    file: str
    inside: str = ""


class _Answer(NamedTuple):
    place: _Place | None = None
    external: str = ""
    reason: str = ""


class _Package(NamedTuple):
    folder: str
    manifest: str  # "" where there is none
    edition: str
    library: str  # its root file, "" if it has none
    library_name: str
    roots: frozenset[str]  # stated ones; the usual ones are known by their place
    unusual: frozenset[str]  # folders whose files are roots only if stated
    dependencies: Mapping[str, tuple[str, str]]  # name in the source -> (package, root file in this project or "")


def resolver(project: ProjectView) -> Resolver:
    package_of = _packages(project)

    def wants(file: FileView) -> Iterator[Want]:
        return _File(file, project, package_of).wants()

    return wants


class _File:
    """One file while its paths are followed."""

    def __init__(self, file: FileView, project: ProjectView, package_of: Callable[[str], _Package]) -> None:
        self.file = file
        self.project = project
        self.package_of = package_of
        self.package = package_of(file.path)
        self.declared = file.declared
        opened = {owner: line for owner, kind, line, _ in file.references if kind == "opens"}
        self.inline = [
            (opened[owner], last, name) for owner, kind, last, name in file.references if kind == "scope" and owner in opened
        ]
        self.bound = {
            local: row[1]
            for row in file.imports
            if row[0] in ("use", "reexport")
            for imported, local in bindings(row)
            if imported != "*" and local not in ("", "_")
        }
        self.globs = [(row[1].removesuffix("::*"), row[2]) for row in file.imports if row[1].endswith("::*")]
        self._root = ""

    def wants(self) -> Iterator[Want]:
        stated_paths = self._stated_paths()
        for ordinal, (kind, text, line, _) in enumerate(self.file.imports):
            if kind in ("mod", "hidden"):
                yield from self._module(ordinal, line, text, stated_paths.get(line, ()))
            elif kind == "include":
                yield self._included(ordinal, line, text)
            elif kind == "extern":
                yield self._extern_crate(ordinal, line, text)
            else:
                found = self.follow(self._place_of(line), text, used=True)
                how = "reexport" if kind == "reexport" else "import"
                keys = (found.place.file,) if found.place else ()
                yield Want(ordinal, line, how, keys, found.external, found.reason)
        yield from self._written_out()

    def _place_of(self, line: int) -> _Place:
        around = [(last - first, name) for first, last, name in self.inline if first <= line <= last]
        return _Place(self.file.path, min(around)[1] if around else "")

    # Modules and their files

    def _stated_paths(self) -> dict[int, list[str]]:
        """``#[path]`` by the line of the module it stands before."""
        modules = sorted({row[2] for row in self.file.imports if row[0] == "mod"} | {first for first, _, _ in self.inline})
        stated: dict[int, list[str]] = {}
        for _, kind, line, text in self.file.references:
            if kind == "path":
                below = next((module for module in modules if module >= line), -1)
                stated.setdefault(below, []).append(text)
        return stated

    def _module(self, ordinal: int, line: int, name: str, stated: Sequence[str]) -> Iterator[Want]:
        place = self._place_of(line)
        folder = self._children_folder(place) if place.inside else _folder(place.file)
        paths = [path for text in stated if self.declared(path := _joined(folder, text))]
        usual = self._child(place, name.removeprefix("r#"))
        if usual:
            paths.append(usual)
        for path in paths:
            yield Want(ordinal, line, "mod", (path,))
        if not paths:
            expected = "/".join(filter(None, (self._children_folder(place), name)))
            missing = f"no file {_joined(folder, stated[0])}" if stated else f"no file {expected}.rs or {expected}/mod.rs"
            if stated and self.project.outside(_joined(folder, stated[0])):
                missing = f"{_joined(folder, stated[0])} is not part of the scan"
            yield Want(ordinal, line, "mod", (), reason=missing)

    def _child(self, place: _Place, name: str) -> str:
        below = "/".join(filter(None, (self._children_folder(place), name)))
        return next((path for path in (below + ".rs", below + "/mod.rs") if self.declared(path)), "")

    def _children_folder(self, place: _Place) -> str:
        filename = place.file[place.file.rfind("/") + 1 :]
        beside = filename == "mod.rs" or self._is_root(place.file) or self.declared("rs-path-child:" + place.file)
        top = _folder(place.file) if beside else place.file.removesuffix(".rs")
        return "/".join(filter(None, (top, *place.inside.split("::"))))

    def _is_root(self, path: str) -> bool:
        package = self.package_of(path)
        if path in package.roots or (not package.manifest and path.endswith(("lib.rs", "main.rs"))):
            return True
        usual = _TARGETS.match(path[len(package.folder) :].lstrip("/"))
        return usual is not None and usual[1] not in package.unusual

    def _parent(self, path: str) -> str:
        """The file that declares the module a file is of, "" for the root of a crate."""
        providers = self.file.providers
        stated = [one for one in (*providers("rs-path-child:" + path), *providers("rs-child:" + path)) if one != path]
        if not stated:
            beside = [one for one in providers("rs-root-child:" + path) if one != path]
            stated = [one for one in beside if self._is_root(one) or self.declared("rs-path-child:" + one)]
        if not stated and not self._is_root(path):  # declared by a macro: where it lies tells the rest
            folder, _, filename = path.rpartition("/")
            folder = _folder(folder) if filename == "mod.rs" else folder
            usual = [join(folder, name) for name in ("mod.rs", "lib.rs", "main.rs")] + [folder + ".rs"]
            stated = [one for one in usual if one != path and self.declared(one)][:1]
        return min(stated, key=lambda one: (not one.endswith("lib.rs"), one)) if stated else ""

    def _crate(self) -> str:
        """The root of the crate this file is part of; of several, the library."""
        if not self._root:
            path, seen = self.file.path, set[str]()
            while path not in seen and (above := self._parent(path)):
                seen.add(path)
                path = above
            self._root = path
        return self._root

    def _up(self, place: _Place) -> _Place | None:
        if place.inside:
            return _Place(place.file, place.inside.rpartition("::")[0])
        above = self._parent(place.file)
        return _Place(above) if above else None

    # Paths

    def follow(self, here: _Place, text: str, *, used: bool, steps: int = 0) -> _Answer:
        """Where a path leads, seen from a module. ``used``: it stands in a ``use``, which once meant from the root."""
        parts = [part.strip().removeprefix("r#") for part in text.split("::")]
        old = self.package.edition == "2015"
        if parts[0] == "" and len(parts) > 1:
            return self._from_root(parts[1:]) if old else self._from_outside(parts[1:])
        first = parts[0]
        if first in ("crate", "$crate"):
            return self._walk(_Place(self._crate()), parts[1:])
        if first in ("self", "super"):
            place: _Place | None = here
            while parts and parts[0] in ("self", "super"):
                if parts.pop(0) == "super" and place:
                    place = self._up(place)
            return self._walk(place, parts) if place else _Answer(reason="no module is around this one")
        if used and old:
            return self._from_root(parts)
        if self._declares(here, first):
            return self._walk(here, parts)
        if first in self.bound and self.bound[first] != text and steps < _MAX_STEPS:
            return self.follow(here, "::".join((self.bound[first], *parts[1:])), used=used, steps=steps + 1)
        if first not in self.package.dependencies and first not in _STANDARD and steps < _MAX_STEPS:
            for module, line in self.globs:
                found = self.follow(self._place_of(line), module, used=used, steps=_MAX_STEPS) if module != text else _Answer()
                if found.place and found.place != here and self._declares(found.place, first):
                    return self._walk(found.place, parts)
        return self._from_outside(parts)

    def _declares(self, place: _Place, name: str) -> bool:
        return self.declared(f"rs:{place.file}#{_nested(place.inside, name)}")

    def _walk(self, place: _Place, parts: Sequence[str]) -> _Answer:
        for number, name in enumerate(parts):
            if name in ("*", "self"):
                break
            inside = _nested(place.inside, name)
            if self.declared(f"rs-mod:{place.file}#{inside}"):
                child = self._child(place, name)
                place = _Place(child) if child else _Place(place.file, inside)
            elif self._declares(place, name) or self.declared(f"rs-use:{place.file}#{name}"):
                break
            elif child := self._child(place, name):  # declared by a macro: its file is where it must be
                place = _Place(child)
            elif number < len(parts) - 1 and not self.declared("rs-glob:" + place.file):
                return _Answer(reason=f"no {name} in {place.file}, unless a macro makes it")
            else:
                break
        return _Answer(place)

    def _from_root(self, parts: Sequence[str]) -> _Answer:
        root = _Place(self._crate())
        return self._walk(root, parts) if self._declares(root, parts[0]) else self._from_outside(parts)

    def _from_outside(self, parts: Sequence[str]) -> _Answer:
        first, package = parts[0], self.package
        if first in _STANDARD:
            return _Answer(external=first)
        if first in package.dependencies:
            name, library = package.dependencies[first]
            return self._into(library, parts[1:]) if library else _Answer(external=name)
        if first == package.library_name and package.library:
            return self._into(package.library, parts[1:])
        if self.declared(f"rs-local:{self.file.path}#{first}"):  # inside a function
            return _Answer(_Place(self.file.path))
        if not package.manifest:
            return _Answer(external=first)
        return _Answer(reason=f"{first} is neither a module or name here nor a dependency in {package.manifest}")

    def _into(self, library: str, parts: Sequence[str]) -> _Answer:
        """Into another crate. That its root is needed is certain, whatever its macros declare."""
        found = self._walk(_Place(library), parts)
        return found if found.place else _Answer(_Place(library))

    # What is not a `use`

    def _extern_crate(self, ordinal: int, line: int, name: str) -> Want:
        if name == "self":
            return Want(ordinal, line, "import", (self._crate(),))
        found = self._from_outside([name])
        keys = (found.place.file,) if found.place else ()
        return Want(ordinal, line, "import", keys, found.external or name)  # unstated: it comes with the compiler

    def _included(self, ordinal: int, line: int, text: str) -> Want:
        path = _joined(_folder(self.file.path), text)
        if text.startswith("/") or (not self.declared(path) and self.project.outside(path)):
            return Want(ordinal, line, "include", (path,), text if text.startswith("/") else path)
        return Want(ordinal, line, "include", (path,), reason=f"no file {path}")

    def _written_out(self) -> Iterator[Want]:
        """Paths that name their crate or module where they are used: ``crate::loans::register()``."""
        asked: set[tuple[str, str]] = set()
        library = self.package.library_name
        for _, kind, line, name in self.file.references:
            if "::" not in name or kind in ("path", "scope", "opens"):
                continue
            first = name.partition("::")[0]
            known = self.package.dependencies.get(first)
            if first not in ("crate", "$crate", "super", "") and not (known and known[1]) and first != library:
                continue
            place = self._place_of(line)
            if (place.inside, name) in asked:
                continue
            asked.add((place.inside, name))
            found = self.follow(place, name, used=False)
            if found.place and found.place.file != self.file.path:
                yield Want(-1, line, "path", (found.place.file,))


def _packages(project: ProjectView) -> Callable[[str], _Package]:
    """Which package a file belongs to, read from all manifests at once."""
    manifests = {_folder(path): _manifest(project, path) for path in project.named("Cargo.toml")}
    libraries = {folder: _library(project, folder, stated) for folder, stated in manifests.items() if "package" in stated}
    made: dict[str, _Package] = {}
    nowhere = _Package("", "", "2021", "", "", frozenset(), frozenset(), {})

    def package_in(folder: str) -> _Package:
        known = made.get(folder)
        if known is None:
            above = package_in(_folder(folder)) if folder else nowhere
            known = made[folder] = _package(folder, manifests, libraries) if folder in libraries else above
        return known

    return lambda path: package_in(_folder(path))


def _manifest(project: ProjectView, path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(project.text(path))
    except tomllib.TOMLDecodeError:
        return {}


def _library(project: ProjectView, folder: str, stated: Mapping[str, Any]) -> tuple[str, str]:
    """(root file or "", name in the source)."""
    library = _table(stated, "lib")
    path = _joined(folder, str(library.get("path", "src/lib.rs")))
    name = str(library.get("name") or _table(stated, "package").get("name", "")).replace("-", "_")
    return (path if path in project else "", name)


def _package(folder: str, manifests: Mapping[str, Mapping[str, Any]], libraries: Mapping[str, tuple[str, str]]) -> _Package:
    stated = manifests[folder]
    package = _table(stated, "package")
    top = next((above for above in _folders_above(folder) if "workspace" in manifests.get(above, ())), folder)
    if isinstance(package.get("workspace"), str):
        top = _joined(folder, package["workspace"])
    workspace = _table(manifests.get(top, {}), "workspace")
    edition = package.get("edition", "2015")
    if isinstance(edition, dict):
        edition = _table(workspace, "package").get("edition", "2015")
    roots = {libraries[folder][0]}
    unusual = frozenset(place for switch, place in _SWITCHES.items() if package.get(switch) is False)
    for kind in ("bin", "example", "test", "bench"):
        targets = stated.get(kind)
        for target in targets if isinstance(targets, list) else ():
            if isinstance(target, dict) and isinstance(target.get("path"), str):
                roots.add(_joined(folder, target["path"]))
    if isinstance(package.get("build"), str):
        roots.add(_joined(folder, package["build"]))

    patched = {}
    for source in _table(manifests.get(top, {}), "patch").values():
        patched.update(
            {name: said for name, said in source.items() if isinstance(said, dict)} if isinstance(source, dict) else {}
        )
    dependencies: dict[str, tuple[str, str]] = {}
    for table in _dependency_tables(stated):
        for key, said in table.items():
            said, base = (said if isinstance(said, dict) else {}), folder
            if said.get("workspace"):
                inherited = _table(workspace, "dependencies").get(key)
                said, base = (inherited if isinstance(inherited, dict) else {}), top
            name, renamed = str(said.get("package", key)), "package" in said
            if "path" not in said and "path" in patched.get(name, ()):
                said, base = patched[name], top
            root, library_name = "", ""
            if isinstance(said.get("path"), str):
                root, library_name = libraries.get(_joined(base, said["path"]), ("", ""))
            local = key.replace("-", "_") if renamed or not library_name else library_name
            dependencies[local] = (name, root)
    return _Package(
        folder, join(folder, "Cargo.toml"), str(edition), *libraries[folder], frozenset(roots - {""}), unusual, dependencies
    )


def _dependency_tables(stated: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for name in _TABLES:
        yield _table(stated, name)
    for target in _table(stated, "target").values():
        for name in _TABLES:
            yield _table(target if isinstance(target, dict) else {}, name)


def _table(stated: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = stated.get(name)
    return table if isinstance(table, dict) else {}


def _folders_above(folder: str) -> Iterator[str]:
    yield folder
    while folder:
        folder = _folder(folder)
        yield folder


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _joined(folder: str, path: str) -> str:
    whole = normpath(join(folder, path))
    return "" if whole == "." else whole


def _nested(inside: str, name: str) -> str:
    return f"{inside}::{name}" if inside else name
