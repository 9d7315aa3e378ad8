"""The tables of ``queries/dependencies`` as values. Knows what a row means, not what it is good for."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import translate
from functools import lru_cache
from pathlib import Path
from typing import Any

from idumb_brain.scan.tables import read_table

Patterns = tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True)
class Named:
    """Files in which strings name packages, and the forms in which they do; ``{}`` is the package's own name."""

    files: Patterns
    forms: tuple[str, ...]
    scoped: tuple[str, ...] = ()
    only: Patterns = ()  # lines that count; all if there are none


@dataclass(frozen=True, slots=True)
class Loaded:
    """A package that another one finds by name when the code asks for something."""

    by: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """What is known of the packages of one ecosystem."""

    ecosystem: str
    languages: tuple[str, ...]
    standard: frozenset[str] = frozenset()
    standard_pattern: re.Pattern[str] | None = None
    host: Patterns = ()
    development: Patterns = ()
    samples: Patterns = ()
    sample_packages: Patterns = ()  # beside ``samples``
    never_unused: frozenset[str] = frozenset()
    names: str = "exact"  # how a package's name looks in the code
    spoken: str = ""  # how code names a package without importing it; {} is its name
    unsure: tuple[str, ...] = ()  # groups in which what nothing tells of may be used all the same; "" for all
    guessed: bool = False  # the package of an import is told by a convention
    misplaced: bool = False  # does a group for development differ from others in nothing that a compiler would see?
    imports: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    plugins: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = ()
    stubs: tuple[str, ...] = ()
    typed: Mapping[str, str] = field(default_factory=dict)  # package -> the version since which it has types of its own
    command_files: Patterns = ()
    tools: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    configured: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = ()
    sections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    silent: frozenset[str] = frozenset()
    named: tuple[Named, ...] = ()
    string_files: Patterns = ()
    calls: tuple[str, ...] = ()
    loaded: Mapping[str, Loaded] = field(default_factory=dict)

    def is_standard(self, name: str) -> bool:
        return name in self.standard or bool(self.standard_pattern and self.standard_pattern.match(name))


@dataclass(frozen=True, slots=True)
class Tables:
    by_ecosystem: Mapping[str, Table]
    locks: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]

    def of_language(self, language: str) -> tuple[Table, ...]:
        return tuple(table for table in self.by_ecosystem.values() if language in table.languages)


@lru_cache(maxsize=4)
def load_tables(folders: tuple[Path, ...]) -> Tables:
    """The shipped tables; what a project adds to them comes on top."""
    stated: dict[str, dict[str, Any]] = {}
    locks: dict[str, str] = {}
    for folder in folders:
        for file in sorted((folder / "dependencies").glob("*.toml")):
            found = read_table(file)
            if file.stem == "ecosystems":
                locks |= found.pop("locks", {})
                for name, rows in found.items():
                    _merge(stated.setdefault(name, {"code": {}}), {"imports": rows.pop("imports", {}), "code": rows})
            else:
                _merge(stated.setdefault(file.stem, {}), found)
    made = {name: _table(name, rows) for name, rows in sorted(stated.items())}
    return Tables(made, tuple((glob(name), re.compile(text, re.MULTILINE)) for name, text in locks.items()))


@lru_cache(maxsize=4096)
def glob(pattern: str) -> re.Pattern[str]:
    """``*`` stays in a folder, ``**`` does not, and at the beginning may be nothing at all."""
    out = ""
    for part in re.split(r"(\*\*/|/\*\*$|\*\*|\*|\?)", pattern):
        out += {"**/": "(?:.*/)?", "/**": "/.*", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(part, re.escape(part))
    return re.compile(out + r"\Z")


def matches(patterns: Iterable[re.Pattern[str]], path: str) -> bool:
    return any(pattern.match(path) for pattern in patterns)


def _merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        elif isinstance(value, list) and isinstance(into.get(key), list):
            into[key] = [*into[key], *value]
        else:
            into[key] = value


def _table(ecosystem: str, stated: Mapping[str, Any]) -> Table:
    code = stated.get("code", {})
    standard = frozenset(code.get("standard", ()))
    pattern = code.get("standard_pattern", "")
    strings = stated.get("strings", {})
    return Table(
        ecosystem=ecosystem,
        languages=tuple(code.get("languages", ())),
        standard=standard | sys.stdlib_module_names if ecosystem == "python" else standard,
        standard_pattern=re.compile(pattern) if pattern else None,
        host=_globs(code.get("host", ())),
        development=_globs(code.get("development", ())),
        samples=_globs(code.get("samples", ())),
        sample_packages=_globs(code.get("sample_packages", ())),
        never_unused=frozenset(code.get("never_unused", ())),
        names=code.get("names", "exact"),
        spoken=code.get("spoken", ""),
        unsure=("",) if code.get("unsure") is True else tuple(code.get("unsure", ())),
        guessed=bool(code.get("guessed")),
        misplaced=bool(code.get("misplaced")),
        imports=_words(stated.get("imports", {})),
        plugins=tuple((re.compile(translate(name)), hosts) for name, hosts in _words(stated.get("plugins", {})).items()),
        stubs=tuple(stated.get("stubs", {}).get("patterns", ())),
        typed=dict(stated.get("typed", {})),
        command_files=_globs(stated.get("commands", {}).get("files", ())),
        tools=_words(stated.get("tools", {})),
        configured=tuple((glob(name), names) for name, names in _words(stated.get("configured", {})).items()),
        sections=_words(stated.get("sections", {})),
        silent=frozenset(stated.get("manifest", {}).get("silent", ())),
        named=tuple(_named(row) for row in stated.get("named", ())),
        string_files=_globs(strings.get("files", ())),
        calls=tuple(strings.get("calls", ())),
        loaded={name: Loaded(tuple(row["by"].split()), row["text"]) for name, row in stated.get("loaded", {}).items()},
    )


def _named(row: Mapping[str, Any]) -> Named:
    only = tuple(re.compile(text) for text in row.get("only", ()))
    return Named(_globs(row["files"]), tuple(row.get("as", ())), tuple(row.get("scoped", ())), only)


def _globs(patterns: Sequence[str]) -> Patterns:
    return tuple(glob(pattern) for pattern in patterns)


def _words(table: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(value.split()) for key, value in table.items()}
