"""What a row must be to be believed: broken ones are kept aside with the reason, mended where that can be done, and told of.

Refuses to throw anything away: what it takes from a table stands, as it was found, in ``quarantine``.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from idumb_brain.model.errors import StoreDamaged, StoreLocked
from idumb_brain.store.brain import Brain, writing

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rule:
    """``holds`` of a value, else ``otherwise`` of the row is put in its place; without it the row cannot be mended."""

    column: str
    holds: Callable[[Any], bool]
    otherwise: Callable[[Row], Any] | None
    must: str  # what it must be, for the reason
    told: str = ""  # the reason, where it is no matter of the value


def fetch(brain: Brain, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[tuple[Any, ...]]:
    """The rows, even where text is not UTF-8: such bytes come as surrogates, which no rule lets pass."""
    try:
        return brain.connection.execute(sql, values).fetchall()
    except sqlite3.OperationalError as error:
        if "decode" not in str(error):
            raise
    usual = brain.connection.text_factory
    brain.connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    try:
        return brain.connection.execute(sql, values).fetchall()
    finally:
        brain.connection.text_factory = usual


def mended(row: Row, rules: Sequence[Rule]) -> tuple[Row | None, list[str]]:
    """The row as it should be, or None; and what was wrong with it."""
    wrong = [rule for rule in rules if not rule.holds(row[rule.column])]
    if not wrong:
        return row, []
    told = [rule.told or f"{rule.column} is {shown(row[rule.column])}, not {rule.must}" for rule in wrong]
    if any(rule.otherwise is None for rule in wrong):
        return None, told
    return row | {rule.column: rule.otherwise(row) for rule in wrong if rule.otherwise}, told


def keep_aside(brain: Brain, table: str, key: Row, row: Row, repaired: Row | None, told: Sequence[str]) -> None:
    """Note it, store the row as it was found, and put the mended one in its place or take it out.

    ``key`` is the columns that name the row. Where nothing can be written, the note is all.
    """
    named = " ".join(str(value) for value in key.values())
    done = "mended" if repaired else "taken out and kept in quarantine"
    note = f"a broken row of {table}, {shown(row.get('id', named))}, was {done}: {'; '.join(told)}"
    brain.notes.append(note)
    if brain.readonly:
        return
    where = " AND ".join(f"{column} IS ?" for column in key)
    try:
        with writing(brain) as connection:
            connection.execute(
                "INSERT INTO quarantine (at, origin, id, reason, repaired, row) VALUES (?,?,?,?,?,?)",
                (brain.now, table, _text(row.get("id", named)), _text("; ".join(told)), bool(repaired), _json(row)),
            )
            if repaired is None:
                connection.execute(f"DELETE FROM {table} WHERE {where}", [*key.values()])
            else:
                changed = {column: value for column, value in repaired.items() if value != row[column]}
                connection.execute(
                    f"UPDATE {table} SET {', '.join(f'{column} = ?' for column in changed)} WHERE {where}",
                    [*changed.values(), *key.values()],
                )
    except (StoreLocked, StoreDamaged):
        brain.notes.append(f"{brain.file.name} could not be written; the row is still in its place")


def quarantined(brain: Brain) -> list[Row]:
    """Everything that was kept aside, the oldest first."""
    columns = ("number", "at", "origin", "id", "reason", "repaired", "row")
    return [dict(zip(columns, row, strict=True)) for row in fetch(brain, f"SELECT {', '.join(columns)} FROM quarantine")]


# -- what values may be ----------------------------------------------------------------------------------------------


def one_of(column: str, choices: Sequence[str], otherwise: Callable[[Row], Any] | None = None) -> Rule:
    known = frozenset(choices)
    return Rule(column, lambda value: isinstance(value, str) and value in known, otherwise, f"one of {', '.join(choices)}")


def text(column: str, otherwise: Callable[[Row], Any] | None = None, *, empty: bool = True) -> Rule:
    def holds(value: Any) -> bool:
        return isinstance(value, str) and (empty or value.strip() != "") and (value.isascii() or _encodes(value))

    readable = otherwise or (lambda row: _text(row[column]) if empty or _text(row[column]).strip() else f"({column} lost)")
    return Rule(column, holds, readable, "text" if empty else "text that is not empty")


def number(column: str, least: int, most: int, otherwise: Callable[[Row], Any]) -> Rule:
    return Rule(
        column, lambda value: type(value) is int and least <= value <= most, otherwise, f"a whole number from {least} to {most}"
    )


def time(column: str, otherwise: Callable[[Row], Any], *, empty: bool = False) -> Rule:
    return Rule(column, lambda value: _is_time(value) or (empty and value == ""), otherwise, "a time")


def shown(value: Any) -> str:
    """A value of unknown make, short enough for a line."""
    told = _text(value) if isinstance(value, (str, bytes)) else repr(value)
    return repr(told if len(told) <= 60 else told[:57] + "…")


def _is_time(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 20 and value[19] == "Z" and _is_moment(value)


@lru_cache(maxsize=1 << 13)  # many rows were written in the same second
def _is_moment(value: str) -> bool:
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _encodes(value: str, how: str = "strict") -> bool:
    try:
        value.encode("utf-8", how)
    except UnicodeEncodeError:
        return False
    return True


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    how = "surrogateescape" if _encodes(str(value), "surrogateescape") else "surrogatepass"  # JSON may hold half a character
    return str(value).encode("utf-8", how).decode("utf-8", "replace")


def _json(row: Row) -> str:
    return json.dumps({column: value.hex() if isinstance(value, bytes) else value for column, value in row.items()})
