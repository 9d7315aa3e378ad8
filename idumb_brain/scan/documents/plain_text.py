"""Text without markup: a title, headings that are underlined or numbered, addresses. Guesses no more structure than that."""

from __future__ import annotations

import re

from idumb_brain.model.documents import LINK, Document, Section
from idumb_brain.scan.documents.anchors import github_anchor, numbered
from idumb_brain.scan.documents.reading import Reading

_UNDERLINE = re.compile(r"([=\-~^*#])\1{2,}\s*$")
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2})*)\.?\s+[A-Z][^.!?]{2,70}$")
_URL = re.compile(r"https?://[^\s<>\"'`)\]]+")
_TITLE = 120  # characters; a longer first line is a sentence


def read_plain_text(text: str) -> Document:
    lines = text.split("\n")
    reading = Reading("text")
    headings: list[tuple[str, int, int]] = []
    for number, line in enumerate(lines, 1):
        alone = number == 1 or not lines[number - 2].strip()
        if alone and line.strip() and number < len(lines) and _UNDERLINE.match(lines[number]) and not _UNDERLINE.match(line):
            headings.append((line.strip(), 1 if lines[number].strip()[0] in "=#*" else 2, number))
        elif alone and (found := _NUMBERED.match(line)) and number < len(lines) and not lines[number].strip():
            headings.append((line.strip(), found[1].count(".") + 1, number))
        for found in _URL.finditer(line):
            reading.link(number, LINK, found[0].rstrip(".,;:"))
    slugs = numbered(github_anchor(title) for title, _, _ in headings)
    for (title, level, number), slug in zip(headings, slugs, strict=True):
        reading.sections.append(Section(title, level, number, slug))
    first = next((line.strip() for line in lines if line.strip() and not _UNDERLINE.match(line.strip())), "")
    reading.title = first if len(first) <= _TITLE else ""
    return reading.finished(lines)
