"""Elixir modules to the files that define them, along aliases. Compiles nothing and expands no macro.

A module may be defined in any file, so a file provides the modules it defines (``ex:Shop.Shelf``). What ``use`` injects
into a module is not known: names that only make sense through it lead nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from posixpath import dirname, join, normpath
from typing import NamedTuple

from idumb_brain.model.code import SymbolRow
from idumb_brain.scan.resolve import FileView, ProjectView, Resolver, Want, bindings
from idumb_brain.scan.resolve.elixir_names import ELIXIR, ERLANG, PACKAGES

CONFIGURATION = ("mix.exs", "mix.lock")

_MODULE = re.compile(r"[A-Z][\w.]*\Z")
_DEPENDENCY = re.compile(
    r"\{\s*:(\w+)\s*,\s*(?:\"|~[sS]|(?:path|git|github|in_umbrella|only|runtime|override|hex|organization|env|optional|app):|\w+\()"
)
_APP = re.compile(r"\bapp:\s*:(\w+)\s*,\s*\n?\s*(?:version|build_path|elixir|config_path)")
_LOCKED = re.compile(r"^\s*\"?(\w+)\"?:\s*\{:", re.MULTILINE)
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def provides(path: str, package: str, symbols: Sequence[SymbolRow]) -> list[str]:
    keys: dict[str, None] = {}
    names: dict[int, str] = {-1: ""}
    for ordinal, (parent, name, _, kind, *_) in enumerate(symbols):
        if kind not in ("module", "protocol"):  # a test, say: what is defined in one belongs to the module around
            names[ordinal] = names[parent]
            continue
        name = names[ordinal] = _joined(names[parent], name)
        keys["ex:" + name] = None
        while name:
            keys["ex-below:" + name] = None
            name = name.rpartition(".")[0]
    return list(keys)


def resolver(project: ProjectView) -> Resolver:
    apps = _Apps(project)

    def wants(file: FileView) -> Iterator[Want]:
        app = apps.around(file.path)
        names = _Names(file)
        for ordinal, (kind, written, line, _) in enumerate(file.imports):
            want = Want(ordinal, line, "import", ())
            if kind in ("config", "file"):
                yield _file_named(project, file, app, want._replace(kind="include"), written)
            elif written.startswith(":"):
                yield _erlang(project, app, want, written[1:])
            else:
                yield from _directive(file, app, names, want)
        yield from _mentioned(project, file, app, names)

    return wants


def _directive(file: FileView, app: _App, names: _Names, want: Want) -> Iterator[Want]:
    candidates = names.of_directive(want.ordinal)
    if not candidates:
        yield want._replace(reason="what it names is known only when the macro around it runs")
        return
    for name in candidates:
        found, why = app.choose(file, name)
        if found or why:
            yield want._replace(keys=(found,) if found else (), reason=why)
            return
    name = candidates[0]
    package = app.package(name)
    if not package and file.declared("ex-below:" + name):
        through = [app.choose(file, full)[0] for full in names.through(want.ordinal, name)]
        for path in dict.fromkeys(filter(None, through)):
            yield want._replace(keys=(path,))
        if not any(through):
            yield want._replace(reason=f"there are modules below {name}, but none of them is named here")
        return
    if package or not app.stated:
        yield want._replace(external=package or _underscored(name.partition(".")[0]))
    elif file.declared("ex-below:" + name.partition(".")[0]):
        yield want._replace(reason=f"no file defines {name}")
    else:
        yield want._replace(reason=f"no file defines {name}, and no package in mix.exs is named like it")


def _mentioned(project: ProjectView, file: FileView, app: _App, names: _Names) -> Iterator[Want]:
    """Modules named in the code itself, with or without an alias."""
    asked: set[str] = set()
    for _, kind, line, written in file.references:
        if kind == "call" and written.startswith(":"):
            module = written[1:].partition(".")[0]
            if module not in asked and module.isidentifier():
                asked.add(module)
                yield _erlang(project, app, Want(-1, line, "module", ()), module)
        elif (kind == "type" or kind == "base") and _MODULE.match(written):
            name, aliased = names.full(written, line)
            if name in asked:
                continue
            asked.add(name)
            found, _ = app.choose(file, name)
            if found:
                yield Want(-1, line, "module", (found,))
            elif not aliased and name.partition(".")[0] not in ELIXIR and (package := app.package(name)):
                yield Want(-1, line, "module", (), external=package)


def _erlang(project: ProjectView, app: _App, want: Want, module: str) -> Want:
    if own := project.named(module + ".erl"):
        return want._replace(keys=(own[0],), watch=module)
    if module in ERLANG:
        return want._replace(external="erlang", watch=module)
    package = app.erlang_package(module)
    reason = "" if package or want.ordinal < 0 else f"no package says that it has the Erlang module {module}"
    return want._replace(external=package, reason=reason, watch=module)


def _file_named(project: ProjectView, file: FileView, app: _App, want: Want, written: str) -> Want:
    if "#{" in written:
        return want._replace(reason="the path is computed when the program runs")
    places = dict.fromkeys(normpath(join(folder, written)) for folder in (dirname(file.path), app.folder))
    keys = tuple(place for place in places if not place.startswith(".."))
    if not keys:
        return want._replace(reason="beyond the top of the project")
    return want._replace(keys=keys, reason=f"no file {keys[0]}", watch=keys[0].rpartition("/")[2].partition(".")[0])


class _Alias(NamedTuple):
    line: int
    local: str
    name: str
    ordinal: int


class _Names:
    """What module names mean in one file: its own modules and its aliases, from the line on that states them."""

    def __init__(self, file: FileView) -> None:
        self._file = file
        self._modules = [  # (last line, name), in the order they begin
            (last, _module_path(name)) for _, kind, last, name in sorted(file.references) if kind == "scope"
        ]
        own = {name for _, name in self._modules}
        # A module defined inside another one is known there by its last name alone.
        self._inner = {name.rpartition(".")[2]: name for name in own if name.rpartition(".")[0] in own}
        self._aliases: list[_Alias] = []
        self._named: dict[int, list[str]] = {}
        for ordinal, row in enumerate(file.imports):
            kind, text, line, _ = row
            if kind in ("config", "file") or text.startswith(":"):
                continue
            candidates = self._named[ordinal] = self._candidates(text, line)
            local = next((local for imported, local in bindings(row) if imported == "*"), "")
            if local and candidates:
                local = local if local != "__MODULE__" else candidates[0].rpartition(".")[2]
                self._aliases.append(_Alias(line, local, candidates[0], ordinal))

    def of_directive(self, ordinal: int) -> list[str]:
        return self._named.get(ordinal, [])

    def full(self, written: str, line: int) -> tuple[str, bool]:
        """The full name, and whether an alias made it."""
        first, dot, rest = written.partition(".")
        if first == "Elixir":
            return rest, False
        alias = self._alias(first, line)
        if alias is not None:
            return alias.name + dot + rest, True
        if first in self._inner:
            return self._inner[first] + dot + rest, False
        return written, False

    def through(self, ordinal: int, name: str) -> Iterator[str]:
        """Full names below ``name`` that are written with the alias of a directive."""
        local = next((alias.local for alias in self._aliases if alias.ordinal == ordinal), "")
        for _, kind, line, written in self._file.references:
            if (
                local
                and kind == "type"
                and written.startswith(local + ".")
                and self.full(written, line)[0].startswith(name + ".")
            ):
                yield self.full(written, line)[0]

    def _alias(self, local: str, line: int) -> _Alias | None:
        found = None
        for alias in self._aliases:
            if alias.local == local and (found is None or alias.line <= line):
                found = alias
        return found

    def _candidates(self, text: str, line: int) -> list[str]:
        first, dot, rest = text.partition(".")
        if first == "__MODULE__":  # the innermost module is meant; where it begins is not known, so outer ones come first
            return [name + dot + rest for last, name in self._modules if last >= line]
        if not _MODULE.match(text):
            return []
        return [self.full(text, line)[0]]


class _App:
    """One mix project: what it depends on, and how names are found from inside."""

    def __init__(self, folder: str, packages: Mapping[str, str], stated: bool) -> None:
        self.folder = folder
        self.stated = stated  # is there a mix.exs at all?
        self._packages = packages
        self._known: dict[str, str] = {}

    def choose(self, file: FileView, name: str) -> tuple[str, str]:
        """(the file that defines a module, "") or ("", why it cannot be told); both empty where nobody does."""
        paths = file.providers("ex:" + name)
        if not paths and name.endswith("Router.Helpers"):  # Phoenix makes it out of the router
            paths = file.providers("ex:" + name.removesuffix(".Helpers"))
        if not paths:
            return "", ""
        if file.path in paths:
            return file.path, ""
        if len(paths) == 1:
            return paths[0], ""
        ranked = sorted((self._rank(path), path) for path in paths)
        best = [path for rank, path in ranked if rank == ranked[0][0]]
        if len(best) == 1:
            return best[0], ""
        shown = ", ".join(best[:2]) + (" …" if len(best) > 2 else "")
        return "", f"{name} is defined in {len(best)} files, and nothing tells which is meant: {shown}"

    def package(self, name: str) -> str:
        """The package a module comes from: the one that the longest part of its name spells."""
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._package(name)
        return known

    def erlang_package(self, module: str) -> str:
        parts = module.split("_")
        for end in range(len(parts), 0, -1):
            if found := self._packages.get("".join(parts[:end])):
                return found
        return ""

    def _package(self, name: str) -> str:
        parts = name.split(".")
        if parts[0] in ELIXIR:
            return "elixir"
        for end in (2, 1):
            ruled = PACKAGES.get(".".join(parts[:end]))
            if ruled and _flat(ruled) in self._packages:
                return ruled
        for end in range(min(len(parts), 4), 0, -1):
            spelt = _flat("".join(parts[:end]))
            if found := self._packages.get(spelt) or self._packages.get("ex" + spelt):
                return found
        return ""

    def _rank(self, path: str) -> tuple[bool, bool]:
        inside = path.startswith(self.folder + "/") if self.folder else True
        below = path[len(self.folder) + 1 :] if self.folder and inside else path
        return not inside, not (below.startswith("lib/") or "/lib/" in below)


class _Apps:
    """All mix projects: umbrellas and what is under them, or several side by side."""

    def __init__(self, project: ProjectView) -> None:
        self._apps: dict[str, _App] = {}
        locked: dict[str, str] = {}
        stated: dict[str, dict[str, str]] = {}
        for path in project.named("mix.lock"):
            locked.update((_flat(name), name) for name in _LOCKED.findall(project.text(path)))
        own = set()
        for path in project.named("mix.exs"):
            text = project.text(path)
            own.update(_flat(name) for name in _APP.findall(text))
            stated[dirname(path)] = {_flat(name): name for name in _DEPENDENCY.findall(text)}
        for folder, packages in stated.items():
            above = [other for where, other in stated.items() if not where or folder.startswith(where + "/")]
            known = dict(locked)
            for other in above:
                known.update(other)
            known.update(packages)
            self._apps[folder] = _App(folder, {flat: name for flat, name in known.items() if flat not in own}, True)
        self._none = _App("", locked, False)
        self._around: dict[str, _App] = {}

    def around(self, path: str) -> _App:
        folder = dirname(path)
        app = self._around.get(folder)
        if app is None:
            above = folder
            while above and above not in self._apps:
                above = dirname(above)
            app = self._around[folder] = self._apps.get(above, self._none)
        return app


def _joined(around: str, name: str) -> str:
    if name.startswith("Elixir."):
        return name.removeprefix("Elixir.")
    return f"{around}.{name}" if around else name


def _module_path(qualified: str) -> str:
    """The modules in a qualified name, without the tests they may be defined in."""
    return ".".join(
        part for part in qualified.split(".") if part and part[0].isupper() and part.isidentifier() and part != "Elixir"
    )


def _flat(name: str) -> str:
    return name.replace("_", "").lower()


def _underscored(name: str) -> str:
    return _WORDS.sub("_", name).lower()
