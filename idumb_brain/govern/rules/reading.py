"""How rows of rule files are read: typed, complete, and with the file's name in every complaint. Knows no rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from idumb_brain.scan.tables import tables, understanding


class Row:
    """One table of a rule file. Every key has to be asked for: one nobody asks for is a misspelling."""

    def __init__(self, told: Mapping[str, Any], place: str) -> None:
        if not isinstance(told, Mapping):
            raise ValueError(f"{place} is not a table")
        self.told = dict(told)
        self._asked: set[str] = set()
        self.place = place

    def text(self, key: str, default: str | None = None, among: tuple[str, ...] = ()) -> str:
        value = self._value(key, default, str)
        if among and value not in among:
            raise ValueError(f"{key} of {self.place} is {value!r}; it may be {', '.join(among)}")
        return str(value)

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        value = self._value(key, default, (list, tuple))
        if not all(isinstance(one, str) for one in value):
            raise ValueError(f"{key} of {self.place} is not a list of strings")
        return tuple(value)

    def number(self, key: str, default: int | None = None, least: int = 0) -> int:
        value = self._value(key, default, int)
        if isinstance(value, bool) or value < least:
            raise ValueError(f"{key} of {self.place} is {value!r}; it has to be a whole number of {least} or more")
        return int(value)

    def flag(self, key: str, default: bool | None = False) -> bool | None:
        return self._value(key, default, (bool, type(None)))  # type: ignore[no-any-return]

    def table(self, key: str, default: Mapping[str, Any] | None = None) -> Row:
        return Row(self._value(key, default, Mapping), f"{key} of {self.place}")

    def lists(self, key: str) -> dict[str, tuple[str, ...]]:
        """A table whose values are all lists of strings."""
        inner = self.table(key, {})
        return {name: inner.texts(name) for name in inner.told}

    def rows(self, key: str, name: str) -> list[Row]:
        """The rows of a list, each called by the key that tells it apart."""
        return [Row(one, f"[[{key}]] {one.get(name, '')}".strip()) for one in self._value(key, (), (list, tuple))]

    def done(self) -> None:
        left = sorted(self.told.keys() - self._asked)
        if left:
            raise ValueError(f"{self.place} has {left[0]!r}, which means nothing; known are {', '.join(sorted(self._asked))}")

    def _value(self, key: str, default: Any, kind: Any) -> Any:
        self._asked.add(key)
        if key not in self.told:
            if default is None and kind != (bool, type(None)):
                raise ValueError(f"{key} of {self.place} is missing")
            return default
        value = self.told[key]
        if not isinstance(value, kind):
            raise ValueError(f"{key} of {self.place} is {value!r}, which is not what belongs there")
        return value


@contextmanager
def read_over(places: tuple[Path, ...], name: str, **lists: str) -> Iterator[Row]:
    """A rule file, the project's own laid over the shipped one: key by key, and of ``lists`` row by row, told apart by the key given.

    What is wrong is said of the file that was read last: the shipped one is known to be right.
    """
    told: dict[str, Any] = {}
    last = places[0] / name
    for file, stated in tables(places, name):
        last = file
        with understanding(file):
            told = _laid_over(told, stated, lists)
    with understanding(last):
        row = Row(told, name)
        yield row
        row.done()


def _laid_over(under: dict[str, Any], over: dict[str, Any], lists: Mapping[str, str]) -> dict[str, Any]:
    made = dict(under)
    for key, value in over.items():
        if key in lists:
            made[key] = _rows_over(made.get(key, []), value, key, lists[key])
        elif isinstance(value, dict) and isinstance(made.get(key), dict):
            made[key] = _laid_over(made[key], value, {})
        else:
            made[key] = value
    return made


def _rows_over(under: list[dict[str, Any]], over: Any, what: str, name: str) -> list[dict[str, Any]]:
    if not isinstance(over, list) or not all(isinstance(row, dict) for row in over):
        raise ValueError(f"{what} is written [[{what}]]")
    if not name:
        return [*under, *over]
    made = {row[name]: row for row in under}
    for row in over:
        made[row[name]] = {**made.get(row[name], {}), **row}
    return list(made.values())
