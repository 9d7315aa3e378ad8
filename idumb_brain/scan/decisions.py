"""Decisions told in commit messages, found by the phrases people decide with. Reads; refuses to take every change for a decision."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path

from idumb_brain.scan.git import ask
from idumb_brain.store.secrets import redacted

_PREFIX = re.compile(r"^(?:\w+(?:\([^)]*\))?!?:\s+|\[[^\]]*\]\s+|(?!ADR)[A-Z]{2,}-\d+:?\s+)+(?=\S)")
_TRAILER = re.compile(r"^(?:[A-Z][\w-]+-[Bb]y|Change-Id|Refs?|Fixes|Closes|PR-URL|See|cc):? ", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'`(])|\n\s*\n|\n\s*[-*]\s+")
_AUTOMATIC = re.compile(r"^(?:Merge |Bump |build\(deps|chore\(deps|Update dependency|Release |v?\d+\.\d+)|\[bot\]", re.IGNORECASE)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)")
_MOST = 1_500  # characters of a message that are kept


@dataclass(frozen=True, slots=True)
class Rule:
    """``subject``: only the first line decides so; a body tells many stories."""

    name: str
    phrase: re.Pattern[str]
    confidence: int
    subject: bool = True


def _phrase(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# The first that fits counts: the plainest decisions come first.
RULES = (
    Rule("adr", _phrase(r"\bADR[- ]?\d|\barchitect(?:ure|ural) decision|\bdocs?/(?:adr|decisions)/"), 85),
    Rule("decided", _phrase(r"\b(?:we |I |have |has )?decided? (?:to|on|that|against|not)\b|\bdecision(?::| to\b)"), 85, False),
    Rule("breaking", re.compile(r"\bBREAKING[ -]CHANGE:?\s|^\w+(?:\([^)]*\))?!:"), 75, False),
    Rule("switched", _phrase(r"\b(?:switch|migrate|move|convert|port|change|transition)(?:e?d|s|ing)?\b.{0,60}? from\b.{1,60}? to\b"), 75),
    Rule("replaced", _phrase(r"\breplac(?:e|es|ed|ing)\b.{1,80}? (?:with|by)\b"), 70),
    Rule("instead", _phrase(r"\b(?:use|prefer|choose|adopt|rely on)(?:s|d)?\b.{1,80}? (?:instead of|rather than|over)\b"), 70),
    Rule("switched", _phrase(r"\b(?:switch|migrate)(?:e?d|s|ing)? (?:over )?to\b"), 65),
    Rule("dropped", _phrase(r"\b(?:drop|remove|end|discontinue)(?:p?ed|s)?\b.{0,40}?\bsupport\b|^deprecate\b"), 70),
    Rule("adopted", _phrase(r"^(?:adopt|standardi[sz]e on|settle on|introduce)\b"), 60),
    Rule("reverted", _phrase(r"^(?:revert\b|back out\b)"), 60),
    Rule("no longer", _phrase(r"\bno longer\b|\b(?:do not|don't|never|stop) (?:use|using|allow|support|rely)"), 60),
    Rule("because", _phrase(r"\b(?:use|keep|avoid|prefer|require|pin|disable|allow|always|never)\b.{1,120}?\bbecause\b"), 60, False),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Decided:
    """``key`` names the message itself: rebased or picked elsewhere, it stays the same."""

    key: str
    commit: str
    at: str
    title: str
    content: str
    rule: str
    confidence: int


def decisions(root: Path, limit: int) -> Iterator[Decided]:
    """Of the newest commits, the oldest first."""
    return read(ask(root, "log", "--no-merges", f"--max-count={limit}", "--reverse", "--format=%H%x1f%aI%x1f%an%x1f%s%x1f%b%x1e"))


def read(told: str) -> Iterator[Decided]:
    """Of git's log. A message that holds the marks we part records by is no record: it is left out."""
    for record in told.split("\x1e"):
        parts = record.strip("\n").split("\x1f")
        if len(parts) != 5 or not _TIME.fullmatch(parts[1]):
            continue
        commit, at, author, subject, body = parts
        subject, body = redacted(subject), redacted(body)
        found = decision_in(subject, body)
        if found is None or "[bot]" in author:
            continue
        title, content, rule = found
        key = sha1(f"{at}\0{author}\0{subject}".encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest()
        yield Decided(key, commit, at, title, content, rule.name, rule.confidence)


def decision_in(subject: str, body: str) -> tuple[str, str, Rule] | None:
    """(title, what was decided and why, the rule that saw it) of one message."""
    if _AUTOMATIC.search(subject):
        return None
    body = body[: (trailer.start() if (trailer := _TRAILER.search(body)) else len(body))].strip()
    for rule in RULES:
        if rule.phrase.search(subject):
            return _title(subject), _content(subject, body), rule
        if not rule.subject and (sentence := _saying(rule, body)):
            return _title(subject), _content(sentence if sentence != body else subject, body), rule
    return None


def _saying(rule: Rule, body: str) -> str:
    return next((one.strip() for one in _SENTENCE.split(body) if rule.phrase.search(" ".join(one.split()))), "")


def _title(subject: str) -> str:
    bare = _PREFIX.sub("", subject).strip().rstrip(".") or subject.strip()
    return bare[0].upper() + bare[1:]


def _content(first: str, body: str) -> str:
    """The sentence that decides, and the rest of the message as its reason."""
    first = " ".join(first.split())
    rest = body if " ".join(body.split()) != first else ""
    told = f"{first}\n\n{rest}".strip()
    return told if len(told) <= _MOST else told[:_MOST].rpartition(" ")[0] + " …"
