"""What is known about something: ``brain query``. Follows what entries are linked to, tells why, and changes nothing it reads."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from idumb_brain.model.errors import BadInput
from idumb_brain.model.knowledge import ENTRY_TYPES
from idumb_brain.model.selection import ENTRY, Hit, Score
from idumb_brain.operations.brain import noted
from idumb_brain.operations.evidence import Sources
from idumb_brain.operations.project import find_project
from idumb_brain.operations.stated import choice
from idumb_brain.select import recall as select
from idumb_brain.select.budget import HUNDRED, weight
from idumb_brain.select.recall import Asked, Reached, Recalled
from idumb_brain.select.shorten import shortened
from idumb_brain.select.worth import standing
from idumb_brain.store import knowledge
from idumb_brain.store import recall as store
from idumb_brain.store.brain import Brain
from idumb_brain.store.recall import Card, Step

LIMIT = 10
_MATCHES = 250  # text matches that are looked at
_SEEDS = 40  # of which the best are followed to what only they lead to
_FAN = 12  # and from each to so many
_SHORTLIST = 50  # more than are wanted are weighed with their confidence
_NAMED = 2.0  # what citing a file that the question names is worth, against the best text match
_BESIDE = 1.0  # and of citing one it was not asked about, but that has to do with it
_OF_ITSELF = frozenset({"tech-stack"})  # found out by a scan: that it was seen in a file says nothing of the file
_MISSPELT = 3  # words that are looked for among the known ones: those that begin alike, with one letter
_SPELT = 5  # letters of a word that may be misspelt; in a shorter one, another letter makes another word
_MANY = 20_000  # or in a brain of so many entries with two
_SAYS = 300  # characters of content a hit for context selection carries


def query(
    text: str,
    root: str | None = None,
    *,
    type: str = "",
    limit: int = LIMIT,
    budget: int | None = None,
    every: bool = False,
    at: str = "",
    environ: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Entries about a text, the best first. ``every``: superseded, purged and expired ones too; ``at``: as it was then."""
    if not text.strip():
        raise BadInput(
            "the question is empty", why="there is nothing to look for", instead='for example brain query "login tokens"'
        )
    if limit < 1:
        raise BadInput(f"--limit {limit} leaves nothing", why="it is the number of entries wanted", instead="give 1 or more")
    type = choice("type of entry", type, ENTRY_TYPES) if type else ""
    when = _moment(at) if at else ""
    project = find_project(root, environ)
    with project.remembering(environ=environ) as brain:
        found = recall(brain, text, Sources(project), limit=limit, type=type, every=every, at=when)
        data: dict[str, Any] = {"entries": [_data(one) for one in found]}
        if budget is not None:
            data["entries"] = _within(data["entries"], budget)
        store.note_reading(brain, [one["id"] for one in data["entries"]])
        return noted(brain, data)


def recall(
    brain: Brain,
    text: str,
    sources: Sources | None = None,
    *,
    limit: int = LIMIT,
    type: str = "",
    every: bool = False,
    at: str = "",
    follow: bool = True,
    paths: Sequence[str] = (),
    spelt_right: Collection[str] = (),
) -> tuple[Recalled, ...]:
    """The entries themselves. Without ``sources``, nothing is asked of the files they rest on; without ``follow``, of the graph.

    ``paths`` are files that have to do with the text: what rests on them counts, the words they are called by do not.
    A word nobody wrote is read as one that somebody did, unless it is known to be ``spelt_right``.
    """
    asked = select.understood(text)
    scores, phrases, spelt = _matches(brain, asked, spelt_right)
    numbered = {card.number: card for card in store.cards(brain, numbers=[*scores])}
    own = {card.id: scores[card.number] for card in numbered.values()}
    cards = {card.id: card for card in numbered.values()}
    cited = store.cited_in(brain, asked.paths, 4 * _FAN)
    best = max(own.values(), default=1.0)
    for id in cited:
        own[id] = own.get(id, 0.0) + _NAMED * best
    beside = store.cited_in(brain, paths, 4 * _FAN)
    cards |= {card.id: card for card in store.cards(brain, ids=sorted({*cited, *beside} - cards.keys()))}
    for id in beside.keys() - cited.keys():
        if id in cards and cards[id].type not in _OF_ITSELF:
            own[id] = own.get(id, 0.0) + _BESIDE * best
            cited[id] = beside[id]
    if follow:
        steps = _steps(brain, own, cards)
        unknown = {step.end for step in steps} - cards.keys()
        cards |= {card.id: card for card in store.cards(brain, ids=sorted(unknown))}
    else:
        steps = []
    shown = _Shown(brain, cards, every, at)
    own, ways = shown.replaced(own)
    reached = select.followed(own, ways, shown.allowed(steps))
    reached |= {id: replace(one, file=cited[id]) for id, one in reached.items() if id in cited and len(one.path) == 1}
    return _best(brain, reached, asked, sources, shown.cards, limit, type, phrases, spelt)


def related_entries(
    brain: Brain, text: str = "", *, paths: Sequence[str] = (), sources: Sources | None = None, limit: int = LIMIT
) -> tuple[Hit, ...]:
    """What is known about files and a text, for those who choose what to tell."""
    found = recall(brain, text, sources, limit=limit, paths=paths)
    return tuple(
        Hit(ENTRY, one.entry.id, one.score, title=one.entry.title, detail=shortened(one.entry.content, _SAYS)) for one in found
    )


def _matches(brain: Brain, asked: Asked, right: Collection[str]) -> tuple[dict[int, float], list[str], dict[str, str]]:
    """Numbers of entries with what their text is worth, the words and phrases looked for, and which were read as others."""
    total = store.size(brain)
    common = asked.common if total < _MANY else ()  # to count them would cost more than they tell
    stems = store.counted(brain, (*asked.words, *common))
    spelt = {}
    missing = [word for word in asked.words if word in stems and not stems[word][1] and word not in right]
    unknown = [word for word in missing if len(word) >= _SPELT and word.isalpha()]
    for word in unknown[:_MISSPELT]:
        begins = {word[: 1 if total < _MANY else 2], word[1] + word[0]}
        for term in select.near(stems[word][0], [term for begun in sorted(begins) for term in store.terms(brain, begun)]):
            spelt[term] = f"“{word[:40]}” read as “{term}”"
    stems |= store.counted(brain, [*spelt])
    counts = {word: count for word, (_, count) in stems.items()}
    meant = Asked((*asked.words, *spelt), asked.common, asked.phrases, asked.paths, asked.types)
    plan = select.planned(meant, counts, total)
    scores = store.ranked(brain, [*plan.ranked, *asked.phrases], _MATCHES) if plan.ranked or asked.phrases else {}
    checked = dict(plan.checked)
    if not scores and (
        least := min((word for word in meant.words if counts.get(word)), key=lambda w: (counts[w], w), default="")
    ):
        scores = dict.fromkeys(store.latest(brain, least, _MATCHES), select.rarity(counts[least], total))
        checked.pop(least, None)
    for word, value in checked.items():
        for number in store.holding(brain, word) & scores.keys():
            scores[number] += value
    return scores, [*(word for word in meant.words if counts.get(word)), *asked.phrases], spelt


def _steps(brain: Brain, own: Mapping[str, float], cards: Mapping[str, Card]) -> list[Step]:
    steps = [Step(id, store.PARENT, cards[id].parent) for id in own if id in cards and cards[id].parent]
    steps += [Step(step.end, store.CHILD, step.start) for step in steps]
    steps += store.links(brain, [*own])
    for id in sorted(own, key=lambda id: (-own[id], id))[:_SEEDS]:
        steps += store.children(brain, id, _FAN)
        steps += store.citing_alike(brain, id, _FAN)
    return steps


class _Shown:
    """What of all that was found may be told; what was superseded leads to what took its place."""

    def __init__(self, brain: Brain, cards: Mapping[str, Card], every: bool, at: str) -> None:
        self._now, self._every, self._at = brain.now, every, at
        chains = {} if every else store.successors(brain, [id for id, card in cards.items() if card.superseded_by])
        missing = sorted({id for chain in chains.values() for id in chain} - cards.keys())
        self.cards = {**cards, **{card.id: card for card in store.cards(brain, ids=missing)}}
        self._ways = {id: self._way(id, chains.get(id, ())) for id in self.cards}

    def replaced(self, own: Mapping[str, float]) -> tuple[dict[str, float], dict[str, tuple[str, ...]]]:
        """The matches that may be told, and those that stand for others with the path there."""
        scores: dict[str, float] = {}
        paths: dict[str, tuple[str, ...]] = {}
        for id, score in sorted(own.items()):
            way = self._ways.get(id, ())
            if way == (id,):
                scores[id] = max(score, scores.get(id, 0.0))
            elif way and way[-1] not in own and select.REPLACED * score > scores.get(way[-1], 0.0):
                scores[way[-1]], paths[way[-1]] = select.REPLACED * score, way
            elif way and way[-1] in own:
                scores[way[-1]] = max(scores.get(way[-1], 0.0), select.REPLACED * score)
        return scores, paths

    def allowed(self, steps: Sequence[Step]) -> list[Step]:
        """Between what may be told only; a link to what was superseded is one to what took its place."""
        ends = ((step, self._ways.get(step.start, ()), self._ways.get(step.end, ())) for step in steps)
        return [Step(start[-1], step.how, end[-1], step.file) for step, start, end in ends if start and end]

    def _way(self, id: str, chain: tuple[str, ...]) -> tuple[str, ...]:
        """From an entry to the one that is told in its place: itself, or what superseded it; none where neither may be."""
        card = self.cards[id]
        if self._every or not card.superseded_by:
            return (id,) if self._told(card) else ()
        way: tuple[str, ...] = (id,)
        for successor in (self.cards.get(one) for one in chain):
            if successor is None:
                return ()
            if self._at and max(successor.created_at, successor.valid_from) > self._at:
                break
            way = (*way, successor.id)
        last = self.cards[way[-1]]
        ended = last.superseded_by and not self._at
        return way if self._told(last) and not card.purged_at and not ended else ()

    def _told(self, card: Card) -> bool:
        return select.is_shown(card, self._now, at=self._at, every=self._every)


def _best(
    brain: Brain,
    reached: Mapping[str, Reached],
    asked: Asked,
    sources: Sources | None,
    cards: Mapping[str, Card],
    limit: int,
    type: str,
    phrases: Sequence[str],
    spelt: Mapping[str, str],
) -> tuple[Recalled, ...]:
    wanted = [id for id in reached if not type or (id in cards and cards[id].type == type)]
    shortlist = sorted(wanted, key=lambda id: (-reached[id].score, id))[: limit + _SHORTLIST]
    entries = {one.id: one for one in knowledge.entries_of(brain, shortlist)}
    states = sources.states([*entries.values()]) if sources else {}
    worth = {id: standing(one, brain.now, states) for id, one in entries.items()}
    final = {id: select.weighed(reached[id], one, worth[id], asked, brain.now) for id, one in entries.items()}
    chosen = sorted(final, key=lambda id: (-final[id].score, id))[:limit]
    top = max((final[id].score for id in chosen), default=0.0) or 1.0
    held = (
        store.words_held(brain, phrases, [cards[one].number for id in chosen for one in (id, final[id].path[0])])
        if phrases
        else {}
    )
    return tuple(
        Recalled(
            entries[id],
            worth[id],
            Score(
                round(final[id].score / top, 4),
                select.reasons(
                    final[id],
                    entries[id],
                    worth[id],
                    asked,
                    held.get(cards[id].number, select.NOTHING),
                    held.get(cards[final[id].path[0]].number, select.NOTHING),
                    tuple(spelt.values()),
                ),
            ),
            final[id].path,
        )
        for id in chosen
    )


def _data(one: Recalled) -> dict[str, Any]:
    entry = one.entry
    return {
        "id": entry.id,
        "type": entry.type,
        "title": entry.title,
        "content": entry.content,
        "effectiveConfidence": one.worth.confidence,
        "score": one.score.value,
        "path": list(one.path),
        "reasons": list(one.score.reasons),
        "pinned": entry.pinned,
        "supersededBy": entry.superseded_by or None,
        "purgedAt": entry.purged_at or None,
    }


def _within(entries: Sequence[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    """As many as fit, the best first; of the first that does not, the beginning of what it says."""
    kept: list[dict[str, Any]] = []
    left = budget * HUNDRED - _cost({"entries": []})
    for one in entries:
        bare = one | {"content": ""}
        if (cost := _cost(one)) > left:
            # What is written within JSON costs more than what is said, by its escapes.
            room = left - _cost(bare)
            while room > HUNDRED and _cost(cut := bare | {"content": shortened(one["content"], hundredths=room)}) > left:
                room -= max(HUNDRED, _cost(cut) - left)
            return [*kept, cut] if room > HUNDRED and cut["content"] else kept
        kept.append(one)
        left -= cost
    return kept


def _cost(data: Any) -> int:
    return weight(json.dumps(data, ensure_ascii=False)) + 2 * HUNDRED


def _moment(typed: str) -> str:
    """A day means its end."""
    try:
        told = datetime.fromisoformat(typed)
    except ValueError as error:
        raise BadInput(
            f"--at {typed[:40]!r} is no date", why="it is not ISO 8601", instead="for example 2026-02-04 or 2026-02-04T10:30:00Z"
        ) from error
    if len(typed) == 10:
        return f"{typed}T23:59:59Z"
    return (told.astimezone(UTC) if told.tzinfo else told.replace(tzinfo=UTC)).strftime("%Y-%m-%dT%H:%M:%SZ")
