"""From signals to a ranked list with reasons: one table of weights, one of what is shown later unless asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from idumb_brain.model.roles import BENCH, BUILT, DOCUMENT, EXAMPLE, FIXTURE, SETTING, TEST
from idumb_brain.scan.lexing import words
from idumb_brain.select.corpus import Corpus
from idumb_brain.select.evidence import Evidence, Scores

# What a signal is worth; each is first divided by its greatest value among the candidates.
WEIGHTS: dict[str, float] = {
    "piece": 1.1,
    "places": 0.8,
    "near": 0.8,  # to files the question comes with
    "meaning": 0.5,  # only where somebody provides it: see evidence.Meaning
    "body": 0.5,
    "path": 0.39,
    "commits": 0.38,
    "area": 0.35,
    "together": 0.31,
    "recent": 0.27,
    "title": 0.24,
    "area path": 0.24,
    "nearest": 0.22,
    "names": 0.2,
    "called so": 0.18,
    "history": 0.17,
    "title path": 0.11,
    "filename": 0.1,
    "imports": 0.08,
    "cover": 0.07,
    "defines": 0.07,
    "tested": 0.02,
}


_ABSOLUTE = frozenset({"places", "cover", "area", "area path"})  # a weak sign is not made a strong one by being the only one


def blend(signals: Mapping[str, Scores], weights: Mapping[str, float] = WEIGHTS) -> Scores:
    """The weighted sum of signals, each on a scale of 0 to 1."""
    total: Scores = {}
    for name, scores in signals.items():
        weight = weights.get(name, 0.0)
        greatest = 1.0 if name in _ABSOLUTE else max(scores.values(), default=0.0)
        if weight and greatest > 0:
            factor = weight / greatest
            for number, score in scores.items():
                total[number] = total.get(number, 0.0) + factor * score
    return total


# What files of a role count for where nobody asked for them: what changes is source, what else says the words is beside it.
SHARES: dict[str, float] = {
    TEST: 0.5,
    FIXTURE: 0.3,
    EXAMPLE: 0.5,
    BENCH: 0.5,
    DOCUMENT: 0.6,
    SETTING: 0.6,
    BUILT: 0.2,
}


def ranked(evidence: Evidence, roles: Sequence[str], wants: Collection[str]) -> list[tuple[int, float]]:
    """(file, score) of every candidate, best first; equals in order of path."""
    total = blend(evidence.signals)
    shown = {
        number: score * (1.0 if roles[number] in wants else SHARES.get(roles[number], 1.0))
        for number, score in total.items()
        if number in evidence.paths
    }
    return sorted(shown.items(), key=lambda one: (-one[1], evidence.paths[one[0]]))


def reasons(number: int, evidence: Evidence, corpus: Corpus) -> tuple[str, ...]:
    """Why a file is in the list, the strongest reason first, in words; none where all that speaks for it is that it changed lately."""
    worth = {
        name: WEIGHTS[name] * scores[number] / max(scores.values())
        for name, scores in evidence.signals.items()
        if scores.get(number, 0.0) > 0 and name in WEIGHTS
    }
    order = sorted(worth, key=lambda name: (-worth[name], name))
    told: list[str] = []
    clear = [name for name in order if name in _TOLD]
    for name in clear:
        if worth[name] < _LEAST_TOLD * worth[clear[0]]:
            break
        text = _TOLD[name](number, evidence, corpus)
        if text and text not in told:
            told.append(text)
    if not told:
        told = [_FAINT[name] for name in order if name in _FAINT][:1]
    return tuple(told[:_MOST_TOLD])


_LEAST_TOLD, _MOST_TOLD = 0.15, 4


def _named(number: int, evidence: Evidence, corpus: Corpus) -> str:
    line, function = evidence.places[number]
    return "the text names it" + (f", line {line}" if line else "") + (f", in {function}" if function else "")


def _defines(number: int, evidence: Evidence, corpus: Corpus) -> str:
    return "defines " + ", ".join(evidence.defined[number][:3])


def _says(number: int, evidence: Evidence, corpus: Corpus) -> str:
    if number not in evidence.pieces:
        return ""
    piece = evidence.pieces[number]
    held = {word: times for word, times in zip(piece.words, piece.counts, strict=True) if word in evidence.words}
    worth = {word: evidence.words[word] * corpus.word_rarity(word) * times / (times + 2) for word, times in held.items()}
    best = sorted(worth, key=lambda word: (-worth[word], word))
    said = list(dict.fromkeys(evidence.spelled[word] for word in best))[:3]
    return f"says {', '.join(said)} (lines {piece.line}–{piece.end_line})"


def _called(number: int, evidence: Evidence, corpus: Corpus) -> str:
    has = [evidence.spelled[word] for word in map(corpus.word, words(evidence.paths[number])) if word in evidence.words]
    return "path says " + ", ".join(list(dict.fromkeys(has))[:3]) if has else ""


def _past(number: int, evidence: Evidence, corpus: Corpus) -> str:
    votes = evidence.commits.get(number)
    if not votes:
        return ""
    _, commit = max(votes)
    subject = corpus.subjects([commit]).get(commit, ("", ""))[1]
    return f'commit "{shortened(subject, 70)}" touched it'


_TOLD: dict[str, Callable[[int, Evidence, Corpus], str]] = {
    "places": _named,
    "defines": _defines,
    "body": _says,
    "piece": _says,
    "path": _called,
    "filename": _called,
    "commits": _past,
    "together": lambda number, evidence, _: f"often changes with {evidence.companions[number]}" if evidence.companions.get(number) else "",
    "imports": lambda number, evidence, _: evidence.linked.get(number, ""),
    "meaning": lambda *_: "means something alike",
    "near": lambda number, evidence, _: evidence.linked.get(number, ""),
    "tested": lambda number, evidence, _: evidence.linked.get(number, ""),
}  # fmt: skip


# What is worth a word only where there is nothing better to say.
_FAINT = {
    "together": "changes together with others found",
    "path": "path says such words",
    "title path": "path says such words",
    "filename": "path says such words",
    "area path": "lies in the area the text names",
    "area": "lies in the area the text names",
    "called so": "is called what the text says",
    "body": "says such words",
    "title": "says such words",
    "cover": "says such words",
    "piece": "says such words",
    "names": "names in it say such words",
    "history": "commits that touched it say such words",
    "commits": "commits like the text touched it",
    "nearest": "commits like the text touched it",
    "imports": "hangs together with others found",
    "near": "hangs together with others found",
}


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
