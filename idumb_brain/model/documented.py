"""What functions take and give, what their documentation says of it, and where the two contradict. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

ERROR, WARNING, INFO = "error", "warning", "info"
SEVERITIES = (ERROR, WARNING, INFO)

REST, KEYWORDS, PATTERN, RECEIVER, OPTIONAL = "rest", "keywords", "pattern", "receiver", "optional"


class Parameter(NamedTuple):
    name: str  # "" where the parameter is a pattern
    type: str
    default: str
    how: str  # "", REST, KEYWORDS, PATTERN, RECEIVER
    fields: tuple[str, ...] = ()  # names a pattern takes apart


class Function(NamedTuple):
    """What the syntax tree says of one function; lines are 0 where there is no such thing."""

    name: str
    line: int
    end_line: int
    traits: frozenset[str]  # method, static, abstract, property, generator, async, constructor, getter, setter, opaque …
    decorators: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    returns_type: str
    returns_at: int  # the first return of a value
    leaves_at: int  # the first return of nothing
    yields_at: int
    raises: tuple[tuple[str, int], ...]  # exception as written ("" where it cannot be told), line
    calls: bool


class DocParameter(NamedTuple):
    name: str
    type: str
    default: str
    line: int  # of the documentation's text, from 0
    in_prose: bool = False  # the default is told in a sentence


class DocEntry(NamedTuple):
    """One return, yield or exception."""

    type: str
    line: int


class Documentation(NamedTuple):
    """A doc comment taken apart."""

    style: str
    parameters: tuple[DocParameter, ...] = ()
    returns: tuple[DocEntry, ...] = ()
    yields: tuple[DocEntry, ...] = ()
    raises: tuple[DocEntry, ...] = ()
    sections: frozenset[str] = frozenset()  # what it speaks of beside its summary
    inherited: bool = False  # says that it is somebody else's
    partial: bool = False  # has holes that a program fills in

    @property
    def is_short(self) -> bool:
        return not self.sections


@dataclass(frozen=True, slots=True, order=True)
class Evidence:
    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    file: str
    line: int
    kind: str
    severity: str
    message: str
    evidence: tuple[Evidence, ...]
    symbol: str = ""
    confidence: float = 1.0
