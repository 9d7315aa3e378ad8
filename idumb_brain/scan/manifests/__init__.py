"""Manifests and lock files to packages: what a project is made of and what each part asks for. Runs no package manager.

Every module reads one ecosystem: ``read(tree)`` yields its packages, with versions from lock files and with those
requirements marked ``local`` that are packages of this same project. What cannot be read becomes a problem.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from idumb_brain.model.code import Problem
from idumb_brain.model.project import Package
from idumb_brain.scan.manifests.tree import Tree

ECOSYSTEMS = ("python", "npm")


def read_packages(root: Path, files: Sequence[str]) -> tuple[list[Package], list[Problem]]:
    """All packages below a root, by path and ecosystem. ``files`` are the paths the index knows; lock files are read from disk."""
    tree = Tree(root, files)
    return packages_of(tree), sorted(set(tree.problems), key=lambda p: (p.file, p.line, p.message))


def packages_of(tree: Tree) -> list[Package]:
    found: list[Package] = []
    for name in ECOSYSTEMS:
        found += import_module(f"{__name__}.{name}").read(tree)
    return sorted(found, key=lambda package: (package.path, package.ecosystem, package.manifest))
