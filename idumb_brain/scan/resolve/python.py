"""Python imports: source roots, packages and relative imports. Of installed packages it knows no more than their names.

``import a.b.c`` depends on the file of a.b.c alone, although Python runs the ``__init__.py`` of a and a.b on the way;
``from a import b`` depends on the module a.b if there is one, else on a.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from idumb_brain.scan.resolve import FileView, ProjectView, Resolver, Want, bindings

CONFIGURATION = ("pyproject.toml", "setup.cfg")
MARKERS = ("__init__.py", "__init__.pyi", "setup.py")
_INITS = ("__init__.py", "__init__.pyi")
_SUFFIXES = ("/__init__.py", ".py", "/__init__.pyi", ".pyi")


def resolver(project: ProjectView) -> Resolver:
    roots_told, renamed = _configured(project)
    tops = _tops(project, roots_told)
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    known_tops: dict[str, bool] = {}

    @cache
    def module(path: str) -> str:
        """The file of a module given as a path without suffix, or ""."""
        for suffix in _SUFFIXES:
            if path + suffix in project:
                return path + suffix
        return ""

    def absolute(dotted: str, folder: str) -> tuple[str, ...]:
        """The path, without suffix, that a dotted name stands for: none when its top is nowhere in the project, several
        when it is a package without __init__.py, of which every source root may hold a part."""
        known = found.get((dotted, folder))
        if known is None:
            if moved := _moved(dotted, renamed):
                known = found[dotted, folder] = (moved,)
                return known
            top = dotted.partition(".")[0]
            roots = tops.get(top, ())
            beside = folder + top
            if folder not in roots and is_script_folder(folder) and (module(beside) or project.folder_exists(beside)):
                roots = (folder, *roots)
            nearest_first = sorted(roots, key=lambda root: (not folder.startswith(root), -len(root)))
            paths = tuple(root + dotted.replace(".", "/") for root in nearest_first)
            known = found[dotted, folder] = next(((path,) for path in paths if module(path)), paths)
        return known

    def is_ours(top: str, folder: str) -> bool:
        """Not for certain: a folder without __init__.py may only be called like an installed package, or go on in one."""
        if top not in known_tops:
            known_tops[top] = top in renamed or any(module(root + top) for root in tops.get(top, ()))
        return known_tops[top] or (is_script_folder(folder) and module(folder + top) != "")

    def is_script_folder(folder: str) -> bool:
        return folder + "__init__.py" not in project

    def wants(file: FileView) -> Iterator[Want]:
        folder = file.path[: file.path.rfind("/") + 1]
        for ordinal, (kind, text, line, written) in enumerate(file.imports):
            stripped = text.lstrip(".")
            dots = len(text) - len(stripped)
            if dots:
                base = _climb(folder, dots - 1)
                if base is None:
                    yield Want(ordinal, line, "import", (), reason="relative import beyond the top of the project")
                    continue
                paths: tuple[str, ...] = (base + stripped.replace(".", "/") if stripped else base.rstrip("/"),)
                external = ""
                reason = f"no module {text} from here"
            else:
                paths = absolute(text, folder)
                top = text.partition(".")[0]
                external = top if not paths or not is_ours(top, folder) else ""
                reason = f"no module {text} in the project"
            last = text.rpartition(".")[2]
            if not paths:
                yield Want(ordinal, line, "import", (), external, watch=top)
                continue
            target = module(paths[0]) if paths[0] else ""
            if kind == "import" or not written:
                yield Want(ordinal, line, "import", (target,) if target else (), external, reason, last)
                continue
            package = not target or target.endswith(("/__init__.py", "/__init__.pyi"))
            for name, _ in bindings(file.imports[ordinal]):
                submodule = ""
                if package and name != "*":
                    submodule = next(filter(None, (module(f"{path}/{name}" if path else name) for path in paths)), "")
                if submodule and submodule != file.path:
                    yield Want(ordinal, line, "import", (submodule,), watch=name)
                elif target:
                    yield Want(ordinal, line, "import", (target,), watch=name if package else last)
                elif submodule:
                    yield Want(ordinal, line, "import", (submodule,), watch=name)
                else:
                    missing = tuple(path + suffix for path in paths if path for suffix in _SUFFIXES)
                    yield Want(ordinal, line, "import", missing, external, reason, name)

    return wants


def _configured(project: ProjectView) -> tuple[set[str], dict[str, str]]:
    """Source roots that build files tell of, and packages that lie in a folder of another name: dotted name → folder."""
    roots = {"", "src/"}
    renamed: dict[str, str] = {}
    for path in (*project.named("pyproject.toml"), *project.named("setup.cfg"), *project.named("setup.py")):
        base = path[: path.rfind("/") + 1]
        roots.update((base, base + "src/"))
        if path.endswith(".py"):
            continue  # a program: what it says is known when it has run
        told = _from_pyproject(project.text(path)) if path.endswith(".toml") else _from_setup_cfg(project.text(path))
        for name, folder in told:
            folder = folder.removeprefix("./").strip("/")
            if not name:
                roots.add(base + folder + "/" if folder not in ("", ".") else base)
            elif name != folder.replace("/", "."):
                renamed[name] = base + folder
    return roots, renamed


def _from_pyproject(text: str) -> Iterator[tuple[str, str]]:
    """(package, folder) pairs; a package called "" is every one below the folder."""
    import tomllib

    try:
        tools = tomllib.loads(text).get("tool", {})
    except tomllib.TOMLDecodeError:
        return
    setuptools = _at(tools, "setuptools")
    yield from _strings(_at(setuptools, "package-dir"))
    for where in _listed(_at(setuptools, "packages", "find").get("where")):
        yield "", where
    for package in _listed(_at(tools, "poetry").get("packages")):
        if isinstance(package, dict) and isinstance(package.get("from"), str):
            yield "", package["from"]
    for build in (_at(tools, "hatch", "build"), _at(tools, "hatch", "build", "targets", "wheel")):
        for package in _listed(build.get("packages")):
            if isinstance(package, str):
                yield "", package.strip("/").rpartition("/")[0]
        sources = build.get("sources")
        if isinstance(sources, dict):  # folder → name, the other way round
            yield from ((name.replace("/", "."), folder) for folder, name in _strings(sources))
        for source in _listed(sources):
            if isinstance(source, str):
                yield "", source
    pdm = _at(tools, "pdm", "build").get("package-dir")
    for folder in [pdm] if isinstance(pdm, str) else []:
        yield "", folder
    for folder in _listed(_at(tools, "pytest", "ini_options").get("pythonpath")):
        if isinstance(folder, str):
            yield "", folder


def _from_setup_cfg(text: str) -> Iterator[tuple[str, str]]:
    import configparser

    stated = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        stated.read_string(text)
    except configparser.Error:
        return
    for line in re.split(r"[\n,]", stated.get("options", "package_dir", fallback="")):
        name, separator, folder = line.partition("=")
        if separator:
            yield name.strip(), folder.strip()
    for where in re.split(r"[\n,]", stated.get("options.packages.find", "where", fallback="")):
        if where.strip():
            yield "", where.strip()


def _at(table: Any, *keys: str) -> dict[str, Any]:
    for key in keys:
        table = table.get(key, {}) if isinstance(table, dict) else {}
    return table if isinstance(table, dict) else {}


def _strings(table: dict[str, Any]) -> Iterator[tuple[str, str]]:
    return ((key, value) for key, value in table.items() if isinstance(value, str))


def _listed(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list) else [value] if isinstance(value, str) else ()


def _moved(dotted: str, renamed: dict[str, str]) -> str:
    """The path of a module whose package lies in a folder of another name, or ""."""
    name = dotted if renamed else ""
    while name:
        if name in renamed:
            return renamed[name] + dotted[len(name) :].replace(".", "/")
        name = name.rpartition(".")[0]
    return ""


def _tops(project: ProjectView, told: set[str]) -> dict[str, tuple[str, ...]]:
    """Top-level module names, each with the source roots (ending in "/" or empty) it can be found in."""
    packages = {path.rpartition("/")[0] for name in _INITS for path in project.named(name)}
    roots = told | {
        parent + "/" if (parent := folder.rpartition("/")[0]) else ""
        for folder in packages
        if folder and folder.rpartition("/")[0] not in packages
    }
    tops: dict[str, set[str]] = {}
    for path in (*project.with_suffix(".py"), *project.with_suffix(".pyi")):
        end = -1
        while True:  # every root this path lies under
            root = path[: end + 1]
            if root in roots:
                below = path[end + 1 :]
                tops.setdefault(below.partition("/")[0].partition(".")[0], set()).add(root)
            end = path.find("/", end + 1)
            if end < 0:
                break
    return {top: tuple(sorted(where, key=lambda root: (root.count("/"), root))) for top, where in tops.items()}


def _climb(folder: str, levels: int) -> str | None:
    for _ in range(levels):
        if not folder:
            return None
        folder = folder[: folder.rstrip("/").rfind("/") + 1]
    return folder
