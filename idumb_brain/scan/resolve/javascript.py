"""Imports of JavaScript, TypeScript and what embeds them, as the compiler, Node and bundlers find modules.

Looks at the files of the project only. A package that is not among them is external; a file that is built from one of
them, and not there, leads to its source where a configuration or a plain convention says which that is.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import NamedTuple

from idumb_brain.scan.resolve import FileView, ProjectView, Resolver, Want
from idumb_brain.scan.resolve.npm import Package, Packages, exported, offered
from idumb_brain.scan.resolve.tsconfig import Configurations, Options, package_name, upwards

CONFIGURATION = (
    "package.json", "tsconfig*.json", "*tsconfig.json", "jsconfig*.json", "pnpm-workspace.yaml", "lerna.json",
    "vite.config.*", "vitest.config.*", "webpack.config.*",
)  # fmt: skip
MARKERS = ("svelte.config.*", "nuxt.config.*")

# What a written extension may stand for: its own kind in TypeScript first. Tried in this order.
_TYPED = {"": (".ts", ".tsx", ".d.ts"), ".mjs": (".mts", ".d.mts"), ".cjs": (".cts", ".d.cts"), ".jsx": (".tsx", ".ts", ".d.ts")}
_PLAIN = {"": (".js", ".jsx"), ".mjs": (".mjs",), ".cjs": (".cjs",), ".jsx": (".jsx", ".js")}
_KIND_OF = {
    ".js": "", ".ts": "", ".mjs": ".mjs", ".mts": ".mjs", ".cjs": ".cjs", ".cts": ".cjs", ".jsx": ".jsx", ".tsx": ".jsx",
}  # fmt: skip
_COMPONENTS = (".vue", ".svelte", ".astro", ".json", ".node")  # what bundlers and Node try when nothing else is there

_BUILT = frozenset({
    "dist", "lib", "build", "out", "output", "es", "esm", "cjs", "umd", "types", "typings", "module", "modules", "commonjs",
    "legacy", "modern", "dts", "bundles", "target", "dist-types", "dist-esm", "dist-cjs",
})  # fmt: skip
_SOURCES = ("src", "source", "")
_SCHEME = re.compile(r"^[a-z][\w+.-]*:")
_REFERENCE = re.compile(r"""(path|types)\s*=\s*["']([^"']*)["']""")
_BUILTIN = frozenset({
    "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto", "dgram",
    "diagnostics_channel", "dns", "domain", "events", "fs", "http", "http2", "https", "inspector", "module", "net", "os",
    "path", "perf_hooks", "process", "punycode", "querystring", "readline", "repl", "stream", "string_decoder", "sys", "timers",
    "tls", "trace_events", "tty", "url", "util", "v8", "vm", "wasi", "worker_threads", "zlib",
})  # fmt: skip
# '@': path.resolve(__dirname, 'src') and its like, which need no run to be read.
_NAMED = r"""(?:["']([^"'\n]+)["']|\b([\w$]+))\s*:\s*"""
_FOUND = r"""find:\s*["']([^"'\n]+)["']\s*,\s*replacement:\s*"""
_FROM_HERE = (
    r"""(?:(?:path\.)?(?:resolve|join)\(\s*(?:__dirname|import\.meta\.dirname)\s*,|fileURLToPath\(\s*new URL\()"""
    r"""\s*["']([^"'\n]+)["']"""
)
_ALIAS = re.compile(f"(?:{_NAMED}|{_FOUND}){_FROM_HERE}")


# Modules that a framework makes while it builds.
_MADE_BY = {
    "$app": "@sveltejs/kit", "$env": "@sveltejs/kit", "$service-worker": "@sveltejs/kit",
    "#app": "nuxt", "#imports": "nuxt", "#components": "nuxt", "#build": "nuxt",
}  # fmt: skip


class _Answer(NamedTuple):
    """One import text in one folder: where it leads, and the stems whose coming or going would change that."""

    target: str = ""
    external: str = ""
    reason: str = ""
    stems: tuple[str, ...] = ()


def resolver(project: ProjectView) -> Resolver:
    packages = Packages(project)

    def package_folder(name: str, path: str) -> str:
        package = packages.named(name, path)
        return package.folder if package else ""

    configurations = Configurations(project, package_folder)
    modules = _Modules(project, packages, configurations)
    answers: dict[tuple[str, str, Options, bool], _Answer] = {}

    def wants(file: FileView) -> Iterator[Want]:
        folder = posixpath.dirname(file.path)
        options = configurations.of(file.path)
        for read in options.read:
            file.declared("read:" + read)
        for ordinal, (kind, written, line, _) in enumerate(file.imports):
            edge = "reexport" if kind == "reexport" else "import"
            if kind == "runtime":
                yield Want(ordinal, line, edge, (), reason=f"{' '.join(written.split())[:60]} is known only at run time")
                continue
            if kind == "reference":
                edge, written = "reference", _referenced(written)
            key = (folder, written, options, kind == "require")
            answer = answers.get(key)
            if answer is None:
                answer = answers[key] = modules.find(written, file.path, options, kind == "require")
            watch = answer.stems[0] if answer.stems else ""
            for stem in answer.stems[1:] if watch else answer.stems:  # the top of the project has no name to watch
                file.declared("stem:" + stem)
            if answer.target:
                yield Want(ordinal, line, edge, (answer.target,), watch=watch)
            else:
                yield Want(ordinal, line, edge, (), answer.external, answer.reason, watch)

    return wants


class _Modules:
    """Import texts to files of one project."""

    def __init__(self, project: ProjectView, packages: Packages, configurations: Configurations) -> None:
        self._project = project
        self._packages = packages
        self._configurations = configurations
        self._files: dict[tuple[str, tuple[str, ...], int], str] = {}
        self._aliases: dict[str, tuple[tuple[str, str], ...]] = {}

    def find(self, written: str, path: str, options: Options, required: bool) -> _Answer:
        text = written.partition("?")[0] if "?" in written else written  # "./logo.svg?raw": bundlers read the rest
        text = text.rpartition("!")[2]  # "raw-loader!./note.txt"
        if not text:
            return _Answer(reason="an empty name")
        folder = posixpath.dirname(path)
        if text.startswith(("./", "../")) or text in (".", ".."):
            return self._relative(text, folder, options, required)
        if text.startswith("/"):
            return self._rooted(text, path, options)
        if text.startswith("node:"):
            return _Answer(external="node:" + text[5:].partition("/")[0])
        if text.startswith("#"):
            return self._private(text, path, options, required)
        if _SCHEME.match(text):
            return _Answer(external=text)
        return self._bare(text, path, options, required)

    def _relative(self, text: str, folder: str, options: Options, required: bool) -> _Answer:
        place = posixpath.normpath(posixpath.join(folder, text))
        if place == ".." or place.startswith("../"):
            return _Answer(reason="beyond the top of the project")
        place = "" if place == "." else place
        stems = _stems(place)
        as_folder = text in (".", "..") or text.endswith(("/", "/..", "/."))
        found = self._module(place, options, as_folder) or self._in_other_roots(place, options)
        if found:
            return _Answer(found, stems=stems)
        package = self._packages.at(place)
        if package is not None:
            answer = self._from_package(package, "", options, required)
            return answer._replace(stems=(*stems, *answer.stems))
        if not self._project.folder_exists(place) and any(map(self._project.outside, (place, place + ".ts", place + ".js"))):
            return _Answer(reason=f"{place} is not part of the scan", stems=stems)
        return _Answer(reason=f"no file {place or text}", stems=stems)

    def _in_other_roots(self, place: str, options: Options) -> str:
        """``rootDirs`` lie over each other: what is beside a file may be written in another of them."""
        inside = [root for root in options.root_dirs if place.startswith(root + "/")]
        if inside:
            below = place[len(max(inside, key=len)) + 1 :]
            for root in options.root_dirs:
                if found := self._module(posixpath.join(root, below), options):
                    return found
        return ""

    def _rooted(self, text: str, path: str, options: Options) -> _Answer:
        """A server's root: the folder of a package, or what it makes public."""
        for package in self._packages.around(path):
            for base in (package.folder, posixpath.join(package.folder, "public")):
                if found := self._module(posixpath.join(base, text[1:]), options):
                    return _Answer(found, stems=_stems(text))
        return _Answer(reason="a path from the root of the machine or of a server", stems=_stems(text))

    def _private(self, text: str, path: str, options: Options, required: bool) -> _Answer:
        """``#name``: what the nearest package.json calls so, or an alias written with the same sign."""
        if found := self._by_paths(text, options)[0]:
            return _Answer(found, stems=_stems(text))
        for package in self._packages.around(path)[:1]:
            imports = package.stated.get("imports")
            targets = list(exported(imports, text, _conditions(options, required))) if isinstance(imports, dict) else []
            for target in targets:
                if not target.startswith("."):
                    return self._bare(target, path, options, required)
            if targets:
                return self._offer(package, targets, options, f"{text} leads to {targets[0]}, which is not there")
        if found := self._by_alias(text, path, options):
            return _Answer(found, stems=_stems(text))
        maker = _MADE_BY.get(package_name(text))
        if maker and self._packages.declared(maker, path):
            return _Answer(external=maker, stems=_stems(text))
        return _Answer(reason=f"no package.json around here has {text} among its imports", stems=_stems(text))

    def _bare(self, text: str, path: str, options: Options, required: bool) -> _Answer:
        stems = _stems(text) if options.paths or options.base_url is not None else ()
        found, missed = self._by_paths(text, options)
        if not found and options.base_url is not None:
            found = self._module(posixpath.join(options.base_url, text), options)
        if found:
            return _Answer(found, stems=stems)
        name = package_name(text)
        inner = text[len(name) + 1 :].rstrip("/")
        if name in _BUILTIN and not text.endswith("/"):
            return _Answer(external="node:" + name, stems=stems)
        own = self._packages.around(path)[:1]
        package = own[0] if own and own[0].name == name and "exports" in own[0].stated else self._packages.named(name, path)
        if package is not None:
            answer = self._from_package(package, inner, options, required)
            return answer._replace(stems=(*stems, *answer.stems))
        if found := self._by_alias(text, path, options):
            return _Answer(found, stems=_stems(text))
        if not self._packages.declared(name, path):
            if missed:
                return _Answer(reason=f"{options.file} leads to {missed}, where no module is", stems=stems)
            if name in _MADE_BY:
                return _Answer(external=_MADE_BY[name], stems=_stems(text))
            if name in ("@", "~", "~~", "@@", "$lib") or not name:
                return _Answer(reason=f"no configuration says what {name}/ stands for", stems=_stems(text))
            if options.base_url is not None and inner and self._project.folder_exists(posixpath.join(options.base_url, name)):
                return _Answer(reason=f"no file {posixpath.join(options.base_url, text)}", stems=stems)
        return _Answer(external=name, stems=stems)

    def _by_paths(self, text: str, options: Options) -> tuple[str, str]:
        """(the file ``paths`` lead to, or else a place they lead to where nothing is)."""
        best: tuple[int, tuple[str, ...], str] | None = None
        for pattern, places in options.paths:
            before, star, after = pattern.partition("*")
            if not star:
                if pattern == text:
                    best = (1 << 30, places, "")
            elif text.startswith(before) and text.endswith(after) and len(text) >= len(before) + len(after):
                found = (len(before), places, text[len(before) : len(text) - len(after)])
                best = found if best is None or found[0] > best[0] else best
        if best is None:
            return "", ""
        for place in best[1]:
            if target := self._module(place.replace("*", best[2], 1), options):
                return target, ""
        for place in best[1]:
            if target := self._source_of(place.replace("*", best[2], 1), options):
                return target, ""
        return "", best[1][0].replace("*", best[2], 1) if best[0] and best[1] else ""

    def _source_of(self, place: str, options: Options) -> str:
        """A place inside a package of the project, where only its built form is named."""
        for folder in upwards(posixpath.dirname(place)):
            package = self._packages.at(folder)
            if package is not None:
                return self._built_from(package, place[len(folder) + 1 if folder else 0 :], options)
        return ""

    def _from_package(self, package: Package, inner: str, options: Options, required: bool) -> _Answer:
        targets = list(offered(package, inner, _conditions(options, required), options.ignores_exports))
        named = f"{package.name}/{inner}" if inner else package.name
        if not targets and inner and "exports" in package.stated:
            return _Answer(reason=f"{posixpath.join(package.folder, 'package.json')} exports no ./{inner}")
        return self._offer(package, targets, options, "", named)

    def _offer(self, package: Package, targets: list[str], options: Options, reason: str, named: str = "") -> _Answer:
        stems = tuple(dict.fromkeys(stem for target in targets for stem in _stems(target)[:1]))
        for target in targets:
            if found := self._module(_below(package, target), options):
                return _Answer(found, stems=stems)
        for target in targets:
            if found := self._built_from(package, target, options):
                return _Answer(found, stems=(*stems, *_stems(found)[:1]))
        if named == package.name and named:  # the package itself: by default its index
            for place in ("", "src"):
                if found := self._index(posixpath.join(package.folder, place), options):
                    return _Answer(found, stems=(*stems, "index"))
        if not reason:
            entry = targets[0] if targets else "an index file"
            reason = f"{named} leads to {_below(package, entry)}, which is not there, and nothing says what it is built from"
        return _Answer(reason=reason, stems=(*stems, "index"))

    def _built_from(self, package: Package, target: str, options: Options) -> str:
        """The source of a file that a package offers and that is not there because nobody has built it."""
        place = _below(package, target)
        for built, source in self._configurations.outputs(package.folder):
            inside = built != source and place.startswith(built + "/")
            if inside and (found := self._source(posixpath.join(source, place[len(built) + 1 :]), options)):
                return found
        parts = posixpath.normpath(target).split("/")
        if parts[0] not in _BUILT:
            return ""
        while len(parts) > 1 and parts[0] in _BUILT:
            parts = parts[1:]
            for source in _SOURCES:
                if found := self._source(posixpath.join(package.folder, source, *parts), options):
                    return found
        return ""

    def _source(self, place: str, options: Options) -> str:
        """A module by the name of its built form: ``shelf.cjs.js`` and ``shelf.d.mts`` are built from ``shelf.ts``."""
        folder, _, filename = place.rpartition("/")
        bare = re.sub(r"(?:\.d)?\.[cm]?[jt]sx?$", "", filename)
        for name in dict.fromkeys((bare, bare.partition(".")[0])):
            if name:
                stem = f"{folder}/{name}" if folder else name
                if found := self._file(stem, options, 3) or self._file(stem + ".mjs", options, 3) or self._index(stem, options):
                    return found
        return ""

    def _by_alias(self, text: str, path: str, options: Options) -> str:
        """What the configuration of a bundler calls so, where it says it in plain words."""
        for package in self._packages.around(path):
            for alias, place in self._aliases_in(package.folder):
                meant = text == alias or text.startswith(alias.rstrip("/") + "/")
                inner = text[len(alias) :].strip("/")
                if meant and (found := self._module(posixpath.join(place, inner) if inner else place, options)):
                    return found
        return ""

    def _aliases_in(self, folder: str) -> tuple[tuple[str, str], ...]:
        known = self._aliases.get(folder)
        if known is None:
            found: list[tuple[str, str]] = []
            for path in self._project.files_in(folder):
                name = posixpath.basename(path)
                if name.startswith(("vite.config.", "vitest.config.", "webpack.config.")):
                    for groups in _ALIAS.findall(self._project.text(path)):
                        alias, place = [group for group in groups if group]
                        found.append((alias, _normal(posixpath.join(folder, place))))
                elif name.startswith("svelte.config."):
                    found.append(("$lib", posixpath.join(folder, "src/lib")))
                elif name.startswith("nuxt.config."):
                    app = posixpath.join(folder, "app")
                    source = app if self._project.folder_exists(app) else folder
                    found += [(sign, source) for sign in ("~", "@")] + [(sign, folder) for sign in ("~~", "@@")]
            known = self._aliases[folder] = tuple(sorted(found, key=lambda pair: -len(pair[0])))
        return known

    def _module(self, place: str, options: Options, as_folder: bool = False) -> str:
        """The file of a module at a path: a file, or what its folder offers."""
        if not options.types_first:
            return (not as_folder and self._file(place, options, 3)) or self._folder(place, options, 3)
        for kinds in (1, 2):
            found = (not as_folder and self._file(place, options, kinds)) or self._folder(place, options, kinds)
            if found:
                return found
        return ""

    def _file(self, place: str, options: Options, kinds: int) -> str:
        """A file by a name that may lack its extension or have that of its compiled form. kinds: 1 typed, 2 plain, 3 both."""
        key = (place, options.suffixes, kinds)
        known = self._files.get(key)
        if known is None:
            known = self._files[key] = self._look(place, options.suffixes, kinds)
        return known

    def _look(self, place: str, suffixes: tuple[str, ...], kinds: int) -> str:
        if not place:
            return ""
        project = self._project
        stem, dot, extension = place.rpartition(".")
        kind = _KIND_OF.get(dot + extension) if dot and "/" not in extension else None
        bases = [(stem.removesuffix(".d") if extension in ("ts", "mts", "cts") else stem, kind)] if kind is not None else []
        for base, mapped in [*bases, (place, "")]:
            tables = (_TYPED, _PLAIN) if kinds == 3 else (_TYPED,) if kinds == 1 else (_PLAIN,)
            for table in tables:
                for ending in table[mapped]:
                    for suffix in suffixes:
                        if (path := base + suffix + ending) in project:
                            return path
        if kinds == 1:
            return ""
        if place in project:
            return place
        for ending in _COMPONENTS:
            if place + ending in project:
                return place + ending
        return ""

    def _folder(self, place: str, options: Options, kinds: int) -> str:
        if place and not self._project.folder_exists(place):
            return ""
        package = self._packages.at(place)
        if package is not None:
            for name in ("types", "typings", "main", "module"):
                target = package.stated.get(name)
                if isinstance(target, str) and target:
                    whole = _below(package, target)
                    if found := self._file(whole, options, kinds) or self._file(posixpath.join(whole, "index"), options, kinds):
                        return found
        return self._file(posixpath.join(place, "index"), options, kinds)

    def _index(self, place: str, options: Options) -> str:
        return self._file(posixpath.join(place, "index"), options, 3)


def _referenced(comment: str) -> str:
    """``/// <reference path="…"/>`` names a file, ``types="…"`` a package."""
    found = _REFERENCE.search(comment)
    if not found:
        return ""
    kind, named = found[1], found[2]
    if kind == "path":
        return named if named.startswith((".", "/")) else "./" + named
    return "@types/node" if named == "node" else named


def _conditions(options: Options, required: bool) -> tuple[str, ...]:
    return ("types", "require" if required else "import", "node", *options.conditions)


def _stems(place: str) -> tuple[str, ...]:
    """What files would answer to that make this path exist: the stem of its last part."""
    last = place.rstrip("/").rpartition("/")[2]
    return (last.split(".", 1)[0] or last,)


def _below(package: Package, target: str) -> str:
    return _normal(posixpath.join(package.folder, target))


def _normal(path: str) -> str:
    plain = posixpath.normpath(path)
    return "" if plain == "." else plain
