"""A page of limited room: what is written on it, and what one more thing would cost. Refuses to choose what is written.

Room is counted in characters and in tokens at once, and everything counts: headings, separators, what opens and closes the
whole. A section that nothing is in costs nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from idumb_brain.model.selection import Budget, Chosen, Layout
from idumb_brain.select.budget import HUNDRED, weight

_ENDLESS = 1 << 60


class Size(NamedTuple):
    chars: int
    hundredths: int  # of a token

    def plus(self, other: Size) -> Size:
        return Size(self.chars + other.chars, self.hundredths + other.hundredths)

    def minus(self, other: Size) -> Size:
        return Size(self.chars - other.chars, self.hundredths - other.hundredths)

    def fits(self, room: Size) -> bool:
        return self.chars <= room.chars and self.hundredths <= room.hundredths

    def within(self, room: Size) -> Size:
        return Size(min(self.chars, room.chars), min(self.hundredths, room.hundredths))


NOTHING = Size(0, 0)


def allowed(budget: Budget) -> Size:
    return Size(
        _ENDLESS if budget.chars is None else budget.chars,
        _ENDLESS if budget.tokens is None else budget.tokens * HUNDRED,
    )


def measured(text: str) -> Size:
    return Size(len(text), weight(text))


def written(chosen: Iterable[Chosen], layout: Layout) -> str:
    """The text that is on the page: sections in the order of the layout, what is in them in the order given."""
    headings = dict(layout.headings)
    sections: dict[str, list[str]] = {name: [] for name in headings}
    for one in chosen:
        sections.setdefault(one.section, []).append(one.text)
    body = "\n\n".join("\n".join(filter(None, (headings.get(name), *lines))) for name, lines in sections.items() if lines)
    return "\n".join(filter(None, (layout.opening, body, layout.closing))) if body else ""


_BREAK, _BREAKS = measured("\n"), measured("\n\n")


@dataclass(frozen=True, slots=True)
class Line:
    """What has its place on the page."""

    section: str
    text: str
    form: int
    size: Size


@dataclass(slots=True)
class Page:
    """``written`` of what is on it never exceeds the room there was. Things go by numbers."""

    layout: Layout
    room: Size  # what is left
    lines: dict[int, Line] = field(default_factory=dict)
    sections: dict[str, int] = field(default_factory=dict)  # how much is in each
    headings: dict[str, Size] = field(init=False)  # what each takes
    _left: dict[str, Size] = field(default_factory=dict)  # for one more in a section, while nothing changes

    def __post_init__(self) -> None:
        self.headings = {name: measured(heading + "\n") for name, heading in self.layout.headings if heading}
        for part in filter(None, (self.layout.opening, self.layout.closing)):
            self.room = self.room.minus(measured(part + "\n"))

    def left_for(self, number: int, section: str) -> Size:
        """How long a thing may get, whether it is there or not."""
        if number in self.lines:
            return self.room.plus(self.lines[number].size)
        left = self._left.get(section)
        if left is None:
            left = self._left[section] = self.room.minus(self._around(section, self.begun))
        return left

    def put(self, number: int, line: Line) -> bool:
        """Write it, or a longer form of it, if there is room."""
        room = self.left_for(number, line.section)
        if not line.text or not line.size.fits(room):
            return False
        if number not in self.lines:
            self.sections[line.section] = self.sections.get(line.section, 0) + 1
        self.room = room.minus(line.size)
        self._left.clear()
        self.lines[number] = line
        return True

    def remove(self, number: int) -> None:
        gone = self.lines.pop(number)
        self.sections[gone.section] -= 1
        if not self.sections[gone.section]:
            del self.sections[gone.section]
        self.room = self.room.plus(gone.size).plus(self._around(gone.section, self.begun))
        self._left.clear()

    def left_for_all(self, sections: Iterable[str]) -> Size:
        """What would be left for the texts of several things, of which these are the sections."""
        room, begun = self.room, set(self.begun)
        for section in sections:
            room = room.minus(self._around(section, begun))
            begun.add(section)
        return room

    @property
    def begun(self) -> Collection[str]:
        """The sections that something is in."""
        return self.sections.keys()

    def _around(self, section: str, begun: Collection[str]) -> Size:
        """What has to be written besides one more thing in a section, where something is in these."""
        if section in begun:
            return _BREAK
        size = self.headings.get(section, NOTHING)
        return size.plus(_BREAKS) if begun else size
