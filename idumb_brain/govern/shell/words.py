"""What the words of one command come to: paths it touches, texts it may run, how it is shown. Decides nothing."""

from __future__ import annotations

import base64
import binascii
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, replace

from idumb_brain.govern.shell.knowledge import Knowledge, Known, Rule, Touch
from idumb_brain.govern.shell.options import Given
from idumb_brain.govern.shell.places import UNKNOWN, Where
from idumb_brain.govern.shell.values import HIDDEN, Scope, uncertain


@dataclass(frozen=True, slots=True)
class Input:
    """What a command reads: its text where the line tells it, ``hidden`` where nobody can look before it runs."""

    text: str | None = None
    hidden: bool = False
    given: bool = False


def lines_in(words: tuple[str, ...], knowledge: Knowledge) -> Iterator[str]:
    """Texts that a command nobody knows may run: its first argument, those behind options that mostly mean it, and what looks it."""
    plain = next((at for at, word in enumerate(words) if not word.startswith("-")), None)
    for at, word in enumerate(words):
        opening = word.split(maxsplit=1)
        if len(opening) == 2 and (
            at == plain
            or (at and words[at - 1] in knowledge.producers["running"])
            or opening[0] in knowledge.producers["dangerous"]
        ):
            yield word


def called_with(scope: Scope, told: Given) -> Scope:
    """``sh -c TEXT NAME ARGUMENT…``"""
    inner = replace(scope.copy(), positional=told.arguments[1:])
    if told.arguments:
        inner.variables["0"] = told.arguments[:1]
    return inner


def module(known: Known, rest: tuple[str, ...]) -> tuple[str, ...]:
    at = 0
    while at < len(rest) and rest[at].startswith("-"):
        if rest[at] in known.module:
            return rest[at + 1 :]
        at += 2 if rest[at] in known.values else 1
    return ()


def holds(rule: Rule, told: Given) -> bool:
    if (rule.options and not told.has(rule.options)) or (rule.unless and told.has(rule.unless)):
        return False
    if rule.literal and not told.literal:
        return False
    if not rule.least <= len(told.arguments) <= rule.most:
        return False
    return not ((rule.arguments and not told.matches(rule.arguments)) or (rule.no and told.matches(rule.no)))


def touched_paths(touch: Touch, told: Given) -> Iterator[str]:
    match touch.which:
        case "all":
            yield from told.arguments
        case "first":
            yield from told.arguments[:1]
        case "last":
            yield from told.arguments[-1:] if len(told.arguments) > 1 else ()
        case "rest":
            yield from told.arguments[1:]
        case "butlast":
            yield from told.arguments[:-1]
        case key if key.endswith("="):
            yield from (one[len(key) :] for one in told.arguments if one.startswith(key))
        case options:
            yield from told.values(options.split())


def piped(told: Given, given: Input) -> tuple[str, ...]:
    if told.arguments or not given.given:
        return ()
    return ("*",) if given.text is None else tuple(given.text.split())


def moved(where: Where, target: str) -> str:
    if uncertain(target) or target == "-":
        return UNKNOWN
    if target == "~" or target.startswith("~/"):
        target = (where.home or "/home/user") + target[1:]
    return (
        UNKNOWN if where.cwd == UNKNOWN and not target.startswith("/") else posixpath.normpath(posixpath.join(where.cwd, target))
    )


def decoded(text: str) -> str:
    """What PowerShell is given in base64 of UTF-16."""
    try:
        return base64.b64decode(text, validate=True).decode("utf-16-le")
    except (binascii.Error, ValueError):
        return HIDDEN


def quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"


def shown(words: tuple[str, ...]) -> str:
    return " ".join(words).replace(UNKNOWN, "…").replace(HIDDEN, "…")[:200]


_REASONS = {
    "inspect": "{} only looks", "build": "{} builds", "test": "{} tests", "vcs": "{} is version control", "package": "{} manages packages",
    "network": "{} speaks with the network", "write": "{} writes what can be got back", "unknown": "nothing is known of {}",
}  # fmt: skip


def plain_reason(kind: str, name: str) -> str:
    return _REASONS.get(kind, "{}").format(name)
