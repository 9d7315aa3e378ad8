"""A command line as the shell's grammar sees it, and what was found about it. Refuses to expand or to judge anything.

A script is what ``scan.shell`` makes of a text: commands, pipelines, groups, loops, functions. A word keeps its pieces apart, so that
whoever expands it knows what was quoted. A judgement is what ``govern.shell`` makes of a script.
"""

from __future__ import annotations

from dataclasses import dataclass

CLASSES = ("inspect", "build", "test", "vcs", "package", "network", "write", "unknown", "destructive")


@dataclass(frozen=True, slots=True)
class Text:
    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Variable:
    """``$NAME``, ``${NAME:-word}``: ``operator`` is what stands between the name and the word."""

    name: str
    quoted: bool = False
    operator: str = ""
    word: Word | None = None


@dataclass(frozen=True, slots=True)
class Output:
    """``$(…)`` and backticks; as a file (``<(…)``, ``>(…)``) where ``file`` is set."""

    script: Script
    quoted: bool = False
    file: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """``$((…))``: some number; what runs inside it is kept."""

    script: Script


Piece = Text | Variable | Output | Number


@dataclass(frozen=True, slots=True)
class Word:
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Assignment:
    """``values`` holds one word, or those of an array; they are ``added`` to what is there by ``+=``."""

    name: str
    values: tuple[Word, ...]
    array: bool = False
    added: bool = False


@dataclass(frozen=True, slots=True)
class Redirection:
    """``<<`` and ``<<<`` carry their text as the target."""

    operator: str
    target: Word


@dataclass(frozen=True, slots=True)
class Command:
    words: tuple[Word, ...]
    assignments: tuple[Assignment, ...] = ()
    redirections: tuple[Redirection, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class Pipeline:
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Statements one after the other: a list, a block, a branch, the body of a loop; ``own`` in a shell of their own."""

    parts: tuple[Node, ...]
    redirections: tuple[Redirection, ...] = ()
    own: bool = False


@dataclass(frozen=True, slots=True)
class Loop:
    """``for NAME in WORDS``; a loop without a name is a plain group."""

    name: str
    values: tuple[Word, ...]
    body: Group


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    body: Group


Node = Command | Pipeline | Group | Loop | Function


@dataclass(frozen=True, slots=True)
class Script:
    parts: tuple[Node, ...]
    problems: tuple[str, ...] = ()  # what could not be understood, in a few words each


@dataclass(frozen=True, slots=True)
class Finding:
    """One simple command of a line, expanded as far as it can be: what kind it is, and why."""

    command: str
    kind: str  # one of CLASSES
    why: str
    instead: str = ""
    doubtful: bool = False  # not refused, but worth a word

    @property
    def destructive(self) -> bool:
        return self.kind == "destructive"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A whole line: its kind is that of its worst part."""

    line: str
    kind: str
    parts: tuple[Finding, ...]
    problems: tuple[str, ...] = ()

    @property
    def destructive(self) -> bool:
        return self.kind == "destructive"
