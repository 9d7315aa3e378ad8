"""The tables of ``queries/governance`` as values, a project's own laid over the shipped ones. Knows what a row means, decides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from idumb_brain.govern.rules.automation import Automation, read_automation
from idumb_brain.govern.rules.chains import Chains, read_chains
from idumb_brain.govern.rules.delegation import DelegationRules, read_delegation
from idumb_brain.govern.rules.modes import Modes, read_modes
from idumb_brain.govern.rules.roles import Roles, read_roles
from idumb_brain.govern.rules.sessions import SessionRules, read_sessions

FOLDER = "governance"
FILES = ("roles.toml", "modes.toml", "chains.toml", "delegation.toml", "sessions.toml", "automation.toml")


@dataclass(frozen=True, slots=True)
class Rules:
    roles: Roles
    modes: Modes
    chains: Chains
    delegation: DelegationRules
    sessions: SessionRules
    automation: Automation


def load_rules(folders: tuple[Path, ...]) -> Rules:
    """The rules of a project. ``folders`` are those of ``queries``, the shipped one first; files are read again when they change."""
    places = tuple(folder / FOLDER for folder in folders)
    stamps = tuple(_stamp(place / name) for place in places for name in FILES)
    return _loaded(places, stamps)


@lru_cache(maxsize=8)
def _loaded(places: tuple[Path, ...], stamps: tuple[tuple[int, int], ...]) -> Rules:
    roles = read_roles(places)
    return Rules(
        roles,
        read_modes(places),
        read_chains(places),
        read_delegation(places, roles),
        read_sessions(places),
        read_automation(places),
    )


def _stamp(file: Path) -> tuple[int, int]:
    try:
        told = file.stat()
    except OSError:
        return 0, 0
    return told.st_mtime_ns, told.st_size
