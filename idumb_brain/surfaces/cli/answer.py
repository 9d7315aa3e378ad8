"""What a command gives back, before anybody decides how it is shown."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Answer:
    """``data`` is the JSON; ``view`` names how people see it; ``text`` is printed as it is."""

    data: Any
    view: str
    text: str | None = None
    as_json: bool = False  # asked for by other means than --json
    exit_code: int = 0
    more: Iterator[Any] = iter(())  # answers that follow as things happen, each like ``data``


def breaks(arguments: Namespace, data: dict[str, Any]) -> int:
    return 1 if arguments.check and data["summary"]["api"]["breaking"] else 0
