"""Which packages a project asks for, which it really uses, and which it uses without asking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from idumb_brain.model.code import Problem
from idumb_brain.model.dependencies import UNKNOWN, UNUSED, Declared, OutsideImport, PackageUse, Undeclared, Use
from idumb_brain.model.project import Package
from idumb_brain.operations.project import Project, find_project
from idumb_brain.store import code as store

_SHOWN = 50  # files listed for one package; their number is told, too


def dependencies(root: str | None = None) -> dict[str, Any]:
    """The part of the project map that is about packages: declared, unused, undeclared, and what is in the wrong group."""
    packages, found, _ = package_uses(find_project(root))
    return _summary(packages, found)


def package_graph(root: str | None = None) -> dict[str, Any]:
    """Every package of the project with what it asks for, what is locked and who imports it."""
    packages, found, problems = package_uses(find_project(root))
    return {
        "packages": [_package_data(package, use) for package, use in zip(packages, found, strict=True)],
        **_summary(packages, found),
        "problems": [{"path": one.file, "line": one.line, "message": one.message} for one in problems],
    }


def package_uses(project: Project) -> tuple[list[Package], list[PackageUse], list[Problem]]:
    """The packages of a project, what became of the requirements of each, and what could not be read."""
    from idumb_brain.graph.dependencies import Evidence, Places, judged, matched, unseen
    from idumb_brain.scan.dependencies.installed import installed
    from idumb_brain.scan.dependencies.mentions import mentions
    from idumb_brain.scan.dependencies.tables import load_tables
    from idumb_brain.scan.languages import query_folders
    from idumb_brain.scan.manifests import packages_of
    from idumb_brain.scan.manifests.tree import Tree

    with project.reading() as connection:
        files = [record.path for record in store.files(connection)]
        imports = store.outside_imports(connection)
    tree = Tree(project.root, files)
    packages = packages_of(tree)
    tables = load_tables(query_folders(str(project.root)))
    there = installed(project.root, tree, packages, tables)
    matching = matched(packages, imports, tables, there)
    places = Places(packages, tables)
    samples = tuple(package.path + "/" for package in packages if places.is_sample(package))
    named: dict[str, Mapping[str, Sequence[Use]]] = {}
    for package in packages:
        table = tables.by_ecosystem.get(package.ecosystem)
        wanted = unseen(package, matching)
        if table is None or not wanted or places.is_sample(package):
            continue
        within = package.path + "/" if package.path else ""
        mine = [path for path in tree.files if path.startswith(within) and not path.startswith(samples)]
        below = [
            one for one in packages if one.path.startswith(within) and one.ecosystem == package.ecosystem and one is not package
        ]
        named[package.manifest] = mentions(
            tree, [package, *(one for one in below if not places.is_sample(one))], mine, wanted, table, there
        )
    found = judged(packages, tables, Evidence(matching, named, there, _Guards(tree).of))
    return packages, found, sorted(set(tree.problems), key=lambda one: (one.file, one.line, one.message))


class _Guards:
    """How imports stand, asked for few of them: a file is read when the first of its imports matters."""

    def __init__(self, tree: Any) -> None:
        self._tree = tree
        self._python: dict[str, dict[int, str]] = {}
        self._lines: dict[str, list[str]] = {}

    def of(self, one: OutsideImport) -> str:
        from idumb_brain.scan.dependencies.guards import python_guards, script_guard

        if one.language == "python":
            if one.file not in self._python:
                self._python[one.file] = python_guards(self._tree.text(one.file))
            return self._python[one.file].get(one.line, "")
        if one.language in ("typescript", "tsx", "vue", "svelte", "astro"):
            if one.kind in ("augment", "reference"):
                return "types"
            if one.file not in self._lines:
                self._lines[one.file] = self._tree.text(one.file).split("\n")
            return script_guard(self._lines[one.file], one.line)
        return ""


def _summary(packages: Sequence[Package], found: Sequence[PackageUse]) -> dict[str, Any]:
    counted = [(package, use) for package, use in zip(packages, found, strict=True) if not use.sample]
    return {
        "declared": [_declared_data(package, one) for package, use in counted for one in use.declared],
        "unused": [_finding(package, one) for package, use in counted for one in use.declared if one.state == UNUSED],
        "undeclared": [_undeclared_data(package, one) for package, use in counted for one in use.undeclared],
        "transitive": [_undeclared_data(package, one) for package, use in counted for one in use.undeclared if one.locked],
        "devInProduction": [
            {
                "package": one.requirement.name,
                "manifest": one.requirement.manifest,
                "line": one.requirement.line,
                "in": package.manifest,
                "ecosystem": package.ecosystem,
                "files": _places(one.uses),
                "why": one.why,
            }
            for package, use in counted
            for one in use.misplaced
        ],
        "unknown": [_finding(package, one) for package, use in counted for one in use.declared if one.state == UNKNOWN],
    }


def _declared_data(package: Package, one: Declared) -> dict[str, Any]:
    asked = one.requirement
    first = one.imports[0] if one.imports else None
    return {
        "package": asked.name,
        "alias": asked.alias or None,
        "wanted": asked.wanted or None,
        "locked": asked.locked or None,
        "group": asked.group,
        "ecosystem": package.ecosystem,
        "manifest": asked.manifest,
        "line": asked.line,
        "in": package.manifest,
        "local": asked.local or None,
        "state": one.state,
        "why": one.why,
        "files": len(one.imports),
        "productionFiles": one.shipped,
        "first": f"{first.file}:{first.line}" if first else None,
    }


def _finding(package: Package, one: Declared) -> dict[str, Any]:
    asked = one.requirement
    return {
        "package": asked.name,
        "alias": asked.alias or None,
        "group": asked.group,
        "ecosystem": package.ecosystem,
        "manifest": asked.manifest,
        "line": asked.line,
        "in": package.manifest,
        "why": one.why,
    }


def _undeclared_data(package: Package, one: Undeclared) -> dict[str, Any]:
    return {
        "package": one.name,
        "import": one.imported,
        "ecosystem": package.ecosystem,
        "in": package.manifest,
        "files": _places(one.uses),
        "count": len(one.uses),
        "locked": one.locked,
        "optional": one.optional,
        "typesOnly": one.types,
        "dev": one.dev,
        "why": one.why,
    }


def _package_data(package: Package, use: PackageUse) -> dict[str, Any]:
    return {
        "name": package.name or None,
        "path": package.path,
        "ecosystem": package.ecosystem,
        "manifest": package.manifest,
        "lock": package.lock or None,
        "sample": use.sample,
        "requirements": [
            _declared_data(package, one)
            | {
                "imports": _places(one.imports),
                "otherUses": [{"file": other.file, "line": other.line, "how": other.how} for other in one.others[:_SHOWN]],
            }
            for one in use.declared
        ],
    }


def _places(uses: Sequence[Use]) -> list[str]:
    return [f"{use.file}:{use.line}" for use in uses[:_SHOWN]]
