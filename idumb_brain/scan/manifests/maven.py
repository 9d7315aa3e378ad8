"""Maven: pom.xml files with what they inherit from parents that are in the project. Knows nothing of parents that are not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from posixpath import dirname

from idumb_brain.model.project import BUILD, DEV, OPTIONAL, RUNTIME, Package, Requirement
from idumb_brain.scan.manifests.tree import Tree, beside
from idumb_brain.scan.manifests.xml import Node, xml_tree

_PROPERTY = re.compile(r"\$\{([^}]+)\}")
_SCOPES = {"test": DEV, "provided": RUNTIME, "system": RUNTIME, "runtime": RUNTIME, "compile": RUNTIME, "import": BUILD}


@dataclass(slots=True)
class _Pom:
    path: str
    root: Node
    parent: _Pom | None = None

    def value(self, name: str) -> str:
        name = {"pom.version": "project.version", "version": "project.version"}.get(name, name)
        if name == "project.version":
            return self.version
        if name == "project.groupId":
            return self.group
        if name == "project.parent.version":
            return self.root.said("parent", "version")
        for profile in (self.root, *self.root.all("profiles", "profile")):
            if found := profile.said("properties", name):
                return found
        return self.parent.value(name) if self.parent else ""

    def filled(self, text: str, unknown: tuple[str, ...] = ()) -> str:
        """With its properties put in; "" when one of them is not known."""
        for _ in range(5):
            found = _PROPERTY.search(text)
            if not found:
                return text
            value = "" if found[1] in unknown else self.value(found[1])
            if not value:
                return ""
            text = text.replace(found[0], value)
        return ""

    @property
    def group(self) -> str:
        return self.root.said("groupId") or self.root.said("parent", "groupId")

    @property
    def version(self) -> str:
        stated = self.root.said("version") or self.root.said("parent", "version")
        return self.filled(stated, ("project.version", "pom.version", "version"))

    @property
    def key(self) -> str:
        return f"{self.group}:{self.root.said('artifactId')}"

    def managed(self, key: str) -> str:
        for node in self.root.all("dependencyManagement", "dependencies", "dependency"):
            if self.filled(f"{node.said('groupId')}:{node.said('artifactId')}") == key:
                return self.filled(node.said("version"))
        return self.parent.managed(key) if self.parent else ""

    def managed_plugin(self, key: str) -> str:
        for node in self.root.all("build", "pluginManagement", "plugins", "plugin"):
            if f"{node.said('groupId') or 'org.apache.maven.plugins'}:{node.said('artifactId')}" == key:
                return self.filled(node.said("version"))
        return self.parent.managed_plugin(key) if self.parent else ""


def read(tree: Tree) -> list[Package]:
    poms: dict[str, _Pom] = {}
    for path in tree.named("pom.xml"):
        root, wrong, line = xml_tree(tree.text(path))
        if root is None:
            tree.wrong(path, wrong, line)
        elif root.tag == "project":
            poms[path] = _Pom(path, root)
    for path, pom in poms.items():
        if (above := pom.root.child("parent")) is None:
            continue
        place = above.said("relativePath") or "../pom.xml"
        place = place if place.endswith(".xml") else place.rstrip("/") + "/pom.xml"
        parent = poms.get(beside(path, place))
        if parent is not None and parent is not pom and parent.root.said("artifactId") == above.said("artifactId"):
            pom.parent = parent
    for pom in poms.values():  # parents in a circle are nobody's parents
        seen, one = set(), pom
        while one.parent is not None:
            seen.add(one.path)
            if one.parent.path in seen:
                one.parent = None
                break
            one = one.parent
    known = {pom.key: path for path, pom in poms.items()}
    return [_package(pom, known, poms) for pom in poms.values()]


def _package(pom: _Pom, known: dict[str, str], poms: dict[str, _Pom]) -> Package:
    found: dict[tuple[str, str], Requirement] = {}

    def add(key: str, wanted: str, group: str, line: int) -> None:
        if key and not key.startswith(":"):
            found.setdefault((key, group), Requirement(key, wanted, group, pom.path, line, local=known.get(key, "")))

    above = pom.root.child("parent")
    if above is not None:
        add(f"{above.said('groupId')}:{above.said('artifactId')}", pom.filled(above.said("version")), BUILD, above.line)
    for node in pom.root.all("dependencyManagement", "dependencies", "dependency"):
        if node.said("scope") == "import":
            add(
                pom.filled(f"{node.said('groupId')}:{node.said('artifactId')}"),
                pom.filled(node.said("version")),
                BUILD,
                node.line,
            )
    for place in (pom.root, *pom.root.all("profiles", "profile")):
        for node in place.all("dependencies", "dependency"):
            key = pom.filled(f"{node.said('groupId')}:{node.said('artifactId')}")
            group = OPTIONAL if node.said("optional") == "true" else _SCOPES.get(node.said("scope"), RUNTIME)
            add(key, pom.filled(node.said("version")) or pom.managed(key), group, node.line)
        for tags in (("plugins", "plugin"), ("extensions", "extension")):
            for node in place.all("build", *tags):
                key = f"{node.said('groupId') or 'org.apache.maven.plugins'}:{node.said('artifactId')}"
                add(pom.filled(key), pom.filled(node.said("version")) or pom.managed_plugin(key), BUILD, node.line)
    members = []
    for place in (pom.root, *pom.root.all("profiles", "profile")):
        for node in (*place.all("modules", "module"), *place.all("subprojects", "subproject")):
            path = beside(pom.path, node.text if node.text.endswith(".xml") else node.text + "/pom.xml")
            if path in poms:
                members.append(path)
    return Package(
        dirname(pom.path), pom.key, pom.version, "maven", pom.path, "", tuple(found.values()), tuple(dict.fromkeys(members))
    )
