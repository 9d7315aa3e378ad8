"""``modes.toml``: what takes effect in which mode."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from idumb_brain.govern.rules.reading import read_over


@dataclass(frozen=True, slots=True)
class Modes:
    never_right: frozenset[str]
    halts: frozenset[str]
    only_told: frozenset[str]
    retry_within: int
    again: dict[str, str]  # rule → what to do instead of trying a second time

    def instead_of_again(self, rule: str) -> str:
        return self.again.get(rule, self.again["default"])


def read_modes(places: tuple[Path, ...]) -> Modes:
    with read_over(places, "modes.toml") as file:
        again = file.table("again")
        told = {rule: again.text(rule) for rule in ("default", *again.told)}
        return Modes(
            never_right=frozenset(file.texts("never_right")), halts=frozenset(file.texts("halts")),
            only_told=frozenset(file.texts("only_told")), retry_within=file.number("retry_within"), again=told,
        )  # fmt: skip
