"""What may be told to an agent, what of it was chosen, and why, as frozen values. Refuses to choose."""

from __future__ import annotations

from dataclasses import dataclass

# Kinds of what may be told. They are also the kinds of nodes in the entity graph.
FILE, SYMBOL, DOCUMENT, ENTRY, ANCHOR, COMMIT = "file", "symbol", "document", "entry", "anchor", "commit"
PLAN, TASK, CHECKPOINT, SESSION, DELEGATION, ARTIFACT = "plan", "task", "checkpoint", "session", "delegation", "artifact"


@dataclass(frozen=True, slots=True)
class Score:
    """A number that explains itself."""

    value: float
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """Something found. ``id`` is a path for files and documents, ``PATH#QUALIFIED.NAME`` for symbols, an id for all else."""

    kind: str
    id: str
    score: Score
    path: str = ""  # the file it is or lies in
    line: int = 0
    title: str = ""  # how it calls itself: a symbol's name, a document's or an entry's title
    detail: str = ""  # one more line worth reading: a signature, the first sentence of a docstring


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may be told, from its shortest form to its longest; a selector takes one form or none.

    ``forms`` run from short to long and each makes sense without the others. ``must`` asks for room before all that is not.
    """

    kind: str
    id: str
    score: Score
    forms: tuple[str, ...]
    must: bool = False
    group: str = ""  # candidates of one group say alike things: the second is worth less than the first


@dataclass(frozen=True, slots=True)
class Chosen:
    kind: str
    id: str
    score: Score
    text: str
    form: int  # which form of the candidate the text is; -1 when it was shortened further


@dataclass(frozen=True, slots=True)
class Dropped:
    kind: str
    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Selection:
    chosen: tuple[Chosen, ...]
    dropped: tuple[Dropped, ...]
    chars: int
    tokens: int
