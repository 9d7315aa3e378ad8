"""Elixir and Erlang: mix.exs files, umbrellas, mix.lock. A mix.exs is a program and is not run: tuples in it are read."""

from __future__ import annotations

import re
from posixpath import dirname, join

from idumb_brain.model.project import BUILD, DEV, OPTIONAL, RUNTIME, Package, Requirement
from idumb_brain.scan.manifests.tree import Tree, folder_at, upwards

_DEPENDENCY = re.compile(r"\{\s*:(\w+)\s*,\s*((?:[^{}\[\]]|\[[^\]]*\]|\{[^}]*\})*)\}")
_APP = re.compile(r"\bapp:\s*:(\w+)")
_VERSION = re.compile(r"\bversion:\s*(?:\"([^\"]+)\"|@(\w+))")
_ATTRIBUTE = re.compile(r"^\s*@(\w+)\s+\"([^\"]+)\"", re.MULTILINE)
_APPS = re.compile(r"\bapps_path:\s*\"([^\"]+)\"")
_ONLY = re.compile(r"\bonly:\s*(?:\[([^\]]*)\]|:(\w+))")
_PATH = re.compile(r"\bpath:\s*\"([^\"]+)\"")
_LOCKED = re.compile(r"^\s*\"?(\w+)\"?:\s*\{:hex,\s*:(\w+),\s*\"([^\"]+)\"")
_DEPS = re.compile(r"^\s*defp?\s+\w*deps\w*(?:\(.*?\))?(?:\s+do\b|\s*,\s*do:)(.*?)(?=^\s*defp?\s|\Z)", re.MULTILINE | re.DOTALL)


def read(tree: Tree) -> list[Package]:
    texts = {path: re.sub(r"^(\s*)#.*$", r"\1", tree.text(path), flags=re.MULTILINE) for path in tree.named("mix.exs")}
    apps = {dirname(path): path for path in texts}
    umbrellas = {dirname(path): folder_at(dirname(path), said[1]) for path, text in texts.items() if (said := _APPS.search(text))}
    by_app = {said[1]: path for path, text in texts.items() if (said := _APP.search(text))}
    packages = []
    for path, text in texts.items():
        folder = dirname(path)
        top = next((up for up in upwards(dirname(folder)) if umbrellas.get(up) == dirname(folder)), folder) if folder else folder
        lock = next((place for one in (folder, top) if tree.has(place := join(one, "mix.lock"))), "")
        locked = _locked(tree.text(lock)) if lock else {}
        attributes = dict(_ATTRIBUTE.findall(text))
        found: dict[str, Requirement] = {}
        for block in _DEPS.finditer(text):
            for one in _DEPENDENCY.finditer(text, block.start(), block.end()):
                name, rest = one[1], one[2]
                wanted = re.match(r"\s*\"([^\"]+)\"", rest)
                lies = _PATH.search(rest)
                local = apps.get(folder_at(folder, lies[1]), "") if lies else ""
                if "in_umbrella: true" in rest:
                    local = by_app.get(name, "")
                version, line = locked.get(name, ("", 0))
                asked = wanted[1] if wanted else ""
                if attribute := re.match(r"\s*@(\w+)", rest):
                    asked = attributes.get(attribute[1], "")
                found.setdefault(
                    name,
                    Requirement(
                        name,
                        asked,
                        _group(rest),
                        path,
                        text.count("\n", 0, one.start()) + 1,
                        "" if local else version,
                        local,
                        line,
                    ),
                )
        app, stated = _APP.search(text), _VERSION.search(text)
        version = (stated[1] or attributes.get(stated[2], "")) if stated else ""
        members = sorted(other for place, other in apps.items() if folder in umbrellas and dirname(place) == umbrellas[folder])
        packages.append(Package(folder, app[1] if app else "", version, "hex", path, lock, tuple(found.values()), tuple(members)))
    return packages


def _group(rest: str) -> str:
    if only := _ONLY.search(rest):
        environments = set(re.findall(r"\w+", only[1] or only[2]))
        if "prod" not in environments:
            return DEV
    if re.search(r"\boptional:\s*true", rest):
        return OPTIONAL
    return BUILD if re.search(r"\bruntime:\s*false", rest) and not only else RUNTIME


def _locked(text: str) -> dict[str, tuple[str, int]]:
    return {found[1]: (found[3], line) for line, row in enumerate(text.split("\n"), 1) if (found := _LOCKED.match(row))}
