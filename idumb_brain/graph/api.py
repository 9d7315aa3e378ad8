"""Two states of a public API to what changed in it and whom that breaks. Pure: signatures in, judgements with reasons out.

A symbol is known by where others find it: its file in Python or TypeScript, its folder in Go, the package it declares
in Java. What is inside a symbol that came or went is not told of again.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from idumb_brain.graph.signature_changes import Event, signature_events
from idumb_brain.graph.signatures import CONTAINERS, Dialect, dialect_of, understood
from idumb_brain.model.changes import ADDED, CHANGED, COMPATIBLE, MOVED, REMOVED, UNCLEAR, VERDICTS, ApiChange, FileApi
from idumb_brain.model.code import SymbolRow
from idumb_brain.scan.tables import tables, understanding

REEXPORT = "reexport"  # the kind of a symbol that another file defines
_CONTRACTS = {"interface", "trait", "protocol"}
_TAKES_FIELDS = re.compile(r"\b(?:NamedTuple|TypedDict|BaseModel|Struct|BaseSettings|Schema)\b")


@dataclass(frozen=True, eq=False)  # one object per table: identity is equality
class Rules:
    """``queries/api.toml``: what is API, how languages write it, what a change of it means."""

    stated: Mapping[str, Any]

    def is_api(self, path: str, language: str) -> bool:
        private = self.stated["private"]
        return language in self.stated["identity"] and not any(
            re.search(private[key], path) for key in ("any", language) if key in private
        )

    def is_hidden(self, path: str, language: str) -> bool:
        pattern = self.stated["hidden"].get(language)
        return bool(pattern and re.search(pattern, path))

    def identity(self, language: str) -> str:
        return str(self.stated["identity"].get(language, "file"))

    def family(self, language: str) -> str:
        return str(self.stated["same"].get(language, language))

    def dialect(self, language: str) -> Dialect:
        return _dialect(self, self.family(language))

    def judged(self, event: Event, language: str) -> tuple[str, str]:
        """Verdict and reason of what happened; a modifier nobody wrote a rule for is not worth a word."""
        table = self.stated["modifiers" if event.what[0] in "+-" else "events"]
        row = table.get(event.what)
        if row is None:
            return "", ""
        verdict = row.get(language) or row.get(self.family(language)) or row["verdict"]
        return verdict, row["says"].format(name=event.name, before=_short(event.before), after=_short(event.after))


@lru_cache(maxsize=4)
def rules(folders: tuple[Path, ...]) -> Rules:
    merged: dict[str, Any] = {}
    for file, stated in tables(folders, "api.toml"):
        with understanding(file):
            for table, rows in stated.items():
                merged.setdefault(table, {}).update(rows)
            Rules(merged)
    return Rules(merged)


def api_changes(before: Iterable[FileApi], after: Iterable[FileApi], table: Rules) -> list[ApiChange]:
    """What changed, the worst first. Both sides hold the files that differ; a renamed one under its own name on each."""
    old, new = _placed(before, table), _placed(after, table)
    found: list[ApiChange] = []
    gone: list[_Place] = []
    came: list[_Place] = []
    for key in sorted(old.keys() | new.keys()):
        was, now = old.get(key), new.get(key)
        if was and now:
            found += _compared(was, now, table)
        elif was:
            gone.append(was)
        elif now:
            came.append(now)
    found += _came_and_went(gone, came, old, new, table)
    found.sort(key=lambda one: (VERDICTS.index(one.verdict), one.file, one.line, one.name, one.change, one.before))
    return found


@dataclass(frozen=True)
class _Place:
    """All that goes by one name in one place: a symbol, or overloads of one."""

    key: tuple[str, str, str]
    file: FileApi
    rows: tuple[SymbolRow, ...]
    owner: tuple[str, str, str] | None
    public: bool

    @property
    def row(self) -> SymbolRow:
        return self.rows[0]


def _placed(files: Iterable[FileApi], table: Rules) -> dict[tuple[str, str, str], _Place]:
    """Symbols by place and name; private ones too, to tell what was hidden from what was removed."""
    rows: dict[tuple[str, str, str], list[SymbolRow]] = defaultdict(list)
    homes: dict[tuple[str, str, str], FileApi] = {}
    owners: dict[tuple[str, str, str], tuple[str, str, str] | None] = {}
    for file in files:
        if not table.is_api(file.path, file.language) or (file.exposed is not None and not file.exposed):
            continue
        where = _address(file, table)
        keys: list[tuple[str, str, str] | None] = []
        for row in file.symbols:
            parent = keys[row[0]] if row[0] >= 0 else None
            key = (where, row[2], "setter" if row[3] == "setter" else "")
            top = row[2].split(".")[0].split("::")[0]
            if file.exposed is not None and top not in file.exposed:
                keys.append(key)
                continue
            keys.append(key)
            if key in homes and (row[7] != rows[key][0][7]):
                if not row[7]:
                    continue  # a private one of the same name beside a public one
                rows[key].clear()
            rows[key].append(row)
            homes.setdefault(key, file)
            owners.setdefault(key, parent)
    return {
        key: _Place(key, homes[key], _offered(found, homes[key], table), owners[key], bool(found[0][7]))
        for key, found in rows.items()
    }


def _offered(rows: Sequence[SymbolRow], file: FileApi, table: Rules) -> tuple[SymbolRow, ...]:
    """Overloads as callers see them: in TypeScript the last one, which has the body, is not for them; in Python it is all there is."""
    if len(rows) > 1 and file.language == "python" and rows[0][3] in ("function", "method"):
        is_property = re.search(r"\(\s*\w+\s*\)", rows[0][6]) and all(row[6].count(",") == 1 for row in rows[1:])
        return (rows[0] if is_property else rows[-1],)
    has_body = len(rows) > 1 and table.family(file.language) == "typescript" and not file.path.endswith(".d.ts")
    return tuple(rows[:-1] if has_body and rows[0][3] in ("function", "method", "constructor") else rows)


def _address(file: FileApi, table: Rules) -> str:
    identity = table.identity(file.language)
    if identity == "folder":
        return file.path.rpartition("/")[0]
    if identity == "package":
        return f"{table.family(file.language)}:{file.package}"
    return file.path


def _compared(was: _Place, now: _Place, table: Rules) -> Iterator[ApiChange]:
    language = now.file.language
    if not was.public and not now.public:
        return
    if was.public and not now.public:
        yield _change(now, CHANGED, [Event("hidden")], table, was.row, now.row)
        return
    if now.public and not was.public:
        yield _change(now, ADDED, [Event("shown")], table, was.row, now.row)
        return
    dialect = table.dialect(language)
    left, fresh = list(was.rows), list(now.rows)
    for row in list(left):  # what is written as it was is what it was, whatever the order
        same = next((other for other in fresh if _normal(other[6]) == _normal(row[6]) and other[3] == row[3]), None)
        if same is not None:
            left.remove(row)
            fresh.remove(same)
    for row in list(left):
        if not fresh:
            break
        # Of several overloads, the one it became is the one that hurts least.
        other = max(fresh, key=lambda one: VERDICTS.index(_worst(_events(row, one, dialect), language, table)))
        left.remove(row)
        fresh.remove(other)
        if events := _events(row, other, dialect):
            yield _change(now, CHANGED, events, table, row, other)
    for row in left:
        if any(_worst(_events(row, other, dialect), language, table) == COMPATIBLE for other in now.rows):
            continue  # another overload takes all that this one took
        yield _change(now, CHANGED, [Event("overload-removed", before=row[6])], table, row, None)
    for row in fresh:
        yield _change(now, CHANGED, [Event("overload-added")], table, None, row)


def _events(was: SymbolRow, now: SymbolRow, dialect: Dialect) -> list[Event]:
    if REEXPORT in (was[3], now[3]):
        return []  # what it is, is told of where it is defined
    if was[3] != now[3] and {was[3], now[3]} not in ({"variable", "constant"}, {"field", "property"}, {"getter", "property"}):
        return [Event("kind", before=was[3], after=now[3])]
    one = understood(was[6], was[1], was[3], dialect)
    other = understood(now[6], now[1], now[3], dialect)
    events = signature_events(one, other, now[3], dialect)
    if not events and _normal(was[6]) != _normal(now[6]) and one == other:
        return []  # another way to write the same
    return events or ([Event("unread")] if _normal(was[6]) != _normal(now[6]) and one != other else [])


def _came_and_went(
    gone: Sequence[_Place],
    came: Sequence[_Place],
    old: Mapping[tuple[str, str, str], _Place],
    new: Mapping[tuple[str, str, str], _Place],
    table: Rules,
) -> Iterator[ApiChange]:
    gone = [place for place in gone if place.public and not _goes_with(place, old, new)]
    came = [place for place in came if place.public and not _goes_with(place, new, old)]
    gone = _without_echoes(gone, {place.file.path: place.file for place in new.values()})
    came = _without_echoes(came, {place.file.path: place.file for place in old.values()})
    by_name: dict[tuple[str, str], list[_Place]] = defaultdict(list)
    for place in came:
        by_name[place.row[1], place.row[3]].append(place)
    moved: set[tuple[str, str, str]] = set()
    files_after = {place.file.path: place.file for place in new.values()}
    for place in gone:
        there = _moved_to(place, [one for one in by_name[place.row[1], place.row[3]] if one.key not in moved])
        if there is None:
            yield _change(place, REMOVED, [_departure(place, old, new, table)], table, place.row, None)
            continue
        moved.add(there.key)
        kept = _passed_on(place, files_after)
        event = Event("moved-kept" if kept else "moved", after=f"{there.file.path}#{there.row[2]}")
        events = [event, *_events(place.row, there.row, table.dialect(there.file.language))]
        yield replace(_change(there, MOVED, events, table, place.row, there.row), file=place.file.path, line=place.row[4])
    for place in came:
        if place.key not in moved:
            yield _change(place, ADDED, [_arrival(place, old, new, table)], table, None, place.row)


def _without_echoes(places: Sequence[_Place], others: Mapping[str, FileApi]) -> list[_Place]:
    """What is passed on came or went with what it stands for: told of once. A star may pass on anything: then nobody knows."""
    defined = {place.row[1] for place in places if place.row[3] != REEXPORT}
    return [
        place
        for place in places
        if place.row[3] != REEXPORT or (place.row[1] not in defined and not _has_star(others.get(place.file.path)))
    ]


def _has_star(file: FileApi | None) -> bool:
    return file is not None and any(bindings.startswith("*") for _, _, _, bindings in file.imports)


def _goes_with(place: _Place, here: Mapping[Any, _Place], there: Mapping[Any, _Place]) -> bool:
    """Whether its owner came or went too: then that is told of instead."""
    owner = place.owner
    return owner is not None and (owner not in there or not here[owner].public or not there[owner].public) and owner in here


def _moved_to(place: _Place, candidates: Sequence[_Place]) -> _Place | None:
    """The same name in another place; of several the one written alike. Members move with their owner, not alone."""
    if place.owner is not None:
        return None
    alike = [one for one in candidates if one.owner is None and _normal(one.row[6]) == _normal(place.row[6])]
    if alike:
        return alike[0]
    tops = [one for one in candidates if one.owner is None]
    is_telling = len(place.row[1]) > 3 and place.row[3] not in ("variable", "constant")
    return tops[0] if len(tops) == 1 and is_telling else None


def _departure(place: _Place, old: Mapping[Any, _Place], new: Mapping[Any, _Place], table: Rules) -> Event:
    """What is gone from a class that has another base now may be inherited from that."""
    if place.owner is not None and place.owner in new and place.owner in old:
        dialect = table.dialect(place.file.language)
        was, now = (understood(one.row[6], one.row[1], one.row[3], dialect).bases for one in (old[place.owner], new[place.owner]))
        if fresh := [base for base in now if base not in was]:
            return Event("inherited", "", "", ", ".join(fresh))
    return Event("removed")


def _passed_on(place: _Place, after: Mapping[str, FileApi]) -> bool:
    """Whether the file it was in still offers the name, imported from elsewhere."""
    file = after.get(place.file.path)
    if file is None:
        return False
    for kind, _, _, bindings in file.imports:
        if file.language != "python" and kind != "reexport":
            continue
        for pair in bindings.split("\n"):
            imported, _, local = pair.partition(" ")
            if (local or imported) == place.row[1] or (imported == "*" and kind == "reexport"):
                return True
    return False


def _arrival(place: _Place, old: Mapping[Any, _Place], new: Mapping[Any, _Place], table: Rules) -> Event:
    """What a new symbol is: new for its own sake, or one more thing its owner asks of others."""
    owner = new.get(place.owner) if place.owner else None
    if owner is None:
        return Event("added")
    row, name, within = place.row, owner.row[1], owner.row[3]
    written = understood(row[6], row[1], row[3], table.dialect(place.file.language))
    language = table.family(place.file.language)
    if row[3] == "member":
        return Event("member-added-open" if "non_exhaustive" in owner.row[6] else "member-added")
    if within in _CONTRACTS:
        with_body = {"default", "static", "private"} & written.modifiers and language in ("java", "csharp")
        if (with_body and "abstract" not in written.modifiers) or row[3] == "constant" or written.optional:
            return Event("contract-added-default", name)
        if row[3] in CONTAINERS or (row[3] == "type" and language != "rust"):
            return Event("added")
        return Event("contract-added", name)
    if "abstract" in written.modifiers:
        return Event("abstract-added", name)
    if row[3] in ("field", "property"):
        return _new_field(row, name, owner, old.get(owner.key), written.value, language, "required" in written.modifiers)
    return Event("added")


def _new_field(
    row: SymbolRow, name: str, owner: _Place, before: _Place | None, value: str, language: str, required: bool
) -> Event:
    if required:
        return Event("field-added-required", name)
    if language == "rust" and owner.row[3] == "struct" and "non_exhaustive" not in owner.row[6]:
        others = [
            one
            for one in owner.file.symbols
            if one[2].rpartition("::")[0] == owner.row[2] and one[3] == "field" and one is not row
        ]
        return Event("field-added-public", name) if others and all(one[7] for one in others) else Event("added")
    if language == "python" and not value and ":" in row[6]:
        if _TAKES_FIELDS.search(owner.row[6]):
            return Event("field-added-required", name)
        has_init = any(one[2] == f"{owner.row[2]}.__init__" for one in owner.file.symbols)
        return Event("added") if has_init else Event("field-added-perhaps", name)
    return Event("added")


def _worst(events: Sequence[Event], language: str, table: Rules) -> str:
    verdicts = [verdict for event in events if (verdict := table.judged(event, language)[0])]
    return min(verdicts, key=VERDICTS.index, default=COMPATIBLE)


def _change(
    place: _Place, change: str, events: Sequence[Event], table: Rules, was: SymbolRow | None, now: SymbolRow | None
) -> ApiChange:
    language = place.file.language
    judged = [one for event in events if (one := table.judged(event, language))[0]] or [(UNCLEAR, "written differently")]
    judged.sort(key=lambda one: VERDICTS.index(one[0]))
    row = now or was
    assert row is not None
    return ApiChange(
        place.file.path,
        row[4],
        row[2],
        row[3],
        change,
        judged[0][0],
        "; ".join(dict.fromkeys(reason for _, reason in judged)),
        was[6] if was else "",
        now[6] if now else "",
    )


@lru_cache(maxsize=64)
def _dialect(table: Rules, family: str) -> Dialect:
    return dialect_of(table.stated["dialect"].get(family, {}))


def _normal(signature: str) -> str:
    return re.sub(r",(?=[)\]}>])", "", re.sub(r"\s*([(),:=|\[\]{}<>])\s*", r"\1", " ".join(signature.split())))


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "…"
