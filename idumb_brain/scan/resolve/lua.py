"""Lua's require, dofile and loadfile: module names to files below the usual roots. Of rocks it knows no more than names."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Iterator

from idumb_brain.scan.resolve import FileView, ProjectView, Resolver, Want

CONFIGURATION = ("*.rockspec", ".luarc.json", ".luarc.jsonc", ".busted")
MARKERS = ("main.lua", "conf.lua", "init.lua")

_BELOW_HOME = ("", "src", "lua", "lib")  # where modules lie in a project, seen from its top
_SUFFIXES = (".lua", "/init.lua", ".luau", "/init.luau")
_MODULE_ENTRY = re.compile(r"""(?:\[\s*["']([^"']+)["']\s*\]|(\w+))\s*=\s*["']([^"']+)["']""")
_QUOTED = re.compile(r"""["']([^"']*\?[^"']*)["']""")
_JSON_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")


def resolver(project: ProjectView) -> Resolver:
    homes = _homes(project)
    mapped = _rockspec_modules(project)
    configured = _configured_roots(project)
    lua_folders = _lua_folders(project)
    found: dict[tuple[str, tuple[str, ...]], str] = {}

    def module(name: str, roots: tuple[str, ...]) -> str:
        """The file of a module in the first root that has it, or ""."""
        known = found.get((name, roots))
        if known is None:
            path = name.replace(".", "/")
            known = found[name, roots] = next(
                (file for root in roots for suffix in _SUFFIXES if (file := posixpath.join(root, path) + suffix) in project), ""
            )
        return known

    def wants(file: FileView) -> Iterator[Want]:
        folder = posixpath.dirname(file.path)
        own = _own_roots(file, folder)
        near = [home for home in homes if not home or folder == home or folder.startswith(home + "/")]
        below = [posixpath.join(home, part) for home in near for part in _BELOW_HOME]
        shared = tuple(dict.fromkeys([*own, *configured, *below, *lua_folders]))
        roots = shared if _in_package(project, folder, shared) else (*shared, folder)
        for ordinal, (kind, written, line, _) in enumerate(file.imports):
            if kind == "dynamic":
                yield Want(ordinal, line, "import", (), reason=f"{' '.join(written.split())[:60]} is known only at run time")
            elif kind == "source":
                yield _script(project, ordinal, line, folder, written)
            else:
                name = written.replace("/", ".").removesuffix(".init") if "/" in written else written
                last = name.rpartition(".")[2]
                target = mapped.get(written, "") or module(name, roots)
                if target:
                    yield Want(ordinal, line, "import", (target,), watch=last)
                    continue
                top = name.partition(".")[0]
                file.declared(f"stem:{top}")  # whether it is ours to miss may change
                inside = "." in name and any(_has_top(project, root, top) for root in shared)
                if inside and not any(project.outside(posixpath.join(root, name.replace(".", "/")) + ".lua") for root in roots):
                    yield Want(ordinal, line, "import", (), reason=f"no module {name} in the project", watch=last)
                else:
                    yield Want(ordinal, line, "import", (), external=top, watch=last)

    return wants


def _script(project: ProjectView, ordinal: int, line: int, folder: str, written: str) -> Want:
    """dofile reads a path from where the program was started: the script's folder or the top."""
    if written.startswith(("/", "~")):
        return Want(ordinal, line, "source", (), external=written)
    plain = [posixpath.normpath(posixpath.join(base, written)) for base in (folder, "")]
    keys = tuple(dict.fromkeys(path for path in plain if not path.startswith("..")))
    if not keys:
        return Want(ordinal, line, "source", (), reason="beyond the top of the project")
    if not any(key in project for key in keys) and (there := [key for key in keys if project.outside(key)]):
        return Want(ordinal, line, "source", keys, external=there[0].partition("/")[0])
    return Want(ordinal, line, "source", keys, reason=f"no file {keys[0]}")


def _in_package(project: ProjectView, folder: str, roots: Iterable[str]) -> bool:
    """Are the files of this folder modules of a package? Other scripts may name what lies beside them."""
    for root in roots:
        if folder != root and (not root or folder.startswith(root + "/")):
            top = folder[len(root) + 1 if root else 0 :].partition("/")[0]
            if posixpath.basename(root) in _BELOW_HOME[1:] or posixpath.join(root, top, "init.lua") in project:
                return True
    return False


def _has_top(project: ProjectView, root: str, top: str) -> bool:
    path = posixpath.join(root, top)
    return path + ".lua" in project or any(file.endswith(".lua") for file in project.files_in(path))


def _homes(project: ProjectView) -> list[str]:
    """Folders that look like the top of something in Lua, the deepest first, and the project's own."""
    marks = [
        *project.with_suffix(".rockspec"),
        *(path for name in (*MARKERS[:2], *CONFIGURATION[1:]) for path in project.named(name)),
    ]
    folders = {posixpath.dirname(path) for path in marks} | {
        posixpath.dirname(folder)
        for folder in {posixpath.dirname(path) for path in project.with_suffix(".rockspec")}
        if posixpath.basename(folder) in ("rockspecs", "rockspec", "rocks")
    }
    return sorted(folders | {""}, key=lambda folder: (-folder.count("/") - bool(folder), folder))


def _lua_folders(project: ProjectView) -> list[str]:
    """Neovim looks below every folder called lua."""
    folders = set()
    for path in project.with_suffix(".lua"):
        at = path.find("/lua/")
        if path.startswith("lua/"):
            folders.add("lua")
        elif at > 0:
            folders.add(path[: at + 4])
    return sorted(folders, key=lambda folder: (folder.count("/"), folder))


def _own_roots(file: FileView, folder: str) -> list[str]:
    """Roots from the ``package.path`` this file sets. References lose the "?" before a dot."""
    roots = []
    for _, kind, _, written in file.references:
        if kind == "path":
            for part in written.split(";"):
                root = _root_of(part.replace("/.lua", "/?.lua"))
                if root is not None:
                    roots += [_plain(posixpath.join(folder, root)), _plain(root)]
    return roots


def _root_of(pattern: str) -> str | None:
    """``./lib/?.lua`` looks below ``lib``; absolute patterns lead out of the project."""
    before, mark, _ = pattern.partition("?")
    if not mark or before.startswith("/"):
        return None
    return _plain(before)


def _plain(path: str) -> str:
    plain = posixpath.normpath(path) if path else ""
    return "" if plain == "." or plain.startswith("..") else plain


def _configured_roots(project: ProjectView) -> list[str]:
    roots: list[str] = []
    for name in (".luarc.json", ".luarc.jsonc"):
        for path in project.named(name):
            home = posixpath.dirname(path)
            for pattern in _luarc_paths(project.text(path)):
                root = _root_of(pattern.replace("${workspaceFolder}/", ""))
                if root is not None:
                    roots.append(_plain(posixpath.join(home, root)))
    for path in project.named(".busted"):
        home = posixpath.dirname(path)
        for patterns in _QUOTED.findall(project.text(path)):
            for pattern in patterns.split(";"):
                root = _root_of(pattern)
                if root is not None:
                    roots.append(_plain(posixpath.join(home, root)))
    return list(dict.fromkeys(roots))


def _luarc_paths(text: str) -> Iterable[str]:
    bare = _TRAILING_COMMA.sub(r"\1", _JSON_COMMENT.sub(lambda found: found[1] or "", text))
    try:
        stated = json.loads(bare)
    except ValueError:
        return ()
    if not isinstance(stated, dict):
        return ()
    runtime = stated.get("runtime")
    paths = (
        stated.get("runtime.path") or stated.get("Lua.runtime.path") or (runtime.get("path") if isinstance(runtime, dict) else ())
    )
    return [path for path in paths if isinstance(path, str)] if isinstance(paths, list) else ()


def _rockspec_modules(project: ProjectView) -> dict[str, str]:
    """Module names to files, as the ``build.modules`` of all rockspecs say."""
    modules: dict[str, str] = {}
    for path in project.with_suffix(".rockspec"):
        text = re.sub(r"--(?!\[\[).*", "", project.text(path))
        home = posixpath.dirname(path)
        for begin in re.finditer(r"\b(?:modules|lua)\s*=\s*\{", text):
            inside = text[begin.end() : _closing(text, begin.end())]
            for quoted, plain, source in _MODULE_ENTRY.findall(inside):
                for base in (home, posixpath.dirname(home), ""):
                    file = posixpath.normpath(posixpath.join(base, source))
                    if file in project:
                        modules.setdefault(quoted or plain, file)
                        break
    return modules


def _closing(text: str, begin: int) -> int:
    depth = 1
    for at in range(begin, len(text)):
        if text[at] == "{":
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if depth == 0:
                return at
    return len(text)
