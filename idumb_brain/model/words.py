"""How identifiers are made of words. Pure; refuses to know any language."""

from __future__ import annotations

import re

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_NAME = re.compile(r"[^\W\d][\w$]*")
_words_of: dict[str, str] = {}


def words(name: str) -> str:
    """An identifier with the words it is made of: ``getUserID`` → ``getUserID get User ID``."""
    split = _words_of.get(name)
    if split is None:
        parts = _WORDS.findall(name)
        split = name if len(parts) < 2 else f"{name} {' '.join(parts)}"
        if len(_words_of) < 200_000:
            _words_of[name] = split
    return split


def searchable(text: str) -> str:
    """A text, and after it the words of the identifiers in it, so that it is found by either."""
    parts = [part for name in dict.fromkeys(_NAME.findall(text)) for part in words(name).split(" ")[1:]]
    return f"{text}\n{' '.join(dict.fromkeys(parts))}" if parts else text
