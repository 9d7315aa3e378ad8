"""Gradle: build files as people write them by hand, version catalogs, lock files. A build file is a program and is not run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from posixpath import basename, dirname, join
from typing import Any

from idumb_brain.model.project import BUILD, DEV, RUNTIME, Package, Requirement
from idumb_brain.scan.manifests.lines import toml_table
from idumb_brain.scan.manifests.tree import Tree, upwards
from idumb_brain.scan.resolve.jvm_build import SETTINGS, gradle_accessor, gradle_projects, without_comments

BUILDS = ("build.gradle", "build.gradle.kts")

_CONFIGURATION = (
    r"(?P<how>\w*(?:[iI]mplementation|[aA]pi|[cC]ompileOnly|[rR]untimeOnly|[cC]ompile|[rR]untime|[pP]rovided)"
    r"|annotationProcessor|kapt\w*|ksp\w*|detektPlugins|classpath|developmentOnly|errorprone|coreLibraryDesugaring|lintChecks|shadow)"
)
_STATED = re.compile(
    r"\b"
    + _CONFIGURATION
    + r"(?:\s*\(|\s+|\s*\()\s*(?:(?:enforcedPlatform|platform|testFixtures|kotlin|dependencies\.\w+)\s*\(\s*)?"
    r"(?:[\"'](?P<coordinates>[^\"'\s]+)[\"'](?:\s*,\s*(?:version\s*=\s*)?[\"'](?P<second>[^\"']+)[\"'])?"
    r"|group\s*[:=]\s*[\"'](?P<group>[^\"']+)[\"']\s*,\s*name\s*[:=]\s*[\"'](?P<name>[^\"']+)[\"'](?:\s*,\s*version\s*[:=]\s*[\"']?(?P<version>[\w.$-]+))?"
    r"|(?P<catalog>libs\.[\w.]+?)(?:\.get\(\)|\s*[),\n{])"
    r"|project\s*\(\s*(?:path\s*[:=]\s*)?[\"'](?P<project>:?[\w:.-]+)[\"']"
    r"|projects(?P<accessor>(?:\.\w+)+))"
)
_KOTLIN = re.compile(
    r"\b(\w*(?:[iI]mplementation|[aA]pi))\s*\(\s*kotlin\s*\(\s*[\"']([\w-]+)[\"'](?:\s*,\s*[\"']([^\"']+)[\"'])?"
)
_PLUGIN = re.compile(
    r"\b(?:id\s*\(?\s*[\"'](?P<id>[\w.-]+)[\"']\s*\)?|(?<!\()(?P<kotlin>kotlin)\s*\(\s*[\"'](?P<module>[\w.-]+)[\"']\s*\)|alias\s*\(?\s*(?P<alias>libs\.plugins\.[\w.]+?)\s*\)"
    r"|apply\s+plugin:\s*[\"'](?P<applied>[\w.-]+)[\"']|apply\s*\(\s*plugin\s*=\s*[\"'](?P<applying>[\w.-]+)[\"'])"
    r"(?:\s*\.?\s*version\s*\(?\s*[\"'](?P<version>[^\"']+)[\"'])?"
)
_ASSIGNED = re.compile(
    r"^\s*(?:(?:def|val|var|const val|ext\.|project\.ext\.)\s*)?([\w.]+)\s*(?::\s*\w+\s*)?=\s*[\"']([\w.+-]+)[\"']", re.MULTILINE
)
_EXTRA = re.compile(r"(?:extra\[|set\(|val\s+)[\"']?(\w+)[\"']?(?:\]\s*=|\s*,|\s+by\s+extra\()\s*\(?[\"']([\w.+-]+)[\"']")
_VARIABLE = re.compile(r"\$\{?(?:rootProject\.|project\.|ext\.|extra\.|versions\.|property\([\"'])?([\w.]+)(?:[\"']\))?\}?")
_ROOT_NAME = re.compile(r"rootProject\.name\s*=\s*[\"']([^\"']+)[\"']")


@dataclass(slots=True)
class Catalog:
    """A version catalog: accessor of a library or plugin → (name, version)."""

    libraries: dict[str, tuple[str, str]] = field(default_factory=dict)
    plugins: dict[str, tuple[str, str]] = field(default_factory=dict)
    bundles: dict[str, list[str]] = field(default_factory=dict)


def read(tree: Tree) -> list[Package]:
    folders = gradle_projects(tree)
    files = {dirname(path): path for path in reversed(tree.named(*BUILDS))}
    for settings in tree.named(*SETTINGS):
        files.setdefault(dirname(settings), settings)
    for path in (*tree.with_suffix(".gradle.kts"), *tree.with_suffix(".gradle")):  # some name them for their module
        folder = dirname(path)
        if folder not in files and basename(path).partition(".")[0] == basename(folder):
            files[folder] = path
    names = {dirname(path): named[1] for path in tree.named(*SETTINGS) if (named := _ROOT_NAME.search(tree.text(path)))}
    catalogs: dict[str, Catalog] = {}
    for path in tree.with_suffix(".versions.toml"):
        above = dirname(dirname(path)) if basename(dirname(path)) == "gradle" else dirname(path)
        _into(catalogs.setdefault(above, Catalog()), tree, path)
    packages = []
    for folder, path in sorted(files.items()):
        root = next((up for up in upwards(folder) if up in folders), "")
        known = folders.get(root, {})
        catalog = next((catalogs[up] for up in upwards(folder) if up in catalogs), Catalog())
        variables = _variables(tree, [files[up] for up in upwards(folder) if up in files], folder)
        lock = join(folder, "gradle.lockfile")
        locked = _locked(tree.text(lock)) if tree.has(lock) else {}
        found: dict[tuple[str, str], Requirement] = {}
        for one in _requirements(tree, path, catalog, variables, known, files):
            version, line = locked.get(one.name, ("", 0))
            found.setdefault(
                (one.name, one.group),
                Requirement(one.name, one.wanted, one.group, one.manifest, one.line, version, one.local, line),
            )
        members = (
            sorted({files[place] for place in known.values() if place in files}) if root == folder and folder in folders else []
        )
        name = names.get(folder) or next((project.rpartition(":")[2] for project, place in known.items() if place == folder), "")
        packages.append(
            Package(
                folder, name or basename(folder), variables.get("version", ""), "gradle", path, lock if locked else "",
                tuple(found.values()), tuple(members),
            )
        )  # fmt: skip
    return packages


def _requirements(
    tree: Tree,
    path: str,
    catalog: Catalog,
    variables: Mapping[str, str],
    projects: Mapping[str, str],
    files: Mapping[str, str],
) -> Iterator[Requirement]:
    text = without_comments(tree.text(path))
    accessors = {gradle_accessor(project): place for project, place in projects.items()}
    for found in _STATED.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        group = _group(found["how"])
        if found["coordinates"]:
            parts = _filled(found["coordinates"], variables).split(":")
            if len(parts) >= 2 and all(parts[:2]):
                version = parts[2].partition("@")[0] if len(parts) > 2 else ""
                yield Requirement(":".join(parts[:2]), "" if "$" in version else version, group, path, line)
        elif found["group"]:
            version = _filled(found["version"] or "", variables)
            version = variables.get(version, version if version[:1].isdigit() else "")
            yield Requirement(f"{found['group']}:{found['name']}", version, group, path, line)
        elif found["catalog"]:
            accessor = found["catalog"].removeprefix("libs.")
            names = catalog.bundles.get(accessor.removeprefix("bundles."), []) if accessor.startswith("bundles.") else [accessor]
            for name in names:
                if name in catalog.libraries:
                    library, version = catalog.libraries[name]
                    yield Requirement(library, version, group, path, line)
        else:
            place = projects.get(":" + found["project"].strip(":")) if found["project"] else accessors.get(found["accessor"])
            if place is not None and place in files and files[place] != path:
                yield Requirement((found["project"] or found["accessor"]).strip(":."), "", group, path, line, local=files[place])
    for found in _KOTLIN.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield Requirement(f"org.jetbrains.kotlin:kotlin-{found[2]}", found[3] or "", _group(found[1]), path, line)
    for found in _PLUGIN.finditer(text):
        name = found["id"] or found["applied"] or found["applying"] or ""
        version = _filled(found["version"] or "", variables)
        if found["kotlin"]:
            name = f"org.jetbrains.kotlin.{found['module']}"
        elif found["alias"]:
            name, version = catalog.plugins.get(found["alias"].removeprefix("libs.plugins."), ("", ""))
        if "." in name:  # the others come with Gradle
            yield Requirement(name, version, BUILD, path, text.count("\n", 0, found.start()) + 1)


def _group(configuration: str) -> str:
    low = configuration.lower()
    if "test" in low:
        return DEV
    return (
        BUILD if low.startswith(("kapt", "ksp", "annotationprocessor", "classpath", "detekt", "errorprone", "lint")) else RUNTIME
    )


def _variables(tree: Tree, files: list[str], folder: str) -> dict[str, str]:
    """Names bound to plain versions, in the build files and gradle.properties from here up; the nearest wins."""
    found: dict[str, str] = {}
    for up in reversed(list(upwards(folder))):
        if tree.has(path := join(up, "gradle.properties")):
            for row in tree.text(path).split("\n"):
                key, equals, value = row.partition("=")
                if equals and not key.lstrip().startswith(("#", "!")):
                    found[key.strip()] = value.strip()
    for path in reversed(files):
        text = tree.text(path)
        for pattern in (_ASSIGNED, _EXTRA):
            found.update({name.rpartition(".")[2]: value for name, value in pattern.findall(text)})
    return found


def _filled(text: str, variables: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda found: variables.get(found[1]) or variables.get(found[1].rpartition(".")[2]) or found[0], text)


def _into(catalog: Catalog, tree: Tree, path: str) -> None:
    text = tree.text(path)
    stated, wrong, line = toml_table(text)
    if stated is None:
        tree.wrong(path, wrong, line)
        return
    versions = {name: _version(one, {}) for name, one in _table(stated, "versions").items()}
    for name, one in _table(stated, "libraries").items():
        if isinstance(one, str):
            parts = one.split(":")
            catalog.libraries[_accessor(name)] = (":".join(parts[:2]), parts[2] if len(parts) > 2 else "")
        elif isinstance(one, dict):
            module = one.get("module") or f"{one.get('group')}:{one.get('name')}"
            catalog.libraries[_accessor(name)] = (str(module), _version(one.get("version"), versions))
    for name, one in _table(stated, "plugins").items():
        if isinstance(one, str):
            catalog.plugins[_accessor(name)] = (one.partition(":")[0], one.partition(":")[2])
        elif isinstance(one, dict):
            catalog.plugins[_accessor(name)] = (str(one.get("id") or ""), _version(one.get("version"), versions))
    for name, listed in _table(stated, "bundles").items():
        catalog.bundles[_accessor(name)] = [_accessor(str(one)) for one in listed] if isinstance(listed, list) else []


def _accessor(name: str) -> str:
    return re.sub(r"[-_]", ".", name)


def _version(one: Any, versions: Mapping[str, str]) -> str:
    if isinstance(one, str):
        return one
    if isinstance(one, dict):
        if isinstance(ref := one.get("ref"), str):
            return versions.get(ref, "")
        return str(one.get("strictly") or one.get("require") or one.get("prefer") or "")
    return ""


def _table(stated: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = stated.get(key)
    return found if isinstance(found, dict) else {}


def _locked(text: str) -> dict[str, tuple[str, int]]:
    found = {}
    for line, row in enumerate(text.split("\n"), 1):
        parts = row.partition("=")[0].split(":")
        if len(parts) == 3 and row[0] != "#":
            found[f"{parts[0]}:{parts[1]}"] = (parts[2], line)
    return found
