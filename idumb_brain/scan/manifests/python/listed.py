"""Requirement files of pip, Pipfiles and conda environments to what they declare."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import basename

from idumb_brain.model.project import DEV, RUNTIME, Requirement
from idumb_brain.scan.manifests.lines import TomlLines, toml_table, yaml_values
from idumb_brain.scan.manifests.python.declared import Declared, normal, requirement
from idumb_brain.scan.manifests.tree import Tree, beside

_INCLUDE = re.compile(r"^(?:-r|--requirement|-c|--constraint)(?:\s+|=)(\S+)")
_EDITABLE = re.compile(r"^(?:-e|--editable)(?:\s+|=)(\S+)")
_EGG = re.compile(r"[#&]egg=([\w.-]+)")
_FOR_WORK = re.compile(
    r"(?:^|[-_.])(?:dev|devel|development|test|tests|testing|lint|linting|docs?|ci|typing|mypy|style|build|local)(?:[-_.]|$)"
)


def group_of(path: str) -> str:
    """What a requirement file is for, by its name."""
    stem = basename(path).lower().rsplit(".", 1)[0]
    return DEV if _FOR_WORK.search(stem.replace("requirements", "").replace("requires", "")) else RUNTIME


def requirements_txt(tree: Tree, path: str, group: str = "", seen: frozenset[str] = frozenset()) -> list[Requirement]:
    """What a file asks for, with what it includes; a constraint file asks for nothing."""
    group = group or group_of(path)
    found: list[Requirement] = []
    held = ""
    start = 0
    for line, row in enumerate(tree.text(path).split("\n"), 1):
        if not held:
            start = line
        row = row.rstrip()
        if row.endswith("\\"):
            held += row[:-1] + " "
            continue
        row, held = (held + row).strip(), ""
        row = re.split(r"(?:^|\s)#", row)[0].strip()
        if include := _INCLUDE.match(row):
            other = beside(path, include[1])
            if row.startswith(("-r", "--req")) and other != path and other not in seen and tree.has(other):
                found += requirements_txt(tree, other, group, seen | {path})
            continue
        if editable := _EDITABLE.match(row):
            row = editable[1]
        if named := _EGG.search(row):
            found.append(Requirement(normal(named[1]), f"@ {row.partition('#')[0]}", group, path, start))
        elif row.startswith((".", "/", "file:")):
            place = re.sub(r"\[[^\]]*\]$", "", row.removeprefix("file:"))
            found.append(Requirement("", "", group, path, start, local=beside(path, place)))
        elif row and row[0] != "-":
            row = re.split(r"\s--(?:hash|global-option|config-settings)\b", row)[0]
            if one := requirement(row, group, path, start):
                found.append(one)
    return found


def pipfile(tree: Tree, path: str) -> Declared | None:
    text = tree.text(path)
    stated, wrong, line = toml_table(text)
    if stated is None:
        tree.wrong(path, wrong, line)
        return None
    lines = TomlLines(text)
    found = []
    for section, group in (("packages", RUNTIME), ("dev-packages", DEV)):
        table = stated.get(section)
        for name, asked in table.items() if isinstance(table, dict) else ():
            wanted = asked if isinstance(asked, str) else str(asked.get("version", "")) if isinstance(asked, dict) else ""
            place = asked.get("path", "") if isinstance(asked, dict) else ""
            found.append(
                Requirement(
                    normal(name), "" if wanted == "*" else wanted, group, path, lines.of(section, name),
                    local=beside(path, place) if isinstance(place, str) and place else "",
                )
            )  # fmt: skip
    return Declared(requirements=tuple(found))


def environment_yml(tree: Tree, path: str) -> Declared | None:
    """A conda environment; what its ``pip:`` lists is Python's, what conda lists mostly is, and goes by the same names."""
    name = ""
    found: list[Requirement] = []
    for keys, value, line in yaml_values(tree.text(path)):
        if keys == ("name",):
            name = value
        elif keys[:1] == ("dependencies",) and keys[-1] == "-" and value:
            one = requirement(value, RUNTIME, path, line) if len(keys) > 2 else _conda(value, path, line)
            if one and one.name not in ("python", "pip"):
                found.append(one)
    return Declared(name=name, requirements=tuple(found)) if found else None


def _conda(written: str, path: str, line: int) -> Requirement | None:
    written = written.rpartition("::")[2]
    parts: Iterator[str] = iter(re.split(r"\s*(?==|<|>|!)|\s+", written, maxsplit=1))
    name, wanted = next(parts), next(parts, "")
    if not re.fullmatch(r"[\w.-]+", name):
        return None
    return Requirement(normal(name), wanted if wanted[:1] in "<>!=" else f"={wanted}", RUNTIME, path, line)
