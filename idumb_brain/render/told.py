"""What is known, worded to be told: for each thing its forms from the shortest to the longest. What others wrote is quoted."""

from __future__ import annotations

from collections.abc import Sequence

from idumb_brain.model.knowledge import Anchor, Entry
from idumb_brain.model.selection import Hit
from idumb_brain.render.quoting import MARK, inline, lines
from idumb_brain.render.wording import NAMES, say


def about(what: str, value: str, language: str) -> tuple[str, ...]:
    """One fact of the setting: the project, the role, the session."""
    return (f"{say(what, language)}: {inline(value)}",)


def tongue(language: str) -> tuple[str, ...]:
    return (say("language", language, name=NAMES.get(language, inline(language))),)


def anchor(one: Anchor, stale_since: str, language: str) -> tuple[str, ...]:
    """What it says; then also what it is, where it is from, and since when it is stale."""
    priority = say(f"priority.{one.priority}", language)
    content = inline(one.content)
    place = f" [{inline(one.file)}{f':{one.line}' if one.line else ''}]" if one.file else ""
    stale = f" ({say('stale', language, since=stale_since)})" if stale_since else ""
    short = f"{MARK}{priority}{', ' + say('old', language) if stale_since else ''}: {content}"
    return (short, f"{MARK}{priority} {one.type}{stale}: {content}{place}")


def entry(one: Entry, confidence: int, language: str) -> tuple[str, ...]:
    """Its title; then with how it begins; then whole."""
    doubt = f" ({say('doubtful', language, confidence=confidence)})" if confidence < 100 else ""
    short = f"{MARK}{one.type}{doubt}: {inline(one.title)} #{one.id}"
    content = lines(one.content)
    if inline(one.content) in ("", inline(one.title)):
        return (short,)
    first = content.partition("\n")[0]
    return tuple(dict.fromkeys((short, f"{short}\n{first}", f"{short}\n{content}")))


def file(hit: Hit, symbols: Sequence[Hit]) -> tuple[str, ...]:
    """Where it is; then why it was found; then what in it."""
    short = f"{MARK}{inline(hit.path)}"
    why = f"{short}: {inline('; '.join(hit.score.reasons))}" if hit.score.reasons else short
    listed = [f"{MARK}  {one.line}: {inline(one.detail or one.title)}" for one in sorted(symbols, key=lambda one: one.line)]
    return tuple(dict.fromkeys((short, why, "\n".join([why, *listed]))))
