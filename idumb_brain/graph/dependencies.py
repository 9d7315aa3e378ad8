"""What packages are declared against what code imports. Pure: files are not read, what they say is handed in.

Two steps, as looking for uses that are no import costs more the more there is to look for: ``matched`` tells who imports
what, ``judged`` says what follows, given what is mentioned elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from idumb_brain.graph.package_names import Groups, best_name, candidates, normal, provides, typed_by
from idumb_brain.model.dependencies import (
    UNKNOWN,
    UNUSED,
    USED,
    Declared,
    Misplaced,
    OutsideImport,
    PackageUse,
    Undeclared,
    Use,
)
from idumb_brain.model.project import BUILD, DEV, INDIRECT, OPTIONAL, PEER, RUNTIME, Package, Requirement
from idumb_brain.model.roles import FIXTURE, role_of
from idumb_brain.scan.dependencies.installed import Installed
from idumb_brain.scan.dependencies.tables import Table, Tables, matches
from idumb_brain.scan.manifests.tree import upwards

_HOISTED = ("npm",)  # here a folder above offers its packages to those below
Guard = Callable[[OutsideImport], str]  # how an import stands: "", "optional", "types"


@dataclass(slots=True)
class Matched:
    """Who imports what, package by package."""

    imports: dict[tuple[str, str], list[OutsideImport]] = field(default_factory=dict)  # manifest, requirement -> imports
    missing: dict[tuple[str, str], list[OutsideImport]] = field(default_factory=dict)  # manifest, name -> imports
    unplaced: int = 0  # imports of files that no manifest is above of


class Places:
    """Which package a file belongs to, ecosystem by ecosystem."""

    def __init__(self, packages: Iterable[Package], tables: Tables) -> None:
        self._by_folder: dict[tuple[str, str], Package] = {}
        for package in packages:
            self._by_folder.setdefault((package.ecosystem, package.path), package)
        self._tables = tables
        self._known: dict[tuple[str, str], tuple[Package, ...]] = {}

    def around(self, path: str, ecosystem: str) -> tuple[Package, ...]:
        """The packages a file lies in, the nearest first."""
        folder = path.rpartition("/")[0]
        known = self._known.get((ecosystem, folder))
        if known is None:
            known = self._known[ecosystem, folder] = tuple(self._above(folder, ecosystem))
        return known

    def _above(self, folder: str, ecosystem: str) -> Iterator[Package]:
        for above in upwards(folder):
            if package := self._by_folder.get((ecosystem, above)):
                yield package
                if package.name and ecosystem not in _HOISTED:
                    return  # it is installed without the one around it

    def is_sample(self, package: Package) -> bool:
        """A project that tests are about, or a template: its manifest is nobody's promise."""
        table = self._tables.by_ecosystem.get(package.ecosystem)
        if role_of(package.manifest) == FIXTURE:
            return True
        return bool(package.path and table and matches((*table.samples, *table.sample_packages), package.path + "/"))


def matched(packages: Sequence[Package], imports: Iterable[OutsideImport], tables: Tables, there: Installed) -> Matched:
    found = Matched()
    places = Places(packages, tables)
    own = {(package.ecosystem, normal(package.name)) for package in packages if package.name}
    by_folder = sorted(((package.path, package) for package in packages), key=lambda row: row[0])
    tables_of: dict[str, tuple[Table, ...]] = {}
    for one in imports:
        known = tables_of.get(one.language)
        if known is None:
            known = tables_of[one.language] = tables.of_language(one.language)
        for table in known:
            around = places.around(one.file, table.ecosystem)
            if around:
                _place(found, one, table, around, there, own, by_folder)
            elif one.package:
                found.unplaced += 1
    return found


def _place(
    found: Matched,
    one: OutsideImport,
    table: Table,
    around: Sequence[Package],
    there: Installed,
    own: set[tuple[str, str]],
    by_folder: Sequence[tuple[str, Package]],
) -> None:
    """Credit the requirement that an import needs, or note that there is none."""
    home = around[0]
    if table.ecosystem == "python" and not one.package:
        top = one.text.partition(".")[0]
        if _credit(found, candidates(replace(one, package=top), table, there.modules), one, table, around, home):
            return  # part of a namespace that goes on here, or a file of the same name elsewhere
    if one.target:
        other = _package_at(one.target, by_folder, table.ecosystem)
        if other is None or other.manifest == home.manifest:
            return
        if asking := next((package for package in around if _asks(package, other)), None):
            found.imports.setdefault((asking.manifest, other.name), []).append(one)
        elif table.ecosystem == "npm" and _writes(one.text, other.name):
            found.missing.setdefault((home.manifest, other.name), []).append(one)
        return
    if not one.package:
        return
    groups = candidates(one, table, there.modules)
    if not groups or _credit(found, groups, one, table, around):
        return
    if any((table.ecosystem, normal(name)) in own for group in groups for name in group):
        return  # a package of this project, or the one around the file by its own name
    if table.names == "exact" or table.names == "underscored":
        found.missing.setdefault((home.manifest, best_name(one, table, there.modules)), []).append(one)


def _credit(
    found: Matched, groups: Groups, one: OutsideImport, table: Table, around: Sequence[Package], but: Package | None = None
) -> bool:
    """Note an import with the requirements that bring it, if there are any; ``but`` is what the file itself is part of."""
    for group in groups:
        holders = {
            (package.manifest, called(requirement))
            for name in group
            for package in _nearest(around, name, table)
            for requirement in package.requirements
            if _is(requirement, name, table) and (but is None or normal(requirement.name) != normal(but.name))
        }
        for holder in holders:
            found.imports.setdefault(holder, []).append(one)
        if holders:
            return True
    return False


def _nearest(around: Sequence[Package], name: str, table: Table) -> Sequence[Package]:
    """The first of the packages around a file that asks for a name. Whose it is, and whose types are, may differ."""
    return next(([package] for package in around if any(_is(one, name, table) for one in package.requirements)), [])


def _is(requirement: Requirement, name: str, table: Table) -> bool:
    # Cargo's resolver has looked up what a crate is really called.
    return provides(called(requirement), name, table) or (table.ecosystem == "cargo" and requirement.name == name)


def _asks(package: Package, other: Package) -> bool:
    return any(one.local == other.manifest or (other.name and one.name == other.name) for one in package.requirements)


def _writes(text: str, name: str) -> bool:
    return bool(name) and (text == name or text.startswith(name + "/"))


def _package_at(path: str, by_folder: Sequence[tuple[str, Package]], ecosystem: str) -> Package | None:
    best = None
    for folder, package in by_folder:
        if package.ecosystem == ecosystem and (not folder or path.startswith(folder + "/")):
            best = package  # sorted by folder: the last that fits is the longest
    return best


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that ``judged`` weighs beside the packages."""

    matched: Matched
    mentions: Mapping[str, Mapping[str, Sequence[Use]]]  # manifest -> name -> uses that are no import
    there: Installed
    guard: Guard


def called(requirement: Requirement) -> str:
    """The name that code and settings know it by."""
    return requirement.alias or requirement.name


def unseen(package: Package, found: Matched) -> set[str]:
    """What a package asks for and nobody imports: worth looking for elsewhere."""
    return {called(one) for one in package.requirements if one.name and (package.manifest, called(one)) not in found.imports}


def judged(packages: Sequence[Package], tables: Tables, evidence: Evidence) -> list[PackageUse]:
    places = Places(packages, tables)
    made = []
    for package in packages:
        table = tables.by_ecosystem.get(package.ecosystem)
        sample = places.is_sample(package)
        if table is None:
            why = f"nothing is known of how code uses packages of {package.ecosystem}"
            made.append(
                PackageUse(package.manifest, tuple(Declared(one, UNKNOWN, why) for one in package.requirements), sample=sample)
            )
            continue
        judge = _Judge(package, places.around(package.manifest, package.ecosystem), table, evidence)
        made.append(PackageUse(package.manifest, judge.declared(), judge.undeclared(), judge.misplaced(), sample))
    return made


class _Judge:
    def __init__(self, package: Package, around: Sequence[Package], table: Table, evidence: Evidence) -> None:
        self._package, self._around, self._table, self._evidence = package, around, table, evidence
        self._below = len(package.path) + 1 if package.path else 0
        self._asked = {called(one) for above in (package, *around) for one in above.requirements}
        self._imported = {name for manifest, name in evidence.matched.imports if manifest == package.manifest}
        self._states: dict[str, tuple[str, str]] = {}

    def declared(self) -> tuple[Declared, ...]:
        rows = []
        seen = set()
        for one in sorted(self._package.requirements, key=lambda one: (one.manifest, one.line, one.name, one.group)):
            name = called(one)
            if not name or (name, one.group) in seen:
                continue
            seen.add((name, one.group))
            imports = self._evidence.matched.imports.get((self._package.manifest, name), ())
            state, why = self._state(one)
            others = tuple(self._mentions(name))
            shipped = len({row.file for row in imports if not self._is_for_development(row)})
            rows.append(Declared(one, state, why, _uses(imports), tuple(sorted(set(others), key=_place_of)), shipped))
        return tuple(rows)

    def undeclared(self) -> tuple[Undeclared, ...]:
        locked = self._evidence.there.locked.get(self._package.lock, frozenset())
        rows = []
        for (manifest, name), imports in sorted(self._evidence.matched.missing.items(), key=lambda row: row[0]):
            if manifest != self._package.manifest:
                continue
            real = [one for one in imports if not matches(self._table.samples, one.file[self._below :])]
            if not real:
                continue
            guards = {self._evidence.guard(one) for one in real}
            plain = [one for one in real if not self._evidence.guard(one)]
            shown = plain or real
            why = f"{shown[0].file}:{shown[0].line} imports {shown[0].text or shown[0].package}; "
            is_locked = name in locked
            if self._table.guessed and not is_locked:
                continue  # the name in the code may not be that of the package
            why += (
                f"{self._package.lock} has it because something else needs it, and {manifest} does not ask for it"
                if is_locked
                else f"neither {manifest} nor one above asks for it"
            )
            if not plain:
                why += "; every import of it may fail or is for types alone"
            dev = all(self._is_for_development(one) for one in real)
            imported = shown[0].package or shown[0].text
            rows.append(Undeclared(name, imported, _uses(real), why, is_locked, not plain, guards == {"types"}, dev))
        return tuple(rows)

    def misplaced(self) -> tuple[Misplaced, ...]:
        if not self._table.misplaced:
            return ()
        if self._package.private and self._table.ecosystem == "npm":
            return ()  # a site or a tool, bundled or run where it is developed: nobody installs it without the rest
        elsewhere = {
            called(one) for above in self._around for one in above.requirements if one.group in (RUNTIME, OPTIONAL, PEER)
        }
        rows = []
        seen = set()
        for one in self._package.requirements:
            if one.group != DEV or called(one) in elsewhere or called(one) in seen or called(one).startswith("@types/"):
                continue
            seen.add(called(one))
            imports = self._evidence.matched.imports.get((self._package.manifest, called(one)), ())
            shipped = [row for row in imports if not self._is_for_development(row) and not self._evidence.guard(row)]
            if shipped:
                why = f"{one.manifest}:{one.line} asks for it for development only, and {shipped[0].file}:{shipped[0].line} needs it"
                rows.append(Misplaced(one, _uses(shipped), why))
        return tuple(rows)

    def _state(self, one: Requirement) -> tuple[str, str]:
        known = self._states.get(called(one) + "\0" + one.group)
        if known is None:
            self._states[called(one) + "\0" + one.group] = (UNUSED, "")  # two that need each other alone are not used
            known = self._states[called(one) + "\0" + one.group] = self._find_state(one)
        return known

    def _find_state(self, one: Requirement) -> tuple[str, str]:
        if called(one) in self._imported and not typed_by(called(one)):
            return USED, "imported"
        if used := next(iter(self._mentions(called(one))), None):
            return USED, f"{used.how} ({used.file}:{used.line})"
        if one.group == BUILD:
            return USED, "builds the package"
        if normal(called(one)) == normal(self._package.name):
            return USED, "the package itself, with more of what it offers"
        if called(one) in self._table.never_unused:
            return USED, "used by no name of its own"
        for pattern, hosts in self._table.plugins:
            if pattern.match(called(one)) and (host := next((name for name in hosts if name in self._asked), "")):
                return USED, f"{host} finds it by itself"
        if why := self._described(one) or self._peer_of(one):
            return USED, why
        if one.group == INDIRECT:
            return USED, "stated because something else needs it"
        if one.group == PEER:
            return UNKNOWN, "a peer is for those who install this package"
        if one.group == OPTIONAL and self._table.ecosystem == "npm":
            return UNKNOWN, "optional: what loads it may look for it at run time"
        if "" in self._table.unsure or one.group in self._table.unsure:
            return UNKNOWN, f"no import names it, and packages of {self._table.ecosystem} can be used without one"
        return UNUSED, "no import, command, setting or other package names it"

    def _described(self, one: Requirement) -> str:
        """Types are used with what they describe."""
        about = typed_by(called(one))
        if about:
            if self._has_types(about):
                return ""
            if called(one) in self._imported or self._is_used(about):
                return f"types of {about}"
            return f"types of {about}, which is built in" if self._table.is_standard(about.partition("/")[0]) else ""
        for form in self._table.stubs:
            before, _, after = form.partition("{}")
            if (
                "{}" in form
                and called(one).startswith(before)
                and called(one).endswith(after)
                and len(called(one)) > len(before + after)
            ):
                about = called(one)[len(before) : len(called(one)) - len(after)]
                for name in (about, f"python-{about}", f"py{about}"):
                    if name in self._asked or name in self._imported:
                        return f"types of {name}"
        return ""

    def _has_types(self, name: str) -> bool:
        known = self._evidence.there.packages.get(name)
        if known and known.typed:
            return True
        since = self._table.typed.get(name)
        locked = next((one.locked for above in self._around for one in above.requirements if called(one) == name), "")
        return bool(since and locked) and _numbers(locked) >= _numbers(since or "")

    def _peer_of(self, one: Requirement) -> str:
        for host, known in sorted(self._evidence.there.packages.items()):
            if called(one) in known.peers and host in self._asked and host != called(one) and self._is_used(host):
                return f"{host} needs it as its peer"
        return ""

    def _is_used(self, name: str) -> bool:
        return any(self._state(one)[0] == USED for one in self._package.requirements if called(one) == name) or any(
            called(one) == name for above in self._around if above is not self._package for one in above.requirements
        )

    def _mentions(self, name: str) -> Sequence[Use]:
        return self._evidence.mentions.get(self._package.manifest, {}).get(name, ())

    def _is_for_development(self, one: OutsideImport) -> bool:
        return matches(self._table.development, one.file[self._below :])


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def _uses(imports: Iterable[OutsideImport]) -> tuple[Use, ...]:
    """The first import of every file."""
    first: dict[str, OutsideImport] = {}
    for one in imports:
        if one.file not in first or one.line < first[one.file].line:
            first[one.file] = one
    return tuple(Use(file, one.line, f"imports {one.text or one.package}") for file, one in sorted(first.items()))


def _place_of(use: Use) -> tuple[str, int, str]:
    return use.file, use.line, use.how
