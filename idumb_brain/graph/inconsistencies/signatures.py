"""Documentation against signature and body: parameters, results, exceptions, defaults. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from idumb_brain.graph.inconsistencies.literals import contradicting_defaults, contradicting_types
from idumb_brain.graph.inconsistencies.place import Told
from idumb_brain.model.documented import (
    ERROR,
    INFO,
    KEYWORDS,
    PATTERN,
    RECEIVER,
    REST,
    WARNING,
    DocParameter,
    Documentation,
    Function,
    Parameter,
)

_NOTHING = re.compile(r"^(?:None|void|Void|nothing|undefined|Unit|\(\)|NoReturn|never|Never|nil|Nil|unit|NoneType)\.?$")
_NOTHING_TYPED = re.compile(
    r"^[\"']?(?:None|void|Void|undefined|Unit|\(\)|NoReturn|never|Never|typing\.NoReturn|asserts .*)[\"']?$"
)
_ITERATORS = re.compile(r"^[\"']?(?:[\w.]+\.)?(?:Async)?(?:Generator|Iterator|Iterable)\b")
_SCRIPTS = ("javascript", "typescript", "jsx", "tsx")
_SUFFIX = re.compile(r"[.\[].*$")
_HEADINGS = frozenset({"Returns", "Return", "Yields", "Raises", "Example", "Examples", "Note", "Notes", "Attributes"})
_UNTOLD = frozenset({"@callback", "@typedef", "@overload", "@signature", "@lends", "@interface", "@fn", "@def"})


def contradictions(function: Function, doc: Documentation, language: str, *, of_class: bool = False) -> Iterator[Told]:
    """Everything the documentation of a function says that the function does not."""
    if doc.inherited or doc.sections & _UNTOLD or "overload" in _marks(function):
        return
    yield from _parameters(function, doc, language)
    if not of_class:
        yield from _returns(function, doc, language)
        yield from _yields(function, doc, language)
    yield from _raises(function, doc, of_class=of_class)


def signature_parameters(function: Function, language: str) -> list[Parameter]:
    """What a caller passes: without the receiver."""
    found = [one for one in function.parameters if one.how != RECEIVER and one.name != "this"]
    if (
        language == "python"
        and "method" in function.traits
        and found
        and "staticmethod" not in _marks(function)
        and not found[0].how
    ):
        found = found[1:]
    return [one._replace(name=one.name.lstrip("$&@").rstrip("?")) for one in found]


def _marks(function: Function) -> set[str]:
    """Last words of the decorators, and the traits."""
    return {re.split(r"[(\s]", one)[0].rpartition(".")[2] for one in function.decorators} | function.traits


def _parameters(function: Function, doc: Documentation, language: str) -> Iterator[Told]:
    for one in doc.parameters:
        if not one.name:
            yield Told(
                "param-unnamed", INFO, f"a parameter of {function.name} is documented without its name", (one.line,), (), 0.9
            )
    if not doc.parameters:
        return
    unnamed = any(not one.name for one in doc.parameters)
    actual = signature_parameters(function, language)
    documented = _without_nested(tuple(one for one in doc.parameters if one.name))
    patterns = {i: one for i, one in enumerate(actual) if one.how == PATTERN}
    named = _named_patterns(documented, actual) if patterns else {}
    names = [one.name for one in actual if one.name]
    aliases = {alias: one.name for one in actual if one.how != PATTERN for alias in one.fields}
    known = set(names) | set(named.values())
    plain = [(aliases.get(_plain(one.name), _plain(one.name)), one) for one in documented]
    takes_any = any(one.how == KEYWORDS for one in actual) or (language == "ruby" and any(one.how == REST for one in actual))
    first_seen: dict[str, DocParameter] = {}
    for name, one in plain:
        if name in first_seen and name in known and one.line != first_seen[name].line:
            yield Told("param-duplicate", WARNING, f"`{name}` is documented twice", (one.line, first_seen[name].line))
        first_seen.setdefault(name, one)
    spared = (KEYWORDS,) if language in _SCRIPTS else (REST, KEYWORDS)
    undocumented_rest = any(one.how == REST and one.name not in first_seen for one in actual)
    unknown = [(name, one) for name, one in plain if name not in known]
    missing = [
        one for one in actual
        if one.name and one.name not in first_seen and one.how not in spared and not re.fullmatch(r"_+\w*|\$", one.name)
    ]  # fmt: skip
    for name, one in unknown:
        near = _renamed(name, one, [m.name for m in missing], plain, names)
        meant = f"; the signature has `{near}` in its place" if near else ""
        if doc.style == "google" and name in _HEADINGS:
            yield Told(
                "param-unknown", WARNING, f"`{name}` is indented so far that it is one of the parameters", (one.line,), (), 0.9
            )
            continue
        doubt = 0.3 if takes_any or (not names and patterns) else 0.4 if undocumented_rest else 0.95
        if doubt < 0.5 and near and _are_alike(name, near):
            doubt = 0.8
        yield Told(
            "param-unknown", ERROR, f"`{name}` is documented, but {function.name} has no such parameter{meant}",
            (one.line,), (function.line,), doubt,
        )  # fmt: skip
    for parameter in missing:
        yield Told(
            "param-missing", WARNING, f"parameter `{parameter.name}` of {function.name} is not documented, others are",
            (doc.parameters[0].line,), (function.line,), 0.3 if doc.partial or unnamed else 0.9,
        )  # fmt: skip
    if "Parameters:" in doc.sections:
        for name in sorted(known & set(first_seen)):
            yield Told(
                "param-missing", INFO, f"`{name}` stands under \"Parameters:\"; the heading has no colon in NumPy style",
                (first_seen[name].line,), (function.line,), 0.3,
            )  # fmt: skip
    if not unknown and not missing:
        order = [name for name in dict.fromkeys(name for name, _ in plain) if name in set(names)]
        wanted = [name for name in names if name in set(order)]
        if language not in _SCRIPTS:  # where stars stand among the others is a matter of taste
            starred = {one.name for one in actual if one.how in (REST, KEYWORDS)}
            order, wanted = ([name for name in some if name not in starred] for some in (order, wanted))
        if order != wanted:
            yield Told(
                "param-order", WARNING, f"documented in the order {', '.join(order)}; the signature has {', '.join(wanted)}",
                (documented[0].line,), (function.line,),
            )  # fmt: skip
    by_name = {one.name: one for one in actual if one.name}
    for name, one in plain:
        if name not in by_name:
            continue
        parameter = by_name[name]
        if contradicting_types(one.type, parameter.type, language):
            yield Told(
                "param-type", WARNING, f"`{name}` is documented as {one.type}, annotated as {parameter.type}",
                (one.line,), (function.line,), 0.9,
            )  # fmt: skip
        if contradicting_defaults(one.default, parameter.default):
            yield Told(
                "param-default", WARNING, f"the default of `{name}` is documented as {one.default}; it is {parameter.default}",
                (one.line,), (function.line,), 0.4 if one.in_prose else 0.9,
            )  # fmt: skip


def _are_alike(one: str, other: str) -> bool:
    from rapidfuzz import fuzz

    return len(one) > 3 and fuzz.ratio(one.lower(), other.lower()) >= 75


def _plain(name: str) -> str:
    return _SUFFIX.sub("", name.replace("\\", "").lstrip("*&$.").strip("`"))


def _without_nested(documented: tuple[DocParameter, ...]) -> list[DocParameter]:
    """Without the properties of parameters, ``options.depth``, unless nobody documents ``options`` itself."""
    roots = {_plain(one.name) for one in documented if not re.search(r"[.\[]", one.name.lstrip(".").replace("...", ""))}
    kept: list[DocParameter] = []
    seen: set[str] = set()
    for one in documented:
        nested = re.search(r"\w[.\[]", one.name.replace("...", "")) is not None
        if nested and (_plain(one.name) in roots or _plain(one.name) in seen):
            continue
        if nested:
            seen.add(_plain(one.name))
        kept.append(one)
    return kept


def _named_patterns(documented: list[DocParameter], actual: list[Parameter]) -> dict[int, str]:
    """What the documentation calls parameters that have no name: whatever it says in their places."""
    by_place: dict[int, str] = {}
    taken = {one.name for one in actual if one.name}
    told = list(dict.fromkeys(_plain(one.name) for one in documented))
    for place, one in enumerate(actual):
        if one.how == PATTERN:
            here = told[place] if place < len(told) else ""
            by_place[place] = here if here and here not in taken else next((name for name in told if name not in taken), "")
            taken.add(by_place[place])
    return by_place


def _renamed(name: str, one: DocParameter, missing: list[str], plain: list[tuple[str, DocParameter]], names: list[str]) -> str:
    place = next((i for i, (_, other) in enumerate(plain) if other is one), -1)
    if 0 <= place < len(names) and names[place] in missing:
        return names[place]
    return missing[0] if len(missing) == 1 else ""


def _returns(function: Function, doc: Documentation, language: str) -> Iterator[Told]:
    marks = _marks(function)
    typed = function.returns_type
    says_nothing = bool(_NOTHING_TYPED.match(typed))
    if doc.returns:
        told = doc.returns[0]
        if doc.style == "tags" and len(doc.returns) > 1 and language in _SCRIPTS:
            yield Told("return-duplicate", WARNING, "the result is documented twice", (doc.returns[1].line, told.line))
        if function.returns_at or marks & {"constructor", "getter", "setter", "opaque"}:
            return
        if doc.sections & {"@abstract", "@virtual"}:
            return
        if typed and not says_nothing:
            return
        doubt = 0.9
        if marks & {"abstract", "abstractmethod"}:
            if not says_nothing:
                return
            doubt = 0.9
        if _is_placeholder(function) and not says_nothing:
            doubt = 0.3
        if function.yields_at:
            if language != "python" and _ITERATORS.match(told.type):
                return
            doubt = 0.3  # whoever calls it is returned a generator
        if function.raises and not says_nothing and not function.leaves_at:
            doubt = 0.3  # it may do nothing but raise: somebody else is to write it
        if "async" in marks and (not told.type or told.type.startswith(("Promise", "Future", "Task"))):
            return  # a promise of nothing is a result, too
        if _NOTHING.match(told.type.strip("`{}")):
            if language != "python":
                return
            doubt = 0.2
        yield Told(
            "return-unexpected",
            WARNING,
            f"a result is documented, but {function.name} returns none",
            (told.line,),
            (function.line,),
            doubt,
        )
    elif (
        not doc.is_short
        and not doc.yields
        and language == "python"
        and not marks & {"property", "cached_property", "setter", "overload"}
    ):
        gives = function.returns_at or (typed and not says_nothing and not _ITERATORS.match(typed) and not function.yields_at)
        if gives and not says_nothing and not (function.yields_at and function.leaves_at) and function.name != "__init__":
            at = function.returns_at or function.line
            yield Told(
                "return-missing", INFO, f"{function.name} returns a value, and its documentation has sections but none for it",
                (), (at,), 0.6 if function.returns_at else 0.4,
            )  # fmt: skip


def _yields(function: Function, doc: Documentation, language: str) -> Iterator[Told]:
    marks = _marks(function)
    if doc.yields and not function.yields_at and language != "ruby":
        if marks & {"abstract", "abstractmethod", "opaque"}:
            return
        loose = 0.3 if _is_placeholder(function) or (function.returns_at and _ITERATORS.match(function.returns_type)) else 0.9
        yield Told(
            "yield-unexpected", WARNING, f"yields are documented, but {function.name} yields nothing",
            (doc.yields[0].line,), (function.line,), loose,
        )  # fmt: skip
    elif function.yields_at and not doc.yields and not doc.is_short and language == "python" and not function.returns_at:
        if "None" in re.split(r"[\[\],\s]+", function.returns_type)[1:2]:
            return
        doubt = 0.3 if doc.returns or marks & {"contextmanager", "asynccontextmanager", "fixture"} else 0.6
        yield Told(
            "yield-missing", INFO, f"{function.name} yields, and its documentation has sections but none for it",
            (), (function.yields_at,), doubt,
        )  # fmt: skip


def _raises(function: Function, doc: Documentation, *, of_class: bool) -> Iterator[Told]:
    if not doc.raises or not any(one.type for one in doc.raises) or _marks(function) & {"abstract", "abstractmethod", "opaque"}:
        return
    raised = [(name, line) for name, line in function.raises if name]
    documented = {_last(one.type): one for one in doc.raises if one.type}
    certain = (
        not of_class and not function.calls and all(name for name, _ in function.raises) and "declares" not in function.traits
    )
    thrown = {_last(name) for name, _ in raised}
    for name, one in documented.items():
        if name not in thrown:
            placeholder = _is_placeholder(function)
            yield Told(
                "raise-unexpected", WARNING if certain else INFO, f"{name} is documented, but {function.name} does not raise it itself",
                (one.line,), (function.line,), 0.8 if certain and not placeholder else 0.3,
            )  # fmt: skip
    reported: set[str] = set()
    for name, line in raised:
        last = _last(name)
        if last in documented or last in reported or not last[:1].isupper():
            continue
        reported.add(last)
        yield Told(
            "raise-missing", INFO, f"{function.name} raises {name}; its documentation names other exceptions, not this one",
            (doc.raises[0].line,), (line,), 0.3 if last == "NotImplementedError" else 0.7,
        )  # fmt: skip


def _last(name: str) -> str:
    return re.split(r"[.\\:#]+", name.strip("`~ "))[-1]


def _is_placeholder(function: Function) -> bool:
    """Whether somebody else is to write the body."""
    if any(
        _last(name) in ("NotImplementedError", "UnsupportedOperationException", "NotImplementedException")
        for name, _ in function.raises
    ):
        return True
    return "empty" in function.traits or not (function.calls or function.returns_at or function.leaves_at or function.raises)
