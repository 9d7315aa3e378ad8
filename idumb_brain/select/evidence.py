"""What is gathered about the candidates of one question. Holds; gathers and weighs nothing."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from idumb_brain.store.search import Piece

Scores = dict[int, float]  # by file number


@dataclass
class Evidence:
    """Signals of one question and what they rest on, for reasons."""

    words: dict[int, float]  # word number → weight
    spelled: dict[int, str]
    signals: dict[str, Scores] = field(default_factory=dict)
    paths: dict[int, str] = field(default_factory=dict)  # of every candidate
    commits: dict[int, list[tuple[float, int]]] = field(default_factory=dict)  # file → (score, commit) that answer alike
    defined: dict[int, list[str]] = field(default_factory=dict)  # file → identifiers asked for that it defines
    companions: dict[int, str] = field(default_factory=dict)  # file → the seed it changes with
    linked: dict[int, str] = field(default_factory=dict)  # file → how it hangs together with a seed
    pieces: dict[int, Piece] = field(default_factory=dict)  # file → its best piece
    places: dict[int, tuple[int, str]] = field(default_factory=dict)  # file → line and function the text names


# How near each of these paths is to a text in meaning, by whatever means: the place for embeddings. Paths may be left out.
Meaning = Callable[[str, Sequence[str]], Mapping[str, float]]
Blend = Callable[[Mapping[str, Scores]], Scores]


def best_of(scores: Mapping[int, float], many: int) -> list[tuple[int, float]]:
    """The best, in order; of equals the lower number first."""
    if len(scores) > 4 * many:
        least = heapq.nlargest(many, scores.values())[-1]  # without a key: of tens of thousands, that is what takes time
        scores = {one: score for one, score in scores.items() if score >= least}
    return sorted(scores.items(), key=lambda one: (-one[1], one[0]))[:many]
