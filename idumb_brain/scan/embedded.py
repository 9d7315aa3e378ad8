"""Files that hold code of another language: component formats, and Markdown fences where asked for. Pure."""

from __future__ import annotations

import re
from typing import Any

from idumb_brain.scan.extract import Extraction, extract
from idumb_brain.scan.grammar import Grammar, grammar_of
from idumb_brain.scan.languages import Language, Languages

_LANG = re.compile(rb"""\blang\s*=\s*["']?([\w-]+)""")
_NAMES = {
    "js": "javascript",
    "ts": "typescript",
    "jsx": "jsx",
    "tsx": "tsx",
    "py": "python",
    "sh": "bash",
    "rb": "ruby",
    "rs": "rust",
}


def extract_all(
    source: bytes, language: Language, languages: Languages, fences: bool = False, header: bool = False
) -> Extraction:
    """The facts of a file, those of the code embedded in it included."""
    grammar = grammar_of(language)
    host = extract(source, grammar, header=header)
    rule = language.embedded
    if rule is None or (rule.get("optional") and not fences):
        return host
    parts = [host]
    for name, ranges in _embedded_ranges(source, grammar, rule).items():
        inner = languages.by_name.get(_NAMES.get(name, name))
        if inner is not None and not inner.generic:
            parts.append(extract(source, grammar_of(inner), ranges))
    return _joined(parts)


def _embedded_ranges(source: bytes, grammar: Grammar, rule: Any) -> dict[str, list[Any]]:
    from tree_sitter import Query, QueryCursor, Range

    tree = grammar.parser.parse(source)
    by_language: dict[str, list[Any]] = {}
    for _, captured in QueryCursor(Query(grammar.native, rule["query"])).matches(tree.root_node):
        stated = b"".join(source[node.start_byte : node.end_byte] for node in captured.get("tag", ()))
        told = _LANG.search(stated)
        named = "".join(
            source[node.start_byte : node.end_byte].decode("utf-8", "replace") for node in captured.get("language", ())
        )
        name = told[1].decode() if told else named or rule.get("default", "")
        for node in captured.get("code", ()):
            by_language.setdefault(name, []).append(Range(node.start_point, node.end_point, node.start_byte, node.end_byte))
    return by_language


def _joined(parts: list[Extraction]) -> Extraction:
    whole = Extraction(next((part.package for part in parts if part.package), ""), [], [], [], [], [])
    for part in parts:
        first = len(whole.symbols)

        def moved(ordinal: int, first: int = first) -> int:
            return ordinal + first if ordinal >= 0 else -1

        whole.symbols.extend((moved(row[0]), *row[1:]) for row in part.symbols)
        whole.comments.extend((moved(row[0]), *row[1:]) for row in part.comments)
        whole.imports.extend(part.imports)
        whole.references.extend((moved(row[0]), *row[1:]) for row in part.references)
        whole.problems.extend(part.problems)
    whole.comments.sort(key=lambda row: (row[2], row[3]))
    return whole
