"""Every place of a file where a symbol of the project stands: written, used or imported, by line and column.

The index knows lines; columns are looked up in the text. What stands nowhere on its line, because a macro or a generator put it
there, has no place and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from idumb_brain.graph.references import Scopes, parts_of
from idumb_brain.model.code import Import, Symbol

DEFINITION = "definition"
IMPORT = "import"
USE = "use"
_FAR = 5  # lines below the one a name is noted for on which it may stand: decorators, chains of calls
_LONG = 60  # lines of one import statement


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Lines and columns count from 0, columns in characters; ``symbol`` None is the file itself."""

    line: int
    start: int
    end: int
    role: str
    file: str
    symbol: Symbol | None
    kind: str = ""  # of a use: call, type, base …


def occurrences(scopes: Scopes, path: str, imports: Sequence[Import], lines: Sequence[str]) -> list[Occurrence]:
    page = _Page(lines)
    found = [*_definitions(scopes, path, page), *_imports(scopes, imports, page), *_uses(scopes, path, page)]
    return sorted(found, key=lambda one: (one.line, one.start, one.end, one.role))


class _Page:
    """The text of a file, and which of its words are spoken for."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._taken: set[tuple[int, int]] = set()

    def find(self, word: str, first: int, last: int) -> tuple[int, int, int] | None:
        """The first place of a word that nothing else has, between two lines counted from 1."""
        pattern = _whole(word)
        for number in range(max(first, 1) - 1, min(last, len(self._lines))):
            for match in pattern.finditer(self._lines[number]):
                place = (number, match.start())
                if place not in self._taken:
                    self._taken.add(place)
                    return (*place, match.end())
        return None


def _definitions(scopes: Scopes, path: str, page: _Page) -> Iterator[Occurrence]:
    for symbol in scopes.symbols(path):
        if place := page.find(symbol.name, symbol.line, min(symbol.end_line, symbol.line + _FAR)):
            yield Occurrence(*place, DEFINITION, path, symbol)


def _imports(scopes: Scopes, imports: Sequence[Import], page: _Page) -> Iterator[Occurrence]:
    for number, one in enumerate(imports):
        if not one.targets:
            continue
        below = imports[number + 1].line - 1 if number + 1 < len(imports) else one.line + _LONG
        last = min(max(one.line, below), one.line + _LONG)
        for imported, _ in one.bindings:
            symbol = scopes.brought(one.targets, imported) if imported != "*" else None
            if symbol and (place := page.find(imported, one.line, last)):
                yield Occurrence(*place, IMPORT, symbol.file, symbol)
        if place := page.find(one.text, one.line, last):
            yield Occurrence(*place, IMPORT, one.targets[0], None)


def _uses(scopes: Scopes, path: str, page: _Page) -> Iterator[Occurrence]:
    for reference, symbol in scopes.meant(path):
        parts = parts_of(reference.name)
        word = symbol.name if symbol.name in parts else parts[0]
        if place := page.find(word, reference.line, reference.line + _FAR):
            yield Occurrence(*place, USE, symbol.file, symbol, reference.kind)


@lru_cache(maxsize=4096)
def _whole(word: str) -> re.Pattern[str]:
    before = r"(?<![\w$])" if word[:1].isalnum() or word[:1] in "_$" else ""
    after = r"(?![\w$])" if word[-1:].isalnum() or word[-1:] in "_$" else ""
    return re.compile(before + re.escape(word) + after) if word else re.compile(r"(?!)")
