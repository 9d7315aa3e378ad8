"""How the packages a project asks for and the code that imports them fit together, as values with their reasons."""

from __future__ import annotations

from dataclasses import dataclass

from idumb_brain.model.project import Requirement

USED, UNUSED, UNKNOWN = "used", "unused", "unknown"


@dataclass(frozen=True, slots=True)
class OutsideImport:
    """An import that leaves its folder: to a package, or to a file of the project by another way than a relative path."""

    file: str
    language: str
    package: str  # what the resolver of the language calls the package, or ""
    target: str  # the file of the project, or ""
    kind: str
    text: str  # as written
    line: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Use:
    """One place where a package is used, and how we know."""

    file: str
    line: int
    how: str


@dataclass(frozen=True, slots=True)
class Declared:
    """A requirement and what became of it."""

    requirement: Requirement
    state: str  # USED, UNUSED, UNKNOWN
    why: str
    imports: tuple[Use, ...] = ()  # the first of every file
    others: tuple[Use, ...] = ()  # uses that are no import
    shipped: int = 0  # importing files that are not for development alone


@dataclass(frozen=True, slots=True)
class Undeclared:
    """A package that code imports and no manifest above it asks for."""

    name: str
    imported: str  # the name in the code
    uses: tuple[Use, ...]
    why: str
    locked: bool  # it is in the lock file: it comes with something else
    optional: bool = False  # every import of it may fail, or is for the type checker alone
    types: bool = False  # every import of it is for the type checker alone
    dev: bool = False  # only code for development imports it


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A requirement for development alone that production code imports."""

    requirement: Requirement
    uses: tuple[Use, ...]
    why: str


@dataclass(frozen=True, slots=True)
class PackageUse:
    """All of that for one package of the project."""

    manifest: str
    declared: tuple[Declared, ...] = ()
    undeclared: tuple[Undeclared, ...] = ()
    misplaced: tuple[Misplaced, ...] = ()
    sample: bool = False  # a fixture for tests, nobody's product: its findings are not counted
