"""What may be told to an agent, what of it was chosen, and why, as frozen values. Refuses to choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
    ``says`` is what it states, bare of how a form words it: by this near-duplicates are told (the longest form where empty).
    """

    kind: str
    id: str
    score: Score
    forms: tuple[str, ...]
    must: bool = False
    group: str = ""  # candidates of one group say alike things: the second is worth less than the first
    section: str = ""  # under which heading it is written
    says: str = ""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long the whole text may get. None: as long as it likes."""

    chars: int | None = None
    tokens: int | None = None  # as select.budget estimates them


@dataclass(frozen=True, slots=True)
class Layout:
    """What is written around that which is chosen. It counts: a budget is of the whole text.

    ``headings`` are pairs of a section and its heading, in the order of their appearance; an empty heading is not written, and
    a section without content vanishes with its heading. What belongs to no section of these comes last.
    """

    opening: str = ""
    closing: str = ""
    headings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Chosen:
    kind: str
    id: str
    score: Score
    text: str
    form: int  # which form of the candidate the text is; -1 when it was shortened
    section: str = ""


@dataclass(frozen=True, slots=True)
class Dropped:
    kind: str
    id: str
    reason: str
    title: str = ""  # its beginning, for people


@dataclass(frozen=True, slots=True)
class Selection:
    """``text`` is the whole, with all that its layout puts around what is chosen; ``chars`` and ``tokens`` are of it."""

    text: str
    chosen: tuple[Chosen, ...]  # in the order of the text
    dropped: tuple[Dropped, ...]
    chars: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Injection:
    """A block that was handed to an agent. What was chosen and what was not are as ``context`` tells them."""

    at: str
    session: str
    role: str
    kind: str
    chars: int
    budget: int
    tokens: int
    text: str
    selected: tuple[dict[str, Any], ...] = ()
    dropped: tuple[dict[str, Any], ...] = ()
    omitted: int = 0  # how many more were dropped
    until: str = ""  # the last time that the very same was handed over
    times: int = 1
