"""``automation.toml``: what happens by itself, and when work goes round in circles."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from idumb_brain.govern.rules.reading import read_over

EVENTS = ("created", "prompt", "answered", "cancelled", "tool", "written", "compacted", "idle")
COUNTS = ("", "cancels", "exports", "compactions", "events", "same")


@dataclass(frozen=True, slots=True)
class Trigger:
    name: str
    on: str
    counts: str
    reaches: int
    every: int
    seconds: int
    does: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prompts:
    short: int
    long: int
    purify_above: int
    half_life: int


@dataclass(frozen=True, slots=True)
class Automation:
    triggers: tuple[Trigger, ...]
    prompts: Prompts
    planner_checker: int
    validator_fix: int

    @property
    def windowed(self) -> frozenset[str]:
        """Triggers that look back over seconds: that they went off is remembered for as long."""
        return frozenset(trigger.name for trigger in self.triggers if trigger.seconds)

    @property
    def farthest(self) -> int:
        """How many events at most have to be remembered."""
        return 2 * max((max(trigger.reaches, trigger.every) for trigger in self.triggers if trigger.seconds), default=0)

    @property
    def longest_window(self) -> int:
        """How many seconds back events have to be remembered."""
        return max((trigger.seconds for trigger in self.triggers), default=0)


def read_automation(places: tuple[Path, ...]) -> Automation:
    with read_over(places, "automation.toml", trigger="name") as file:
        triggers = []
        for row in file.rows("trigger", "name"):
            trigger = Trigger(
                row.text("name"), row.text("on", among=(*EVENTS, "never")), row.text("counts", "", among=COUNTS),
                row.number("reaches", 0), row.number("every", 0), row.number("seconds", 0), row.texts("does"),
            )  # fmt: skip
            row.done()
            if bool(trigger.counts) != bool(trigger.reaches or trigger.every):
                raise ValueError(f"{row.place} counts without saying how far, or says how far without counting")
            if (trigger.counts in ("events", "same")) != bool(trigger.seconds):
                raise ValueError(f"{row.place}: events are counted within seconds, everything else is not")
            triggers.append(trigger)
        prompts = file.table("prompts")
        scoring = Prompts(*(prompts.number(key, least=1) for key in ("short", "long", "purify_above", "half_life")))
        prompts.done()
        stalls = file.table("stalls")
        limits = stalls.number("planner_checker", least=2), stalls.number("validator_fix", least=2)
        stalls.done()
        return Automation(tuple(triggers), scoring, *limits)
