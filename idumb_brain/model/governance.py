"""What governance says about one action: a decision with its reasons. Refuses to decide anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

Verdict = Literal["allow", "warn", "block"]


@dataclass(frozen=True, slots=True)
class Decision:
    """``what`` is being decided, ``why`` so, what to use ``instead``, and what the answer rests on."""

    decision: Verdict
    what: str
    why: str = ""
    instead: str = ""
    evidence: tuple[str, ...] = ()

    @classmethod
    def allow(cls, what: str, why: str = "", evidence: tuple[str, ...] = ()) -> Self:
        return cls("allow", what, why, "", evidence)

    @classmethod
    def warn(cls, what: str, why: str, instead: str = "", evidence: tuple[str, ...] = ()) -> Self:
        return cls("warn", what, why, instead, evidence)

    @classmethod
    def block(cls, what: str, why: str, instead: str, evidence: tuple[str, ...] = ()) -> Self:
        return cls("block", what, why, instead, evidence)
