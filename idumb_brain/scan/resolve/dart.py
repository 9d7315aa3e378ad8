"""Dart URIs to files: relative ones, ``package:`` ones by the names in pubspec.yaml, and the parts of libraries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from posixpath import commonprefix, dirname, join, normpath
from urllib.parse import unquote

from idumb_brain.model.code import SymbolRow
from idumb_brain.scan.resolve import FileView, ProjectView, Resolver, Want

CONFIGURATION = ("pubspec.yaml", "pubspec_overrides.yaml")

_NAME = re.compile(r"^name:[ \t]*[\"']?(\w+)", re.MULTILINE)
_ENTRY = re.compile(r"([ \t]+)([\w-]+):[ \t]*(?:#.*)?$")
_PATH = re.compile(r"[ \t]+path:[ \t]*[\"']?([^\s\"'#]+)")
_INLINE_PATH = re.compile(r"[ \t]+(\w+):[ \t]*\{[^}\n]*\bpath:[ \t]*[\"']?([^\s\"'},]+)")
# Packages in there stand in for others of the same name.
_STAND_IN = re.compile(r"(?:^|/)(?:test|tests|test_data|testdata|test_fixtures|fixtures|testing|mock\w*|example|examples)/")
# What code generators are known to write beside the sources, or into packages of their own.
_GENERATED = re.compile(
    r"\.(?:g|gr|gen|freezed|mocks|config|reflectable|chopper|auto_mappr|mapper|graphql|gql|ast|data|req|var|schema|drift|moor"
    r"|pb|pbenum|pbgrpc|pbjson|pbserver|gform|realm|swagger|tailor|steps|theme|svg|iconfont|inject|template|css\.shim)\.dart$"
    r"|(?:^|/)(?:app_localizations\w*|firebase_options|generated_plugin_registrant|messages_all|objectbox\.g|l10n)\.dart$"
    r"|(?:^|/)(?:gen|generated|gen_l10n|__generated__)/"
)
_GENERATED_PACKAGES = frozenset({"flutter_gen"})


def provides(path: str, package: str, symbols: Sequence[SymbolRow]) -> list[str]:
    """A library is found by its name where a part of it says so; near ones are meant before far ones."""
    return [f"dart-library:{package}@{folder}" for folder in _folders_above(path)] if package else []


def resolver(project: ProjectView) -> Resolver:
    package_folder = _packages(project)

    def wants(file: FileView) -> Iterator[Want]:
        folder = dirname(file.path)
        for ordinal, (kind, uri, line, _) in enumerate(file.imports):
            how = Want(ordinal, line, kind, ())
            scheme, colon, rest = uri.partition(":")
            if kind == "part_of" and not uri.endswith(".dart"):
                keys = tuple(f"dart-library:{uri}@{above}" for above in _folders_above(file.path))
                yield how._replace(keys=keys, reason=f"no library {uri} in the project")
            elif not colon:
                yield _file(project, how, normpath(join(folder, unquote(uri))))
            elif scheme != "package":
                yield how._replace(external=uri) if scheme == "dart" else how._replace(reason=f"leads out of the project: {uri}")
            else:
                name, _, inside = rest.partition("/")
                home = package_folder(name, file.path)
                if home is not None:
                    yield _file(project, how, normpath(join(home, "lib", unquote(inside))))
                elif name in _GENERATED_PACKAGES:
                    yield how._replace(reason=f"package {name} is generated and not checked in")
                else:
                    yield how._replace(external=name)

    return wants


def _file(project: ProjectView, how: Want, path: str) -> Want:
    if path.startswith(("../", "/")):
        return how._replace(reason="beyond the top of the project")
    if _GENERATED.search(path):
        return how._replace(keys=(path,), reason=f"{path} is generated and not checked in")
    if path not in project and project.outside(path):
        return how._replace(keys=(path,), reason=f"{path} is there, but not part of the scan")
    return how._replace(keys=(path,), reason=f"no file {path}")


def _packages(project: ProjectView) -> Callable[[str, str], str | None]:
    """The folder of a package as a file sees it, or None where the project has no such package."""
    folders: dict[str, list[str]] = {}
    name_of: dict[str, str] = {}
    pointed_at: dict[str, dict[str, str]] = {}
    for filename in CONFIGURATION:
        for manifest in project.named(filename):
            home = dirname(manifest)
            text = project.text(manifest)
            pointed_at.setdefault(home, {}).update((name, _plain(join(home, path))) for name, path in _path_dependencies(text))
            if filename == "pubspec.yaml" and (named := _NAME.search(text)):
                folders.setdefault(named[1], []).append(home)
                name_of[home] = named[1]
    known: dict[tuple[str, str], str | None] = {}

    def package_folder(name: str, path: str) -> str | None:
        own = next((folder for folder in _folders_above(path) if folder in name_of), "")
        if (name, own) not in known:
            if name_of.get(own) == name:
                known[name, own] = own
            elif (stated := pointed_at.get(own, {}).get(name)) in name_of:
                known[name, own] = stated
            else:
                known[name, own] = _nearest(folders.get(name, ()), own)
        return known[name, own]

    return package_folder


def _nearest(folders: Sequence[str], own: str) -> str | None:
    """Of packages of one name the one nearest to another package, stand-ins for its tests aside."""
    shared = {folder: len(commonprefix([folder + "/", own + "/"])) for folder in folders}
    meant = [folder for folder in folders if not _STAND_IN.search(folder[shared[folder] :] + "/")]
    return min(meant, key=lambda folder: (-shared[folder], folder), default=None)


def _path_dependencies(text: str) -> Iterator[tuple[str, str]]:
    """(package, path) of every dependency a pubspec gives by its path."""
    name, depth = "", 0
    for line in text.split("\n"):
        if entry := _ENTRY.match(line):
            if not name or len(entry[1]) <= depth:
                name, depth = entry[2], len(entry[1])
            else:
                name = ""  # of something inside: git, hosted
        elif inline := _INLINE_PATH.match(line):
            yield inline[1], inline[2]
        elif name and (path := _PATH.match(line)):
            yield name, path[1]


def _plain(path: str) -> str:
    plain = normpath(path)
    return "" if plain == "." else plain


def _folders_above(path: str) -> tuple[str, ...]:
    """The folders a file lies in, nearest first, down to the top: ""."""
    above = []
    while path:
        path = path.rpartition("/")[0]
        above.append(path)
    return tuple(above)
