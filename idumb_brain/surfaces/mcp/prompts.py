"""What a person can have said to the agent by name: ``prompts.toml`` and the commands of other hosts, read."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from idumb_brain.model.errors import BadInput
from idumb_brain.surfaces.hooks.commands import PREFIX, commands

ARGUMENT = "about"
_HOLE = "$ARGUMENTS"


@dataclass(frozen=True, slots=True)
class Prompt:
    name: str
    description: str
    template: str
    argument: str = "what it is about"
    attached: tuple[str, ...] = ()

    def said(self, arguments: Mapping[str, str]) -> str:
        return self.template.replace(_HOLE, arguments.get(ARGUMENT, "")).strip()


@cache
def prompts() -> dict[str, Prompt]:
    told = tomllib.loads(Path(__file__).with_name("prompts.toml").read_text("utf-8"))
    own = [
        Prompt(name, one["description"], one["template"], one["argument"], tuple(one["attached"])) for name, one in told.items()
    ]
    others = [Prompt(name.removeprefix(PREFIX), one["description"], one["template"]) for name, one in commands().items()]
    return {one.name: one for one in (*own, *others)}


def prompt(name: str) -> Prompt:
    found = prompts().get(name)
    if found is None:
        raise BadInput(f"there is no prompt {name!r}", why="none has that name", instead=f"one of {', '.join(prompts())}")
    return found
