"""Two signatures of one symbol to what happened between them. Pure; what an event means is for the table to say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from idumb_brain.graph.signatures import (
    CONTAINERS,
    EITHER,
    KEYWORD,
    POSITION,
    REST,
    REST_KEYWORDS,
    Dialect,
    Parameter,
    Signature,
    alternatives,
)

_ANYTHING = {"Any", "any", "unknown", "mixed", "object", "interface{}", "dynamic", "typing.Any"}


class Event(NamedTuple):
    what: str  # a row of the table
    name: str = ""
    before: str = ""
    after: str = ""


def signature_events(was: Signature, now: Signature, kind: str, dialect: Dialect) -> list[Event]:
    events = [Event("-" + word) for word in sorted(was.modifiers - now.modifiers)]
    events += [Event("+" + word) for word in sorted(now.modifiers - was.modifiers)]
    if was.parameters is not None or now.parameters is not None:
        events += _parameter_events(was.parameters or (), now.parameters or (), dialect)
    if was.receiver != now.receiver and was.receiver and now.receiver:
        easier = {("&mut self", "&self"), ("a pointer", "a value"), ("self", "&self"), ("mut self", "&self")}
        what = "receiver-less" if (was.receiver, now.receiver) in easier else "receiver"
        events.append(Event(what, "", was.receiver, now.receiver))
    if kind in CONTAINERS:
        contract = kind in ("interface", "trait", "protocol")
        events += [Event("base-removed", base) for base in was.bases if base not in now.bases]
        events += [Event("bases-of-contract" if contract else "base-added", base) for base in now.bases if base not in was.bases]
        return events
    if was.parameters is not None and now.parameters is not None:
        events += _type_events("result", "", was.type, now.type, dialect)
    else:
        events += _value_events(was, now, kind, dialect)
    if was.clauses != now.clauses:
        events.append(Event("clauses", "", was.clauses or "none", now.clauses or "none"))
    return events


def _parameter_events(was: Sequence[Parameter], now: Sequence[Parameter], dialect: Dialect) -> Iterator[Event]:
    paired = dict(_pairs(was, now))
    taken = set(paired.values())
    rest = any(one.passed == REST for one in now)
    rest_keywords = any(one.passed == REST_KEYWORDS for one in now)
    old_places = [i for i, one in enumerate(was) if one.passed in (POSITION, EITHER)]
    new_places = [i for i, one in enumerate(now) if one.passed in (POSITION, EITHER)]
    fresh = [other for j, other in enumerate(now) if j not in taken]
    # Where one came or went, that the others moved up is no news.
    shifted = len(paired) < len(was) or any(not one.optional for one in fresh)
    for one in fresh:
        if one.passed in (REST, REST_KEYWORDS):
            yield Event("parameter-added-rest", one.name)
        else:
            yield Event("parameter-added-optional" if one.optional else "parameter-added-required", one.name)
    for i, one in enumerate(was):
        j = paired.get(i)
        if j is None:
            yield Event(_removal(one, rest, rest_keywords), one.name)
            continue
        other = now[j]
        if one.name != other.name and one.passed not in (REST, REST_KEYWORDS):
            inside = one.passed == POSITION or one.name.startswith("__")
            yield Event("parameter-renamed-inside" if inside else "parameter-renamed", "", one.name, other.name)
        if i in old_places and j in new_places and _moved(old_places.index(i), new_places.index(j), i, paired, shifted):
            yield Event("parameter-moved", one.name, str(old_places.index(i) + 1), str(new_places.index(j) + 1))
        yield from _passing(one, other)
        if one.optional and not other.optional:
            yield Event("parameter-made-required", other.name)
        elif other.optional and not one.optional:
            yield Event("parameter-made-optional", other.name)
        elif one.default != other.default and one.default and other.default and _plain(one.default) != _plain(other.default):
            yield Event("parameter-default", other.name, one.default, other.default)
        yield from _type_events("parameter-type", other.name, one.type, other.type, dialect)


def _moved(before: int, after: int, i: int, paired: Mapping[int, int], shifted: bool) -> bool:
    if not shifted:
        return before != after
    return any((i < other) != (paired[i] < place) for other, place in paired.items() if other != i)


def _pairs(was: Sequence[Parameter], now: Sequence[Parameter]) -> Iterator[tuple[int, int]]:
    """Which parameter became which: by name, then by place where neither name is known to the other side."""
    names = {one.name: j for j, one in enumerate(now)}
    old_names = {one.name for one in was}
    left = []
    used = set()
    for i, one in enumerate(was):
        if one.name in names and not one.name.startswith("#"):
            used.add(names[one.name])
            yield i, names[one.name]
        else:
            left.append(i)
    # A parameter in a row of strangers is renamed only if the rows are as long as each other: else one was removed.
    for i in left:
        one = was[i]
        if one.passed in (REST, REST_KEYWORDS):
            j = next((j for j, other in enumerate(now) if other.passed == one.passed and j not in used), None)
        else:
            j = _same_place(i, was, now, used, old_names)
        if j is not None:
            used.add(j)
            yield i, j


def _same_place(i: int, was: Sequence[Parameter], now: Sequence[Parameter], used: set[int], old_names: set[str]) -> int | None:
    if i >= len(now) or i in used:
        return None
    other, one = now[i], was[i]
    if (other.name in old_names and not other.name.startswith("#")) or other.passed in (REST, REST_KEYWORDS):
        return None
    if one.passed == KEYWORD or other.passed == KEYWORD:
        return None
    strangers = one.type and other.type and one.type != other.type
    return None if strangers and len(was) != len(now) else i


def _removal(one: Parameter, rest: bool, rest_keywords: bool) -> str:
    swallowed = {
        POSITION: rest,
        EITHER: rest and rest_keywords,
        KEYWORD: rest_keywords,
    }.get(one.passed, False)
    return "parameter-swallowed" if swallowed else "parameter-removed"


def _passing(one: Parameter, other: Parameter) -> Iterator[Event]:
    if one.passed == other.passed:
        return
    if one.passed == EITHER and other.passed in (POSITION, KEYWORD):
        yield Event("parameter-passing-less", other.name, "place or name", "place" if other.passed == POSITION else "name")
    elif other.passed == EITHER and one.passed in (POSITION, KEYWORD):
        yield Event("parameter-passing-more", other.name)
    elif other.passed == REST and one.passed in (POSITION, EITHER):
        yield Event("parameter-added-rest", other.name)
    else:
        yield Event("parameter-passing-less", other.name, one.passed, other.passed)


def _type_events(what: str, name: str, was: str, now: str, dialect: Dialect) -> Iterator[Event]:
    if was == now:
        return
    if what == "result" and dialect.nothing:
        was, now = was or "nothing", now or "nothing"
    if not was or not now:
        yield Event(f"{what}-stated" if now else f"{what}-unstated", name, was, now)
        return
    old, new = alternatives(was, dialect), alternatives(now, dialect)
    if old == new:
        return
    if what == "parameter-type" and now.removeprefix("readonly ") == was:
        yield Event("parameter-type-wider", name, was, now)
    elif what == "parameter-type" and now.startswith("impl "):
        yield Event("parameter-type-generic", name, was, now)
    elif (old < new or now in _ANYTHING) and (dialect.unions or "null" in new):
        yield Event(f"{what}-wider", name, was, now)
    elif (new < old or was in _ANYTHING) and (dialect.unions or "null" in old):
        yield Event(f"{what}-narrower", name, was, now)
    else:
        yield Event(what, name, was, now)


def _value_events(was: Signature, now: Signature, kind: str, dialect: Dialect) -> Iterator[Event]:
    if kind == "type":
        if was.type != now.type:
            yield Event("alias", "", was.type, now.type)
        return
    yield from _type_events("type", "", was.type, now.type, dialect)
    if was.optional != now.optional:
        yield Event("field-made-optional" if now.optional else "field-made-required")
    yield from (Event("accessor-removed", word) for word in sorted(was.accessors - now.accessors))
    yield from (Event("accessor-added", word) for word in sorted(now.accessors - was.accessors))
    if _plain(was.value) != _plain(now.value):
        if was.value and now.value:
            yield Event("value", "", was.value, now.value)
        elif kind in ("field", "property"):
            yield Event("value-given" if now.value else "value-gone")


def _plain(value: str) -> str:
    """A value without what only looks different."""
    return "".join(value.split()).replace("'", '"')
