"""Text to the words it is searched by: identifiers whole and in parts, lightly stemmed. Knows no language and no file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_IDENTIFIER = re.compile(r"\w+")
_PARTS = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_WIDE_PARTS = re.compile(r"\d+|[^\W\d_]+")
_PLURAL = re.compile(r"[A-Z]{2,}s")  # of an acronym
_UNSPACED = re.compile(r"[぀-ヿ㐀-鿿가-힯]")  # scripts that put no space between words
_LONGEST = 80  # a longer "word" is a key or an encoded blob

_STOP = """
a about above after again all also am an and any are as at be because been before being below between both but by can cannot
could did do does doing don down during each few for from further had has have having he her here hers him his how i if in into
is it its itself just me more most my no nor not now of off on once only or other our out over own s same she should so some such
t than that the their them then there these they this those through to too under until up very was we were what when where which
while who whom why will with without would you your via etc instead
use used uses using fix fixes fixed fixing add adds added adding make makes made making remove removes removed removing update
updates updated updating change changes changed changing support supports allow allows allowed new see refs ref feat chore refactor
"""
STOP_WORDS = frozenset(_STOP.split())

_known: dict[str, tuple[str, ...]] = {}
_ENOUGH = 400_000  # identifiers remembered; more than any project we know uses


def counted_words(text: str) -> Counter[str]:
    """How often each search word stands in a text."""
    return words_of_identifiers(Counter(_IDENTIFIER.findall(text)))


def words_of_identifiers(identifiers: Counter[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for identifier, times in identifiers.items():
        for word in words_of(identifier):
            found[word] += times
    return found


def identifiers(text: str) -> list[str]:
    """Identifiers as written, in order."""
    return _IDENTIFIER.findall(text)


def words(text: str) -> list[str]:
    """Search words in order, with repeats."""
    return [word for identifier in _IDENTIFIER.findall(text) for word in words_of(identifier)]


def words_of(identifier: str) -> tuple[str, ...]:
    """``parseArgs`` → parsearg, pars, arg; a plain word → its stem; a stop word → nothing."""
    known = _known.get(identifier)
    if known is None:
        if len(_known) >= _ENOUGH:
            _known.clear()
        known = _known[identifier] = _split(identifier)
    return known


def parts_of(identifier: str) -> list[str]:
    """The words an identifier is written with, lowercased and unstemmed."""
    if identifier.isascii():
        return [part[:-1].lower() if _PLURAL.fullmatch(part) else part.lower() for part in _PARTS.findall(identifier)]
    return [part.lower() for part in _WIDE_PARTS.findall(_opened(identifier))]


def stem(word: str) -> str:
    """A light suffix stripper (plural, -ing, -ed), enough for parse, parsing and parsed to meet; never a dictionary's truth."""
    if word[-1:].isdigit():
        return word
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 5 and word.endswith("ing"):
        word = word[:-3]
    elif len(word) > 4 and word.endswith(("ed", "es")):
        word = word[:-2]
    elif len(word) > 3 and word[-1] == "s" and word[-2] != "s":
        word = word[:-1]
    if len(word) > 3 and word[-1] == "e":
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word


def whole(identifier: str) -> str:
    """The word that stands for an identifier as a whole, however it is capitalised and underscored."""
    return stem(identifier.replace("_", "").lower())


def _split(identifier: str) -> tuple[str, ...]:
    if len(identifier) > _LONGEST:
        return ()
    parts = parts_of(identifier)
    found = [whole(identifier)] if len(parts) > 1 else []
    for part in parts:
        if _UNSPACED.search(part):
            found += _pairs(part)
        elif len(part) > 1 and part not in STOP_WORDS:
            found.append(stem(part) if part.isascii() else part)
    return tuple(found)


def _opened(identifier: str) -> str:
    """An underscore where small letters turn into capitals; the pattern for plain letters does not know which others are capitals."""
    return "".join(
        f"_{one}" if one.isupper() and before.islower() else one
        for before, one in zip(" " + identifier, identifier, strict=False)
    )


def _pairs(text: str) -> Iterable[str]:
    return [text[at : at + 2] for at in range(max(1, len(text) - 1))]
