"""Where comments contradict code. Facts in, findings out; reads nothing by itself, and stays silent where it is in doubt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from idumb_brain.graph.inconsistencies.place import FileView, placed
from idumb_brain.graph.inconsistencies.signatures import contradictions
from idumb_brain.model.code import Comment, Symbol
from idumb_brain.model.documented import Documentation, Finding, Function
from idumb_brain.scan.docstrings import read_documentation

__all__ = ["FileView", "in_signatures"]

_CLASSES = ("class", "struct", "record", "object")


def in_signatures(view: FileView) -> Iterator[Finding]:
    """Documentation of functions against the functions."""
    language = view.record.language
    at = {(one.name, one.line): one for one in view.functions}
    starts = {one.line: one for one in reversed(view.functions)}
    docs_of: dict[int, Documentation] = {}
    for owner, comment in view.comments:
        if comment.type != "doc":
            continue
        symbol = view.symbols[owner] if 0 <= owner < len(view.symbols) else None
        function = at.get((symbol.name, symbol.line)) if symbol else None
        of_class = False
        if function is None and symbol is not None and symbol.kind in _CLASSES and language == "python":
            function = _constructor(view, owner, at)
            of_class = True
        if function is None and language != "python":
            function = starts.get(comment.end_line + 1)
        if function is None:
            continue
        doc = docs_of[owner] = read_documentation(comment.content, language)
        name = (
            symbol.qualified_name
            if symbol and not of_class
            else f"{symbol.qualified_name}.{function.name}"
            if symbol
            else function.name
        )
        for told in contradictions(function, doc, language, of_class=of_class):
            yield placed(view, comment, told, name)


def _constructor(view: FileView, owner: int, at: Mapping[tuple[str, int], Function]) -> Function | None:
    """What makes an object of a class, unless it has documentation of its own."""
    made: Symbol | None = None
    for symbol in view.symbols:
        if symbol.parent == owner and symbol.name == "__init__":
            made = symbol
    if made is None or any(number == made.ordinal and comment.type == "doc" for number, comment in view.comments):
        return None
    return at.get((made.name, made.line))


def _is_doc(comment: Comment) -> bool:
    return comment.type == "doc"
