"""Build files of Gradle, Maven and sbt to modules: which folder sees which, and what comes from elsewhere. Runs no build.

A build file is a program; what is read here are the forms people write by hand. A dependency stated in any other way
is not seen, and then names decide alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from posixpath import join, normpath
from typing import NamedTuple
from xml.etree import ElementTree

from idumb_brain.scan.resolve import ProjectView

BUILD_FILES = ("build.gradle", "build.gradle.kts", "pom.xml", "build.sbt")
SETTINGS = ("settings.gradle", "settings.gradle.kts")
CONFIGURATION = (*BUILD_FILES, *SETTINGS, "libs.versions.toml", "*.gradle", "*.sbt", "Dependencies.scala")


class Module(NamedTuple):
    folder: str
    sees: tuple[str, ...] = ()  # folders of the modules it depends on, nearest first, without itself
    known: bool = False  # is there a build file at all?


class Libraries(NamedTuple):
    """What is declared to come from elsewhere."""

    groups: frozenset[str]
    artifacts: Mapping[str, str]  # artifact, and the first word of its name -> group


class Build(NamedTuple):
    module_of: Callable[[str], Module]
    libraries: Libraries


def read_build(project: ProjectView) -> Build:
    stated: dict[str, dict[str, None]] = {}  # folder of a module -> folders it depends on
    libraries: dict[str, str] = {}  # artifact -> group
    for read in (_gradle, _maven, _sbt):
        for folder, on in read(project, libraries):
            stated.setdefault(folder, {}).update(dict.fromkeys(on))
    made: dict[str, Module] = {}

    def module_of(path: str) -> Module:
        folder = path
        while folder:
            folder = folder.rpartition("/")[0]
            if folder in stated:
                break
        else:
            if "" not in stated:
                return Module("", (), False)
        if folder not in made:
            made[folder] = Module(folder, tuple(_reached(folder, stated)), True)
        return made[folder]

    words = {artifact.partition("-")[0]: group for artifact, group in reversed(libraries.items())}
    return Build(module_of, Libraries(frozenset(libraries.values()), words | libraries))


def _reached(folder: str, stated: dict[str, dict[str, None]]) -> Iterator[str]:
    waiting = list(stated[folder])
    seen = {folder}
    while waiting:
        current = waiting.pop(0)
        if current not in seen:
            seen.add(current)
            yield current
            waiting += stated.get(current, ())


_GRADLE_INCLUDE = re.compile(r"\binclude\b\s*\(?((?:\s*,?\s*[\"'][^\"']+[\"'])+)")
_GRADLE_FOLDER = re.compile(
    r"project\s*\(\s*[\"']([^\"']+)[\"']\s*\)\s*\.\s*projectDir\s*=\s*(?:new\s+File\s*\(\s*(?:settingsDir|rootDir|rootProject\.projectDir)\s*,"
    r"|(?:rootDir\s*\.\s*resolve|file|File)\s*\()\s*[\"']([^\"']+)[\"']"
)
_GRADLE_PROJECT = re.compile(r"\bproject\s*\(\s*(?:path\s*[:=]\s*)?[\"'](:?[\w:.-]+)[\"']")
_GRADLE_ACCESSOR = re.compile(r"\bprojects((?:\.\w+)+)")
_COORDINATES = re.compile(r"[\"']([A-Za-z][\w-]*(?:\.[\w-]+)*):([\w.$-]+)(?::[^\"']*)?[\"']")
_CATALOG_ENTRY = re.compile(r"\bgroup\s*=\s*[\"']([\w.-]+)[\"']\s*,\s*name\s*=\s*[\"']([\w.-]+)[\"']")
_QUOTED = re.compile(r"[\"']([^\"']+)[\"']")


def gradle_projects(project: ProjectView) -> dict[str, dict[str, str]]:
    """Root of each Gradle build → path of a project (``:core:api``) → its folder."""
    folders: dict[str, dict[str, str]] = {}
    for name in SETTINGS:
        for settings in project.named(name):
            root = settings.rpartition("/")[0]
            text = without_comments(project.text(settings))
            known = folders.setdefault(root, {})
            for listed in _GRADLE_INCLUDE.findall(text):
                for path in _QUOTED.findall(listed):
                    known[_colon(path)] = _below(root, path.strip(":").replace(":", "/"))
            for path, place in _GRADLE_FOLDER.findall(text):
                known[_colon(path)] = _below(root, place)
    return folders


def _gradle(project: ProjectView, libraries: dict[str, str]) -> Iterator[tuple[str, list[str]]]:
    folders = gradle_projects(project)
    for root, known in folders.items():
        for folder in (root, *known.values()):
            yield folder, []
    for name in ("build.gradle", "build.gradle.kts"):
        for file in project.named(name):
            folder = file.rpartition("/")[0]
            root = next((above for above in _upwards(folder) if above in folders), "")
            known = folders.get(root, {})
            text = without_comments(project.text(file))
            on = [
                known.get(_colon(path)) or _below(root, path.strip(":").replace(":", "/"))
                for path in _GRADLE_PROJECT.findall(text)
            ]
            if "projects." in text:
                accessors = {gradle_accessor(path): place for path, place in known.items()}
                on += [accessors[name] for name in _GRADLE_ACCESSOR.findall(text) if name in accessors]
            own = {path.rpartition(":")[2] for path in known}
            libraries.update((artifact, group) for group, artifact in _COORDINATES.findall(text) if artifact not in own)
            yield folder, [other for other in on if other != folder]
    for file in project.named("libs.versions.toml"):
        text = project.text(file)
        libraries.update((artifact, group) for group, artifact in _COORDINATES.findall(text))
        libraries.update((artifact, group) for group, artifact in _CATALOG_ENTRY.findall(text))


def gradle_accessor(path: str) -> str:
    """``:shop-core:api`` is ``projects.shopCore.api``."""
    return "".join("." + re.sub(r"[-_.]+(\w)", lambda found: found[1].upper(), part) for part in path.strip(":").split(":"))


def _maven(project: ProjectView, libraries: dict[str, str]) -> Iterator[tuple[str, list[str]]]:
    folder_of: dict[str, str] = {}  # artifact -> folder
    read: list[tuple[str, list[tuple[str, str]]]] = []
    for file in project.named("pom.xml"):
        folder = file.rpartition("/")[0]
        try:
            root = ElementTree.fromstring(project.text(file))
        except (ElementTree.ParseError, ValueError):
            yield folder, []  # a module all the same, though Maven could not read it either
            continue
        space = root.tag.partition("}")[0] + "}" if root.tag.startswith("{") else ""
        artifact = root.findtext(f"{space}artifactId", "").strip()
        folder_of.setdefault(artifact, folder)
        on = []
        for dependency in root.iter(f"{space}dependency"):
            group = dependency.findtext(f"{space}groupId", "").strip()
            on.append((group, dependency.findtext(f"{space}artifactId", "").strip()))
        read.append((folder, on))
    for folder, on in read:
        yield folder, [folder_of[artifact] for _, artifact in on if folder_of.get(artifact, folder) != folder]
        libraries.update((artifact, group) for group, artifact in on if artifact not in folder_of and group and "$" not in group)


_SBT_PROJECT = re.compile(
    r"^\s*(?:lazy\s+)?val\s+(`[^`]+`|\w+)\s*(?::\s*\w+\s*)?=\s*(.*?)(?=^\s*(?:lazy\s+)?val\s|^(?:def|object)\s|\Z)", re.M | re.S
)
_SBT_IN = re.compile(
    r"\bin\s*\(?\s*file\(\s*\"([^\"]+)\"|\bproject\(\s*file\(\s*\"([^\"]+)\"|Project\(\s*\"([^\"]+)\"|Project\([^)\"]*\"([^\"]+)\""
)
_SBT_IS_PROJECT = re.compile(r"\b(?:project\b|crossProject\b|projectMatrix\b|Project\()|\.dependsOn\(")
_SBT_DEPENDS = re.compile(r"\.?dependsOn\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_SBT_NAME = re.compile(r"`([^`]+)`|(?<![\w\"%.])([a-zA-Z_]\w*)(?:\.(?:jvm|js|native|JVM|value))?(?=\s*(?:%|,|$))")
_SBT_LIBRARY = re.compile(r"\"([A-Za-z][\w.-]+)\"\s*%%?%?\s*\"([\w.-]+)\"")


def _sbt(project: ProjectView, libraries: dict[str, str]) -> Iterator[tuple[str, list[str]]]:
    for file in (*project.with_suffix(".sbt"), *project.named("Dependencies.scala")):
        libraries.update((artifact, group) for group, artifact in _SBT_LIBRARY.findall(project.text(file)))
    for file in project.named("build.sbt"):
        root = file.rpartition("/")[0]
        text = without_comments(project.text(file))
        folders: dict[str, str] = {}
        depends: dict[str, list[str]] = {}
        for name, definition in _SBT_PROJECT.findall(text):
            if not _SBT_IS_PROJECT.search(definition):
                continue
            name = name.strip("`")
            place = _SBT_IN.search(definition)
            folders[name] = _below(root, next(filter(None, place.groups())) if place else name)
            depends[name] = [
                quoted or plain for listed in _SBT_DEPENDS.findall(definition) for quoted, plain in _SBT_NAME.findall(listed)
            ]
        yield root, []
        for name, folder in folders.items():
            yield folder, [folders[other] for other in depends[name] if other in folders and folders[other] != folder]


_COMMENTS = re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)


def without_comments(text: str) -> str:
    """Comments gone, lines kept: what stands where must still be told."""
    return _COMMENTS.sub(lambda found: "\n" * found[0].count("\n"), text)


def _colon(path: str) -> str:
    return ":" + path.strip(":")


def _below(root: str, place: str) -> str:
    folder = normpath(join(root, place))
    return "" if folder == "." else folder


def _upwards(folder: str) -> Iterable[str]:
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""
