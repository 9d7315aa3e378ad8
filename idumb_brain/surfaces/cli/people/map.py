"""The project map, as people see it: one screen that says what this repository is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from idumb_brain.model.roles import is_own
from idumb_brain.render.summary import PROSE
from idumb_brain.surfaces.cli.people.ink import Views, counted, plain, table

_FEW = 5
_ROLES_SHOWN = 14  # folders of the tree at one level


def _map(out: Console, data: dict[str, Any]) -> None:
    out.print(plain(data["summary"]), style="bold")
    _stack(out, data)
    out.print()
    out.print(_folders(data["rootStructure"]))
    _architecture(out, data["architecture"])
    _documents(out, data["documents"])
    _governance(out, data["governanceDetected"])
    _dependencies(out, data["dependencies"])
    _freshness(out, data)


def _stack(out: Console, data: dict[str, Any]) -> None:
    if not data["techStack"]:
        return
    versions = {one["name"]: one["version"] for one in data["frameworksDetected"] if one["version"]}
    made = table("built with", "")
    for kind, names in data["techStack"].items():
        shown = [f"{plain(name)} {plain(versions[name])}" if name in versions else plain(name) for name in names]
        made.add_row(plain(kind), _listed(shown, 9))
    out.print()
    out.print(made)
    names = [plain(package["name"] or package["path"] or ".") for package in data["packages"] if package["own"]]
    if len(names) > 1:
        out.print(f"{counted(len(names), 'package')}: {_listed(names, 8)}")


def _folders(root: dict[str, Any]) -> Tree:
    tree = Tree(Text(f"{plain(root['name'])}/", "bold"), guide_style="dim")
    _grow(tree, root, 2)
    return tree


def _grow(tree: Tree, folder: dict[str, Any], levels: int) -> None:
    children = [child for child in folder.get("children", ()) if child["type"] == "directory"]
    children.sort(key=lambda child: (-child["lines"], child["name"]))
    for child in children[:_ROLES_SHOWN]:
        language = next((name for name in child["languages"] if name not in PROSE), next(iter(child["languages"]), ""))
        about = f"  {child['role']}, {counted(child['files'], 'file')}, {counted(child['lines'], 'line')}" + (
            f", {plain(language)}" if language else ""
        )
        branch = tree.add(Text(f"{plain(child['name'])}/") + Text(about, "dim"))
        if levels > 1 and child["role"] == "source" and child["lines"] * 5 > folder["lines"]:
            _grow(branch, child, levels - 1)
    if len(children) > _ROLES_SHOWN:
        tree.add(Text(f"… and {len(children) - _ROLES_SHOWN} more", "dim"))


def _architecture(out: Console, found: dict[str, Any]) -> None:
    if len(found["layers"]) > 1:
        shared = _shared_folder([module["path"] for module in found["modules"]])
        within = f" in {plain(shared)}" if shared else ""
        out.print(f"\nLayers{within}: each imports what is below it", style="bold")
        for level, row in reversed(list(enumerate(found["layers"]))):
            out.print(f"  {level:>2}  " + "  ".join(plain(_inside(path, shared)) for path in row))
        for one in found["againstLayers"][:_FEW]:
            where = f"{plain(_inside(one['from'], shared))} → {plain(_inside(one['to'], shared))}"
            out.print(
                f"      against it: {where}, {counted(one['imports'], 'import')}, as in {plain(one['example'])}", style="dim"
            )
        if len(found["againstLayers"]) > _FEW:
            out.print(f"      … and {len(found['againstLayers']) - _FEW} more against it", style="dim")
    if found["entryPoints"]:
        out.print("\nStarts at", style="bold")
        for entry in found["entryPoints"][:_FEW]:
            out.print(f"  {plain(entry['path'])}:{entry['line']}  {plain(entry['why'])}")
        _rest(out, found["entryPoints"], _FEW)
    if found["hotFiles"]:
        made = table("hot files", "needed by>", "commits>", "lines>")
        for file in found["hotFiles"][:_FEW]:
            made.add_row(plain(file["path"]), f"{file['neededBy']:,}", f"{file['commits']:,}", f"{file['lines']:,}")
        out.print()
        out.print(made)
    tests = found["tests"]
    if tests["files"]:
        untested = ", ".join(map(plain, tests["largestUntested"][:3]))
        out.print(
            f"\n{counted(tests['files'], 'test file')} for {tests['sourcesTested']:,} of {counted(tests['sources'], 'source')}"
            + (f"; largest without any: {untested}" if untested else "")
        )


def _documents(out: Console, documents: list[dict[str, Any]]) -> None:
    documents = [document for document in documents if is_own(document["path"])]
    if not documents:
        return
    types = Counter(document["type"] for document in documents)
    out.print(f"\nDocuments: {', '.join(f'{number} {name}' for name, number in sorted(types.items()))}")
    stale = [(document["path"], one) for document in documents for one in document["staleIndicators"]]
    if stale:
        out.print(f"  {counted(len(stale), 'place')} no longer true:")
        for path, one in stale[:_FEW]:
            out.print(f"  {plain(path)}:{one['line']}  {plain(one['text'])}: {plain(one['why'])}")
        _rest(out, stale, _FEW)


def _governance(out: Console, found: list[dict[str, Any]]) -> None:
    names = [plain(one["name"]) for one in found if any(is_own(evidence["path"]) for evidence in one["evidence"])]
    if names:
        out.print("Governance: " + _listed(names, 8))


def _dependencies(out: Console, found: dict[str, Any]) -> None:
    if not found["declared"]:
        return
    parts = [counted(len(found["declared"]), "declared dependency").replace("dependencys", "dependencies")]
    for what, said in (
        ("unused", "unused"),
        ("undeclared", "undeclared"),
        ("devInProduction", "for development only, but shipped"),
    ):
        names = sorted({plain(one["package"]) for one in found.get(what, ()) if _of_product(one)})
        if names:
            parts.append(f"{len(names)} {said} ({_listed(names, 4)})")
    out.print("Packages: " + "; ".join(parts))


def _of_product(finding: dict[str, Any]) -> bool:
    """What only tests import is their business."""
    places = finding.get("files") or ()
    return not places or any(is_own(place.rpartition(":")[0]) for place in places)


def _freshness(out: Console, data: dict[str, Any]) -> None:
    changed = data["driftDetections"]
    if changed:
        named = ", ".join(plain(one["path"]) for one in changed[:3])
        out.print(
            f"\n{counted(len(changed), 'file')} changed since the scan of {data['lastIncrementalAt']}: {named}; run idumb-brain scan"
        )
    else:
        out.print(f"\nTrue as of {data['lastIncrementalAt']}.", style="dim")


def _shared_folder(paths: Sequence[str]) -> str:
    parts = [path.split("/") for path in paths if path != "."]
    shared = []
    for level in zip(*parts, strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    return "/".join(shared)


def _inside(path: str, shared: str) -> str:
    """A module without what all have in common; the common folder itself by its name, files at the top as such."""
    if path == ".":
        return "(top)"
    return path.removeprefix(shared).lstrip("/") or shared.rpartition("/")[2]


def _listed(names: Sequence[str], many: int) -> str:
    more = f" and {len(names) - many} more" if len(names) > many else ""
    return ", ".join(names[:many]) + more


def _rest(out: Console, found: Sequence[Any], shown: int) -> None:
    if len(found) > shown:
        out.print(f"  … and {len(found) - shown:,} more (--json has all)")


VIEWS: Views = {"map": _map}
