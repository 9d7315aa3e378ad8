"""The blocks an agent is handed, as templates that read like the text they make. Refuses to choose what is in them.

A template is a file: its first paragraph opens the block, its last line closes it. Between them a paragraph is a heading
and the section in braces that follows it. Lines below, or below a heading without braces, are our own and told if there is room.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from idumb_brain.model.selection import Candidate, Layout, Score
from idumb_brain.render.wording import spoken

COMPACTION, SYSTEM, PREFIX, RESUME, REMINDER = BLOCKS = ("compaction", "system", "prefix", "resume", "reminder")
BLOCKED, WARNED = "blocked", "warned"  # what a decision is told in: see render/decided.py
RULE = "rule"
_TEMPLATES = Path(__file__).with_name("templates")
_WORTH = 60.0  # of a line of our own: less than an anchor of medium priority that is fresh


@dataclass(frozen=True, slots=True)
class Block:
    layout: Layout
    own: tuple[Candidate, ...]
    sections: frozenset[str]  # those that others have to fill


@cache
def block(name: str, language: str) -> Block:
    text = (_TEMPLATES / f"{name}.{spoken(language)}.txt").read_text("utf-8").strip()
    inside, _, closing = text.rpartition("\n")
    opening, *paragraphs = inside.strip().split("\n\n")
    headings: list[tuple[str, str]] = []
    own: list[Candidate] = []
    asked: set[str] = set()
    for paragraph in paragraphs:
        lines = paragraph.split("\n")
        braces = next((at for at, line in enumerate(lines) if line.startswith("{")), None)
        above, section = (lines[:braces], lines[braces].strip("{}")) if braces is not None else (lines[:1], lines[0])
        headings.append((section, "\n".join(above)))
        if braces is not None:
            asked.add(section)
        rules = lines[1 if braces is None else braces + 1 :]
        own += [Candidate(RULE, f"{name} {at}", Score(_WORTH - at), (line,), section=section) for at, line in enumerate(rules, 1)]
    return Block(Layout(opening, closing, tuple(headings)), tuple(own), frozenset(asked))
