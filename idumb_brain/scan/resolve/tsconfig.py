"""Which compiler options hold for a file: tsconfig.json and jsconfig.json with all they extend. Resolves no import."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from idumb_brain.scan.resolve import ProjectView

NAMES = ("tsconfig.json", "jsconfig.json")

_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])', re.DOTALL)
_CONFIG_DIR = "${configDir}"
_NEVER = r"(?:node_modules|bower_components|jspm_packages)/"
_PLACES = ("baseUrl", "outDir", "rootDir", "declarationDir")


@dataclass(frozen=True, eq=False)
class Options:
    """What one configuration says about finding modules. All paths are seen from the top of the project."""

    file: str = ""
    base_url: str | None = None
    paths: tuple[tuple[str, tuple[str, ...]], ...] = ()  # pattern → places, with "*" in both
    root_dirs: tuple[str, ...] = ()
    output: tuple[tuple[str, str], ...] = ()  # built folder → the folder it is built from
    conditions: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ("",)
    types_first: bool = False  # the old "node" way looks for types everywhere before it looks for any JavaScript
    ignores_exports: bool = False
    read: tuple[str, ...] = ()  # what else was read, or would have been, for these options


@dataclass
class _Config:
    file: str
    stated: dict[str, Any] = field(default_factory=dict)  # compilerOptions, places made whole
    paths_home: str = ""
    files: list[str] | None = None
    include: list[str] | None = None
    exclude: list[str] | None = None
    references: list[str] = field(default_factory=list)
    read: list[str] = field(default_factory=list)
    options: Options = field(default_factory=Options)
    covers: Callable[[str], bool] = lambda _: False


class Configurations:
    """All configurations of a project, read when first asked for."""

    def __init__(self, project: ProjectView, package_folder: Callable[[str, str], str]) -> None:
        self._project = project
        self._package_folder = package_folder  # (name, importing file) → folder of a workspace package or ""
        self._folders = {posixpath.dirname(path) for name in NAMES for path in project.named(name)}
        self._configs: dict[str, _Config | None] = {}
        self._nearest: dict[str, tuple[_Config, ...]] = {}
        self._groups: dict[str, tuple[_Config, ...]] = {}

    def of(self, path: str) -> Options:
        """The options of the nearest configuration that includes the file, or else of the nearest there is.

        A file that is no TypeScript counts, as a last resort, as included where a TypeScript file of its name would be.
        """
        configs = self._above(posixpath.dirname(path))
        for name in (path, f"{posixpath.splitext(path)[0]}.ts"):
            for config in configs:
                for one in self._with_references(config):
                    if one.covers(name):
                        return one.options
        return configs[0].options if configs else _NO_OPTIONS

    def outputs(self, folder: str) -> Iterator[tuple[str, str]]:
        """Built folders and their sources, as the configurations directly in a folder say."""
        for path in self._project.files_in(folder):
            name = posixpath.basename(path)
            if name in NAMES or (name.startswith("tsconfig.") and name.endswith(".json")):
                config = self._config(path)
                if config is not None:
                    for one in self._with_references(config):
                        yield from one.options.output

    def _above(self, folder: str) -> tuple[_Config, ...]:
        known = self._nearest.get(folder)
        if known is None:
            here: list[_Config] = []
            if folder in self._folders:
                for name in NAMES:
                    path = posixpath.join(folder, name)
                    if path in self._project and (config := self._config(path)) is not None:
                        here.append(config)
                        break
            known = self._nearest[folder] = (*here, *(self._above(posixpath.dirname(folder)) if folder else ()))
        return known

    def _with_references(self, config: _Config) -> tuple[_Config, ...]:
        known = self._groups.get(config.file)
        if known is None:
            found = {config.file: config}
            todo = list(config.references)
            while todo:
                path = todo.pop(0)
                if path not in found and (other := self._config(path)) is not None:
                    found[path] = other
                    todo += other.references
            known = self._groups[config.file] = tuple(found.values())
        return known

    def _config(self, path: str) -> _Config | None:
        if path not in self._configs:
            config = self._read(path, ())
            if config is not None:
                config.options = _options(config)
                config.covers = _coverage(config)
            self._configs[path] = config
        return self._configs[path]

    def _read(self, path: str, stack: tuple[str, ...]) -> _Config | None:
        text = self._project.text(path)
        stated = read_json(text) if text and path not in stack else None
        if not isinstance(stated, dict):
            return None
        config = _Config(path)
        extends = stated.get("extends", ())
        for base in [extends] if isinstance(extends, str) else extends if isinstance(extends, list) else ():
            places = self._extended(str(base), path)
            config.read += places
            found = next((read for place in places if (read := self._read(place, (*stack, path))) is not None), None)
            if found is not None:
                config.read += found.read
                config.stated |= found.stated
                config.paths_home = found.paths_home
                config.files = found.files if found.files is not None else config.files
                config.include = found.include if found.include is not None else config.include
                config.exclude = found.exclude if found.exclude is not None else config.exclude
        home = posixpath.dirname(path)
        own = stated.get("compilerOptions")
        if isinstance(own, dict):
            for name, value in own.items():
                if name in _PLACES and isinstance(value, str):
                    value = _placed(home, value)
                elif name == "rootDirs" and isinstance(value, list):
                    value = [_placed(home, one) for one in value if isinstance(one, str)]
                elif name == "paths":
                    config.paths_home = home
                config.stated[name] = value
        for name in ("files", "include", "exclude"):
            if isinstance(stated.get(name), list):
                setattr(config, name, [_placed(home, one) for one in stated[name] if isinstance(one, str)])
        for reference in stated.get("references") or ():
            if isinstance(reference, dict) and isinstance(reference.get("path"), str):
                target = _placed(home, reference["path"])
                config.references.append(target if target.endswith(".json") else posixpath.join(target, "tsconfig.json"))
        return config

    def _extended(self, base: str, path: str) -> list[str]:
        """Where the configuration that another one extends may be, best first."""
        home = posixpath.dirname(path)
        if base.startswith((".", "/")):
            whole = _placed(home, base)
            return [whole if whole.endswith(".json") else whole + ".json"]
        name = package_name(base)
        inner = base[len(name) + 1 :]
        folders = [folder] if (folder := self._package_folder(name, path)) else []
        folders += [posixpath.join(above, "node_modules", name) for above in upwards(home)]
        places = []
        for folder in folders:
            if not inner:
                package = read_json(self._project.text(posixpath.join(folder, "package.json")))
                stated = package.get("tsconfig") if isinstance(package, dict) else None
                places.append(_placed(folder, stated if isinstance(stated, str) else "tsconfig.json"))
            else:
                places.append(posixpath.join(folder, inner if inner.endswith(".json") else inner + ".json"))
        return places


def read_json(text: str) -> Any:
    """JSON as these tools write it: with comments and trailing commas. None where it is not even that."""
    if not text:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    bare = _COMMENT.sub(lambda found: found[1] or " ", text)
    try:
        return json.loads(_TRAILING_COMMA.sub(lambda found: found[1] or "", bare))
    except (ValueError, RecursionError):
        return None


def package_name(specifier: str) -> str:
    """``@scope/name/inner`` is of the package ``@scope/name``; ``@/inner`` is of none, but of what is called ``@``."""
    parts = specifier.split("/", 2)
    return "/".join(parts[:2]) if parts[0].startswith("@") and len(parts[0]) > 1 and len(parts) > 1 else parts[0]


def upwards(folder: str) -> Iterator[str]:
    """The folder and all above it, up to the top of the project."""
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


_NO_OPTIONS = Options()


def _placed(home: str, written: str) -> str:
    """A path as seen from the top; one that starts at the configuration in use keeps saying so."""
    if written.startswith(_CONFIG_DIR):
        return written
    plain = posixpath.normpath(posixpath.join(home, written))
    return "" if plain == "." else plain


def _settled(value: str, config: _Config) -> str:
    if not value.startswith(_CONFIG_DIR):
        return value
    return _placed(posixpath.dirname(config.file), value[len(_CONFIG_DIR) :].lstrip("/") or ".")


def _options(config: _Config) -> Options:
    stated = config.stated
    home = posixpath.dirname(config.file)
    base_url = _settled(stated["baseUrl"], config) if isinstance(stated.get("baseUrl"), str) else None
    paths_home = base_url if base_url is not None else config.paths_home
    paths = stated.get("paths")
    module = str(stated.get("module", "")).lower()
    way = str(stated.get("moduleResolution", "")).lower()
    if not way:
        way = module if module in ("node16", "node18", "node20", "nodenext") else "bundler" if module == "preserve" else "node"
    output = []
    for out in ("outDir", "declarationDir"):
        if isinstance(stated.get(out), str):
            built = _settled(stated[out], config)
            if isinstance(stated.get("rootDir"), str):
                output.append((built, _settled(stated["rootDir"], config)))
            else:
                output += [(built, posixpath.join(home, "src")), (built, home)]
    conditions = stated.get("customConditions")
    suffixes = stated.get("moduleSuffixes")
    return Options(
        file=config.file,
        base_url=base_url,
        paths=tuple(
            (pattern, tuple(_placed(paths_home, _settled(place, config)) for place in places if isinstance(place, str)))
            for pattern, places in paths.items()
            if isinstance(places, list)
        )
        if isinstance(paths, dict)
        else (),
        root_dirs=tuple(_settled(place, config) for place in stated.get("rootDirs") or () if isinstance(place, str)),
        output=tuple(output),
        conditions=tuple(map(str, conditions)) if isinstance(conditions, list) else (),
        suffixes=tuple(map(str, suffixes)) if isinstance(suffixes, list) and suffixes else ("",),
        types_first=way in ("node", "node10"),
        ignores_exports=way in ("node", "node10"),
        read=tuple(sorted({path for path in config.read if "node_modules/" not in path})),
    )


def _coverage(config: _Config) -> Callable[[str], bool]:
    home = posixpath.dirname(config.file)
    files = {_settled(path, config) for path in config.files or ()}
    patterns = config.include
    if patterns is None:
        patterns = [posixpath.join(home, "**/*")] if config.files is None else []
    built = config.stated.get("outDir")
    excluded = config.exclude if config.exclude is not None else [built] if isinstance(built, str) else []
    inside = [_pattern(_settled(pattern, config)) for pattern in patterns]
    outside = [_pattern(_settled(pattern, config)) for pattern in excluded]

    def covers(path: str) -> bool:
        if path in files:
            return True
        return any(one.match(path) for one in inside) and not any(one.match(path) for one in outside)

    return covers


def _pattern(written: str) -> re.Pattern[str]:
    """``**/`` any folders, ``*`` and ``?`` within a name; what has no wildcard in its last part is a folder or a file."""
    parts = written.split("/") if written else []
    out = ""
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if part == "**":
            out += rf"(?:(?!{_NEVER})[^/.][^/]*/)*" + (r"[^/]+" if last else "")
            continue
        piece = "".join("[^/]*" if c == "*" else "[^/]" if c == "?" else re.escape(c) for c in part)
        if part.startswith(("*", "?")):
            piece = r"(?!\.)" + piece
        out += piece + ("" if last else "/")
    if not parts:
        return re.compile(r".*")
    return re.compile(out + rf"(?:/(?!(?:.*/)?{_NEVER}).*)?\Z")
