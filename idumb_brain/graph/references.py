"""Which symbol uses which. Every use says how we know: bound by an import, in the same file, or inferred; none is guessed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from idumb_brain.model.code import FileRecord, Import, Reference, Symbol
from idumb_brain.store import code as store
from idumb_brain.store.database import Connection

IMPORTED = "import-resolved"
SAME_FILE = "same-file"
INFERRED = "inferred"
_CONFIDENCE = {IMPORTED: 1.0, SAME_FILE: 0.9, INFERRED: 0.5}
_SELF = frozenset({"self", "this", "cls", "super()", "Self", "@"})
_FOLDER_FILES = frozenset({"__init__", "index", "mod", "init"})
_HOPS = 3  # files that may hand an imported name on before it is defined
_SEPARATORS = ("::", "->", ".", "\\", "#", ":")


@dataclass(frozen=True, slots=True)
class Use:
    """One place that uses a symbol."""

    file: str
    owner: str  # qualified name of the symbol the use is in, "" at the top of the file
    owner_ordinal: int
    line: int
    kind: str
    provenance: str
    name: str

    @property
    def confidence(self) -> float:
        return _CONFIDENCE[self.provenance]


def uses_of(connection: Connection, symbol: Symbol) -> list[Use]:
    """Everything that uses a symbol, best known first."""
    home = store.file_at(connection, symbol.file)
    if home is None:
        return []
    container = symbol.qualified_name[: -len(symbol.name)].rstrip(".:#\\") if symbol.qualified_name != symbol.name else ""
    top = parts_of(container)[0] if container else symbol.name
    candidates = {file.path: file for name in {symbol.name, top} for file in store.files_mentioning(connection, name)}
    candidates.pop(home.path, None)
    carriers = _carriers(connection, home, top, candidates)
    found = list(_uses_at_home(connection, home, symbol, container))
    users_of_symbol = {file.path for file in store.files_mentioning(connection, symbol.name)}
    for path, local_names in carriers.items():
        if path in candidates:
            found += _uses_elsewhere(connection, candidates[path], symbol, container, local_names, path in users_of_symbol)
    order = {IMPORTED: 0, SAME_FILE: 1, INFERRED: 2}
    return sorted(set(found), key=lambda use: (order[use.provenance], use.file, use.line, use.name))


def parts_of(name: str) -> list[str]:
    """A name as written, taken apart: ``a.b::c`` is a, b, c."""
    if name.isidentifier():  # most are
        return [name]
    for separator in _SEPARATORS[1:]:
        name = name.replace(separator, "::")
    return [part for part in name.replace("::::", "::").split("::") if part]


@dataclass(slots=True)
class _Scope:
    """A file as names see it: what it defines, what it imports and from where."""

    symbols: Sequence[Symbol]
    defined: Mapping[tuple[str, ...], Symbol]
    imported: Mapping[str, tuple[tuple[str, ...], str]]  # local name → files, name there; "" there: the module itself
    references: Sequence[Reference]


class Scopes:
    """What symbols use. Files that were looked at are remembered as long as this lives."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._known: dict[str, _Scope] = {}

    def used_by(self, path: str, name: str) -> list[tuple[Symbol, int]]:
        """What a symbol and all within it use, each with the first line that does: what an import or the same file proves."""
        home = self._scope(path)
        user = home.defined.get(tuple(parts_of(name)))
        if user is None:
            return []
        inside = _within(home.symbols, user.ordinal)
        owner = home.symbols[user.parent].qualified_name if user.parent >= 0 else name
        found: dict[tuple[str, int], tuple[Symbol, int]] = {}
        for reference in home.references:
            if reference.owner not in inside:
                continue
            used = self._meant(home, owner, reference)
            if used is not None and (used.file != path or used.ordinal not in inside):
                found.setdefault((used.file, used.ordinal), (used, reference.line))
        return [found[key] for key in sorted(found)]

    def symbols(self, path: str) -> Sequence[Symbol]:
        return self._scope(path).symbols

    def meant(self, path: str) -> Iterator[tuple[Reference, Symbol]]:
        """The references of a file with the symbols they mean, as far as an import or the file itself proves it."""
        home = self._scope(path)
        for reference in home.references:
            for owner in _around(home.symbols, reference.owner):
                if used := self._meant(home, owner, reference):
                    yield reference, used
                    break

    def brought(self, targets: Sequence[str], imported: str) -> Symbol | None:
        """The symbol that an import of this name brings in."""
        return self._imported(targets, imported, [])

    def _meant(self, home: _Scope, owner: str, reference: Reference) -> Symbol | None:
        """What a name means to somebody within ``owner``."""
        parts = parts_of(reference.name)
        if reference.name.startswith(".") or not parts:
            return None
        if parts[0] in _SELF:
            return _member(home, owner, parts[1:])
        if parts[0] in home.imported:
            return self._imported(*home.imported[parts[0]], parts[1:])
        return _member(home, "", parts)

    def _imported(self, targets: Sequence[str], imported: str, rest: Sequence[str], hops: int = _HOPS) -> Symbol | None:
        """What an imported name stands for; a file that imports it itself may hand it on."""
        for target in targets:
            scope = self._scope(target)
            wanted = list(rest) if imported in ("", _module_name(target)) else [imported, *rest]
            found = _member(scope, "", wanted)
            if found is None and wanted and hops and wanted[0] in scope.imported:
                found = self._imported(*scope.imported[wanted[0]], wanted[1:], hops - 1)
            if found is not None:
                return found
        return None

    def _scope(self, path: str) -> _Scope:
        if path not in self._known:
            file = store.file_at(self._connection, path)
            symbols = store.symbols_of(self._connection, file) if file else []
            written = store.imports_of(self._connection, file) if file else []
            defined = {tuple(parts_of(one.qualified_name)): one for one in reversed(symbols)}
            references = store.references_of(self._connection, file) if file else []
            self._known[path] = _Scope(symbols, defined, _imported_names(written), references)
        return self._known[path]


def _around(symbols: Sequence[Symbol], ordinal: int) -> Iterator[str]:
    """The names of what a symbol stands in, from the inside out; "" is the top of the file."""
    while ordinal >= 0 and (ordinal := symbols[ordinal].parent) >= 0:
        yield symbols[ordinal].qualified_name
    yield ""


def _within(symbols: Sequence[Symbol], ordinal: int) -> set[int]:
    """A symbol and all it contains; those that contain others come before them."""
    inside = {ordinal}
    for one in symbols:
        if one.parent in inside:
            inside.add(one.ordinal)
    return inside


def _member(scope: _Scope, container: str, parts: Sequence[str]) -> Symbol | None:
    """The symbol that the most of these names lead to, from the top of a file or from within a class."""
    whole = (*parts_of(container), *parts)
    least = len(whole) - len(parts)
    return next((scope.defined[whole[:n]] for n in range(len(whole), least, -1) if whole[:n] in scope.defined), None)


def _imported_names(written: Iterable[Import]) -> dict[str, tuple[tuple[str, ...], str]]:
    bound: dict[str, tuple[tuple[str, ...], str]] = {}
    for one in written:
        if not one.targets:
            continue
        if not one.bindings:
            bound.setdefault(one.text.rpartition("/")[2].rpartition(".")[2], (one.targets, ""))
        for imported, local in one.bindings:
            if local or imported != "*":
                bound.setdefault(local or imported, (one.targets, "" if imported == "*" else imported))
    return bound


def _carriers(
    connection: Connection, home: FileRecord, top: str, candidates: dict[str, FileRecord]
) -> dict[str, set[tuple[str, str]]]:
    """Files that the name reaches by imports, each with how it is called there.

    The pairs are ("name", local name), ("module", local module name) or ("open", "") where the file needs no import
    to see the name. A file that imports it may hand it on; so this is followed until nothing new turns up.
    """
    known: dict[str, set[tuple[str, str]]] = {home.path: {("name", top)}}
    imports = {path: store.imports_of(connection, file) for path, file in candidates.items()}
    seen_without_import = {
        edge.source
        for edge in store.edges(connection, target=home.id)
        if edge.kind not in ("import", "reexport", "include", "mod", "path")
    }
    for path in seen_without_import & candidates.keys():
        known.setdefault(path, set()).add(("open", top))
    grew = True
    while grew:
        grew = False
        for path, written in imports.items():
            for one in written:
                for target in one.targets:
                    handed_on = {name for how, name in known.get(target, ()) if how in ("name", "open")}
                    if not handed_on:
                        continue
                    here = set(_bound(one.bindings, handed_on, one.text, one.kind, _module_name(target)))
                    if here - known.get(path, set()):
                        known.setdefault(path, set()).update(here)
                        grew = True
    known.pop(home.path)
    return known


def _bound(
    bindings: tuple[tuple[str, str], ...], handed_on: set[str], text: str, kind: str, module: str
) -> Iterator[tuple[str, str]]:
    if not bindings:  # the whole module by its own name, or textually included
        if kind in ("include", "source", "part"):
            yield from (("name", name) for name in handed_on)
        else:
            yield "module", text
            yield "module", parts_of(text)[-1] if parts_of(text) else text
    for imported, local in bindings:
        if imported == "*" and local:
            yield "module", local
        elif imported == "*":
            yield from (("name", name) for name in handed_on)
        elif imported in handed_on:
            yield "name", local or imported
        elif imported == "default":
            yield "name", local
        elif imported == module:  # from library import loans
            yield "module", local or imported


def _uses_at_home(connection: Connection, home: FileRecord, symbol: Symbol, container: str) -> Iterator[Use]:
    symbols = store.symbols_of(connection, home)
    for reference in store.references_of(connection, home):
        if symbol.name not in reference.name:
            continue
        parts = parts_of(reference.name)
        if not parts or parts[-1] != symbol.name:
            continue
        owner = symbols[reference.owner].qualified_name if reference.owner >= 0 else ""
        if not container:
            if len(parts) == 1 and not reference.name.startswith("."):
                yield _use(reference, owner, SAME_FILE)
        elif (
            len(parts) > 1 and (parts[-2] == parts_of(container)[-1] or (parts[0] in _SELF and owner.startswith(container)))
        ) or (len(parts) == 1 and not reference.name.startswith(".") and owner.startswith(container)):
            yield _use(reference, owner, SAME_FILE)
        elif len(parts) > 1 or reference.name.startswith("."):
            yield _use(reference, owner, INFERRED)


def _uses_elsewhere(
    connection: Connection,
    file: FileRecord,
    symbol: Symbol,
    container: str,
    local_names: set[tuple[str, str]],
    mentioned: bool,
) -> Iterator[Use]:
    symbols = store.symbols_of(connection, file)
    names = {name for how, name in local_names if how in ("name", "open")}
    modules = {tuple(parts_of(name)) for how, name in local_names if how == "module"}
    referenced = False
    for reference in store.references_of(connection, file):
        if container and symbol.name not in reference.name:
            continue
        parts = parts_of(reference.name)
        if not parts:
            continue
        owner = symbols[reference.owner].qualified_name if reference.owner >= 0 else ""
        dotted = reference.name.startswith(".")
        if not container:
            if (parts[0] in names and not dotted) or any(_reaches(parts, module, symbol) for module in modules):
                referenced = True
                yield _use(reference, owner, IMPORTED)
        elif parts[-1] == symbol.name:
            if (len(parts) > 1 and parts[0] in names and not dotted) or (
                len(parts) > 1 and any(tuple(parts[: len(module)]) == module for module in modules)
            ):
                yield _use(reference, owner, IMPORTED)
            else:
                yield _use(reference, owner, INFERRED)
    if not container and not referenced and mentioned and names:
        for one in store.imports_of(connection, file):
            for imported, _ in one.bindings:
                if imported == symbol.name:
                    yield Use(file.path, "", -1, one.line, "import", IMPORTED, symbol.name)
                    return


def _reaches(parts: list[str], module: tuple[str, ...], symbol: Symbol) -> bool:
    """Is this ``module.Symbol…`` or, from a package that hands it on, ``package.module.Symbol…``?"""
    rest = parts[len(module) :]
    if tuple(parts[: len(module)]) != module or symbol.name not in rest[:2]:
        return False
    return rest[0] == symbol.name or rest[0] == _module_name(symbol.file)


def _module_name(path: str) -> str:
    """What a file is called as a module: its stem, or its folder's name where the file stands for the folder."""
    folder, _, filename = path.rpartition("/")
    stem = filename.partition(".")[0]
    return folder.rpartition("/")[2] if stem in _FOLDER_FILES else stem


def _use(reference: Reference, owner: str, provenance: str) -> Use:
    return Use(reference.file, owner, reference.owner, reference.line, reference.kind, provenance, reference.name)
