"""Which symbol uses which. Every use says how we know: bound by an import, in the same file, or inferred; none is guessed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from idumb_brain.model.code import FileRecord, Reference, Symbol
from idumb_brain.store import code as store
from idumb_brain.store.database import Connection

IMPORTED = "import-resolved"
SAME_FILE = "same-file"
INFERRED = "inferred"
_CONFIDENCE = {IMPORTED: 1.0, SAME_FILE: 0.9, INFERRED: 0.5}
_SELF = frozenset({"self", "this", "cls", "super()", "Self", "@"})
_FOLDER_FILES = frozenset({"__init__", "index", "mod", "init"})
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
    top = _parts(container)[0] if container else symbol.name
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
            yield "module", _parts(text)[-1] if _parts(text) else text
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
        parts = _parts(reference.name)
        if not parts or parts[-1] != symbol.name:
            continue
        owner = symbols[reference.owner].qualified_name if reference.owner >= 0 else ""
        if not container:
            if len(parts) == 1 and not reference.name.startswith("."):
                yield _use(reference, owner, SAME_FILE)
        elif (len(parts) > 1 and (parts[-2] == _parts(container)[-1] or (parts[0] in _SELF and owner.startswith(container)))) or (
            len(parts) == 1 and not reference.name.startswith(".") and owner.startswith(container)
        ):
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
    modules = {tuple(_parts(name)) for how, name in local_names if how == "module"}
    referenced = False
    for reference in store.references_of(connection, file):
        parts = _parts(reference.name)
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


def _parts(name: str) -> list[str]:
    for separator in _SEPARATORS[1:]:
        name = name.replace(separator, "::")
    return [part for part in name.replace("::::", "::").split("::") if part]
