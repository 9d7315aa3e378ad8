"""The packages that an import may stand for, best first. Pure; the tables and what is installed are handed in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from idumb_brain.model.dependencies import OutsideImport
from idumb_brain.scan.dependencies.tables import Table, matches

_SEPARATORS = re.compile(r"[-_.]+")
_TYPES = "@types/"


Groups = tuple[tuple[str, ...], ...]


def candidates(one: OutsideImport, table: Table, modules: Mapping[str, tuple[str, ...]]) -> Groups:
    """Groups of names, the likeliest first; all of a group bring the same. None where the import is no package's: a
    standard library, a program that runs the code."""
    name = one.package
    built_in = table.is_standard(name) and not one.text.endswith("/")  # "util/" is the package of that name
    if not name or built_in or matches(table.host, name):
        return ()
    if table.ecosystem == "python":
        return tuple(_python(one, table, modules))
    if table.ecosystem == "npm":
        return () if ":" in name else ((name, types_of(name), *table.imports.get(name, ())),)
    return (*_from_table(one, table), (name,))


def best_name(one: OutsideImport, table: Table, modules: Mapping[str, tuple[str, ...]]) -> str:
    """What to ask for, where no manifest asks for any of the candidates."""
    if table.ecosystem != "python":
        return candidates(one, table, modules)[0][0]
    for path in _paths(one):
        if known := modules.get(path, ()) if "." in path or len(modules.get(path, ())) == 1 else ():
            return known[0]
        if told := table.imports.get(path):
            return told[0]
    return normal(one.package)


def provides(name: str, candidate: str, table: Table) -> bool:
    """Does a package of this name, as a manifest writes it, bring what an import calls so?"""
    if name == candidate:
        return True
    match table.names:
        case "underscored":
            return name.replace("-", "_") == candidate.replace("-", "_")
        case "group":  # org.junit.jupiter:junit-jupiter-api
            group = name.partition(":")[0]
            return group == candidate or group.startswith(candidate + ".") or candidate.startswith(group + ".")
        case "prefix":
            return candidate.lower() == name.lower() or candidate.lower().startswith(name.lower() + ".")
        case "last":
            return name.rstrip("/").removesuffix(".git").rpartition("/")[2].lower() == candidate.lower()
    return False


def normal(name: str) -> str:
    return _SEPARATORS.sub("-", name).lower()


def types_of(name: str) -> str:
    """The package of types for another one: ``@types/scope__name`` for ``@scope/name``."""
    return _TYPES + name.removeprefix("@").replace("/", "__")


def typed_by(name: str) -> str:
    """The package that one of types is about, or ""."""
    if not name.startswith(_TYPES):
        return ""
    bare = name.removeprefix(_TYPES)
    return "@" + bare.replace("__", "/") if "__" in bare else bare


def _python(one: OutsideImport, table: Table, modules: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    for path in _paths(one):
        installed = modules.get(path, ())
        yield (*(installed if "." in path or len(installed) == 1 else ()), *table.imports.get(path, ()), normal(path))
    yield modules.get(one.package, ())


def _paths(one: OutsideImport) -> list[str]:
    """Dotted names, longest first: ``from google.cloud import storage`` may need a package for storage alone."""
    text = one.text or one.package
    paths = [f"{text}.{name}" for name in one.names if name != "*"] if one.kind != "import" else []
    paths.append(text)
    while "." in paths[-1]:
        paths.append(paths[-1].rpartition(".")[0])
    return paths


def _from_table(one: OutsideImport, table: Table) -> Iterator[tuple[str, ...]]:
    parts = one.text.split("/") if one.text else []
    for end in range(len(parts), 0, -1):
        if told := table.imports.get("/".join(parts[:end])):
            yield told
