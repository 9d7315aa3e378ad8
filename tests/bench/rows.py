"""A line of a table of figures: ours beside a floor or a peer, and the bar it has to reach."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    what: str
    ours: str
    other: str = ""
    ratio: float | None = None
    bar: str = ""
    reached: bool | None = None  # None: told for comparison only

    @property
    def verdict(self) -> str:
        return "" if self.reached is None else "reached" if self.reached else "MISSED"

    @property
    def cells(self) -> tuple[str, str, str, str, str, str]:
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}"
        return self.what, self.ours, self.other, ratio, self.bar, self.verdict


TITLES = ("what", "ours", "against", "ratio", "bar", "")
_WIDTHS = (58, 22, 30, 6, 9, 7)


def at_most(what: str, ours: float, bar: float, unit: str) -> Row:
    return Row(what, f"{ours:.1f} {unit}", bar=f"<= {bar:g} {unit}", reached=ours <= bar)


def at_least(what: str, ours: float, bar: float | None, *, other: str = "", digits: int = 3) -> Row:
    if bar is None:
        return Row(what, f"{ours:.{digits}f}", other)
    return Row(what, f"{ours:.{digits}f}", other, bar=f">= {bar:g}", reached=ours >= bar)


def ratio_of(what: str, ours: float, other: float, bar: float, unit: str) -> Row:
    ratio = ours / other
    return Row(what, f"{ours:.2f} {unit}", f"{other:.2f} {unit}", ratio, f"<= {bar:g}", ratio <= bar)


def shown(cells: Iterable[str]) -> str:
    left, *rest = cells
    name, *widths = _WIDTHS
    aligned = [cell.rjust(width) for cell, width in zip(rest[:-1], widths, strict=False)]
    return "  ".join((left.ljust(name), *aligned, rest[-1])).rstrip()
