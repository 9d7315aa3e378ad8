"""What files pass on that other files define: a package's face made of private modules. Pure, and no resolver: names alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from idumb_brain.graph.api import REEXPORT, Rules
from idumb_brain.model.changes import FileApi
from idumb_brain.model.code import SymbolRow

_INIT = "__init__.py"


def passing_on(api: FileApi, table: Rules) -> Iterator[str]:
    """Files that may pass on what this one defines, where that alone makes it public."""
    if table.is_hidden(api.path, api.language) and table.is_api(api.path, api.language):
        yield from _faces(api.path)


def exposed_names(api: FileApi, faces: Mapping[str, FileApi], table: Rules) -> FileApi:
    """The same file, and which of its names others can reach."""
    if not table.is_hidden(api.path, api.language):
        return api
    names = _exposed(api.path, {row[1] for row in api.symbols if row[7] and row[0] < 0}, faces, table)
    return replace(api, exposed=frozenset(names))


def with_reexports(api: FileApi, table: Rules) -> FileApi:
    """The same file with what it passes on as symbols of their own."""
    listed = _listed(api)
    rows: list[SymbolRow] = []
    known = {row[1] for row in api.symbols if row[0] < 0}
    for kind, specifier, line, bindings in api.imports:
        if not _passes_on(api, kind, specifier):
            continue
        for pair in bindings.split("\n") if bindings else ():
            imported, _, local = pair.partition(" ")
            name = local or imported
            if name in ("", "*") or name in known or (api.language == "python" and name.startswith("_")):
                continue
            if listed is not None and name not in listed:
                continue
            known.add(name)
            rows.append((-1, name, name, REEXPORT, line, line, f"{imported} from {specifier}", 1, ""))
    return replace(api, symbols=[*api.symbols, *rows]) if rows else api


def _exposed(path: str, names: set[str], faces: Mapping[str, FileApi], table: Rules) -> set[str]:
    found: set[str] = set()
    module = path.removesuffix("/" + _INIT).removesuffix(".py")
    for face in _faces(path):
        api = faces.get(face)
        if api is None:
            continue
        folder = face.removesuffix(_INIT).rstrip("/")
        below = (module[len(folder) + 1 :] if folder else module).replace("/", ".")
        whole = f"{folder.rpartition('/')[2]}.{below}"
        passed: set[str] = set()
        for _, specifier, _, bindings in api.imports:
            if specifier != f".{below}" and specifier != whole and not specifier.endswith("." + whole):
                continue
            bound = [pair.partition(" ")[::2] for pair in bindings.split("\n")] if bindings else []
            passed |= names if any(imported == "*" for imported, _ in bound) else {imported for imported, _ in bound} & names
        if passed and table.is_hidden(face, api.language):
            passed = _exposed(face, passed, faces, table)
        found |= passed
    return found


def _faces(path: str) -> Iterator[str]:
    folder = path.rpartition("/")[0]
    if path.endswith("/" + _INIT):
        folder = folder.rpartition("/")[0]
    while folder:
        yield f"{folder}/{_INIT}"
        folder = folder.rpartition("/")[0]


def _passes_on(api: FileApi, kind: str, specifier: str) -> bool:
    if api.language != "python":
        return kind == REEXPORT
    if not api.path.endswith(_INIT):
        return False
    return specifier.startswith(".") or specifier.split(".")[0] in api.path.split("/")[:-1]


def _listed(api: FileApi) -> set[str] | None:
    """What ``__all__`` names, where there is one that can be read whole."""
    import re

    for row in api.symbols:
        if row[1] == "__all__" and api.language == "python":
            signature = row[6]
            plain = signature.rstrip().endswith(("]", ")")) and "+" not in signature
            return set(re.findall(r"[\"'](\w+)[\"']", signature)) if plain else None
    return None
