"""sbt: libraryDependencies as people write them, and plugins. A build is a program and is not run."""

from __future__ import annotations

import re
from posixpath import dirname

from idumb_brain.model.project import BUILD, DEV, RUNTIME, Package, Requirement
from idumb_brain.scan.manifests.tree import Tree
from idumb_brain.scan.resolve.jvm_build import without_comments

_LIBRARY = re.compile(r"\"([\w.-]+)\"\s*%(?:%%?)?\s*\"([\w.-]+)\"\s*%\s*(?:\"([^\"]+)\"|([\w.]+))(?:\s*%\s*\"?(\w+)\"?)?")
_PLUGIN = re.compile(r"\baddSbtPlugin\s*\(\s*\"([\w.-]+)\"\s*%\s*\"([\w.-]+)\"\s*%\s*(?:\"([^\"]+)\"|(\w+))")
_NAMED = re.compile(r"\b(?:val|def)\s+(\w+)(?:\s*:\s*String)?\s*=\s*\"([^\"]+)\"")
_NAME = re.compile(r"^\s*(?:ThisBuild\s*/\s*)?name\s*:=\s*\"([^\"]+)\"", re.MULTILINE)
_VERSION = re.compile(r"^\s*(?:ThisBuild\s*/\s*)?version\s*:=\s*\"([^\"]+)\"", re.MULTILINE)


def read(tree: Tree) -> list[Package]:
    packages = []
    for path in tree.named("build.sbt"):
        folder = dirname(path)
        prefix = folder + "/project/" if folder else "project/"
        files = [path] + [
            one
            for one in (*tree.with_suffix(".sbt"), *tree.with_suffix(".scala"))
            if one.startswith(prefix) and one.count("/") == prefix.count("/")
        ]
        texts = {one: without_comments(tree.text(one)) for one in files}
        values = dict(pair for text in texts.values() for pair in _NAMED.findall(text))
        found: dict[tuple[str, str], Requirement] = {}
        for one, text in texts.items():
            for plugin in _PLUGIN.finditer(text):
                name = f"{plugin[1]}:{plugin[2]}"
                wanted = plugin[3] or values.get(plugin[4], "")
                found.setdefault((name, BUILD), Requirement(name, wanted, BUILD, one, text.count("\n", 0, plugin.start()) + 1))
            for library in _LIBRARY.finditer(text):
                name = f"{library[1]}:{library[2]}"
                if (name, BUILD) in found:
                    continue
                wanted = library[3] or values.get(library[4].rpartition(".")[2], "")
                group = DEV if (library[5] or "").lower() in ("test", "it", "integrationtest") else RUNTIME
                found.setdefault((name, group), Requirement(name, wanted, group, one, text.count("\n", 0, library.start()) + 1))
        named, version = _NAME.search(texts[path]), _VERSION.search(texts[path])
        packages.append(
            Package(folder, named[1] if named else "", version[1] if version else "", "sbt", path, "", tuple(found.values()))
        )
    return packages
