"""``delegation.toml``: how deep work may be handed on, to whom, and what may become of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from idumb_brain.govern.rules.reading import read_over
from idumb_brain.govern.rules.roles import Roles
from idumb_brain.model.work import DELEGATION_STATES

EVENTS = ("accepted", "completed", "recalled", "expired")


@dataclass(frozen=True, slots=True)
class DelegationRules:
    max_depth: int
    levels: int
    expires_after: int
    needs_task: bool
    categories: dict[str, tuple[str, ...]]
    steps: dict[tuple[str, str], str]  # state and what happens → state


def read_delegation(places: tuple[Path, ...], roles: Roles) -> DelegationRules:
    with read_over(places, "delegation.toml", step="from") as file:
        categories = file.lists("categories")
        for category, names in categories.items():
            strangers = [name for name in names if not roles.named(name).known]
            if strangers:
                raise ValueError(f"category {category} names {strangers[0]!r}, a role that roles.toml does not have")
        steps = {}
        for row in file.rows("step", "from"):
            state = row.text("from", among=DELEGATION_STATES)
            for event in EVENTS:
                if event in row.told:
                    steps[state, event] = row.text(event, among=DELEGATION_STATES)
            row.done()
        return DelegationRules(
            file.number("max_depth", least=1), file.number("levels", least=1), file.number("expires_after"),
            bool(file.flag("needs_task")), categories, steps,
        )  # fmt: skip
