"""Which type a document is of, how sure that is, and why. The rules are data, in ``queries/documents.toml``; here they are only weighed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from idumb_brain.model.documents import TYPES, Document
from idumb_brain.scan.tables import tables, understanding

_PLACES = ("path", "name", "front", "title", "heading", "text")
_START = 6_000  # characters of text that rules look at
_MANY = 200  # headings they look at


@dataclass(frozen=True, slots=True)
class _Rule:
    type: str
    where: str
    match: re.Pattern[str]
    weight: float  # how often such a document is of the type; below 0, how often it is not
    why: str
    role: str
    least: int  # different matches there have to be


@dataclass(frozen=True, slots=True)
class _Table:
    rules: tuple[_Rule, ...]
    text_names: re.Pattern[str]
    text_folders: re.Pattern[str]


def classified(path: str, document: Document, text: str, folders: tuple[Path, ...]) -> Document:
    """The document with its type. A rule that matches makes its type likelier; several do more than one."""
    looked_at = _places(path, document, text)
    doubt = dict.fromkeys(TYPES, 1.0)
    strongest: dict[str, list[tuple[float, str, str]]] = {}
    for rule in _table(folders).rules:
        if not _matches(rule, looked_at[rule.where]):
            continue
        if rule.weight < 0:
            doubt[rule.type] = 1 - (1 - doubt[rule.type]) * (1 + rule.weight)
        else:
            doubt[rule.type] *= 1 - rule.weight
            strongest.setdefault(rule.type, []).append((rule.weight, rule.why, rule.role))
    ranked = sorted(TYPES, key=lambda name: (doubt[name], TYPES.index(name)))
    best, second = 1 - doubt[ranked[0]], 1 - doubt[ranked[1]]
    if best <= 0:
        return replace(document, type="other", confidence=0.2, reasons=("no rule knows it",))
    found = sorted(strongest.get(ranked[0], ()), key=lambda row: -row[0])
    return replace(
        document,
        type=ranked[0],
        confidence=round(best * (1 - second / 2), 2),
        role=next((role for _, _, role in found if role), ""),
        reasons=tuple(dict.fromkeys(why for _, why, _ in found))[:3],
    )


def is_document(path: str, text: str, folders: tuple[Path, ...]) -> bool:
    """Is a text file something to read? Most are data: word lists, logs, expected output."""
    table = _table(folders)
    folder, _, name = path.lower().rpartition("/")
    if table.text_names.search(name.rpartition(".")[0] or name):
        return True
    if not table.text_folders.search(folder + "/"):
        return False
    start = text[:_START]
    words = re.findall(r"[^\W\d_]{2,}", start)
    return len(words) >= 40 and sum(map(len, words)) > len(start) * 0.5


def _places(path: str, document: Document, text: str) -> dict[str, str]:
    name = path[path.rfind("/") + 1 :]
    stem = name[: name.rfind(".")] if name.rfind(".") > 0 else name
    return {
        "path": path,
        "name": stem,
        "front": "\n".join(f"{key}: {value}" for key, value in document.front_matter.items()),
        "title": document.title,
        "heading": "\n".join(section.title for section in document.sections[:_MANY]),
        "text": text[:_START],
    }


def _matches(rule: _Rule, place: str) -> bool:
    if rule.least == 1:
        return rule.match.search(place) is not None
    if rule.where == "heading":  # ten times "Tasks" is one sign, not ten
        return len({found[0].lower() for found in rule.match.finditer(place)}) >= rule.least
    return next(islice(rule.match.finditer(place), rule.least - 1, None), None) is not None


@lru_cache(maxsize=4)
def _table(folders: tuple[Path, ...]) -> _Table:
    rules: list[_Rule] = []
    stated_texts: dict[str, Any] = {}
    for file, stated in tables(folders, "documents.toml"):
        with understanding(file):
            rules += [_rule(row) for row in stated.get("rule", ())]
            stated_texts |= stated.get("texts", {})
    never = r"(?!)"
    return _Table(
        tuple(rules), re.compile(stated_texts.get("names", never), re.I), re.compile(stated_texts.get("folders", never), re.I)
    )


def _rule(row: dict[str, Any]) -> _Rule:
    if row["type"] not in TYPES or row["where"] not in _PLACES:
        raise ValueError(f"type must be one of {', '.join(TYPES)} and where one of {', '.join(_PLACES)}")
    match = re.compile(row["match"], re.IGNORECASE | re.MULTILINE)
    return _Rule(
        row["type"], row["where"], match, float(row["weight"]), row["why"], row.get("role", ""), int(row.get("least", 1))
    )
