"""Packages, files and imports to technologies, by the rules of ``queries/stack``. Every answer carries its evidence.

What lies only in tests, fixtures or examples is told apart (``scope``): it is not what the project is built with. A
tool for tests that only the tests declare is, though.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from posixpath import basename, dirname
from typing import NamedTuple

from idumb_brain.model.project import INDIRECT, Detection, Evidence, Package, Requirement
from idumb_brain.scan.manifests.locks import plain_version
from idumb_brain.scan.manifests.tree import Tree, upwards
from idumb_brain.scan.stack.contents import named_in
from idumb_brain.scan.stack.rules import Technology
from idumb_brain.scan.stack.scope import DOCS, EXAMPLES, FIXTURES, NEAREST_FIRST, TESTS, scope_of

MANIFEST, LOCK, CONFIG, IMPORT, CONTENT = "manifest", "lock", "config", "import", "content"
_MOST = {MANIFEST: 6, LOCK: 6, CONFIG: 6, CONTENT: 6, IMPORT: 3}  # of one kind of evidence for one detection
# Kinds that belong to the project though only its tests, or its documentation, name them.
_AT_HOME_IN = {TESTS: ("test-tool", "linter"), DOCS: ("docs-tool",)}
_FROM = {LOCK: "lock", MANIFEST: "manifest"}


class _Hit(NamedTuple):
    """Evidence with the version it gives; of several versions the one of lowest rank counts."""

    kind: str
    path: str
    line: int
    text: str
    version: str = ""
    rank: int = 99
    asked_in: str = ""  # the manifest that asks for what a lock file fixes: that decides whether it is for tests only

    @property
    def place(self) -> str:
        return self.asked_in or self.path


def detect(
    tree: Tree, packages: Sequence[Package], externals: Iterable[tuple[str, str, int]], rules: Sequence[Technology]
) -> list[Detection]:
    """What each package is built with. ``externals`` are (file, package, line) of imports from elsewhere."""
    search = _Search(tree, packages, rules)
    search.requirements()
    search.files()
    search.named()
    search.content()
    search.imports(externals)
    return search.found()


@dataclass(slots=True)
class _Patterns:
    """Names to technologies: exact ones by a table, those with a ``*`` one by one."""

    exact: dict[str, list[tuple[int, Technology]]] = field(default_factory=dict)
    loose: list[tuple[re.Pattern[str], int, Technology]] = field(default_factory=list)

    def add(self, name: str, rank: int, technology: Technology) -> None:
        if "*" in name:
            self.loose.append((_glob(name), rank, technology))
        else:
            self.exact.setdefault(name, []).append((rank, technology))

    def of(self, name: str) -> Iterator[tuple[int, Technology]]:
        yield from self.exact.get(name, ())
        for pattern, rank, technology in self.loose:
            if pattern.match(name):
                yield rank, technology


def _glob(written: str) -> re.Pattern[str]:
    out = ""
    for part in re.split(r"(\*\*/|\*)", written):
        out += {"**/": r"(?:.*/)?", "*": r"[^/]*"}.get(part, re.escape(part))
    return re.compile(out + r"\Z")


class _Search:
    def __init__(self, tree: Tree, packages: Sequence[Package], rules: Sequence[Technology]) -> None:
        self._tree = tree
        self._packages = packages
        self._rules = rules
        self._folders: dict[str, set[str]] = {}  # folder of a package -> ecosystems
        for package in packages:
            self._folders.setdefault(package.path, set()).add(package.ecosystem)
        self._own = {(package.ecosystem, package.name) for package in packages if package.name}
        self._hits: dict[tuple[str, str], list[_Hit]] = {}  # technology, package
        self._by_name = {technology.name: technology for technology in rules}

    def requirements(self) -> None:
        whole: dict[str, _Patterns] = {}
        for technology in self._rules:
            for rank, (ecosystem, name) in enumerate(technology.packages):
                whole.setdefault(ecosystem, _Patterns()).add(name, rank, technology)
            for ecosystem, name in technology.hints:
                whole.setdefault(ecosystem, _Patterns()).add(name, -1, technology)
        for package in self._packages:
            patterns = whole.get(package.ecosystem, _Patterns())
            for one in package.requirements:
                if one.group == INDIRECT or one.local or (package.ecosystem, one.name) in self._own:
                    continue
                name = _package_name(package.ecosystem, one.name)
                for rank, technology in patterns.of(name):
                    self._declared(technology, package, one, rank)
        for technology in self._rules:
            for package in self._packages:
                if package.ecosystem in technology.ecosystems:
                    self._add(technology, package.path, _Hit(MANIFEST, package.manifest, 0, ""))

    def _declared(self, technology: Technology, package: Package, one: Requirement, rank: int) -> None:
        told = f"{one.name} {one.wanted}".strip()
        gives = rank >= 0
        version = plain_version(one.wanted) if gives and not _is_elsewhere(one.wanted) else ""
        self._add(technology, package.path, _Hit(MANIFEST, one.manifest, one.line, told, version, 2 * rank + 1))
        if one.locked:
            path = package.lock or one.manifest
            told = f"{one.name} {one.locked}"
            self._add(
                technology,
                package.path,
                _Hit(LOCK, path, one.locked_line, told, _plain(one.locked) if gives else "", 2 * rank, one.manifest),
            )

    def files(self) -> None:
        names, paths, locks = _Patterns(), _Patterns(), _Patterns()
        for technology in self._rules:
            for written in technology.config:
                (paths if "/" in written else names).add(written, 0, technology)
            for written in technology.locks:
                locks.add(written, 0, technology)
        loose = re.compile("|".join(pattern.pattern for pattern, _, _ in names.loose) or r"(?!)")
        loose_paths = re.compile("|".join(pattern.pattern for pattern, _, _ in paths.loose) or r"(?!)")
        for path in self._tree.files:
            name = basename(path)
            if name in names.exact or loose.match(name):
                for _, technology in names.of(name):
                    self._add(technology, self._package_of(path, technology), _Hit(CONFIG, path, 0, ""))
            if path in paths.exact or loose_paths.match(path):
                for _, technology in paths.of(path):
                    self._add(technology, self._package_of(path, technology), _Hit(CONFIG, path, 0, ""))
        for package in self._packages:
            for name in sorted(locks.exact):
                path = f"{package.path}/{name}" if package.path else name
                if self._tree.has(path):
                    for _, technology in locks.of(name):
                        self._add(technology, package.path, _Hit(LOCK, path, 0, ""))

    def named(self) -> None:
        forms = {form: _Patterns() for form in ("images", "actions", "providers", "hooks")}
        for technology in self._rules:
            for form, patterns in forms.items():
                for name in getattr(technology, form):
                    patterns.add(name.lower(), 0, technology)
                    if form == "providers":  # ``provider "aws"`` does not say whose
                        patterns.add(f"\0/{name.rpartition('/')[2].lower()}", 0, technology)
        for one in named_in(self._tree):
            name = one.name.replace("*/", "\0/")
            for _, technology in forms[one.form].of(name):
                version = one.version if one.locked else plain_version(one.version)
                version = "" if one.form == "actions" else version
                kind = LOCK if one.locked else CONTENT
                rank = 50 if one.locked else 60
                self._add(
                    technology, self._package_of(one.path, technology), _Hit(kind, one.path, one.line, one.text, version, rank)
                )

    def content(self) -> None:
        wanted = _Patterns()
        for technology in self._rules:
            for rank, content in enumerate(technology.content):
                for written in content.files:
                    wanted.add(written if "/" in written else f"**/{written}", rank, technology)
        names: dict[str, list[tuple[int, Technology]]] = {}
        loose = []
        for pattern, rank, technology in wanted.loose:
            for written in technology.content[rank].files:
                if "*" not in written and "/" not in written:
                    row = (rank, technology)
                    if row not in names.setdefault(written, []):
                        names[written].append(row)
                elif _glob(written if "/" in written else f"**/{written}").pattern == pattern.pattern:
                    loose.append((pattern, rank, technology))
        together = re.compile("|".join(sorted({pattern.pattern for pattern, _, _ in loose})) or r"(?!)")
        for path in self._tree.files:
            rows = list(names.get(basename(path), ()))
            rows += wanted.exact.get(path, ())
            if together.match(path):
                rows += [(rank, technology) for pattern, rank, technology in loose if pattern.match(path)]
            for rank, technology in rows:
                self._look(technology, rank, path)

    def _look(self, technology: Technology, rank: int, path: str) -> None:
        text = self._tree.text(path)
        found = technology.content[rank].pattern.search(text)
        if not found:
            return
        version = found.groupdict().get("version") or ""
        line = text.count("\n", 0, found.start() + len(found[0]) - len(found[0].lstrip())) + 1
        told = " ".join(found[0].split())[:120]
        self._add(
            technology, self._package_of(path, technology),
            _Hit(CONTENT, path, line, told, plain_version(version), -10 + rank if version else 99),
        )  # fmt: skip

    def imports(self, externals: Iterable[tuple[str, str, int]]) -> None:
        by_extension: dict[str, _Patterns] = {}
        for technology in self._rules:
            for extension, name in technology.imports:
                by_extension.setdefault(extension, _Patterns()).add(name, 0, technology)
        for path, package, line in externals:
            patterns = by_extension.get(path[path.rfind(".") :])
            if patterns is None or path.endswith(".d.ts"):  # declarations import what others may have
                continue
            for _, technology in patterns.of(package):
                if self._is_own(technology):
                    continue
                self._add(technology, self._package_of(path, technology), _Hit(IMPORT, path, line, package))

    def found(self) -> list[Detection]:
        made = []
        for (name, package), hits in self._hits.items():
            technology = self._by_name[name]
            scope = _scope(technology, hits)
            near = [hit for hit in hits if _rank_of_scope(hit.place) == min(_rank_of_scope(one.place) for one in hits)]
            best = min((hit for hit in near if hit.version), key=_trust, default=None)
            config = min((hit.path for hit in near if hit.kind == CONFIG), key=lambda path: (path.count("/"), path), default="")
            if not config:
                order = (MANIFEST, CONTENT, LOCK, IMPORT)
                config = min(near, key=lambda hit: (order.index(hit.kind), hit.path.count("/"), hit.path)).path
            made.append(
                Detection(
                    name=name,
                    kind=technology.kind,
                    version=best.version if best else "",
                    version_from=_FROM.get(best.kind, "file") if best else "",
                    config_path=config,
                    evidence=tuple(_shown(hits)),
                    package=package,
                    scope=scope,
                )
            )
        return sorted(made, key=lambda one: (one.name.lower(), one.package))

    def _add(self, technology: Technology, package: str, hit: _Hit) -> None:
        self._hits.setdefault((technology.name, package), []).append(hit)

    def _is_own(self, technology: Technology) -> bool:
        """Is it what this project itself makes?"""
        return any(package in self._own for package in technology.packages)

    def _package_of(self, path: str, technology: Technology) -> str:
        """The nearest package above, one of the technology's own ecosystem before others; else the root."""
        wanted = {ecosystem for ecosystem, _ in technology.packages} | set(technology.ecosystems)
        above = [folder for folder in upwards(dirname(path)) if folder in self._folders]
        own = next((folder for folder in above if self._folders[folder] & wanted), None)
        return own if own is not None else above[0] if above else ""


def _package_name(ecosystem: str, name: str) -> str:
    """As rules write it: Go's major versions and NuGet's letter case tell nothing."""
    if ecosystem == "go":
        return re.sub(r"/v\d+$", "", name)
    return name.lower() if ecosystem == "nuget" else name


def _plain(locked: str) -> str:
    """Without the ``v`` of Go's and Composer's tags."""
    return locked[1:] if locked[:1] == "v" and locked[1:2].isdigit() else locked


def _is_elsewhere(wanted: str) -> bool:
    return wanted.startswith(("@ ", "git", "http", "file:", "link:", "github:", "sdk:")) or "://" in wanted


def _rank_of_scope(path: str) -> int:
    return NEAREST_FIRST.index(scope_of(path))


def _trust(hit: _Hit) -> tuple[int, int, str, int]:
    """The lowest rank, then the most exact: 6.0.8 before 6.0."""
    return hit.rank, -hit.version.count("."), hit.path, hit.line


def _scope(technology: Technology, hits: Sequence[_Hit]) -> str:
    least = NEAREST_FIRST[min(_rank_of_scope(hit.place) for hit in hits)]
    if technology.kind in _AT_HOME_IN.get(least, ()):
        return ""
    return {FIXTURES: TESTS, DOCS: EXAMPLES}.get(least, least)


def _shown(hits: Sequence[_Hit]) -> Iterator[Evidence]:
    counted: dict[str, int] = {}
    seen = set()
    for hit in sorted(
        hits, key=lambda one: (tuple(_MOST).index(one.kind), _rank_of_scope(one.place), one.path, one.line, one.text)
    ):
        key = (hit.kind, hit.path, hit.line)
        if key in seen:
            continue
        seen.add(key)
        counted[hit.kind] = counted.get(hit.kind, 0) + 1
        if counted[hit.kind] <= _MOST[hit.kind]:
            yield Evidence(hit.kind, hit.path, hit.line, hit.text)


def by_package(detections: Iterable[Detection]) -> Mapping[str, list[Detection]]:
    found: dict[str, list[Detection]] = {}
    for one in detections:
        found.setdefault(one.package, []).append(one)
    return found
