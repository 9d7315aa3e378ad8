"""Where comments contradict code. Facts in, findings out; reads nothing by itself, and stays silent where it is in doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date

from idumb_brain.graph.inconsistencies.claims import claims_something, unsupported_claims
from idumb_brain.graph.inconsistencies.names import SPOKEN_OF, Named, comments_with_names, proof_of, similar_names, told_of
from idumb_brain.graph.inconsistencies.place import FileView, Told, apart, placed
from idumb_brain.graph.inconsistencies.signatures import contradictions
from idumb_brain.graph.inconsistencies.silenced import heard
from idumb_brain.graph.inconsistencies.todos import WORK, About, contradicting, duplicates, gone_paths, overdue
from idumb_brain.graph.inconsistencies.wording import named_after_another
from idumb_brain.model.code import Comment, Symbol
from idumb_brain.model.documented import WARNING, Finding, Function
from idumb_brain.scan.concepts import Concept
from idumb_brain.scan.docstrings import read_documentation

__all__ = [
    "KINDS", "SPOKEN_OF", "WORK", "FileView", "Named", "apart", "claims_something", "comments_with_names", "duplicates", "gone_paths",
    "heard", "in_claims", "in_signatures", "in_todos", "in_wording", "placed", "proof_of", "similar_names", "todo_gone",
    "told_about", "told_of",
]  # fmt: skip

KINDS = (
    "param-unknown", "param-missing", "param-order", "param-duplicate", "param-unnamed", "param-type", "param-default",
    "return-unexpected", "return-missing", "return-duplicate", "yield-unexpected", "yield-missing", "raise-unexpected",
    "raise-missing", "name-gone", "link-gone", "claim-unsupported", "todo-gone", "todo-duplicate", "todo-contradiction",
    "todo-overdue", "deprecation-overdue", "doc-of-another",
)  # fmt: skip
_INSIDE = ("python",)  # documentation stands inside of what it documents
_CLASSES = ("class", "struct", "record", "object")


def in_signatures(view: FileView) -> Iterator[Finding]:
    """Documentation of functions against the functions."""
    language = view.record.language
    at = {(one.name, one.line): one for one in view.functions}
    named = Counter(one.name for one in view.functions)
    starts = {one.line: one for one in reversed(view.functions)}
    for owner, comment in view.comments:
        if comment.type != "doc":
            continue
        symbol = view.symbols[owner] if 0 <= owner < len(view.symbols) else None
        function = at.get((symbol.name, symbol.line)) if symbol else None
        of_class = False
        if function is None and symbol is not None and symbol.kind in _CLASSES and language == "python":
            function = _constructor(view, owner, at)
            of_class = True
        if language not in _INSIDE and (function is None or comment.end_line >= function.line):
            function, symbol = (
                starts.get(comment.end_line + 1),
                None,
            )  # it stands inside of what owns it, before something smaller
        if function is None:
            continue
        doc = read_documentation(comment.content, language)
        name = (
            symbol.qualified_name
            if symbol and not of_class
            else f"{symbol.qualified_name}.{function.name}"
            if symbol
            else function.name
        )
        # What documents one overload often speaks for them all; parameters that do not parse may be others than we see.
        unsure = ("abstract" in function.traits and named[function.name] > 1) or "unreadable" in function.traits
        for told in contradictions(function, doc, language, of_class=of_class):
            yield placed(view, comment, replace(told, confidence=min(told.confidence, 0.4)) if unsure else told, name)


def _constructor(view: FileView, owner: int, at: Mapping[tuple[str, int], Function]) -> Function | None:
    """What makes an object of a class, unless it has documentation of its own."""
    made: Symbol | None = None
    for symbol in view.symbols:
        if symbol.parent == owner and symbol.name == "__init__":
            made = symbol
    if made is None or any(number == made.ordinal and comment.type == "doc" for number, comment in view.comments):
        return None
    return at.get((made.name, made.line))


def in_wording(view: FileView, functions: Collection[str]) -> Iterator[Finding]:
    for comment, symbol, told in named_after_another(view, functions):
        yield placed(view, comment, told, symbol.qualified_name)


def in_claims(view: FileView, concepts: Iterable[Concept], words: Mapping[str, int], beyond: Iterable[str]) -> Iterator[Finding]:
    for comment, told in unsupported_claims(view, concepts, words, beyond):
        yield placed(view, comment, told, comment.owner)


def in_todos(view: FileView, today: date, version: Callable[[str], tuple[str, str]], project: str) -> Iterator[Finding]:
    """Dates, versions and contradictions inside one file."""
    comments = [comment for _, comment in view.comments]
    seen: set[tuple[int, str]] = set()
    for comment in comments:
        for about in overdue(comment, today, version, {project, *view.record.path.split("/")}):
            found = told_about(view, about)
            if (found.line, found.message) not in seen:  # a TODO in documentation is told of twice
                seen.add((found.line, found.message))
                yield found
    for about in contradicting(comments):
        yield told_about(view, about)


def told_about(view: FileView, about: About) -> Finding:
    there = [view.quoted(other.line, other.file) for other in about.others]
    told = Told(about.kind, about.severity, about.message, (about.line,), (), about.confidence, tuple(there))
    return placed(view, about.comment, told, about.comment.owner)


def todo_gone(view: FileView, comment: Comment, path: str, line: int, why: str, confidence: float) -> Finding:
    told = Told("todo-gone", WARNING, f"there is no {path}; {why}", (line,), (), confidence)
    return placed(view, comment, told, comment.owner)
