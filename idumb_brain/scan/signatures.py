"""Syntax trees to what functions take, give and raise. Lives in worker processes only; knows no language by name.

``queries/<language>/examine.scm`` names what it finds; this module knows what the names mean:

``@function``      something that is called, with ``@name`` and ``@parameters`` inside; ``@name.next`` stands before it
``@scope``         what returns, yields and raises inside belong to, though nobody documents it: lambdas, types of functions
``@scope.class``   the same of a class; functions right inside it are methods
``@param``         one parameter, with ``@param.name``, ``@param.type``, ``@param.default`` inside; ``@param.rest``,
                   ``@param.keywords``, ``@param.pattern`` and ``@param.receiver`` say how it is passed, ``@param.field`` what a
                   pattern takes out of it, ``@param.open`` that it takes all the rest
``@param.more``    another name of the same parameter list entry (Go ``a, b int``)
``@returns.type``  the declared result; ``@returns.value``, ``@returns.bare`` are returns with and without one
``@yields`` ``@raises``  with ``@raises.name`` where the exception can be told
``@handler``       with ``@handler.type`` and ``@handler.name``: what ``raise`` alone or ``raise error`` passes on inside
``@calls``         what may raise or do anything
``@trait.X``       something about the innermost function; ``@trait.X.next`` about the next
``@decorator.next``  a decorator, annotation or attribute of the next function
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from idumb_brain.scan.grammar import Grammar, grammar_of
from idumb_brain.scan.languages import Language
from idumb_brain.scan.mend import readable_to

_FIRST = (
    "function",
    "scope",
    "handler",
    "param",
    "returns.value",
)  # of two captures of one node, what opens something comes first
_MAX_TEXT = 200


@dataclass
class _Param:
    end: int
    name: str = ""
    type: str = ""
    default: str = ""
    how: str = ""
    fields: list[str] = field(default_factory=list)


@dataclass
class _Handler:
    end: int
    types: list[str] = field(default_factory=list)
    name: str = ""


@dataclass
class _Function:
    start: int
    end: int
    is_scope: bool
    is_class: bool = False
    name: str = ""
    line: int = 0
    traits: set[str] = field(default_factory=set)
    decorators: list[str] = field(default_factory=list)
    params: list[_Param] = field(default_factory=list)
    handlers: list[_Handler] = field(default_factory=list)
    returns_type: str = ""
    returns_at: int = 0
    leaves_at: int = 0
    yields_at: int = 0
    raises: list[tuple[str, int]] = field(default_factory=list)
    raising: int = -1  # end of the raise being read
    guessed: int = -1  # where what it passes on was noted, until its name is read
    returned: int = -1  # start of the last return of a value
    calls: bool = False


def examined(source: bytes, language: Language) -> list[list[Any]]:
    """Rows of all named functions, in order: see ``model.documented.Function``, spelled as plain lists."""
    grammar = grammar_of(language)
    readable = readable_to(source, language) if language.blank or language.read_as or language.unwrap else source
    root = grammar.parser.parse(readable).root_node
    lines = [0, *accumulate(map((1).__add__, map(len, source.split(b"\n"))))]
    events: list[tuple[int, int, int, str]] = []
    for name, nodes in _cursor(grammar).captures(root).items():
        rank = _FIRST.index(name) if name in _FIRST else len(_FIRST)
        events += [(node.start_byte, -node.end_byte, rank, name) for node in nodes]
        if name == "function":
            lists = [taken for node in nodes if (taken := node.child_by_field_name("parameters")) is not None and taken.has_error]
            events += [(taken.start_byte, -taken.end_byte, len(_FIRST), "trait.unreadable") for taken in lists]
    events.sort()
    return [_row(one, lines) for one in _sweep(source, lines, events) if one.name and not one.is_scope]


def _sweep(source: bytes, lines: list[int], events: list[tuple[int, int, int, str]]) -> list[_Function]:
    found: list[_Function] = []
    stack: list[_Function] = []
    pending: list[tuple[str, int, int]] = []
    last = (-1, -1)

    def text(start: int, end: int) -> str:
        return " ".join(source[start : min(end, start + _MAX_TEXT)].decode("utf-8", "replace").split())

    for start, minus_end, _, name in events:
        end = -minus_end
        while stack and stack[-1].end <= start:
            stack.pop()
        if name in ("function", "scope", "scope.class"):
            if last == (start, end):
                continue  # captured as both: a function it is
            last = (start, end)
            made = _Function(start, end, name != "function", is_class=name == "scope.class")
            if name == "function":
                if stack and stack[-1].is_class:
                    made.traits.add("method")
                for what, begin, until in pending:
                    _apply_next(made, what, text(begin, until), bisect_right(lines, begin))
                pending.clear()
            stack.append(made)
            found.append(made)
        elif name.endswith(".next"):
            pending.append((name.removesuffix(".next"), start, end))
        elif stack:
            # ``a => b => c``: the inner function is what the outer one returns
            is_itself = name == "returns.value" and (stack[-1].start, stack[-1].end) == (start, end) and len(stack) > 1
            _apply(stack[-2 if is_itself else -1], name, start, end, text, bisect_right(lines, start))
    return found


def _apply_next(made: _Function, what: str, written: str, line: int) -> None:
    if what == "name":
        made.name, made.line = written, line
    elif what == "decorator":
        made.decorators.append(written)
    elif what.startswith("trait."):
        made.traits.add(what.removeprefix("trait."))


def _apply(within: _Function, name: str, start: int, end: int, text: Any, line: int) -> None:
    family, _, part = name.partition(".")
    if family == "param":
        _apply_param(within, part, start, end, text)
    elif name == "name" and not within.name:
        within.name, within.line = text(start, end), line
    elif name == "returns.type":
        within.returns_type = within.returns_type or text(start, end)
    elif name == "returns.value":
        within.returns_at = within.returns_at or line
        within.returned = start
    elif name == "returns.bare":
        if within.returned != start:
            within.leaves_at = within.leaves_at or line
    elif name == "yields":
        within.yields_at = within.yields_at or line
    elif name == "calls":
        within.calls = True
    elif family == "trait":
        within.traits.add(part)
    elif name == "decorator":
        within.decorators.append(text(start, end))
    elif family == "handler":
        if not part:
            within.handlers.append(_Handler(end))
        elif open_ones := [one for one in within.handlers if one.end >= end]:
            if part == "type":
                open_ones[-1].types.append(text(start, end))
            else:
                open_ones[-1].name = text(start, end)
    elif name == "raises":
        handlers = [one for one in within.handlers if one.end >= end]
        passed_on = handlers[-1].types if handlers else []
        within.raising, within.guessed = end, len(within.raises)
        within.raises += [(one, line) for one in passed_on or [""]]
    elif name == "raises.name" and within.raising >= end:
        written = text(start, end)
        handlers = [one for one in within.handlers if one.end >= end and one.name == written]
        if within.guessed >= 0:  # now it is told
            del within.raises[within.guessed :]
            within.guessed = -1
        within.raises += [(one, line) for one in (handlers[-1].types or [""] if handlers else [written])]


def _apply_param(within: _Function, part: str, start: int, end: int, text: Any) -> None:
    if not part:
        within.params.append(_Param(end))
        return
    if not within.params or within.params[-1].end < end:
        return
    param = within.params[-1]
    if part == "name":
        param.name = param.name or text(start, end)
    elif part == "more":
        within.params.append(_Param(param.end, text(start, end), param.type, "", param.how))
    elif part == "type":
        param.type = text(start, end)
        for other in within.params:  # "a, b int": the type of them all
            if other.end == param.end:
                other.type = param.type
    elif part == "default":
        param.default = text(start, end)
    elif part == "field":
        param.fields.append(text(start, end))
    elif part == "open":
        param.fields.append("...")
    else:
        param.how = part


def _row(one: _Function, lines: list[int]) -> list[Any]:
    return [
        one.name, one.line, bisect_right(lines, max(one.start, one.end - 1)), sorted(one.traits), one.decorators,
        [[p.name, p.type, p.default, p.how, p.fields] for p in one.params],
        one.returns_type, one.returns_at, one.leaves_at, one.yields_at, [list(raised) for raised in dict.fromkeys(one.raises)], one.calls,
    ]  # fmt: skip


_cursors: dict[str, Any] = {}


def _cursor(grammar: Grammar) -> Any:
    from tree_sitter import QueryCursor

    from idumb_brain.scan.grammar import compiled

    made = _cursors.get(grammar.language.name)
    if made is None:
        made = _cursors[grammar.language.name] = QueryCursor(
            compiled(grammar.native, grammar.language, grammar.language.examined)
        )
    return made
