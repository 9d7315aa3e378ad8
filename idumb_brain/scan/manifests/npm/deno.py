"""deno.json: import maps as requirements, workspaces, deno.lock."""

from __future__ import annotations

import re
from collections.abc import Mapping
from posixpath import dirname
from typing import Any

from idumb_brain.model.project import RUNTIME, Package, Requirement
from idumb_brain.scan.manifests.lines import json_lines, json_object
from idumb_brain.scan.manifests.tree import Tree, beside, folder_at
from idumb_brain.scan.resolve.npm import glob_pattern

_SPECIFIER = re.compile(r"^(jsr|npm):/?((?:@[^/@]+/)?[^/@]+)(?:@([^/]+))?")
_URL = re.compile(r"^https://(?:deno\.land/(?:x/)?|esm\.sh/|cdn\.skypack\.dev/)((?:@[^/@]+/)?[^/@]+)(?:@v?([^/]+))?")


def deno_packages(tree: Tree) -> list[Package]:
    found = []
    for path in tree.named("deno.json", "deno.jsonc"):
        stated, wrong = json_object(tree.text(path))
        if stated is None:
            tree.wrong(path, wrong)
            continue
        found.append((path, stated))
    by_name = {str(stated.get("name")): path for path, stated in found if stated.get("name")}
    by_folder = {dirname(path): path for path, _ in found}
    packages = []
    for path, stated in found:
        folder = dirname(path)
        text = tree.text(path)
        lines = json_lines(text)
        lock_path = tree.nearest(folder, "deno.lock")
        locked = _locked(tree, lock_path) if lock_path else {}
        requirements: list[Requirement] = []
        imports = stated.get("imports")
        for alias, target in imports.items() if isinstance(imports, dict) else ():
            if not isinstance(target, str):
                continue
            one = _SPECIFIER.match(target)
            name, wanted = (one[2], one[3] or "") if one else ("", "")
            if not one and (url := _URL.match(target)):
                name, wanted = url[1], url[2] or ""
            if not name or any(known.name == name for known in requirements):
                continue
            version, line = locked.get(f"{one[1] if one else ''}:{name}@{wanted}", ("", 0))
            requirements.append(
                Requirement(
                    name, wanted, RUNTIME, path, lines.get(("imports", alias), 1), version, by_name.get(name, ""), line,
                    alias if alias.rstrip("/") != name else "",
                )
            )  # fmt: skip
        workspace = stated.get("workspace")
        listed = workspace.get("members") if isinstance(workspace, dict) else workspace
        tasks = stated.get("tasks")
        exports = stated.get("exports")
        entries = [exports] if isinstance(exports, str) else list(exports.values()) if isinstance(exports, dict) else []
        packages.append(
            Package(
                path=folder, name=str(stated.get("name") or ""), version=str(stated.get("version") or ""), ecosystem="deno",
                manifest=path, lock=lock_path, requirements=tuple(requirements),
                members=_members(folder, listed, by_folder),
                scripts=tuple((k, v) for k, v in tasks.items() if isinstance(v, str)) if isinstance(tasks, dict) else (),
                entries=tuple(beside(path, one) for one in entries if isinstance(one, str)),
            )
        )  # fmt: skip
    return packages


def _members(folder: str, listed: Any, by_folder: Mapping[str, str]) -> tuple[str, ...]:
    patterns = (
        [glob_pattern(folder_at(folder, one)) for one in listed or () if isinstance(one, str)] if isinstance(listed, list) else []
    )
    return tuple(
        sorted(path for place, path in by_folder.items() if place != folder and any(one.match(place) for one in patterns))
    )


def _locked(tree: Tree, path: str) -> dict[str, tuple[str, int]]:
    text = tree.text(path)
    stated = tree.json(path)
    packages = stated.get("packages")
    table = stated.get("specifiers") or (packages.get("specifiers") if isinstance(packages, dict) else None)
    made = {}
    for specifier, version in table.items() if isinstance(table, dict) else ():
        if isinstance(version, str):
            plain = (
                version.rpartition("@")[2].partition("_")[0]
                if version.startswith(("npm:", "jsr:"))
                else version.partition("_")[0]
            )
            made[specifier if "@" in specifier[5:] else specifier + "@"] = (
                plain,
                text.count("\n", 0, text.find(f'"{specifier}"')) + 1,
            )
    return made
