"""``chains.toml``: what has to be there before a command makes sense."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from idumb_brain.govern.rules.reading import read_over

HARD, SOFT, WARNS, OFF = "HARD_BLOCK", "SOFT_BLOCK", "WARN", "OFF"


@dataclass(frozen=True, slots=True)
class Proof:
    """A kind of evidence: what it is called, and files of which one will do."""

    name: str
    told: str
    paths: tuple[str, ...]
    work: bool  # finished work that the task graph knows of will do too


@dataclass(frozen=True, slots=True)
class ChainRule:
    id: str
    commands: tuple[str, ...]
    calls: tuple[str, ...]
    needs: str
    level: str
    instead: str


@dataclass(frozen=True, slots=True)
class Chains:
    rules: tuple[ChainRule, ...]
    proofs: dict[str, Proof]
    readonly: tuple[str, ...]
    bypass: tuple[str, ...]
    force: tuple[str, ...]
    prefixes: tuple[str, ...]


def read_chains(places: tuple[Path, ...]) -> Chains:
    with read_over(places, "chains.toml", rule="id") as file:
        proofs = {}
        stated = file.table("evidence")
        for name in stated.told:
            row = stated.table(name)
            proofs[name] = Proof(name, row.text("told"), row.texts("paths"), bool(row.flag("work")))
            row.done()
        made = []
        for row in file.rows("rule", "id"):
            rule = ChainRule(
                row.text("id"), row.texts("commands"), row.texts("calls", ()), row.text("needs", among=tuple(proofs)),
                row.text("level", among=(HARD, SOFT, WARNS, OFF)), row.text("instead"),
            )  # fmt: skip
            row.done()
            made.append(rule)
        return Chains(
            tuple(made), proofs, file.texts("readonly"), file.texts("bypass"), file.texts("force"), file.texts("prefixes")
        )
