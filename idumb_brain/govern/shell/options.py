"""The words behind a command, sorted into options and arguments as the command itself would. Knows no command."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from fnmatch import fnmatchcase

from idumb_brain.govern.shell.knowledge import Known

_SLASHED = re.compile(r"/[A-Za-z?](?::.*)?")


@dataclass(frozen=True, slots=True)
class Given:
    """``rest`` is where the arguments begin in the words, for commands that run another."""

    options: tuple[tuple[str, str | None], ...]
    arguments: tuple[str, ...]
    rest: int
    literal: bool = False  # a ``--`` came before the first argument

    def has(self, wanted: Collection[str]) -> bool:
        return any(option in wanted for option, _ in self.options)

    def values(self, wanted: Collection[str]) -> tuple[str, ...]:
        return tuple(value for option, value in self.options if option in wanted and value is not None)

    def matches(self, patterns: Collection[str]) -> bool:
        return any(fnmatchcase(argument.lower(), pattern) for argument in self.arguments for pattern in patterns)


def sort_words(words: tuple[str, ...], known: Known, *, stop: bool = False) -> Given:
    """``-xfd`` is ``-x``, ``-f`` and ``-d``; ``--forc`` is ``--force``. With ``stop``, what follows the first argument is left alone."""
    options: list[tuple[str, str | None]] = []
    arguments: list[str] = []
    at, literal = 0, False
    rest = len(words)
    while at < len(words):
        word = words[at]
        at += 1
        if known.slashes and _SLASHED.fullmatch(word):
            options.append((word.lower(), None))
            continue
        if literal or not word.startswith("-") or word == "-":
            if not arguments:
                rest = at - 1
            arguments.append(word)
            if stop:
                arguments.extend(words[at:])
                break
            continue
        if word == "--":
            literal = True
            continue
        if word.startswith("--") or known.long:
            name, equals, value = word.partition("=")
            name = _in_full(name, known)
            if not equals and name in known.values and at < len(words):
                options.append((name, words[at]))
                at += 1
            else:
                options.append((name, value if equals else None))
            continue
        at += _cluster(word, words[at : at + 1], known, options)
    return Given(tuple(options), tuple(arguments), rest, literal)


def _in_full(name: str, known: Known) -> str:
    if name in known.options or len(name) < 5:
        return name
    found = [option for option in known.options if option.startswith(name)]
    return min(found, key=len) if found else name


def _cluster(word: str, following: tuple[str, ...], known: Known, options: list[tuple[str, str | None]]) -> int:
    """Adds the options of one word; 1 when the next word is the value of the last."""
    whole = word.partition("=")[0]
    if whole in known.values and len(whole) > 2:  # one dash, yet a long name
        options.append((whole, word.partition("=")[2] if "=" in word else following[0] if following else None))
        return 0 if "=" in word else len(following)
    options.append((word, None))
    for place, letter in enumerate(word[1:], 1):
        option = "-" + letter
        if option in known.values:
            value = word[place + 1 :]
            options.append((option, value or (following[0] if following else None)))
            return 0 if value else len(following)
        options.append((option, None))
    return 0
