"""Which words a project's files are made of: identifiers anywhere in their text, comments or not. Reads files, parses nothing."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable

_WORD = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")
_MAX_BYTES = 4_000_000


def words_of_file(root: str, path: str) -> Counter[str]:
    """How often each word stands in a file; of one that cannot be read, nothing."""
    return Counter(word.decode("utf-8", "replace") for word in _WORD.findall(_text(root, path)))


def some_words_of_file(root: str, path: str, wanted: Collection[bytes]) -> Counter[str]:
    """The same of the words that are wanted; most files have none of them."""
    found = _WORD.findall(_text(root, path))
    if hits := set(found).intersection(wanted):
        return Counter(word.decode("utf-8", "replace") for word in found if word in hits)
    return Counter()


def _text(root: str, path: str) -> bytes:
    try:
        with open(os.path.join(root, path), "rb") as file:
            raw = file.read(_MAX_BYTES)
    except OSError:
        return b""
    return b"" if b"\0" in raw[:4096] else raw


def words_of_text(texts: Iterable[str]) -> Counter[str]:
    counted: Counter[str] = Counter()
    for text in texts:
        counted.update(word.decode("utf-8", "replace") for word in _WORD.findall(text.encode("utf-8", "surrogateescape")))
    return counted
