"""Documentation whose first word names another function than the one it stands above. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from idumb_brain.graph.inconsistencies.place import FileView, Told
from idumb_brain.model.code import Comment, Symbol
from idumb_brain.model.documented import INFO, WARNING

_NAMED_FIRST = re.compile(
    r"^(?P<name>[A-Za-z_]\w*)(?:\(\))?\s+(?P<verb>[a-z]+s)\b(?!\s+(?:are|is|were|can|must|should|will|may|have|do)\b)"
)
_CALLED_FIRST = re.compile(r"^`?(?P<name>[A-Za-z_]\w*)\(\)`?\s*(?:[:–—-]\s|(?P<verb>[a-z]+s)\b)")
_IDENTIFIER = re.compile(r"_|[a-z][A-Z]|^[A-Z][a-z]+[A-Z]")
_CALLABLE = ("function", "method", "constructor")
_NO_VERBS = ("this", "its", "calls", "functions", "methods", "docs", "tests", "types", "values", "helpers", "files", "options")
_TEST_WORDS = ("Test", "Tests", "Benchmark", "Example", "Fuzz")
_OF_TESTS = re.compile(r"[tT]est|Benchmark|Example|Fuzz")
# Languages whose documentation opens with the name of what it documents.
_BY_CUSTOM = ("go",)


def named_after_another(view: FileView, functions: Collection[str]) -> Iterator[tuple[Comment, Symbol, Told]]:
    """``functions``: names of all functions of the project."""
    for owner, comment in view.comments:
        if comment.type != "doc" or not 0 <= owner < len(view.symbols):
            continue
        symbol = view.symbols[owner]
        if symbol.kind not in _CALLABLE or comment.end_line + 1 != symbol.line:
            continue
        pattern = _NAMED_FIRST if view.record.language in _BY_CUSTOM else _CALLED_FIRST
        found = pattern.match(comment.content)
        if found is None:
            continue
        name = found["name"]
        own = {symbol.name, *re.split(r"\W+", symbol.qualified_name)}
        if name in own or (
            view.record.language not in _BY_CUSTOM and name.lower().replace("_", "") == symbol.name.lower().replace("_", "")
        ):
            continue
        if any(name in part for part in own) and not name[0].isupper():
            continue
        mine = {one.name for one in view.symbols if one.kind in _CALLABLE}
        is_function = name in mine or (name in functions and _IDENTIFIER.search(name) is not None)
        cased = name.lower() == symbol.name.lower()
        stale = _IDENTIFIER.search(name) is not None and _alike(name, symbol.name)
        if not (is_function or cased or stale):
            continue
        if re.search(rf"\b{re.escape(symbol.name)}\b", comment.content) or found["verb"] in _NO_VERBS:
            continue  # speaks of both, or is no name
        if _IDENTIFIER.search(name) is None and name.lower() not in symbol.name.lower():
            continue  # a word like any other: "Generate docs"
        if view.record.language not in _BY_CUSTOM and re.search(r"(?:^|/)tests?/", view.record.path):
            continue  # a helper of a test, under what is tested
        if (_OF_TESTS.match(symbol.name) and not _OF_TESTS.match(name)) or name in _TEST_WORDS:
            continue  # speaks of what is tested
        if re.search(r"\b(?:this (?:function|method|helper)|calls? (?:us|this)|we)\b", comment.content.split(".", 1)[0]):
            continue  # speaks of who uses it
        sure = 0.9 if is_function or stale else 0.4  # a single word that opens a sentence with a capital may be just that
        yield comment, symbol, Told(
            "doc-of-another", INFO if cased else WARNING, f"the documentation of {symbol.name} opens with {name}"
            + (", another function" if is_function and not cased else ""), (0,), (symbol.line,), sure,
        )  # fmt: skip


def _alike(one: str, other: str) -> bool:
    from rapidfuzz import fuzz

    return fuzz.ratio(one.lower(), other.lower()) >= 60
