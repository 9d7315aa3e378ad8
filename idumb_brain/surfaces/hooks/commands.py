"""The commands a person types in the agent's host: ``commands.toml``, read."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

PREFIX = "idumb:"
EXPORT = f"{PREFIX}export"


@cache
def commands() -> dict[str, dict[str, str]]:
    """By their whole name, each with its description and its template."""
    told = tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))
    return {
        f"{PREFIX}{name}": {"description": one["description"], "template": one["template"].strip()} for name, one in told.items()
    }
