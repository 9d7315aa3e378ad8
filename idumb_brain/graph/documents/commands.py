"""Commands a document has its reader run, against the manifests that would have to know them. Runs none of them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from idumb_brain.graph.documents.ground import Ground
from idumb_brain.graph.documents.manifests import Manifests
from idumb_brain.graph.documents.sites import Site
from idumb_brain.model.documents import MISSING_COMMAND, OLD_VERSION, Document, Said, Stale

_PARTS = re.compile(r"\s*(?:&&|\|\||;|\|)\s*")
_WORD = re.compile(r"[A-Za-z_][\w.:/-]*")
_PLACEHOLDER = re.compile(r"[<>\[\]{}$*]|\.\.\.|^(?:your|my|foo|bar|example|script|target|task|name)", re.I)
_VARIABLE = re.compile(r"^\w+=")
_PACKAGE = re.compile(r"(@?[\w./-]+)(?:==|@)v?(\d+\.\d+\.\d+)$")
_INSTALLS = {"pip": "install", "pip3": "install", "npm": "install", "yarn": "add", "pnpm": "add", "uv": "add"}


@dataclass(frozen=True, slots=True)
class _Asked:
    """One thing a command line names that has to be there."""

    runner: str
    name: str
    there: bool
    where: str


class Commands:
    def __init__(self, ground: Ground, manifests: Manifests) -> None:
        self._ground = ground
        self._manifests = manifests

    def missing(self, path: str, document: Document, site: Site | None) -> Iterable[Stale]:
        """Scripts, targets and modules nobody defines. Believed only where the same document names others that are defined:
        then it is about this project, and not about one its reader is going to make."""
        if site is not None:
            return
        asked = [(said, one) for said in self._said(document) for one in self._asked(said.text)]
        for said, one in asked:
            if one.there or _PLACEHOLDER.search(one.name):
                continue
            if one.runner == "python -m" or any(other.there and other.runner == one.runner for _, other in asked):
                yield Stale(said.line, MISSING_COMMAND, f"{one.runner} {one.name}", one.where)
        for said in document.commands:
            yield from self._pinned(said)

    def _said(self, document: Document) -> Iterator[Said]:
        yield from document.commands
        for said in document.code:
            if " " in said.text:
                yield said

    def _asked(self, line: str) -> Iterator[_Asked]:
        for part in _PARTS.split(line):
            try:
                words = shlex.split(part, comments=True)
            except ValueError:
                continue
            while words and (
                _VARIABLE.match(words[0])
                or words[0] in ("sudo", "time", "env", "exec", "uv", "poetry", "pdm", "pipenv", "rye", "hatch", "run")
            ):
                words.pop(0)
            if len(words) > 1 and (one := self._one(words)):
                yield one

    def _one(self, words: list[str]) -> _Asked | None:
        runner, rest = words[0], words[1:]
        manifests = self._manifests
        if runner in ("npm", "pnpm", "yarn", "bun") and rest[0] in ("run", "run-script") and len(rest) > 1:
            return self._script(
                f"{runner} run", _first(rest[1:]), manifests.npm_scripts, "no package.json of the project has this script"
            )
        if (
            runner == "make"
            and manifests.make_targets is not None
            and not any(word.startswith(("-C", "-f", "--directory", "--file")) for word in rest)
        ):
            return self._script(
                "make",
                _first(word for word in rest if "=" not in word),
                manifests.make_targets,
                "no makefile of the project has this target",
            )
        if runner == "just" and manifests.just_recipes is not None and not rest[0].startswith("-"):
            return self._script("just", rest[0], manifests.just_recipes, "the justfile has no such recipe")
        if runner == "task" and manifests.tasks is not None and not rest[0].startswith("-"):
            return self._script("task", rest[0], manifests.tasks, "the Taskfile has no such task")
        if runner == "composer" and rest[0] in ("run", "run-script") and len(rest) > 1:
            return self._script(
                "composer run", _first(rest[1:]), manifests.composer_scripts, "no composer.json of the project has this script"
            )
        if runner == "cargo" and rest[0] in ("run", "test", "build", "bench"):
            for option in ("--bin", "--example"):
                if option in rest[:-1]:
                    return self._script(
                        f"cargo {rest[0]} {option}",
                        rest[rest.index(option) + 1],
                        manifests.cargo_targets,
                        "no package of the project has it",
                    )
        if re.fullmatch(r"python(?:3(?:\.\d+)?)?", runner) and rest[0] == "-m" and len(rest) > 1:
            return self._module(rest[1])
        return None

    def _script(self, runner: str, name: str, known: Container[str], where: str) -> _Asked | None:
        return _Asked(runner, name, name in known, where) if _WORD.fullmatch(name) else None

    def _module(self, name: str) -> _Asked | None:
        """A module below a package of this project; others are somebody else's."""
        parts = name.split(".")
        tops = [path for path in self._ground.named(parts[0]) if f"{path}/__init__.py" in self._ground.lines]
        if len(parts) < 2 or not tops:
            return None
        inner = "/".join(parts[1:])
        there = any(
            self._ground.find(f"{top}/{inner}{end}")
            for top in tops
            for end in (".py", "/__main__.py", "/__init__.py", ".pyx", "")
        )
        return _Asked("python -m", name, there, f"{tops[0]} has no module {'.'.join(parts[1:])}")

    def _pinned(self, said: Said) -> Iterable[Stale]:
        words = said.text.split()
        if len(words) < 3 or _INSTALLS.get(words[0]) != words[1]:
            return
        for word in words[2:]:
            found = _PACKAGE.fullmatch(word.strip("'\""))
            if found and (own := self._manifests.own_versions.get(found[1])):
                version, manifest = own
                if tuple(map(int, found[2].split("."))) < version:
                    yield Stale(said.line, OLD_VERSION, word, f"{manifest} is at {'.'.join(map(str, version))}")


def _first(words: Iterable[str]) -> str:
    return next((word for word in words if not word.startswith("-")), "")
