"""Text without what must never be kept: private keys, tokens, passwords. Knows shapes; refuses to guess what a file means.

Whatever is read for the index, written into the brain or shown passes here, so most text must pass at no cost: one search
for a word of twenty characters finds what there is to look at, and nothing else is looked at.
What is taken out leaves a mark, and lines stay where they are. The rules are data: ``queries/secrets.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import translate
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

MARK = b"SECRET_REMOVED"
_LONG = b"a" * 20
_WORD = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/"
_SHAPE = bytes(97 if byte in _WORD else 32 for byte in range(256))
_PLAIN = bytes(97 if byte in b"abcdefghijklmnopqrstuvwxyz_" else 32 for byte in range(256))
_KINDS = bytes(
    ord("0") if byte in b"0123456789" else ord(" ") if byte not in _WORD[:52] else ord("A" if byte < ord("a") else "a")
    for byte in range(256)
)
_CHANGES = (b"a0", b"0a", b"A0", b"0A", b"aA", b"Aa")
_DIGIT = re.compile(rb"[0-9]")
_HEX = re.compile(rb"[0-9a-f]+|[0-9A-F]+")
_LOOK_BACK = 100
# Its lines may be real ones, or written as \n in a string. A key that is cut off reaches as far as its letters do.
_PRIVATE_KEY = re.compile(
    rb"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    rb"(?:(?:(?!-----)[^\0]){0,20000}?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?:\\[nr]|[A-Za-z0-9+/=\s\"',*#|.:>-])*)"
)
_URL_PASSWORD = re.compile(rb"://[^/\s:@\"'<>`]{0,80}:([^@\s/\"'<>${}`]{3,200})@(?=[^\s\"'<>`])")
_VALUE = rb"[^\s\"'`=:,;()<>\[\]{}|&]"
_BEFORE = re.compile(_VALUE + rb"+\Z")
_AFTER = re.compile(rb"[^\s\"'`,;()<>\[\]{}|&\\]*")
_ASSIGNED = rb"[\w.\-]{0,40}[\"'`\])]{0,3}\s{0,4}(?:=>|:=|[=:,(>]|\s)\s{0,4}(?:[a-z]{0,2}[\"'`]|bearer\s|basic\s|token\s){0,2}\Z"
_PADDING = re.compile(rb"[^\n]+")


def by_name(path: str) -> bool:
    """Whether a file holds secrets, as its name has it. ``path`` has slashes, whatever the system."""
    rules = _rules()
    tail = "/" + path.lower()
    return rules.files.search(tail) is not None and rules.examples.search(tail) is None


def redacted(text: str) -> str:
    """The text with a mark in the place of each secret."""
    if len(text) < 12 or (text.isascii() and len(text) < len(_LONG) and "://" not in text):
        return text
    source = text.encode("utf-8", "surrogatepass")
    spans = _spans(source)
    if not spans:
        return text
    return _replaced(source, spans, MARK).decode("utf-8", "surrogatepass")


def without_secrets(source: bytes) -> bytes:
    """The same of a file's bytes. The result is as long, so that places in it are places in the file."""
    spans = _spans(source)
    return _replaced(source, spans, b"") if spans else source


def _spans(source: bytes) -> list[tuple[int, int]]:
    """Where secrets stand, sorted, none within another."""
    shape = source.translate(_SHAPE)
    at = shape.find(_LONG)
    found: list[tuple[int, int]] = []
    if at >= 0:
        # Most long words are names in small letters; one that is a key all the same begins like one.
        starts, plain = _rules().starts, source.translate(_PLAIN)
    while at >= 0:
        end = shape.find(b" ", at)
        end = len(source) if end < 0 else end
        if source[at : at + 3] in starts or (plain.find(b" ", at, end) >= 0 and _is_odd(source, at, end)):
            found += _in_word(source, at, end)
        at = shape.find(_LONG, end)
    if b"PRIVATE KEY" in source:
        found += (one.span() for one in _PRIVATE_KEY.finditer(source))
    if b"://" in source and b"@" in source:
        found += (one.span(1) for one in _URL_PASSWORD.finditer(source) if one[1].lower() not in _rules().made_up)
    return _joined(found) if found else found


def _is_odd(source: bytes, at: int, end: int) -> bool:
    """Whether a long word may be no name; where a dot stands before it, only a closer look can tell."""
    return source[at - 1 : at] == b"." or _DIGIT.search(source, at, end) is not None or _of_mixed_letters(source[at:end])


def _in_word(source: bytes, at: int, end: int) -> Iterator[tuple[int, int]]:
    """Of a long word with digits in it: the tokens that it is or holds, or all of it where a name before it says so."""
    rules = _rules()
    known = list(_tokens(rules, source, max(0, at - 8), end))  # some begin with a dot, which is no part of the word
    if known:
        yield from known
        return
    if not _looks_like_chance(source[at:end]):
        return
    first = max(0, at - _LOOK_BACK)
    behind = source[first:at].lower()
    start = before.start() if (before := _BEFORE.search(source, first, at)) else at
    if rules.assigned.search(behind, 0, start - first):
        after = _AFTER.match(source, end)
        yield start, after.end() if after else end


def _tokens(rules: _Rules, source: bytes, at: int, end: int) -> Iterator[tuple[int, int]]:
    starts = [one.end() for one in rules.before.finditer(source, at, end)]
    for start in [at, *starts] if at == 0 else starts:
        for token in rules.tokens:
            if found := token.match(source, start):
                yield found.span()
                break


def _of_mixed_letters(word: bytes) -> bool:
    """Whether a word without digits may be chance all the same: capitals follow each other, and yet it is no abbreviation."""
    if word.islower() or word.isupper():
        return False
    kinds = word.translate(_KINDS)
    return kinds.count(b"AA") >= 3 and sum(map(kinds.count, _CHANGES)) >= len(word) * 0.35


def _looks_like_chance(word: bytes) -> bool:
    """Whether letters and digits follow each other as in nothing that was given a name: by how often the kind changes.

    In what people write about every sixth character is of another kind than the one before; by chance every other is.
    """
    kinds = word.translate(_KINDS)
    digits, letters = kinds.count(b"0"), len(word) - kinds.count(b"0") - kinds.count(b" ")
    if letters < 3 or len(set(word)) < 10:
        return False
    if digits < 2:
        return _of_mixed_letters(word)
    return _HEX.fullmatch(word) is not None or sum(map(kinds.count, _CHANGES)) >= len(word) * 0.25


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    spans.sort()
    kept = [spans[0]]
    for start, end in spans[1:]:
        if start <= kept[-1][1]:
            kept[-1] = (kept[-1][0], max(end, kept[-1][1]))
        else:
            kept.append((start, end))
    return kept


def _replaced(source: bytes, spans: list[tuple[int, int]], by: bytes) -> bytes:
    """``by`` stands once for each; without it each line of each is filled with a mark."""
    parts: list[bytes] = []
    last = 0
    for start, end in spans:
        parts.append(source[last:start])
        parts.append(by or _PADDING.sub(_filled, source[start:end]))
        last = end
    parts.append(source[last:])
    return b"".join(parts)


def _filled(line: re.Match[bytes]) -> bytes:
    length = len(line[0])
    return MARK.ljust(length, b"_") if length >= len(MARK) else b"*" * length


class _Rules(NamedTuple):
    files: re.Pattern[str]
    examples: re.Pattern[str]
    before: re.Pattern[bytes]  # up to where a token begins
    tokens: tuple[re.Pattern[bytes], ...]
    starts: frozenset[bytes]  # the first three letters of tokens
    assigned: re.Pattern[bytes]
    made_up: frozenset[bytes]


@cache
def _rules() -> _Rules:
    told = _table()
    tokens = [(_any(row["begins"]), row["then"].encode()) for row in told["tokens"]]
    names = _any(told["names"])
    return _Rules(
        _names_of_files(told["files"]),
        _names_of_files(told["examples"]),
        re.compile(rb"[^A-Za-z0-9](?=" + b"|".join(begins for begins, _ in tokens) + b")"),
        tuple(re.compile(begins + then) for begins, then in tokens),
        frozenset(begin.encode()[:3] for row in told["tokens"] for begin in row["begins"]),
        re.compile(names + _ASSIGNED),
        frozenset(one.encode() for one in told["made_up"]),
    )


def _any(begins: list[str]) -> bytes:
    return b"(?:" + b"|".join(re.escape(one.encode()) for one in begins) + b")"


def _names_of_files(patterns: list[str]) -> re.Pattern[str]:
    inner = "|".join(translate(pattern.lower()).replace(".*", "[^/]*") for pattern in patterns)
    return re.compile(f"/(?:{inner})")


def _table() -> dict[str, Any]:
    import tomllib  # costs 5 ms at start-up, and most text needs no rule

    package = Path(__file__).resolve().parent.parent
    folder = package / "queries"  # a source checkout keeps them at the top, a wheel inside the package
    return tomllib.loads((folder if folder.is_dir() else package.parent / "queries").joinpath("secrets.toml").read_text("utf-8"))
