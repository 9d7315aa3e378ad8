"""pyproject.toml to what it declares: PEP 621 and 735, Poetry, PDM, uv, Flit. Refuses to ask a build backend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from idumb_brain.model.project import BUILD, DEV, OPTIONAL, RUNTIME, Requirement
from idumb_brain.scan.manifests.lines import TomlLines, toml_table
from idumb_brain.scan.manifests.python.declared import Declared, normal, requirement
from idumb_brain.scan.manifests.tree import Tree, beside


def pyproject(tree: Tree, path: str) -> Declared | None:
    """None where the file only holds settings of tools."""
    text = tree.text(path)
    stated, wrong, line = toml_table(text)
    if stated is None:
        tree.wrong(path, wrong, line)
        return None
    lines = TomlLines(text)
    project, tool = _table(stated, "project"), _table(stated, "tool")
    poetry, uv, pdm, flit = (_table(tool, name) for name in ("poetry", "uv", "pdm", "flit"))
    workspace = _table(uv, "workspace")
    if not (project or poetry or workspace or "dependency-groups" in stated or "build-system" in stated):
        return None
    requirements = [
        *_listed(project.get("dependencies"), RUNTIME, path, lines, "project", "dependencies"),
        *_grouped(_table(project, "optional-dependencies"), OPTIONAL, path, lines, "project", "optional-dependencies"),
        *_grouped(_table(stated, "dependency-groups"), DEV, path, lines, "dependency-groups"),
        *_listed(_table(stated, "build-system").get("requires"), BUILD, path, lines, "build-system", "requires"),
        *_listed(uv.get("dev-dependencies"), DEV, path, lines, "tool", "uv", "dev-dependencies"),
        *_grouped(_table(pdm, "dev-dependencies"), DEV, path, lines, "tool", "pdm", "dev-dependencies"),
        *_grouped(_hatch(tool), DEV, path, lines, "tool", "hatch", "envs"),
        *_poetry(poetry, path, lines),
    ]
    if flit:
        metadata = _table(flit, "metadata")
        requirements += _listed(metadata.get("requires"), RUNTIME, path, lines, "tool", "flit", "metadata", "requires")
    sources = {normal(name): source for name, source in _table(uv, "sources").items()}
    scripts = _table(project, "scripts") or _table(poetry, "scripts")
    return Declared(
        name=_text(project, "name") or _text(poetry, "name"),
        version=_text(project, "version") or _text(poetry, "version"),
        requirements=tuple(_sourced(one, sources.get(one.name), tree) for one in requirements),
        scripts=tuple(sorted((name, command) for name, command in scripts.items() if isinstance(command, str))),
        members=_texts(workspace.get("members")),
        unmembers=_texts(workspace.get("exclude")),
        private=any("Private ::" in one for one in _texts(project.get("classifiers"))),
    )


def _listed(items: Any, group: str, path: str, lines: TomlLines, *keys: str) -> Iterator[Requirement]:
    for item in _texts(items):
        if found := requirement(item, group, path, lines.of(*keys, holding=item)):
            yield found


def _grouped(groups: Mapping[str, Any], group: str, path: str, lines: TomlLines, *keys: str) -> Iterator[Requirement]:
    for name, items in groups.items():
        yield from _listed(items, group, path, lines, *keys, name)


def _hatch(tool: Mapping[str, Any]) -> dict[str, list[str]]:
    """Hatch's environments bring tools of their own."""
    environments = _table(_table(tool, "hatch"), "envs")
    return {
        name: [*_texts(stated.get("dependencies")), *_texts(stated.get("extra-dependencies"))]
        for name, stated in environments.items()
        if isinstance(stated, dict)
    }


def _poetry(poetry: Mapping[str, Any], path: str, lines: TomlLines) -> Iterator[Requirement]:
    tables: list[tuple[str, Mapping[str, Any], tuple[str, ...]]] = [
        (RUNTIME, _table(poetry, "dependencies"), ("dependencies",)),
        (DEV, _table(poetry, "dev-dependencies"), ("dev-dependencies",)),
    ]
    for name, stated in _table(poetry, "group").items():
        if isinstance(stated, dict):
            tables.append((DEV, _table(stated, "dependencies"), ("group", name, "dependencies")))
    for group, table, keys in tables:
        for name, asked in table.items():
            if normal(name) == "python":
                continue
            one = asked[0] if isinstance(asked, list) and asked else asked
            wanted, optional, place = "", False, ""
            if isinstance(one, str):
                wanted = one
            elif isinstance(one, dict):
                wanted = str(one.get("version") or "")
                optional = bool(one.get("optional"))
                place = str(one.get("path") or "")
                if not wanted and (away := one.get("git") or one.get("url")):
                    wanted = f"@ {away}"
            line = lines.of("tool", "poetry", *keys, name)
            yield Requirement(
                normal(name), "" if wanted == "*" else wanted, OPTIONAL if optional else group, path, line,
                local=beside(path, place) if place else "",
            )  # fmt: skip


def _sourced(one: Requirement, source: Any, tree: Tree) -> Requirement:
    """uv's ``[tool.uv.sources]``: a path leads to a folder of the project, which the face turns into a manifest."""
    from dataclasses import replace

    if isinstance(source, list) and source:
        source = source[0]
    if isinstance(source, dict) and isinstance(place := source.get("path"), str):
        return replace(one, local=beside(one.manifest, place))
    return one


def _table(stated: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = stated.get(key)
    return found if isinstance(found, dict) else {}


def _text(stated: Mapping[str, Any], key: str) -> str:
    found = stated.get(key)
    return found if isinstance(found, str) else ""


def _texts(found: Any) -> tuple[str, ...]:
    return tuple(one for one in found if isinstance(one, str)) if isinstance(found, list) else ()
