"""NuGet: project files of .NET, central package versions, the files that apply to a folder, solutions, lock files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import basename, dirname, join

from idumb_brain.model.project import DEV, RUNTIME, Package, Requirement
from idumb_brain.scan.manifests.tree import Tree, beside, upwards
from idumb_brain.scan.manifests.xml import Node, xml_tree

PROJECTS = (".csproj", ".fsproj", ".vbproj")
_PROPERTY = re.compile(r"\$\(([\w.]+)\)")
_SLN_PROJECT = re.compile(r'^Project\("[^"]*"\)\s*=\s*"[^"]*"\s*,\s*"([^"]+\.\w+proj)"', re.MULTILINE)
_SLNX_PROJECT = re.compile(r'<Project\b[^>]*\bPath="([^"]+\.\w+proj)"')


def read(tree: Tree) -> list[Package]:
    reader = _Reader(tree)
    projects = [path for suffix in PROJECTS for path in tree.with_suffix(suffix)]
    packages = [made for path in projects if (made := reader.package(path))]
    known = {package.manifest for package in packages}
    for path in (*tree.with_suffix(".sln"), *tree.with_suffix(".slnx")):
        pattern = _SLNX_PROJECT if path.endswith("x") else _SLN_PROJECT
        members = sorted({beside(path, place) for place in pattern.findall(tree.text(path))} & known)
        if members:
            name = basename(path).rpartition(".")[0]
            packages.append(Package(dirname(path), name, "", "nuget", path, "", members=tuple(members), private=True))
    return packages


class _Reader:
    """Shared files are read once for all projects below them."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._roots: dict[str, Node | None] = {}

    def package(self, path: str) -> Package | None:
        root = self._root(path)
        if root is None:
            return None
        folder = dirname(path)
        shared = [place for up in upwards(folder) if (place := join(up, "Directory.Build.props")) in self._tree]
        shared = [
            *shared[:1],
            *(place for up in upwards(folder) if (place := join(up, "Directory.Build.targets")) in self._tree),
        ][:2]
        central = next((place for up in upwards(folder) if (place := join(up, "Directory.Packages.props")) in self._tree), "")
        properties: dict[str, str] = {}
        for file in (*shared, *((central,) if central else ()), path):
            properties.update(self._properties(file))
        versions = self._central(central, properties)
        lock = join(folder, "packages.lock.json")
        locked = self._locked(lock) if self._tree.has(lock) else {}
        found: dict[str, Requirement] = {}
        for file in (path, *shared, *((central,) if central else ())):
            for node in self._nodes(file):
                tag = node.tag
                if tag not in ("PackageReference", "GlobalPackageReference", "ProjectReference"):
                    continue
                for include in node.attributes.get("Include", "").split(";"):
                    include = _filled(include.strip(), properties)
                    if not include:
                        continue
                    if tag == "ProjectReference":
                        other = beside(file, include)
                        name = basename(other).rpartition(".")[0]
                        local = other if other in self._tree else ""
                        found.setdefault(name, Requirement(name, "", RUNTIME, file, node.line, local=local))
                        continue
                    said = node.attributes.get("VersionOverride") or node.attributes.get("Version") or node.said("Version")
                    wanted = _filled(said, properties) or versions.get(include.lower(), "")
                    private = (node.attributes.get("PrivateAssets") or node.said("PrivateAssets")).lower() == "all"
                    version, line = locked.get(include.lower(), ("", 0))
                    found.setdefault(
                        include, Requirement(include, wanted, DEV if private else RUNTIME, file, node.line, version, "", line)
                    )
        for one in self._packages_config(join(folder, "packages.config")):
            found.setdefault(one.name, one)
        name = properties.get("PackageId") or properties.get("AssemblyName") or basename(path).rpartition(".")[0]
        return Package(
            path=folder,
            name=_filled(name, properties) or basename(path).rpartition(".")[0],
            version=_filled(properties.get("Version") or properties.get("VersionPrefix") or "", properties),
            ecosystem="nuget",
            manifest=path,
            lock=lock if locked else "",
            requirements=tuple(found.values()),
            private=properties.get("IsPackable", "").lower() == "false",
        )

    def _root(self, path: str) -> Node | None:
        if path not in self._roots:
            root, wrong, line = xml_tree(self._tree.text(path))
            if root is None:
                self._tree.wrong(path, wrong, line)
            self._roots[path] = root
        return self._roots[path]

    def _nodes(self, path: str) -> Iterator[Node]:
        root = self._root(path)
        return root.walk() if root else iter(())

    def _properties(self, path: str) -> dict[str, str]:
        root = self._root(path)
        found: dict[str, str] = {}
        for group in root.all("PropertyGroup") if root else ():
            for node in group.children:
                if node.text and not node.children and "Condition" not in node.attributes:
                    found[node.tag] = node.text
        return found

    def _central(self, path: str, properties: dict[str, str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for node in self._nodes(path) if path else ():
            if node.tag in ("PackageVersion", "GlobalPackageReference"):
                name = node.attributes.get("Include") or node.attributes.get("Update") or ""
                found.setdefault(name.lower(), _filled(node.attributes.get("Version") or node.said("Version"), properties))
        return found

    def _locked(self, path: str) -> dict[str, tuple[str, int]]:
        text = self._tree.text(path)
        found: dict[str, tuple[str, int]] = {}
        frameworks = self._tree.json(path).get("dependencies")
        for table in frameworks.values() if isinstance(frameworks, dict) else ():
            for name, one in table.items() if isinstance(table, dict) else ():
                if isinstance(one, dict) and isinstance(version := one.get("resolved"), str):
                    found.setdefault(name.lower(), (version, text.count("\n", 0, max(text.find(f'"{name}": {{'), 0)) + 1))
        return found

    def _packages_config(self, path: str) -> Iterator[Requirement]:
        for node in self._nodes(path) if path in self._tree else ():
            if node.tag == "package" and node.attributes.get("id"):
                group = DEV if node.attributes.get("developmentDependency") == "true" else RUNTIME
                version = node.attributes.get("version", "")
                yield Requirement(node.attributes["id"], version, group, path, node.line, locked=version, locked_line=node.line)


def _filled(text: str, properties: dict[str, str]) -> str:
    """With properties put in; "" when one is not known."""
    for _ in range(5):
        found = _PROPERTY.search(text)
        if not found:
            return text
        if found[1] not in properties:
            return ""
        text = text.replace(found[0], properties[found[1]])
    return ""
