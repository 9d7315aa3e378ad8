"""What the index knows in the form other tools read: SCIP, the code intelligence protocol (github.com/sourcegraph/scip). Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from idumb_brain.graph.occurrences import DEFINITION, IMPORT, USE, Occurrence
from idumb_brain.model.code import Symbol

Names = Callable[[str, Symbol | None], str]

_UTF8 = 1
_CODE_POINTS = 3  # what a column counts
_FILE = 16
_ROLES = {DEFINITION: 1, IMPORT: 2, USE: 0}
_SUFFIXES = {
    "#": ("class", "struct", "interface", "enum", "type", "trait", "protocol", "record", "union", "object", "actor", "alias", "mixin",
          "extension", "implementation", "concept"),
    "().": ("function", "method", "constructor", "destructor", "operator", "getter", "setter", "procedure", "subroutine", "macro", "test"),
    "/": ("module", "namespace", "package"),
}  # fmt: skip
_SUFFIX = {kind: suffix for suffix, kinds in _SUFFIXES.items() for kind in kinds}
# The numbers of SymbolInformation.Kind; 0 is "unspecified".
_KINDS = {
    "alias": 55,
    "class": 7,
    "constant": 8,
    "constructor": 9,
    "delegate": 73,
    "enum": 11,
    "event": 13,
    "extension": 84,
    "field": 15,
    "function": 17,
    "getter": 18,
    "interface": 21,
    "key": 22,
    "library": 64,
    "macro": 25,
    "member": 12,
    "method": 26,
    "module": 29,
    "namespace": 30,
    "object": 33,
    "operator": 34,
    "package": 35,
    "parameter": 37,
    "property": 41,
    "protocol": 42,
    "setter": 45,
    "struct": 49,
    "subscript": 47,
    "trait": 53,
    "type": 54,
    "union": 59,
    "variable": 61,
}
_LANGUAGES = {
    "bash": "ShellScript",
    "c": "C",
    "cpp": "CPP",
    "csharp": "CSharp",
    "jsx": "JavaScriptReact",
    "javascript": "JavaScript",
    "php": "PHP",
    "tsx": "TypeScriptReact",
    "typescript": "TypeScript",
}


def metadata(root: str, version: str) -> bytes:
    """The opening of an index; documents follow in any order."""
    tool = _text(1, "idumb-brain") + _text(2, version)
    return _part(1, _part(2, tool) + _text(3, root) + _number(4, _UTF8))


def outside(names: Iterable[str]) -> bytes:
    """Symbols that files use and none of them defines."""
    return b"".join(_part(3, _text(1, name)) for name in sorted(names))


def document(
    path: str,
    language: str,
    names: Names,
    symbols: Sequence[Symbol],
    found: Sequence[Occurrence],
    lines: Sequence[str],
    told: set[str],
) -> bytes:
    """One file: where symbols stand in it, and what is known of those it defines, which are added to those ``told`` of."""
    parts = [_text(1, path), _part(2, _packed(1, (0, 0, 0)) + _text(2, names(path, None)) + _number(3, _ROLES[DEFINITION]))]
    parts += [_part(2, _occurrence(one, names, lines)) for one in found]
    parts.append(_part(3, _text(1, names(path, None)) + _number(5, _FILE) + _text(6, path.rpartition("/")[2])))
    told.add(names(path, None))
    parents = _parents(found, symbols)
    placed = {one.symbol.ordinal for one in found if one.role == DEFINITION and one.symbol}
    for symbol in symbols:
        name = names(path, symbol)
        if name not in told and symbol.ordinal in placed:
            told.add(name)
            parts.append(_part(3, _information(name, symbol, _language(language), names, parents.get(symbol.ordinal, ()))))
    return _part(2, b"".join([*parts, _text(4, _language(language)), _number(6, _CODE_POINTS)]))


def symbol_names(package: str, path: str, symbols: Sequence[Symbol]) -> list[str]:
    """What the symbols of a file are called in an index; the last one is the file itself. Overloads are told apart."""
    top = f"idumb-brain . {package.replace(' ', '  ') or '.'} . " + "".join(f"{_escaped(part)}/" for part in path.split("/"))
    names: list[str] = []
    seen: Counter[str] = Counter()
    for symbol in symbols:
        above = names[symbol.parent] if symbol.parent >= 0 else top
        plain = above + _escaped(symbol.name)
        suffix = _SUFFIX.get(symbol.kind, ".")
        again = seen[plain + suffix]
        seen[plain + suffix] += 1
        names.append(plain + (f"(+{again})." if again and suffix == "()." else suffix))
    return [*names, top]


def _occurrence(one: Occurrence, names: Names, lines: Sequence[str]) -> bytes:
    parts = [_packed(1, (one.line, one.start, one.end)), _text(2, names(one.file, one.symbol)), _number(3, _ROLES[one.role])]
    if one.role == DEFINITION and one.symbol and one.symbol.end_line <= len(lines):
        first, last = one.symbol.line - 1, one.symbol.end_line - 1
        end = len(lines[last])
        if first <= one.line <= last and (one.line < last or one.end <= end):
            parts.append(_packed(7, (first, 0, end) if first == last else (first, 0, last, end)))
    return b"".join(parts)


def _information(name: str, symbol: Symbol, language: str, names: Names, parents: Iterable[Occurrence]) -> bytes:
    parts = [_text(1, name)]
    if symbol.doc:
        parts.append(_text(3, symbol.doc))
    parts += [_part(4, _text(1, above) + _number(3, 1)) for above in sorted({names(one.file, one.symbol) for one in parents})]
    parts += [_number(5, _KINDS.get(symbol.kind, 0)), _text(6, symbol.name)]
    if symbol.signature:
        parts.append(_part(7, _text(4, language) + _text(5, symbol.signature)))
    return b"".join(parts)


def _parents(found: Iterable[Occurrence], symbols: Sequence[Symbol]) -> Mapping[int, list[Occurrence]]:
    """By class, what it extends or implements: the bases named on its opening lines."""
    types = [symbol for symbol in symbols if _SUFFIX.get(symbol.kind) == "#"]
    parents: dict[int, list[Occurrence]] = {}
    for one in found:
        if one.kind == "base":
            inside = [symbol for symbol in types if symbol.line <= one.line + 1 <= symbol.end_line]
            if inside:
                parents.setdefault(max(inside, key=lambda symbol: symbol.line).ordinal, []).append(one)
    return parents


def _language(name: str) -> str:
    return _LANGUAGES.get(name, name.capitalize())


def _escaped(name: str) -> str:
    plain = name.replace("_", "").replace("+", "").replace("-", "").replace("$", "")
    if name and name.isascii() and (plain.isalnum() or not plain):
        return name
    return "`" + (name.replace("`", "``") or " ") + "`"


# Protocol buffers, as far as these messages need them: numbers, texts, packed numbers and messages within messages.


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value) if value else b""


def _text(field: int, value: str) -> bytes:
    return _part(field, value.encode("utf-8", "replace")) if value else b""


def _packed(field: int, values: Iterable[int]) -> bytes:
    return _part(field, b"".join(map(_varint, values)))


def _part(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)
    return bytes(written)
