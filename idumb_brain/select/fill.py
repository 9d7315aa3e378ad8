"""Which candidates are told, how long, and in what order, so that the whole text keeps its budget. One selector for all kinds; pure.

First what must be told gets a line each, the most valued first; where room is short they share it. Then the best bargain is
taken again and again: a candidate in its shortest form, or the next longer form of one already taken. A bargain is value by
size; anything up to a line costs a line, so that among short things value alone decides. Of a group each further one is worth
less, and each longer form is worth half of the one before. What says the same as one taken already is not told twice: the more
valued stays. What is too long is cut, and never keeps others out. Nothing is left out without a reason.

The same candidates make the same text in whatever order they come.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush
from itertools import takewhile
from operator import attrgetter
from typing import NamedTuple

from idumb_brain.model.selection import Budget, Candidate, Chosen, Dropped, Layout, Score, Selection
from idumb_brain.select.alike import Gist, Told, gist
from idumb_brain.select.budget import tokens
from idumb_brain.select.page import Line, Page, Size, allowed, measured, written
from idumb_brain.select.shorten import shortened

LINE = 80  # characters that anything costs at least
STUB = Size(16, 400)  # the least that a line can say
_ANOTHER = 0.7  # what one more of a group is worth, by what the one before was
_LONGER = 0.5  # the same of a longer form
_SHARE = 3  # one part of so many of the room is what a first form may take: of longer ones only the beginning is told at first
_PATIENCE = 64  # when so many in a row do not fit, the room is taken to be full
_HORIZON = 4  # so many times as many as there could be lines are looked at, the most valued first
_CUT = -1  # the form of what was shortened
_must = attrgetter("must")


class _Bargain(NamedTuple):
    """A form of a candidate that might be written. The best sorts first."""

    price: float
    place: int  # in the ranking: of equals the more valued
    form: int
    like_it: int = 0  # of its group, taken when the price was made


def fill(candidates: Iterable[Candidate], budget: Budget, layout: Layout | None = None) -> Selection:
    ranked = sorted(candidates, key=lambda one: (not one.must, -one.score.value, one.kind, one.id, one.forms))
    choice = _Choice(ranked, _page(ranked, allowed(budget), layout or Layout()))
    choice.refuse()
    choice.tell_what_must_be()
    choice.cut_to_fit(choice.bargain())
    return choice.made()


def _page(ranked: Sequence[Candidate], room: Size, layout: Layout) -> Page:
    """An empty page. What stands around the text gets plainer until it takes no more than half of the room."""
    first = {one.section for one in takewhile(_must, ranked)} or {one.section for one in ranked[:1]}
    marked = replace(layout, opening=layout.opening.partition("\n")[0])
    for plainer in (layout, marked, replace(marked, headings=tuple((name, "") for name, _ in layout.headings))):
        page = Page(plainer, room)
        left = page.left_for_all(first)
        if 2 * left.chars >= room.chars and 2 * left.hundredths >= room.hundredths:
            return page
    return Page(Layout(headings=plainer.headings), room)


@dataclass(slots=True)
class _Choice:
    ranked: Sequence[Candidate]
    page: Page
    told: Told = field(default_factory=Told)
    groups: dict[str, int] = field(default_factory=dict)  # how many of each are taken
    like_it: dict[int, int] = field(default_factory=dict)  # of one taken: how many of its group were taken before
    refused: dict[int, str] = field(default_factory=dict)
    repeats: dict[int, int] = field(default_factory=dict)  # what, as far as that was told in the end
    gists: dict[int, Gist] = field(default_factory=dict)

    def refuse(self) -> None:
        seen: set[tuple[str, str]] = set()
        for place, one in enumerate(self.ranked):
            if not one.forms or not one.forms[0]:
                self.refused[place] = "says nothing"
            elif (key := (one.kind, one.id)) in seen:
                self.refused[place] = "given twice"
            else:
                seen.add(key)

    def tell_what_must_be(self) -> None:
        musts: list[int] = []
        for place, _ in enumerate(takewhile(_must, self.ranked)):  # they stand first
            if place not in self.refused and not self._repeats(place):
                self.told.add(place, self._gist(place))
                musts.append(place)
        share = self._fair_share(musts)
        for place in musts:
            if not self._take(place, 0, share.within(self.page.left_for(place, self.ranked[place].section))):
                self.told.forget(place)

    def bargain(self) -> list[_Bargain]:
        """Takes the best bargain as long as there is one that fits. Gives back what did not fit, the best first."""
        most = Size(max(LINE, self.page.room.chars // _SHARE), max(LINE * 50, self.page.room.hundredths // _SHARE))
        lines = min(self.page.room.chars // STUB.chars, self.page.room.hundredths // STUB.hundredths)
        asked = range(min(len(self.ranked), _HORIZON * lines + _PATIENCE))
        bargains = [
            self._first(place, most.chars)
            for place in asked
            if not (self.ranked[place].must or place in self.refused or place in self.page.lines)
        ]
        bargains += [longer for place in self.page.lines for longer in self._longer(place)]
        heapify(bargains)
        missed: list[_Bargain] = []
        since = 0  # the last that fitted
        while bargains and since < _PATIENCE and self.page.room.chars > 1:
            best = heappop(bargains)
            if best.place in self.page.lines:
                fitted = self._take(best.place, best.form)
            elif best.like_it != self._like(best.place):
                heappush(bargains, self._first(best.place, most.chars))  # others of its group came first
                continue
            elif self._is_too_long(best, most):
                fitted = False  # whether it repeats another is asked when there is a place for its beginning
            elif self._repeats(best.place):
                continue
            else:
                fitted = self._take(best.place, best.form, most)
            if fitted:
                since = 0
                for longer in self._longer(best.place):
                    heappush(bargains, longer)
            else:
                since += 1
                missed.append(best)
        return missed

    def cut_to_fit(self, missed: Iterable[_Bargain]) -> None:
        """What is left of the room goes to beginnings of what was too long for it."""
        for best in missed:
            one = self.ranked[best.place]
            room = self.page.left_for(best.place, one.section)
            line = self.page.lines.get(best.place)
            least = line.size.chars + LINE if line else LINE
            if least <= room.chars and len(one.forms[best.form]) > least and not (line is None and self._repeats(best.place)):
                self._take(best.place, best.form, room)

    def made(self) -> Selection:
        order = {name: at for at, (name, _) in enumerate(self.page.layout.headings)}
        places = sorted(
            self.page.lines, key=lambda at: (order.get(self.ranked[at].section, len(order)), self.ranked[at].section, at)
        )
        chosen = tuple(self._chosen(place) for place in places)
        dropped = tuple(
            Dropped(one.kind, one.id, self._why_not(place), one.forms[0] if one.forms else "")
            for place, one in enumerate(self.ranked)
            if place not in self.page.lines
        )
        text = written(chosen, self.page.layout)
        return Selection(text, chosen, dropped, len(text), tokens(text))

    def _why_not(self, place: int) -> str:
        other = self.repeats.get(place)
        if other in self.page.lines:
            return f"same as {self.ranked[other].id}"
        return self.refused.get(place, "no room left")

    def _is_too_long(self, best: _Bargain, most: Size) -> bool:
        one = self.ranked[best.place]
        size = len(one.forms[best.form])
        return size <= most.chars and self.page.left_for(best.place, one.section).chars < size

    def _repeats(self, place: int) -> bool:
        """Whether it says what is told already. One that is more valued than who told it takes its place."""
        other = self.told.by(self._gist(place))
        if other is None:
            return False
        if self.ranked[other].must or other < place:
            self.repeats[place] = other
            return True
        self.page.remove(other)
        self.told.forget(other)
        self.groups[self.ranked[other].group] -= 1
        del self.like_it[other]
        self.repeats[other] = place
        return False

    def _gist(self, place: int) -> Gist:
        if place not in self.gists:
            self.gists[place] = gist(self.ranked[place].says or self.ranked[place].forms[-1])
        return self.gists[place]

    def _like(self, place: int) -> int:
        """How many of its group are taken."""
        group = self.ranked[place].group
        return self.groups.get(group, 0) if group else 0

    def _fair_share(self, musts: list[int]) -> Size:
        """How long each may get so that all have room. Of too many, the least valued have to go."""
        while musts:
            room = self.page.left_for_all(self.ranked[place].section for place in musts)
            sizes = [measured(self.ranked[place].forms[0]) for place in musts]
            chars, hundredths = zip(*sizes, strict=True)
            share = Size(_level(chars, room.chars), _level(hundredths, room.hundredths))
            if STUB.within(Size(max(chars), max(hundredths))).fits(share):
                return share
            self.told.forget(musts.pop())
        return Size(0, 0)

    def _first(self, place: int, most: int) -> _Bargain:
        one = self.ranked[place]
        like_it = self.groups.get(one.group, 0) if one.group else 0
        return _Bargain(_price(one.score.value, min(len(one.forms[0]), most), like_it), place, 0, like_it)

    def _longer(self, place: int) -> Iterator[_Bargain]:
        one, line = self.ranked[place], self.page.lines[place]
        form = line.form + 1
        if form < len(one.forms):
            more = len(one.forms[form]) - line.size.chars
            yield _Bargain(
                _price(one.score.value * _LONGER ** (form + (line.form == _CUT)), more, self.like_it[place]), place, form
            )

    def _take(self, place: int, form: int, most: Size | None = None) -> bool:
        one = self.ranked[place]
        text, size = one.forms[form], measured(one.forms[form])
        if most and not size.fits(most):
            text, form = shortened(text, *most), _CUT
            size = measured(text)
        is_new = place not in self.page.lines
        if not self.page.put(place, Line(one.section, text, form, size)):
            return False
        if is_new:
            self.told.add(place, self._gist(place))
            self.like_it[place] = self._like(place)
            self.groups[one.group] = self.groups.get(one.group, 0) + 1
        return True

    def _chosen(self, place: int) -> Chosen:
        one, line, like_it = self.ranked[place], self.page.lines[place], self.like_it[place]
        score = Score(one.score.value, (*one.score.reasons, f"after {like_it} like it")) if like_it else one.score
        return Chosen(one.kind, one.id, score, line.text, line.form, one.section)


def _price(value: float, chars: int, like_it: int) -> float:
    """What is worth nothing is the dearer the longer it is."""
    size = chars if chars > LINE else LINE
    return -value * _ANOTHER**like_it / size if value > 0 else -value * size


def _level(sizes: Sequence[int], room: int) -> int:
    """How high water stands in vessels of these sizes: the most that each may have so that all together have the room."""
    left = room
    for at, size in enumerate(sorted(sizes)):
        vessels = len(sizes) - at
        if size * vessels > left:
            return left // vessels
        left -= size
    return max(sizes, default=0)
