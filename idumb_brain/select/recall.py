"""How a question becomes words, and words become ranked entries with reasons. Pure; refuses to know where entries are kept.

A text match is worth its BM25. It pulls up what is next to it: what it is related to, its parent, its siblings, and what rests on
the same file. Several that pull at one thing add up, each worth half of the one before: many weak signs do not outweigh one good.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from idumb_brain.model.knowledge import CONTRADICTS, ENTRY_TYPES, RELATED, Entry
from idumb_brain.model.selection import Score
from idumb_brain.model.words import words as identifier_words
from idumb_brain.select.worth import Standing, seconds_since
from idumb_brain.store.recall import CHILD, CITES, PARENT, Card, Step

MOST_WORDS = 40  # of a pasted text the first so many that differ; the rest would only cost time
RANKED, CHECKED = 10_000, 8_000  # entries that hold words: so many are weighed, so many more are only looked up
COMMON = 0.3  # what a word that every text holds is worth, against others equally rare
PULL = {RELATED: 0.35, CONTRADICTS: 0.35, CITES: 0.15, PARENT: 1.0, CHILD: 0.3}
REPLACED = 0.9  # of what the superseded entry's text is worth goes to the one in its place
PINNED, ASKED_TYPE, NEW, NEW_DAYS = 1.2, 1.15, 0.05, 30
_ALIKE = 0.74  # how much a misspelt word must be like a known one
_COMMON_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a about an and are as at be been being but by d did do does for from had has have he her him his how i if in is
        it its ll m me my no not of on or our re s she so t than that the their them then these they this those to us ve
        was we were what when where which who whom whose why with you your
        """,
    )
)
_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"[^\W\d]\w*")
_QUOTED = re.compile(r'"([^"\n]{2,200})"|`([^`\n]{2,200})`|“([^”\n]{2,200})”')
_PATH = re.compile(r"(?<![\w/.-])(?:[\w.@-]+/)+[\w.@-]*|(?<![\w/.-])[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,7}\b")
_TYPE_WORDS = {
    **{type: type for type in ENTRY_TYPES},
    "decided": "decision",
    "facts": "codebase-fact",
    "fact": "codebase-fact",
    "stack": "tech-stack",
    "pitfall": "gotcha",
    **{f"{type}s": type for type in ENTRY_TYPES},
}


Held = tuple[Sequence[str], Sequence[str]]  # words in the title, words in the content
NOTHING: Held = ((), ())


@dataclass(frozen=True, slots=True)
class Asked:
    """A question taken apart. ``common`` words are in every text and tell little."""

    words: tuple[str, ...]
    common: tuple[str, ...]
    phrases: tuple[str, ...]
    paths: tuple[str, ...]
    types: frozenset[str]


@dataclass(frozen=True, slots=True)
class Plan:
    """Which words are weighed, and which are only looked up among what the others find, each with its worth."""

    ranked: tuple[str, ...]
    checked: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Reached:
    """``path`` begins with what the text matched; ``how`` is the last step, none for a match itself."""

    score: float
    path: tuple[str, ...]
    how: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class Recalled:
    entry: Entry
    worth: Standing
    score: Score
    path: tuple[str, ...]


def understood(text: str) -> Asked:
    found = {word.casefold(): None for word in _WORD.findall(text[:200_000])}
    for name in _NAME.findall(text[:20_000]):
        found |= dict.fromkeys(part.casefold() for part in identifier_words(name).split(" ")[1:])
    words = [word for word in found if word not in _COMMON_WORDS][:MOST_WORDS]
    common = [word for word in found if word in _COMMON_WORDS]
    phrases = [" ".join(_WORD.findall(next(filter(None, match.groups())))) for match in _QUOTED.finditer(text[:20_000])]
    return Asked(
        tuple(words or common),
        tuple(common) if words else (),
        tuple(dict.fromkeys(phrase for phrase in phrases if " " in phrase))[:5],
        tuple(dict.fromkeys(path.removeprefix("./") for path in _PATH.findall(text[:20_000])))[:10],
        frozenset(
            _TYPE_WORDS[word.casefold()] for word in re.findall(r"[\w-]+", text[:20_000]) if word.casefold() in _TYPE_WORDS
        ),
    )


def planned(asked: Asked, counts: Mapping[str, int], total: int) -> Plan:
    """The rarest words first, as long as they cost little. ``counts``: how many of all entries hold each word."""
    ranked: list[str] = []
    left = RANKED
    known = sorted((word for word in asked.words if counts.get(word)), key=lambda word: (counts[word], word))
    for word in known:
        if counts[word] <= left:
            ranked.append(word)
            left -= counts[word]
    spare = CHECKED
    checked = []
    rest = sorted(
        (word for word in (*asked.words, *asked.common) if counts.get(word) and word not in ranked), key=counts.__getitem__
    )
    for word in rest:
        if counts[word] <= spare:
            spare -= counts[word]
            checked.append((word, rarity(counts[word], total) * (COMMON if word in _COMMON_WORDS else 1.0)))
    return Plan(tuple(ranked), tuple(checked))


def rarity(count: int, total: int) -> float:
    """As BM25 has it: a word that half of all hold is worth nothing. More may hold it than there were: others write meanwhile."""
    return max(1e-6, math.log((max(total - count, 0) + 0.5) / (count + 0.5)))


def near(word: str, known: Sequence[str]) -> tuple[str, ...]:
    """What a word that nobody wrote may stand for."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    found = process.extract(word, known, scorer=OSA.normalized_similarity, score_cutoff=_ALIKE, limit=3)
    best = max((score for _, score, _ in found), default=0.0)
    return tuple(sorted(term for term, score, _ in found if score >= best - 0.02))


def is_shown(card: Card, now: str, *, at: str = "", every: bool = False) -> bool:
    """Whether it may be told: as things are ``now``, or as they were ``at`` another time. Whether it was superseded is not asked."""
    if every:
        return True
    when = at or now
    begun = max(card.created_at if at else "", card.valid_from) <= when
    return begun and not card.purged_at and not (card.valid_to and card.valid_to <= when)


def followed(own: Mapping[str, float], paths: Mapping[str, tuple[str, ...]], steps: Iterable[Step]) -> dict[str, Reached]:
    """From what the text matched to what is next to it: sideways first, then up, then down."""
    reached = {id: Reached(score, paths.get(id, (id,))) for id, score in own.items()}
    by_direction: dict[str, list[Step]] = defaultdict(list)
    for step in dict.fromkeys(steps):
        by_direction[step.how if step.how in (PARENT, CHILD) else RELATED].append(step)
    for direction in (RELATED, PARENT, CHILD):
        pulled: dict[str, list[tuple[float, Step]]] = defaultdict(list)
        for step in by_direction[direction]:
            if step.start in reached and step.start != step.end:
                pulled[step.end].append((PULL[step.how] * reached[step.start].score, step))
        reached |= {id: _pulled(id, pulls, reached) for id, pulls in pulled.items()}
    return reached


def weighed(reached: Reached, entry: Entry, worth: Standing, asked: Asked, now: str) -> Reached:
    """What the match is worth once it is known how sure, how new and how wanted the entry is."""
    age = seconds_since(max(entry.modified_at, entry.validated_at), now) / 86400
    factor = worth.multiplier * (1 + NEW * 0.5 ** (age / NEW_DAYS))
    factor *= PINNED if entry.pinned else 1.0
    factor *= ASKED_TYPE if entry.type in asked.types else 1.0
    return Reached(reached.score * factor, reached.path, reached.how, reached.file)


def reasons(
    reached: Reached, entry: Entry, worth: Standing, asked: Asked, held: Held, held_first: Held, spelt: Sequence[str]
) -> tuple[str, ...]:
    """Why an entry is told, in words. ``held`` is which words of the question it holds, ``held_first`` which the first of its path."""
    title, content = held
    told = [f"its title has {_listed(title)}"] if title else []
    also = [word for word in content if word.casefold() not in {one.casefold() for one in title}]
    told += [f"it says {_listed(also)}"] if also else []
    if len(reached.path) > 1:
        step = _STEPS[reached.how].format(other=reached.path[-2], file=reached.file)
        first = {word.casefold(): word for word in (*held_first[1], *held_first[0])}
        told.append(f"{step}, which says {_listed([*first.values()])}" if len(reached.path) == 2 and first else step)
    elif reached.file:
        told.append(f"it rests on {reached.file}")
    told += spelt if title or content else ()
    told += [f"{entry.type}, as asked"] if entry.type in asked.types else []
    told += ["pinned"] if entry.pinned else []
    return (*told, *worth.reasons)


_STEPS = {
    RELATED: "related to {other}",
    CONTRADICTS: "contradicts {other}",
    CITES: "rests on {file} like {other}",
    PARENT: "has as a part {other}",
    CHILD: "part of {other}",
    "": "took the place of {other}",
}


def _pulled(id: str, pulls: list[tuple[float, Step]], reached: Mapping[str, Reached]) -> Reached:
    pulls.sort(key=lambda pull: (-pull[0], pull[1].start))
    together = sum(value * 0.5**place for place, (value, _) in enumerate(pulls[:20]))
    if id in reached:
        before = reached[id]
        return Reached(before.score + together, before.path, before.how, before.file)
    best = pulls[0][1]
    return Reached(together, (*reached[best.start].path, id), best.how, best.file)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words[:6]) + (" …" if len(words) > 6 else "")
