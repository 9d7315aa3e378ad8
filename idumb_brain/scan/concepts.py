"""What documentation may claim and what would support it, as ``queries/claims.toml`` says. Judges nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from idumb_brain.model.errors import BadInput


@dataclass(frozen=True, slots=True)
class Concept:
    name: str
    phrases: tuple[re.Pattern[str], ...]
    evidence: tuple[str, ...]


@lru_cache(maxsize=4)
def load_concepts(folders: tuple[Path, ...]) -> tuple[Concept, ...]:
    """The table of claims; a project's own rows win over shipped ones of the same name."""
    import tomllib

    rows: dict[str, Concept] = {}
    for folder in folders:
        file = folder / "claims.toml"
        if not file.is_file():
            continue
        try:
            for name, stated in tomllib.loads(file.read_text("utf-8")).items():
                phrases = tuple(re.compile(phrase, re.IGNORECASE) for phrase in stated["phrases"])
                rows[name] = Concept(name, phrases, tuple(word.lower() for word in stated["evidence"]))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError, AttributeError, re.error) as error:
            raise BadInput(f"{file} cannot be used", why=str(error), instead="compare it with the shipped claims.toml") from error
    return tuple(rows.values())
