"""What a text in another language would do: SQL, one-line programs, orders to a database. Knows phrases, understands no program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from idumb_brain.govern.shell.knowledge import Knowledge
from idumb_brain.govern.shell.places import MANY, UNKNOWN

# A quote behind a backslash opens nothing; were it tried, a text full of them would take the square of its length.
_TOKEN = re.compile(r"""[a-z]{0,2}(?<!(?<!\\)\\)(['"`])((?:\\.|(?!\1).)*)\1|(,)|([^'"`,]+|['"`])""", re.DOTALL | re.IGNORECASE)
_NAMED = re.compile(r"\s*(?:\w+\s*=(?!=)|.*\{)")  # an argument by its name, or a table of settings
_FILLED = re.compile(r"#\{[^}]*\}")
# What is said and not done: strings and comments.
_SAID = {
    "sql": re.compile(
        r"\"[^\"]*\"|'(?:''|[^'])*'|--[^\n]*|/\*.*?\*/|\bexplain\b(?!\s*\(?\s*analy[sz]e)[^;]*", re.DOTALL | re.IGNORECASE
    )
}


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
        text = said.sub(lambda found: " x " if found[0].startswith('"') else " ", text)
    for phrase in knowledge.languages.get(language, ()):
        for found in phrase.pattern.finditer(text):
            named = found.groupdict()
            if phrase.effect == "strings":
                yield from (Deed("run", phrase.why, line=line) for line in _lines(text, knowledge.producers["dangerous"]))
                break
            if named.get("line") is not None:
                yield Deed(phrase.effect, phrase.why, line=_FILLED.sub(UNKNOWN, named["line"]))
            elif named.get("words") is not None:
                words = _arguments(named["words"])
                if len(words) == 1 or (words and " " in words[0]):
                    yield Deed(phrase.effect, phrase.why, line=words[0])
                elif words:
                    yield Deed("run", phrase.why, words=words)
            elif named.get("path") is not None:
                more = text[found.end() :].lstrip()[:1] in ("+", "%", ".") and found.end() < len(text)
                yield Deed(phrase.effect, phrase.why, path=named["path"] + (MANY if more else ""))
            else:
                yield Deed("destroys", phrase.why)


def _lines(text: str, dangerous: frozenset[str]) -> Iterator[str]:
    """Strings that would be lines of the shell, and no harmless ones."""
    for found in _TOKEN.finditer(text):
        opening = (found[2] or "").split(maxsplit=1)
        if len(opening) == 2 and opening[0] in dangerous:
            yield _FILLED.sub(UNKNOWN, _unescaped(found[2]))


def _arguments(text: str) -> tuple[str, ...]:
    """Strings of a list of arguments; what is put between or behind them is unknown."""
    values: list[str] = []
    current: str | None = None
    for quote, said, comma, other in (found.groups() for found in _TOKEN.finditer(text)):
        if quote:
            current = (current or "") + _FILLED.sub(UNKNOWN, _unescaped(said))
        elif comma:
            values += [current] if current is not None else []
            current = None
        elif _NAMED.match(other):
            break
        elif other.strip("()[]+. \t\n"):
            if "]" in other and current is not None:
                values.append(current)
                current = None
            current = (current or "") + UNKNOWN
    return (*values, current) if current is not None else tuple(values)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
