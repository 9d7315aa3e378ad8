"""Technologies as data: what the tables under ``queries/stack/`` say about them. Refuses to look at a project.

A table's name is a kind (``[framework]``), its keys are technologies, each with the evidence that tells of it:

    Django = "django"                                     the package of that name
    Jest = { packages = ["jest"], config = ["jest.config.*"], hints = ["ts-jest"] }

``packages``    packages that are it: their version is its version, the first that has one wins; ``npm:react`` names another ecosystem
``hints``       packages that tell of it without being it (plugins, drivers, types): they give no version
``imports``     what code imports from it; unless given, its packages
``config``      files, by name (``vite.config.*``) or by path (``.github/workflows/*``)
``locks``       lock files that only it writes
``images``      container images in Dockerfiles, compose files, CI and Kubernetes manifests
``actions``     GitHub actions        ``providers``   Terraform providers        ``hooks``   pre-commit repositories
``content``     a pattern in named files; its group ``version`` is the version, the first in the list that has one wins
``ecosystems``  any package of these: for runtimes and package managers

Above the tables, ``ecosystems`` and ``extensions`` say whose packages are meant and in which files imports count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from idumb_brain.model.errors import BadInput
from idumb_brain.scan.tables import read_table

KINDS = (
    "runtime", "framework", "library", "ui", "orm", "database", "queue", "service", "cloud", "ai", "package-manager", "build-tool",
    "test-tool", "linter", "docs-tool", "ci", "container", "infrastructure", "monitoring",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Content:
    files: tuple[str, ...]
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Technology:
    name: str
    kind: str
    packages: tuple[tuple[str, str], ...] = ()  # ecosystem, name; a name may hold *
    hints: tuple[tuple[str, str], ...] = ()
    imports: tuple[tuple[str, str], ...] = ()  # extension, name
    config: tuple[str, ...] = ()
    locks: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    providers: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    content: tuple[Content, ...] = ()
    ecosystems: tuple[str, ...] = ()


_LISTS = ("packages", "hints", "imports", "config", "locks", "images", "actions", "providers", "hooks", "ecosystems")


@dataclass(slots=True)
class _File:
    path: Path
    ecosystems: tuple[str, ...]
    extensions: tuple[str, ...]
    said: dict[str, Any] = field(default_factory=dict)

    def wrong(self, what: str, why: str) -> BadInput:
        return BadInput(f"{self.path}: {what}", why=why, instead="compare it with the files of queries/stack")


@lru_cache(maxsize=4)
def load_technologies(folders: tuple[Path, ...]) -> tuple[Technology, ...]:
    """Every technology known; one that a later folder describes again replaces the earlier."""
    known: dict[str, Technology] = {}
    for top in folders:
        here: dict[str, Technology] = {}
        for path in sorted((top / "stack").glob("*.toml")):
            for technology in _read(path):
                before = here.get(technology.name)
                here[technology.name] = _joined(before, technology) if before else technology
        known |= here
    return tuple(known[name] for name in sorted(known))


def _read(path: Path) -> list[Technology]:
    stated = read_table(path)
    file = _File(path, (), ())
    file.ecosystems = _texts(file, "ecosystems", stated.pop("ecosystems", []))
    file.extensions = _texts(file, "extensions", stated.pop("extensions", []))
    found = []
    for kind, table in stated.items():
        if kind not in KINDS:
            raise file.wrong(f"there is no kind {kind!r}", f"there are {', '.join(KINDS)}")
        if not isinstance(table, dict):
            raise file.wrong(f"{kind} is no table", "a kind is a table of technologies")
        found += [_technology(file, name, kind, one) for name, one in table.items()]
    return found


def _technology(file: _File, name: str, kind: str, stated: Any) -> Technology:
    if isinstance(stated, (str, list)):
        stated = {"packages": stated}
    if not isinstance(stated, dict) or not stated:
        raise file.wrong(f"{name} says nothing", "a technology is a package, a list of packages, or a table of evidence")
    for key in stated:
        if key not in (*_LISTS, "content"):
            raise file.wrong(f"{name} has the key {key!r}", f"there are {', '.join((*_LISTS, 'content'))}")
    lists = {key: _texts(file, f"{name}.{key}", stated.get(key, [])) for key in _LISTS}
    packages = _placed(file, name, lists["packages"])
    imports = lists["imports"] or tuple(package for _, package in packages)
    if not lists["imports"] and "python" in file.ecosystems:
        imports = tuple(one.replace("-", "_") for one in imports)
    return Technology(
        name=name,
        kind=kind,
        packages=packages,
        hints=_placed(file, name, lists["hints"]),
        imports=tuple((extension, one) for extension in file.extensions for one in imports),
        config=lists["config"],
        locks=lists["locks"],
        images=lists["images"],
        actions=lists["actions"],
        providers=lists["providers"],
        hooks=lists["hooks"],
        content=tuple(_content(file, name, one) for one in _rows(file, name, stated.get("content", []))),
        ecosystems=lists["ecosystems"],
    )


_PREFIX = re.compile(r"^(python|npm|deno|go|cargo|maven|gradle|sbt|ruby|composer|nuget|hex|pub|swift|cocoapods):(.+)$")


def _placed(file: _File, name: str, packages: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    placed: list[tuple[str, str]] = []
    for package in packages:
        if stated := _PREFIX.match(package):
            placed.append((stated[1], stated[2]))
        elif file.ecosystems:
            placed += [(ecosystem, package) for ecosystem in file.ecosystems]
        else:
            raise file.wrong(f"{name} names the package {package!r}", "the file has no ecosystems: write it as npm:NAME")
    return tuple(placed)


def _content(file: _File, name: str, stated: Mapping[str, Any]) -> Content:
    if set(stated) != {"files", "pattern"}:
        raise file.wrong(f"{name}.content has the keys {', '.join(stated)}", "it needs files and pattern, and nothing else")
    try:
        pattern = re.compile(stated["pattern"], re.MULTILINE)
    except (re.error, TypeError) as error:
        raise file.wrong(f"{name}.content has a pattern that is none", str(error)) from error
    return Content(_texts(file, f"{name}.content.files", stated["files"]), pattern)


def _rows(file: _File, name: str, stated: Any) -> list[Mapping[str, Any]]:
    if isinstance(stated, dict):
        stated = [stated]
    if not isinstance(stated, list) or not all(isinstance(one, dict) for one in stated):
        raise file.wrong(f"{name}.content is no table", "it is a table, or a list of tables, with files and pattern")
    return stated


def _texts(file: _File, what: str, stated: Any) -> tuple[str, ...]:
    if isinstance(stated, str):
        return (stated,)
    if not isinstance(stated, list) or not all(isinstance(one, str) and one for one in stated):
        raise file.wrong(f"{what} is no list of texts", f"it is {stated!r}")
    return tuple(stated)


def _joined(one: Technology, other: Technology) -> Technology:
    """Two files may tell of one technology: the driver in the file of a language, the server in that of databases."""
    if one.kind != other.kind:
        raise BadInput(
            f"{one.name} is both {one.kind} and {other.kind}",
            why="two files of queries/stack tell of it",
            instead="give it one kind in both",
        )
    values: dict[str, Any] = {
        part.name: getattr(one, part.name) + getattr(other, part.name)
        for part in fields(Technology)
        if part.name not in ("name", "kind")
    }
    return Technology(one.name, one.kind, **values)
