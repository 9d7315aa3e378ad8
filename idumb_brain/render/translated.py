"""What decisions say, in the language of the project: sentence by sentence, from a table. What no table tells stays as it was said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from idumb_brain.render.wording import ENGLISH, spoken

_TABLES = Path(__file__).parent / "templates"
_HOLE = re.compile(r"\{(\w+)\}")
_WITHIN = "within"  # sentences that are none by themselves
_LONGEST = 1_000  # characters; what is longer was not said by a rule
_DEEPEST = 3  # sentences within sentences


@dataclass(frozen=True, slots=True)
class _Sentence:
    whole: re.Pattern[str]
    begins: re.Pattern[str]  # the same with more behind it
    told: str


def in_language(text: str, language: str) -> str:
    """The text with every sentence that is known put into the language."""
    return _put(text, spoken(language), 0) or text


def is_told(text: str, language: str) -> bool:
    """Whether all of its sentences are known in the language."""
    return _put(text, spoken(language), 0) is not None


def _put(text: str, language: str, depth: int) -> str | None:
    if language == ENGLISH or len(text) > _LONGEST:
        return text if language == ENGLISH else None
    for known in _sentences(language, depth > 0):
        if found := known.whole.fullmatch(text):
            return _filled(known.told, found.groupdict(), language, depth)
    for known in _sentences(language, depth > 0):
        if (found := known.begins.fullmatch(text)) and (rest := _put(found["rest_of_it"], language, depth)) is not None:
            return f"{_filled(known.told, found.groupdict(), language, depth)}{found['between']}{rest}"
    return None


def _filled(told: str, values: dict[str, str], language: str, depth: int) -> str:
    def put(hole: re.Match[str]) -> str:
        value = values[hole[1]]
        return (_put(value, language, depth + 1) if depth < _DEEPEST else None) or value

    return _HOLE.sub(put, told)


@cache
def _sentences(language: str, within: bool) -> tuple[_Sentence, ...]:
    """Those that say the most of themselves first."""
    import tomllib

    file = _TABLES / f"decisions.{language}.toml"
    table = tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
    pairs = [(said, told) for name, section in table.items() if within or name != _WITHIN for said, told in section.items()]
    pairs.sort(key=lambda pair: (-len(_HOLE.sub("", pair[0])), pair[0]))
    return tuple(_sentence(said, told) for said, told in pairs)


def _sentence(said: str, told: str) -> _Sentence:
    pattern = "".join(
        re.escape(piece) if place % 2 == 0 else f"(?P<{piece}>.+?)" for place, piece in enumerate(_HOLE.split(said))
    )
    return _Sentence(
        re.compile(pattern, re.DOTALL), re.compile(rf"{pattern}(?P<between>;? +)(?P<rest_of_it>.+)", re.DOTALL), told
    )
