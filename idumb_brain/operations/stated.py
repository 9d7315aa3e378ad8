"""What people and agents give us to keep: checked before anything is stored, private parts cut out. Refuses garbage with a reason."""

from __future__ import annotations

import base64
import re
import secrets
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha1

from idumb_brain.model.errors import BadInput
from idumb_brain.store.secrets import redacted

MOST_TITLE = 200
MOST_CONTENT = 50_000
_NEVER = ("never", "0", "none")
_SPAN = re.compile(r"(\d{1,6})\s*(h|d|w|m|y)(?:[a-z]*)$")
_SECONDS = {"h": 3600, "d": 86400, "w": 7 * 86400, "m": 30 * 86400, "y": 365 * 86400}
_TAG = re.compile(r"<\s*(/?)\s*private\b[^<>]*>", re.IGNORECASE)
_CONTROL = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_SLUG = re.compile(r"[^a-z0-9]+")
_SLUG_LENGTH = 40


def checked(what: str, text: str, most: int, *, lines: bool = True) -> str:
    """The text as it may be stored: without private spans, without space around it."""
    if found := _CONTROL.search(text):
        raise BadInput(
            f"the {what} is not text",
            why=f"it has the character {found[0]!a} at {found.start()}",
            instead="give readable text; point to files with evidence instead of pasting them",
        )
    kept = without_private(text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    kept = kept if lines else " ".join(kept.split())
    if not any(unicodedata.category(character)[0] in "LNSP" for character in kept):
        raise BadInput(
            f"the {what} is empty",
            why="all of it is private" if text.strip() else "there is nothing to remember",
            instead=f"say in the {what} what should be known",
        )
    if len(kept) > most:
        raise BadInput(
            f"the {what} is too long",
            why=f"it has {len(kept):,} characters, {most:,} are the most",
            instead="say the essence, and cite files as evidence",
        )
    return kept


def without_private(text: str) -> str:
    """The text without ``<private>…</private>``, nested ones too, and without secrets; a tag never closed reaches to the end."""
    kept, depth, at = [], 0, 0
    for tag in _TAG.finditer(text):
        if not depth:
            kept.append(text[at : tag.start()])
        depth = max(0, depth - 1) if tag[1] else depth + 1
        at = tag.end()
    if not depth:
        kept.append(text[at:])
    return redacted("".join(kept))


def seconds(written: str) -> int:
    """``12h``, ``30d``, ``6w``, ``6m`` or ``2y`` in seconds; 0 for never."""
    word = written.strip().lower()
    if word in _NEVER:
        return 0
    found = _SPAN.match(word)
    if found is None or not int(found[1]):
        raise BadInput(
            f"{written!r} is not a stretch of time",
            why="a number of hours, days, weeks, months or years",
            instead="for example 30d",
        )
    return min(int(found[1]) * _SECONDS[found[2]], 100 * _SECONDS["y"])


def confidence(number: int) -> int:
    if not 0 <= number <= 100:
        raise BadInput(f"{number} is not a confidence", why="it goes from 0 to 100", instead="for example 80")
    return number


def choice(what: str, word: str, choices: Sequence[str], aliases: Mapping[str, str] | None = None) -> str:
    """One of the words there are, or an error that says which was meant."""
    word = word.strip().lower()
    word = (aliases or {}).get(word, word)
    if word not in choices:
        raise BadInput(
            f"{word!r} is no {what}", why=f"there are {', '.join(choices)}", instead=meant(word, choices) or "say one of these"
        )
    return word


def unknown(what: str, id: str, known: Sequence[str], instead: str) -> BadInput:
    near = meant(id, known)
    return BadInput(f"there is no {what} {id[:100]!r}", why="nothing in the brain has that id", instead=near or instead)


def meant(word: str, known: Sequence[str]) -> str:
    """ "did you mean …?", where anything is near."""
    from rapidfuzz import fuzz, process

    near = process.extract(word[:200], known, scorer=fuzz.WRatio, limit=3, score_cutoff=60)
    return f"did you mean {' or '.join(str(one[0]) for one in near)}?" if near else ""


def made_id(prefix: str, title: str, seed: str, taken: Collection[str] = ()) -> str:
    """Readable, and no other machine's: what it is, some words of it, and eight letters of a hash.

    ``seed`` is what makes it this one: where it came from, or chance.
    """
    folded = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    slug = _SLUG.sub("-", folded).strip("-")
    if len(slug) > _SLUG_LENGTH:
        slug = slug[: _SLUG_LENGTH + 1].rpartition("-")[0] or slug[:_SLUG_LENGTH]
    count = 0
    while True:
        digest = sha1(f"{prefix}\0{title}\0{seed}\0{count}".encode(), usedforsecurity=False).digest()
        made = "-".join(part for part in (prefix, slug, base64.b32encode(digest)[:8].decode().lower()) if part)
        if made not in taken:
            return made
        count += 1


def chance(fixed: str) -> str:
    """A seed no other has. With a fixed clock it is that clock: the same run gives the same ids."""
    return fixed or secrets.token_hex(16)
