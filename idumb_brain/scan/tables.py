"""Rules that are data: TOML files shipped in ``queries/`` and a project's own beside them. Knows TOML, not what rules say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from idumb_brain.model.errors import BadInput


def tables(folders: tuple[Path, ...], name: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every file of this name, the shipped one first."""
    for folder in folders:
        if (folder / name).is_file():
            yield folder / name, read_table(folder / name)


def read_table(file: Path) -> dict[str, Any]:
    import tomllib  # costs 5 ms at start-up; most commands never ask for a rule

    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} is not valid TOML", why=str(error), instead="mend the file or remove it") from error


@contextmanager
def understanding(file: Path) -> Iterator[None]:
    """What a reader of rules stumbles over is a mistake in the file, and told as such."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, re.error) as error:
        why = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise BadInput(
            f"{file} cannot be used", why=why, instead=f"compare it with the shipped {file.name}, or remove it"
        ) from error
