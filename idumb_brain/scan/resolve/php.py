"""PHP names to the files that declare them, as Composer's autoloader and PHP's own rules would. Runs no PHP.

A file provides the classes, functions and constants it declares (``php:Shop\\Shelf``). Where several files declare the
same class, the one that an autoload rule of a composer.json spells is meant: that of the nearest package first. Where
no rule tells, the name stays unresolved and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from idumb_brain.model.code import SymbolRow
from idumb_brain.scan.resolve import FileView, ProjectView, Resolver, Want, bindings
from idumb_brain.scan.resolve.php_composer import Chain, Packages
from idumb_brain.scan.resolve.php_include import included_files, value_of

CONFIGURATION = ("composer.json", "composer.lock")

_CLASSLIKE = frozenset({"class", "interface", "trait", "enum"})
_IMPORTS = {"use": "php:", "function": "php-fn:", "const": "php-const:"}
_NOT_CLASSES = frozenset({"self", "static", "parent"})


def provides(path: str, package: str, symbols: Sequence[SymbolRow]) -> list[str]:
    keys: dict[str, None] = {}
    space = package
    spaces: dict[int, str] = {-1: package}
    for ordinal, (parent, name, _, kind, _, _, signature, _, _) in enumerate(symbols):
        if package:  # "namespace A;" holds until the next one
            around = space
        else:
            around = spaces[ordinal] = spaces.get(parent, "")
        if kind == "namespace":
            space = spaces[ordinal] = name
            continue
        if kind in _CLASSLIKE:
            keys["php:" + _joined(around, name)] = None
        elif kind == "function":
            keys["php-fn:" + _joined(around, name)] = None
        elif kind == "constant" and (parent < 0 or symbols[parent][3] not in _CLASSLIKE):
            full = name.lstrip("\\") if signature.startswith("define") else _joined(around, name)
            keys["php-const:" + full] = None
            if value := value_of(name, signature):
                keys[f"php-value:{full}={value}"] = None
        else:
            continue
        while around:
            keys["php-ns:" + around] = None
            around = around.rpartition("\\")[0]
    return list(keys)


def resolver(project: ProjectView) -> Resolver:
    packages = Packages(project)

    def wants(file: FileView) -> Iterator[Want]:
        own = packages.around(file.path)
        included: list[str] = []
        for ordinal, (kind, written, line, _) in enumerate(file.imports):
            if kind not in _IMPORTS:
                for want in included_files(project, file, own, Want(ordinal, line, "include", ()), written):
                    included += [key for key in want.keys if key in project][:1]
                    yield want
        names = _Names(file)
        yield from _used(file, names, own, included)
        yield from _referred_to(file, names, own, included)

    return wants


def _used(file: FileView, names: _Names, own: Chain, included: Sequence[str]) -> Iterator[Want]:
    """What ``use`` names. One that names a namespace leads to what is named through it."""
    for use in names.uses:
        prefix = _IMPORTS[use.kind]
        want = Want(use.ordinal, use.line, "import", ())
        found, why = own.choose(file, prefix, use.name, included)
        if found:
            yield want._replace(keys=(found,))
            continue
        if why:
            yield want._replace(reason=why)
            continue
        if use.kind == "use" and file.declared("php-ns:" + use.name) and not own.foreign(use.name):
            through = [path for name in names.through(use) for path in own.choose(file, "php:", name, included)[:1] if path]
            for path in dict.fromkeys(through):
                yield want._replace(keys=(path,))
            if not through:
                yield want._replace(reason=f"{use.name} is a namespace of this project, but nothing in it is named here")
            continue
        external, why = own.outside(file, use.kind, use.name)
        homes = (
            () if external or use.kind != "use" else tuple(own.homes(use.name))
        )  # a file that was not read is there all the same
        yield want._replace(keys=homes, external=external, reason=why)


def _referred_to(file: FileView, names: _Names, own: Chain, included: Sequence[str]) -> Iterator[Want]:
    """Classes and functions named without any ``use``: in full, or of the same namespace."""
    asked: set[tuple[str, str]] = set()
    for _, kind, line, written in file.references:
        if kind == "type" or kind == "base":
            full, imported = names.of_class(written, line)
            if imported or not full or ("php:", full) in asked:
                continue
            asked.add(("php:", full))
            found, _ = own.choose(file, "php:", full, included)
            if found:
                yield Want(-1, line, "autoload", (found,))
            elif "\\" in written.lstrip("\\") and (package := own.foreign(full)):
                yield Want(-1, line, "autoload", (), external=package)
        elif kind == "call" and written[0] not in "$." and ":" not in written and "." not in written:
            for full in names.of_function(written, line):
                if ("php-fn:", full) in asked:
                    break
                asked.add(("php-fn:", full))
                found, _ = own.choose(file, "php-fn:", full, included)
                if found:
                    yield Want(-1, line, "call", (found,))
                    break


class _Use(NamedTuple):
    ordinal: int
    line: int
    kind: str
    name: str  # in full, without a leading backslash
    alias: str


class _Names:
    """What names mean in one file: its namespaces and what ``use`` brings into each."""

    def __init__(self, file: FileView) -> None:
        self._file = file
        # (last line, name) of namespaces in braces; (first line, name) of those that hold until the next one.
        self._blocks = sorted((last, name) for _, kind, last, name in file.references if kind == "scope")
        self._later = sorted((line, name) for _, kind, line, name in file.references if kind == "namespace")
        self.uses: list[_Use] = []
        self._aliases: dict[tuple[int, str, str], _Use] = {}
        for ordinal, row in enumerate(file.imports):
            kind, text, line, _ = row
            if kind in _IMPORTS:
                name = text.strip().lstrip("\\")
                alias = next((local for _, local in bindings(row)), "") or name.rpartition("\\")[2]
                use = _Use(ordinal, line, kind, name, alias)
                self.uses.append(use)
                self._aliases[self._place(line), kind, alias if kind == "const" else alias.lower()] = use

    def of_class(self, written: str, line: int) -> tuple[str, bool]:
        """The full name, and whether a ``use`` already tells of this dependency."""
        if written in _NOT_CLASSES or written[0] == "$":
            return "", False
        if written[0] == "\\":
            return written[1:], False
        if written[:10].lower() == "namespace\\":
            return _joined(self._space(line), written[10:]), False
        first, _, rest = written.partition("\\")
        use = self._aliases.get((self._place(line), "use", first.lower()))
        if use is not None:
            return _joined(use.name, rest), True
        return _joined(self._space(line), written), False

    def of_function(self, written: str, line: int) -> Iterable[str]:
        """The full names it may have, best first. Nothing where ``use function`` tells already."""
        if "\\" in written:
            full, _ = self.of_class(written, line)
            return (full,) if full else ()
        if (self._place(line), "function", written.lower()) in self._aliases:
            return ()
        space = self._space(line)
        return (f"{space}\\{written}", written) if space else (written,)

    def through(self, use: _Use) -> Iterator[str]:
        """Full names that start with the alias of a ``use``."""
        start = use.alias.lower() + "\\"
        for _, kind, _, written in self._file.references:
            if (kind == "type" or kind == "base") and written.lower().startswith(start):
                yield f"{use.name}\\{written[len(start) :]}"

    def _place(self, line: int) -> int:
        if self._blocks:
            return next((at for at, (last, _) in enumerate(self._blocks) if last >= line), -1)
        return sum(first <= line for first, _ in self._later) if self._later else 0

    def _space(self, line: int) -> str:
        if self._blocks:
            at = self._place(line)
            return self._blocks[at][1] if at >= 0 else ""
        return next((name for first, name in reversed(self._later) if first <= line), self._file.package)


def _joined(space: str, name: str) -> str:
    return f"{space}\\{name}" if space and name else space or name
