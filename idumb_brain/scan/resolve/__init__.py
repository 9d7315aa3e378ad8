"""Import texts to files, as each language itself would. Never guesses: a file, an external package, or a reason.

Every file *provides* keys: its path, and for languages with namespaces the names it declares. Every import *wants*
keys, best first; it resolves to the files that provide the first key anybody provides. A module here only says which
keys a language wants (``resolver``) and provides (``provides``; ``hands_on`` for what comes by imports); looking them
up, and looking them up again when files come and go, is one mechanism for all languages (``scan.refresh``).

A path is a key as it is. Declared names are keys with a prefix: ``java:shop.Shelf``. A resolver that looks into the
project by itself yields the path it found and names in ``watch`` the stem whose coming or going would change its
answer: every file answers to the stem of its name and to its folder's name. A file whose text it read by itself, under a
name that no pattern of its ``CONFIGURATION`` has, it names as ``read:PATH``: a change of that text counts, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from idumb_brain.model.code import ImportRow, ReferenceRow, SymbolRow, unpacked
from idumb_brain.model.errors import BadInput


class Want(NamedTuple):
    """One dependency of a file, as the keys that would satisfy it, best first.

    ``ordinal`` is the import it stems from; -1 for a dependency that needs no import statement (same package,
    autoloading). When nobody provides any of the keys it is ``external`` (a package name), or unresolved for
    ``reason``; a want with neither is dropped silently, which only those without an import statement may be.
    ``elsewhere``: what the file itself provides it needs from nobody else (a name declared once per system).
    """

    ordinal: int
    line: int
    kind: str
    keys: tuple[str, ...]
    external: str = ""
    reason: str = ""
    watch: str = ""
    elsewhere: bool = False


class FileView(NamedTuple):
    """What a resolver may know of the importing file."""

    path: str
    language: str
    package: str
    imports: Sequence[ImportRow]
    uses: str  # the references, packed
    # Does anybody provide this key? The file depends on the answer from then on, as if it wanted the key.
    declared: Callable[[str], bool] = lambda _: False
    # The paths of those who do, sorted; the same holds.
    providers: Callable[[str], Sequence[str]] = lambda _: ()

    @property
    def references(self) -> Sequence[ReferenceRow]:
        return unpacked(self.uses)


class ProjectView(Protocol):
    """What a resolver may know of the project around it."""

    def __contains__(self, path: object) -> bool:
        """Is there such a file?"""

    def named(self, filename: str) -> Sequence[str]:
        """All files with this base name, sorted."""

    def with_suffix(self, suffix: str) -> Sequence[str]:
        """All files whose name ends so, sorted."""

    def folder_exists(self, folder: str) -> bool:
        """Is there a file anywhere below this folder?"""

    def files_in(self, folder: str) -> Sequence[str]:
        """The paths of the files directly in a folder, sorted."""

    def text(self, path: str) -> str:
        """The text of a (configuration) file, "" where it cannot be read."""

    def outside(self, path: str) -> bool:
        """Does this path exist on disk without being part of the scan (vendored, ignored)?"""


Resolver = Callable[[FileView], Iterable[Want]]


def resolver_for(name: str, project: ProjectView) -> Resolver:
    """The resolver of a language family for one project. Reads the project's configuration once, when made."""
    made: Resolver = _module(name).resolver(project)
    return made


def provided_keys(
    name: str, path: str, package: str, symbols: Sequence[SymbolRow], imports: Sequence[ImportRow] = ()
) -> list[str]:
    """The keys, beside its path, under which others may want this file: for what it declares and what it hands on."""
    provides = _provides.get(name)
    if provides is None:
        module = _module(name)
        provides = _provides[name] = getattr(module, "provides", _nothing)
        _hands_on[name] = getattr(module, "hands_on", None)
    keys = provides(path, package, symbols)
    hands_on = _hands_on[name]
    return keys + hands_on(path, imports) if hands_on else keys


def stem_keys(path: str) -> tuple[str, str]:
    """What watchers of a path's coming and going look for: its stem and its folder's name."""
    folder, _, filename = path.rpartition("/")
    return ("stem:" + filename.split(".", 1)[0], "stem:" + folder.rpartition("/")[2])


def configuration_names(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """Base names (or patterns such as ``*.suffix``) of files that decide how a whole language resolves.

    ``CONFIGURATION`` files are read by the resolver: any change of one counts. ``MARKERS`` count when they come or go.
    """
    module = _module(name)
    return frozenset(getattr(module, "CONFIGURATION", ())), frozenset(getattr(module, "MARKERS", ()))


def _module(name: str) -> Any:
    try:
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        raise BadInput(
            f"there is no resolver {name!r}",
            why="a language.toml names it",
            instead="see idumb_brain/scan/resolve for those there are",
        ) from error


_provides: dict[str, Callable[[str, str, Sequence[SymbolRow]], list[str]]] = {}
_hands_on: dict[str, Callable[[str, Sequence[ImportRow]], list[str]] | None] = {}


def _nothing(path: str, package: str, symbols: Sequence[SymbolRow]) -> list[str]:
    return []


def bindings(row: ImportRow) -> Iterator[tuple[str, str]]:
    """(imported, local) pairs of an import row."""
    for pair in row[3].split("\n") if row[3] else ():
        imported, _, local = pair.partition(" ")
        yield imported, local
