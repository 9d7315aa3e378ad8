"""What the project is built with: the answer of ``scan frameworks``. Reads; changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from idumb_brain.model.project import Detection, Evidence, Package
from idumb_brain.operations.project import find_project
from idumb_brain.store import code as store


def frameworks(root: str | None = None) -> dict[str, Any]:
    """Technologies with version and evidence, and the packages they belong to."""
    from idumb_brain.scan.languages import query_folders
    from idumb_brain.scan.manifests import packages_of, problems_of
    from idumb_brain.scan.manifests.tree import Tree
    from idumb_brain.scan.stack import detect
    from idumb_brain.scan.stack.rules import load_technologies

    project = find_project(root)
    rules = load_technologies(query_folders(str(project.root)))
    with project.reading() as connection:
        files = list(store.paths(connection).values())
        externals = store.externals(connection)
    tree = Tree(project.root, files)
    packages = packages_of(tree)
    detections = detect(tree, packages, externals, rules)
    whole = joined(detections)
    main = [one for one in whole if not one["scope"]]
    return {
        "root": str(project.root),
        "frameworksDetected": main,
        "techStack": _by_kind(main),
        "packages": [_package_data(package, detections, packages) for package in packages],
        "elsewhere": [one for one in whole if one["scope"]],
        "problems": [{"path": p.file, "line": p.line, "message": p.message} for p in problems_of(tree)],
    }


def joined(detections: Iterable[Detection]) -> list[dict[str, Any]]:
    """One row a technology, told by the package where it is at home: not an example, nearest the root, with a version."""
    by_name: dict[str, list[Detection]] = {}
    for one in detections:
        by_name.setdefault(one.name, []).append(one)
    rows = []
    for _, found in sorted(by_name.items(), key=lambda item: item[0].lower()):
        found.sort(key=lambda one: (bool(one.scope), not one.version, one.package.count("/"), one.package))
        home = found[0]
        near = [one for one in found if bool(one.scope) == bool(home.scope)]
        rows.append(
            {
                "name": home.name,
                "kind": home.kind,
                "version": home.version,
                "versionFrom": home.version_from,
                "configPath": home.config_path,
                "evidence": [_evidence_data(one) for one in home.evidence],
                "package": home.package,
                "scope": home.scope,
                "versions": sorted({one.version for one in near if one.version}),
                "packages": sorted(one.package for one in near),
            }
        )
    return rows


def _by_kind(rows: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
    from idumb_brain.scan.stack.rules import KINDS

    kinds = {kind: [row["name"] for row in rows if row["kind"] == kind] for kind in KINDS}
    return {kind: names for kind, names in kinds.items() if names}


def _package_data(package: Package, detections: Sequence[Detection], packages: Sequence[Package]) -> dict[str, Any]:
    names = {other.manifest: other.name or other.path or "." for other in packages}
    local = sorted({one.local for one in package.requirements if one.local and one.local != package.manifest})
    return {
        "path": package.path,
        "name": package.name,
        "version": package.version,
        "ecosystem": package.ecosystem,
        "manifest": package.manifest,
        "lock": package.lock,
        "private": package.private,
        "requirements": len(package.requirements),
        "localDependencies": [{"name": names.get(one, one), "manifest": one} for one in local],
        "members": list(package.members),
        "stack": [
            {"name": one.name, "kind": one.kind, "version": one.version, "versionFrom": one.version_from}
            for one in detections
            if one.package == package.path and _is_of(one, package, packages)
        ],
    }


def _is_of(one: Detection, package: Package, packages: Sequence[Package]) -> bool:
    """Two packages in one folder share what the folder has, but for what the other's manifests alone tell of."""
    others = {other.manifest for other in packages if other.path == package.path} - {package.manifest}
    told = {evidence.path for evidence in one.evidence if evidence.kind == "manifest"}
    return not told or not told <= others


def _evidence_data(one: Evidence) -> dict[str, Any]:
    return {"kind": one.kind, "path": one.path, "line": one.line, "text": one.text}
