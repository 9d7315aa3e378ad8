"""What documentation may claim and what would support it, as ``queries/claims.toml`` says. Judges nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from idumb_brain.scan.tables import tables, understanding


@dataclass(frozen=True, slots=True)
class Concept:
    name: str
    phrases: tuple[re.Pattern[str], ...]
    evidence: tuple[str, ...]


@lru_cache(maxsize=4)
def load_concepts(folders: tuple[Path, ...]) -> tuple[Concept, ...]:
    """The table of claims; a project's own rows win over shipped ones of the same name."""
    rows: dict[str, Concept] = {}
    for file, named in tables(folders, "claims.toml"):
        with understanding(file):
            for name, stated in named.items():
                phrases = tuple(re.compile(phrase, re.IGNORECASE) for phrase in stated["phrases"])
                rows[name] = Concept(name, phrases, tuple(word.lower() for word in stated["evidence"]))
    return tuple(rows.values())
