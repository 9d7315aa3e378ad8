"""What a text in another language would do: SQL, one-line programs, orders to a database. Knows phrases, understands no program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from idumb_brain.govern.shell.knowledge import Knowledge

_QUOTED = re.compile(r"""(['"])((?:\\.|(?!\1).)*)\1""", re.DOTALL)
# What is said and not done: strings and comments.
_SAID = {"sql": re.compile(r"'(?:''|[^'])*'|--[^\n]*|/\*.*?\*/", re.DOTALL)}


@dataclass(frozen=True, slots=True)
class Deed:
    """``effect`` on a ``path``; or a ``line`` or ``words`` that are run; or, with neither, something that ``why`` forbids."""

    effect: str
    why: str
    path: str = ""
    line: str = ""
    words: tuple[str, ...] = ()


def deeds(language: str, text: str, knowledge: Knowledge) -> Iterator[Deed]:
    if said := _SAID.get(language):
        text = said.sub(" ", text)
    for phrase in knowledge.languages.get(language, ()):
        for found in phrase.pattern.finditer(text):
            named = found.groupdict()
            if named.get("line") is not None:
                yield Deed("run", phrase.why, line=named["line"])
            elif named.get("words") is not None:
                words = tuple(_unescaped(one[2]) for one in _QUOTED.finditer(named["words"]))
                if len(words) == 1 or (words and " " in words[0]):
                    yield Deed("run", phrase.why, line=words[0])
                elif words:
                    yield Deed("run", phrase.why, words=words)
            elif named.get("path") is not None:
                yield Deed(phrase.effect, phrase.why, path=named["path"])
            else:
                yield Deed("destroys", phrase.why)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
