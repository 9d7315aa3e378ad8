"""Elixir definitions against Elixir's own parser, on the sources of Elixir as Debian keeps them, or on any folder.

A file that Elixir cannot parse is left out, and counted. What each row compares: the kind, the name and the line of
modules (by their full name), of functions and macros (the first clause of each, by number of parameters), of types and
callbacks; and the names of the fields of structs and exceptions.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from idumb_brain.model.code import Symbol
from tests.accuracy.measure import CodeMap, Score, compared, main, scanned
from tests.accuracy.trees import debian_source, program, run

_BAR = 0.998  # Elixir's own sources define def: see below
_READER = Path(__file__).with_name("elixir_ast.exs")
_PACKAGES = ("elixir-lang",)
_ROWS = {
    "elixir modules": ("module", "protocol"),
    "elixir functions": ("function", "macro"),
    "elixir types": ("type", "callback"),
    "elixir fields": ("field",),
}
_MAKES_FIELDS = ("field ", "field(", "belongs_to", "has_", "many_to_many", "embeds_")  # of Ecto schemas: macros to the parser
_EXPLAINED = {
    r"lib/elixir/lib/(kernel|protocol|kernel/utils)\.ex:\d+ (function|macro) (def\w*|\{\}|(\.\.)?//|\.\.)$": (
        "where Elixir defines def itself, and operators that only Elixir may define"
    ),
}


class _Definition(NamedTuple):
    path: str
    line: int
    kind: str
    name: str

    def told(self) -> str:
        return f"{self.path}:{self.line} {self.kind} {self.name}"


def measure(folders: Sequence[str] = ()) -> Iterator[Score]:
    program("elixir", "elixir")
    for folder in folders or _PACKAGES:
        root = debian_source(folder) if folder in _PACKAGES else Path(folder).resolve()
        with scanned(root) as code_map:
            paths = sorted(path for path, file in code_map.files.items() if file.language == "elixir")
            theirs, unread = _their_definitions(root, paths)
            read = [path for path in paths if path not in unread]
            ours = [found for path in read for found in _our_definitions(code_map, path)]
        notes = (f"{len(unread)} files left out, which Elixir cannot parse",) if unread else ()
        for row, kinds in _ROWS.items():
            mine = [found for found in ours if found.kind in kinds]
            others = [found for found in theirs if found.kind in kinds]
            if mine or others:
                agreement = compared(mine, others, _Definition.told)
                yield Score(row, "Elixir's parser", root.name, len(read), *agreement, _BAR, _BAR, notes, _EXPLAINED)


def _their_definitions(root: Path, paths: Sequence[str]) -> tuple[list[_Definition], set[str]]:
    found: list[_Definition] = []
    unread: set[str] = set()
    for line in run("elixir", str(_READER), cwd=root, given="\n".join(paths) + "\n").splitlines():
        path, at, kind, name = line.split("\t")
        if kind == "error":
            unread.add(path)
        else:
            found.append(_Definition(path, int(at), kind, name))
    return found, unread


def _our_definitions(code_map: CodeMap, path: str) -> Iterator[_Definition]:
    symbols = code_map.symbols(path)
    for symbol in symbols:
        kind = "function" if symbol.kind == "method" else symbol.kind
        if kind in ("module", "protocol"):
            yield _Definition(path, symbol.line, kind, _full_name(symbol, symbols))
        elif kind == "field" and symbol.signature.startswith(_MAKES_FIELDS):
            continue
        elif kind == "field":
            yield _Definition(path, 0, kind, symbol.name)
        else:
            yield _Definition(path, symbol.line, kind, symbol.name)


def _full_name(symbol: Symbol, symbols: Sequence[Symbol]) -> str:
    names = [symbol.name]
    while symbol.parent >= 0:
        symbol = symbols[symbol.parent]
        if symbol.kind in ("module", "protocol"):
            names.append(symbol.name)
    return ".".join(reversed(names))


if __name__ == "__main__":
    folders = [word for word in sys.argv[1:] if Path(word).is_dir()]
    rest = [word for word in sys.argv[1:] if word not in folders]
    sys.exit(main(lambda: measure(folders), __doc__, rest))
