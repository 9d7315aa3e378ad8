"""What was found wrong with an installation: a value with its reason, and what to do about it. Refuses to do it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Finding:
    """``mend`` puts it right and says what it did; without it a person has to. A note is no problem."""

    area: str
    severity: Severity
    what: str
    why: str
    instead: str
    mend: Callable[[], str] | None = None
