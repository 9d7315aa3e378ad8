"""What manifests promise that documents talk about: scripts, targets, modules, least versions. A broken manifest promises nothing."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from idumb_brain.graph.documents.ground import Ground, folders_above

Version = tuple[int, ...]

_TARGET = re.compile(r"^([A-Za-z0-9_./%$(){}-][^:=#\n\t]*?)\s*::?(?!=)", re.MULTILINE)
_RECIPE = re.compile(r"^@?([a-zA-Z_][\w-]*)(?:\s+[^:=\n]*)?:(?!=)|^alias\s+([\w-]+)\s*:=", re.MULTILINE)
_TASK = re.compile(r"^  (['\"]?)([\w:.*-]+)\1:\s*(?:#.*)?$", re.MULTILINE)
_LEAST = re.compile(r"(?:>=|\^|~>|~=|~|>|==)?\s*v?(\d+(?:\.\d+){0,2})")


class Manifests:
    """All manifests of a project, read when first asked for."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._read: dict[str, dict[str, Any]] = {}

    @cached_property
    def npm_scripts(self) -> frozenset[str]:
        found: set[str] = set()
        for path in self._named("package.json"):
            scripts = self._json(path).get("scripts")
            found.update(scripts if isinstance(scripts, dict) else ())
        for name in ("deno.json", "deno.jsonc"):
            for path in self._named(name):
                tasks = self._json(path).get("tasks")
                found.update(tasks if isinstance(tasks, dict) else ())
        return frozenset(found)

    @cached_property
    def composer_scripts(self) -> frozenset[str]:
        found: set[str] = set()
        for path in self._named("composer.json"):
            scripts = self._json(path).get("scripts")
            found.update(scripts if isinstance(scripts, dict) else ())
        return frozenset(found)

    @cached_property
    def make_targets(self) -> frozenset[str] | None:
        """None where some targets cannot be known: generated or included makefiles, patterns, variables."""
        files = [p for p in self._ground.lines if re.search(r"(?:^|/)(?:GNUm|[Mm])akefile$|\.(?:mk|mak|make)$", p)]
        unknowable = (
            "CMakeLists.txt",
            "configure.ac",
            "Makefile.am",
            "Makefile.in",
            "Makefile.PL",
            "configure",
            "meson.build",
            "conf.py",
            "BSDmakefile",
        )
        if not files or any(self._named(name) for name in unknowable):
            return None
        found: set[str] = set()
        for path in files:
            text = self._ground.text(path).replace("\\\n", " ")
            if re.search(r"^%:|^\S*%\S*\s*:|\$\(eval|^[^\t#=]*\$[({][^=\n]*:(?!=)", text, re.MULTILINE):
                return None
            for line in re.findall(r"^-?s?include\s+(.+)$", text, re.MULTILINE):
                if any("$" in part or "*" in part or not self._ground.named(part.rpartition("/")[2]) for part in line.split()):
                    return None
            for target in _TARGET.findall(text):
                found.update(target.split())
            for line in re.findall(r"^\.PHONY\s*:(.*)$", text, re.MULTILINE):
                found.update(line.split())
        return frozenset(found)

    @cached_property
    def just_recipes(self) -> frozenset[str] | None:
        files = [
            p for p in self._ground.lines if p.rpartition("/")[2].lower() in ("justfile", ".justfile") or p.endswith(".just")
        ]
        if not files:
            return None
        texts = [self._ground.text(path) for path in files]
        if any(re.search(r"^(?:import|mod)\b", text, re.MULTILINE) for text in texts):
            return None
        return frozenset(name for text in texts for pair in _RECIPE.findall(text) for name in pair if name)

    @cached_property
    def tasks(self) -> frozenset[str] | None:
        files = [p for p in self._ground.lines if re.fullmatch(r"taskfile(\.dist)?\.ya?ml", p.rpartition("/")[2].lower())]
        if not files or any(re.search(r"^includes:", self._ground.text(path), re.MULTILINE) for path in files):
            return None
        return frozenset(name for path in files for _, name in _TASK.findall(self._ground.text(path)))

    @cached_property
    def cargo_packages(self) -> frozenset[str]:
        rows = (self._toml(path).get("package") for path in self._named("Cargo.toml"))
        return frozenset(str(row.get("name")) for row in rows if isinstance(row, dict))

    @cached_property
    def cargo_targets(self) -> frozenset[str]:
        found = set(self.cargo_packages)
        for path in self._named("Cargo.toml"):
            for kind in ("bin", "example", "bench", "test"):
                rows = self._toml(path).get(kind)
                if isinstance(rows, list):
                    found.update(str(row.get("name")) for row in rows if isinstance(row, dict))
        for path in self._ground.lines:
            if part := re.search(r"(?:^|/)(?:src/bin|examples|benches|tests)/([\w-]+)(?:\.rs|/main\.rs)$", path):
                found.add(part[1])
        return frozenset(found)

    @cached_property
    def own_versions(self) -> dict[str, tuple[Version, str]]:
        """name → (version, manifest) of the packages of this project whose version is a plain one."""
        found: dict[str, tuple[Version, str]] = {}
        for manifest, below in (("package.json", ""), ("pyproject.toml", "project"), ("Cargo.toml", "package")):
            for path in self._named(manifest):
                stated = self._toml(path).get(below) if below else self._json(path)
                name, version = (stated.get("name"), stated.get("version")) if isinstance(stated, dict) else ("", "")
                if (
                    isinstance(name, str)
                    and isinstance(version, str)
                    and re.fullmatch(r"\d+\.\d+\.\d+", version)
                    and version != "0.0.0"
                ):
                    found[name] = (parsed(version), path)
        return found

    def least(self, tool: str, document: str) -> tuple[Version, str] | None:
        """(least version, manifest) of a language that the manifest nearest to a document asks for."""
        for folder in folders_above(document):
            if folder.rpartition("/")[2] in ("docs", "doc", "website", "site", "www"):
                continue  # what builds the documentation is not what it is about
            paths = [(f"{folder}/{name}" if folder else name, read) for name, read in _LEAST_OF.get(tool, ())]
            present = [(path, read) for path, read in paths if path in self._ground.lines]
            for path, read in present:
                stated = read(self, path)
                found = _LEAST.match(stated.strip())
                if found and "<" not in stated.split(",")[0]:
                    return parsed(found[1]), path
            if present:
                return None
        return None

    def _pyproject(self, path: str) -> str:
        stated = self._toml(path)
        project, poetry = (
            stated.get("project"),
            (stated.get("tool") or {}).get("poetry") if isinstance(stated.get("tool"), dict) else None,
        )
        if isinstance(project, dict) and isinstance(project.get("requires-python"), str):
            return str(project["requires-python"])
        wanted = (
            poetry.get("dependencies", {}).get("python")
            if isinstance(poetry, dict) and isinstance(poetry.get("dependencies"), dict)
            else None
        )
        return wanted if isinstance(wanted, str) else ""

    def _setup(self, path: str) -> str:
        found = re.search(r"python_requires\s*=\s*[\"']?\s*(>=\s*[\d.]+)", self._ground.text(path))
        return found[1] if found else ""

    def _engines(self, path: str) -> str:
        engines = self._json(path).get("engines")
        wanted = engines.get("node") if isinstance(engines, dict) else None
        return wanted if isinstance(wanted, str) and "||" not in wanted else ""

    def _go(self, path: str) -> str:
        found = re.search(r"^go\s+(\d+\.\d+(?:\.\d+)?)\s*$", self._ground.text(path), re.MULTILINE)
        return found[1] if found else ""

    def _rust(self, path: str) -> str:
        package = self._toml(path).get("package")
        wanted = package.get("rust-version") if isinstance(package, dict) else None
        return wanted if isinstance(wanted, str) else ""

    def _php(self, path: str) -> str:
        require = self._json(path).get("require")
        wanted = require.get("php") if isinstance(require, dict) else None
        return wanted if isinstance(wanted, str) and "|" not in wanted else ""

    def _named(self, name: str) -> Iterable[str]:
        return [path for path in self._ground.named(name) if path in self._ground.lines and path.endswith(name)]

    def _json(self, path: str) -> dict[str, Any]:
        if path not in self._read:
            try:
                stated = json.loads(self._ground.text(path))
            except ValueError:
                stated = {}
            self._read[path] = stated if isinstance(stated, dict) else {}
        return self._read[path]

    def _toml(self, path: str) -> dict[str, Any]:
        if path not in self._read:
            try:
                self._read[path] = tomllib.loads(self._ground.text(path))
            except tomllib.TOMLDecodeError:
                self._read[path] = {}
        return self._read[path]


def parsed(version: str) -> Version:
    return tuple(int(part) for part in version.split("."))


_LEAST_OF = {
    "python": (("pyproject.toml", Manifests._pyproject), ("setup.cfg", Manifests._setup), ("setup.py", Manifests._setup)),
    "node": (("package.json", Manifests._engines),),
    "go": (("go.mod", Manifests._go),),
    "rust": (("Cargo.toml", Manifests._rust),),
    "php": (("composer.json", Manifests._php),),
}
