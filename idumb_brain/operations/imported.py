"""Exported files read back into values. Believes nothing: what is not what it should be is told of, with the reason, and left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from typing import Any, get_args, get_origin, get_type_hints

from idumb_brain.model.exchange import KINDS, LOGS, WITHIN, Content, keys
from idumb_brain.store.exchange import sound
from idumb_brain.store.guard import shown

_NOTHING: Mapping[type, Any] = {str: "", int: 0, float: 0.0, bool: False}
_COLUMN: Mapping[str, type] = {
    "at": str,
    "before": dict,
    "after": dict,
    "row": dict,
    "score": float,
    "enforced": int,
    "repaired": int,
}


class Gathered:
    """What was read so far, and what could not be."""

    def __init__(self) -> None:
        self.things: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
        self.logs: dict[str, list[dict[str, Any]]] = {table: [] for table in LOGS}
        self.problems: list[str] = []

    @property
    def content(self) -> Content:
        return Content(self.things, self.logs)

    def keep(self, kind: str, value: Any) -> bool:
        """Whether it could be believed, as a whole or mended."""
        made, told = sound(kind, value)
        named = f"{kind} {shown(value.id)}"
        self.problems += [f"{named}: {problem}" for problem in told]
        if made is None:
            return False
        if (before := self.things[kind].get(made.id)) is not None and before != made:
            self.problems.append(f"{named} is there twice; what was read last counts")
        self.things[kind][made.id] = made
        return True


def read_exported(stated: Mapping[str, Any], onto: Gathered) -> int:
    """One exported file; how many things were in it."""
    reader = _READERS.get(str(stated.get("kind", "")))
    return reader(stated, onto) if reader else 0


def _entities(
    kind: str, stated: Mapping[str, Any], onto: Gathered, given: Mapping[str, Any] | None = None, under: str = ""
) -> int:
    count = 0
    for one in _dicts(stated.get(under or kind), under or kind, onto):
        value = value_of(KINDS[kind], {**one, **(given or {})}, onto.problems)
        count += onto.keep(kind, value)
    return count


def _plan(stated: Mapping[str, Any], onto: Gathered) -> int:
    plan = stated.get("plan")
    if not isinstance(plan, Mapping):
        onto.problems.append(f"plan is {shown(plan)}, not an object")
        return 0
    made = value_of(KINDS["plans"], plan, onto.problems)
    count = int(onto.keep("plans", made))
    for under, ahead in (("tasks", False), ("planAhead", True)):
        count += _tasks(plan, onto, {"plan": made.id, "ahead": ahead}, under)
    return count


def _tasks(stated: Mapping[str, Any], onto: Gathered, given: Mapping[str, Any], under: str) -> int:
    count = _entities("tasks", stated, onto, given, under)
    for task in _dicts(stated.get(under), under, onto):
        count += _entities("checkpoints", task, onto, {"task": task.get("id", "")})
    return count


def _unplanned(stated: Mapping[str, Any], onto: Gathered) -> int:
    return _tasks(stated, onto, {}, "tasks") + _entities("checkpoints", stated, onto)


def _session(stated: Mapping[str, Any], onto: Gathered) -> int:
    session = stated.get("session")
    if not isinstance(session, Mapping):
        onto.problems.append(f"session is {shown(session)}, not an object")
        return 0
    made = value_of(KINDS["sessions"], session, onto.problems)
    logs = sum(_rows(table, stated, onto, {"session": made.id}) for table in ("events", "violations"))
    return int(onto.keep("sessions", made)) + logs


def _rows(table: str, stated: Mapping[str, Any], onto: Gathered, given: Mapping[str, Any] | None = None) -> int:
    count = 0
    for one in _dicts(stated.get(table), table, onto):
        row = {**one, **(given or {})}
        made: dict[str, Any] = {}
        for column in LOGS[table]:
            kind = _COLUMN.get(column, str)
            value = row.get(column)
            if kind is float and type(value) is int:
                value = float(value)
            if not isinstance(value, kind) and not (kind is dict and isinstance(value, (str, list))):
                onto.problems.append(f"a row of {table} is left out: {column} is {shown(value)}")
                break
            made[column] = int(value) if isinstance(value, bool) else value
        else:
            onto.logs[table].append(made)
            count += 1
    return count


_READERS: Mapping[str, Any] = {
    **{
        kind: lambda stated, onto, kind=kind: _entities(kind, stated, onto)
        for kind in ("entries", "anchors", "delegations", "artifacts", "halts")
    },
    **{table: lambda stated, onto, table=table: _rows(table, stated, onto) for table in LOGS},
    "plan": _plan,
    "unplanned": _unplanned,
    "session": _session,
    "project-map": lambda stated, onto: 0,
}


def value_of(kind: type, stated: Mapping[str, Any], problems: list[str]) -> Any:
    """A value of what JSON says; what is of the wrong make is empty instead, and told of."""
    flat = dict(stated)
    for name, inner in WITHIN.get(kind, {}).items():
        within = flat.pop(name, {})
        if isinstance(within, Mapping):
            flat |= {key: value for key, value in within.items() if key in {keys(kind)[field] for field in inner}}
        else:
            problems.append(f"{name} is {shown(within)}, not an object")
    hints = get_type_hints(kind)
    made = {}
    for one in fields(kind):
        key = keys(kind)[one.name]
        if flat.get(key) is None:
            if one.default is MISSING:
                made[one.name] = _nothing(hints[one.name])
            continue
        try:
            made[one.name] = _value(hints[one.name], flat[key], problems)
        except ValueError as error:
            problems.append(f"{key} of {shown(flat.get('id', ''))} is {shown(flat[key])}, not {error}")
            made[one.name] = _nothing(hints[one.name])
    return kind(**made)


def _nothing(hint: Any) -> Any:
    if hint in _NOTHING:
        return _NOTHING[hint]
    return () if get_origin(hint) is tuple else None


def _value(hint: Any, stated: Any, problems: list[str]) -> Any:
    if hint is float and type(stated) is int:
        return float(stated)
    if hint in _NOTHING:
        if type(stated) is not hint:
            raise ValueError({str: "text", int: "a whole number", float: "a number", bool: "true or false"}[hint])
        return stated
    if get_origin(hint) is tuple:
        inner = get_args(hint)
        if not isinstance(stated, list):
            raise ValueError("a list")
        if inner[-1] is not Ellipsis:
            if len(stated) != len(inner):
                raise ValueError(f"a list of {len(inner)}")
            return tuple(_value(one, value, problems) for one, value in zip(inner, stated, strict=True))
        return tuple(_value(inner[0], value, problems) for value in stated)
    kind = next(one for one in (*get_args(hint), hint) if one is not type(None))
    if not isinstance(stated, Mapping):
        raise ValueError("an object")
    return value_of(kind, stated, problems)


def _dicts(stated: Any, name: str, onto: Gathered) -> Iterable[Mapping[str, Any]]:
    if stated is None:
        return
    if not isinstance(stated, list):
        onto.problems.append(f"{name} is {shown(stated)}, not a list")
        return
    for one in stated:
        if isinstance(one, Mapping):
            yield one
        else:
            onto.problems.append(f"one of {name} is {shown(one)}, not an object")
