"""The ids that headings get. GitHub's rule, and what other renderers make of the same text. Looks at text alone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

_EXPLICIT = re.compile(r"\s*\{:?\s*#([\w:.-]+)[^}]*\}\s*$")
_KEPT = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "Pc"))


def github_anchor(title: str) -> str:
    """What GitHub makes of a heading: lower case, punctuation dropped, every space a hyphen."""
    kept = (char for char in title.strip().lower() if char in "- " or (char.isascii() and char.isalnum()) or _kept(char))
    return "".join(kept).replace(" ", "-")


def numbered(slugs: Iterable[str]) -> Iterator[str]:
    """The same ids with those of equal headings told apart: setup, setup-1, setup-2."""
    taken: dict[str, int] = {}
    for slug in slugs:
        unique = slug
        while unique in taken:
            taken[slug] += 1
            unique = f"{slug}-{taken[slug]}"
        taken[unique] = 0
        yield unique


def explicit_anchor(title: str) -> tuple[str, str]:
    """(title without it, id) of a heading that states its own: ``Setup {#install}``."""
    found = _EXPLICIT.search(title)
    return (title[: found.start()], found[1]) if found else (title, "")


def bare(anchor: str) -> str:
    """Letters and digits alone: what all renderers agree on."""
    return "".join(char for char in unicodedata.normalize("NFKD", anchor).lower() if char.isalnum())


def _kept(char: str) -> bool:
    return char == "_" or (not char.isascii() and unicodedata.category(char) in _KEPT)
