"""Everything a project consists of as nodes, and how they hang together, as frozen values. Refuses to know who tells of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from idumb_brain.model.selection import Score

UP, DOWN, SIDEWAYS = "up", "down", "sideways"
WAYS = (UP, DOWN, SIDEWAYS)
BACK = {UP: DOWN, DOWN: UP, SIDEWAYS: SIDEWAYS}


class Node(NamedTuple):
    """``kind`` and ``id`` are those of a ``Hit``: see model/selection.py."""

    kind: str
    id: str


@dataclass(frozen=True, slots=True)
class Relation:
    """How one node may hang together with another. Down leads from the whole to its parts, from what needs to what is needed."""

    name: str
    way: str  # from the source to the target
    of_target: str  # what is said of the target, before the source's name: "imported by" …
    of_source: str  # what is said of the source, before the target's name: "imports" …
    weight: float  # how much of what concerns one end concerns the other
    loose: bool = False  # neighbours by place, not by sense: no step of a distance


RELATIONS = {
    relation.name: relation
    for relation in (
        Relation("imports", DOWN, "imported by", "imports", 0.7),
        Relation("tests", SIDEWAYS, "tested by", "tests", 0.8),
        Relation("defines", DOWN, "defined in", "defines", 0.8),
        Relation("uses", DOWN, "used by", "uses", 0.9),
        Relation("mentions", DOWN, "mentioned in", "mentions", 0.7),
        Relation("cites", DOWN, "evidence of", "rests on", 0.9),
        Relation("about", DOWN, "subject of", "about", 0.9),
        Relation("part", DOWN, "part of", "has the part", 0.8),
        Relation("related", SIDEWAYS, "related to", "related to", 0.8),
        Relation("supersedes", SIDEWAYS, "superseded by", "supersedes", 0.4),
        Relation("contradicts", SIDEWAYS, "contradicts", "contradicts", 0.6),
        Relation("changed", DOWN, "changed by", "changed", 0.6),
        Relation("contains", DOWN, "task of", "plan of", 0.8),
        Relation("needs", SIDEWAYS, "needed by", "waits for", 0.8),
        Relation("produced", DOWN, "produced by", "produced", 0.9),
        Relation("recorded", DOWN, "done for", "what was done for it is", 0.7),
        Relation("worked on", DOWN, "worked on by", "worked on", 0.6),
        Relation("same plan", SIDEWAYS, "in the same plan as", "in the same plan as", 0.4, loose=True),
        Relation("same owner", SIDEWAYS, "beside", "beside", 0.3, loose=True),
        Relation("same folder", SIDEWAYS, "in the same folder as", "in the same folder as", 0.3, loose=True),
    )
}


class Link(NamedTuple):
    """One relation as it is seen from ``here``. ``outward``: ``here`` is its source."""

    here: Node
    relation: str
    there: Node
    outward: bool
    strength: float = 1.0  # how sure it is, or how much of it there is
    detail: str = ""  # where it shows: "line 3"

    @property
    def way(self) -> str:
        way = RELATIONS[self.relation].way
        return way if self.outward else BACK[way]

    @property
    def reason(self) -> str:
        """What is to be said of ``there``."""
        relation = RELATIONS[self.relation]
        words = f"{relation.of_target if self.outward else relation.of_source} {self.here.id}"
        return f"{words} ({self.detail})" if self.detail else words


@dataclass(frozen=True, slots=True)
class Reached:
    """A node, how near it is, and the links that led to it."""

    node: Node
    score: Score
    route: tuple[Link, ...]

    @property
    def distance(self) -> int:
        return len(self.route)


@dataclass(frozen=True, slots=True)
class Seeds:
    """Where a question starts from, when it is asked from somewhere."""

    nodes: dict[Node, float]
    paths: dict[str, float]  # files, those of the nodes at 1.0 and what is near to them at less
    words: tuple[str, ...]  # names that say what it is about
