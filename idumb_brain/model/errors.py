"""The errors we raise on purpose. Each says what happened, why, and what to do instead."""

from __future__ import annotations


class BrainError(Exception):
    """Base of all our errors; ``exit_code`` is the command line's promise in the contracts."""

    kind = "error"
    exit_code = 2

    def __init__(self, what: str, *, why: str = "", instead: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.instead = instead

    def __str__(self) -> str:
        return "\n  ".join(part for part in (self.what, self.why, self.instead) if part)


class BadInput(BrainError):
    """The user gave us something that cannot be used as it is."""

    kind = "bad-input"


class NotScanned(BrainError):
    """The question needs an index and there is none."""

    kind = "not-scanned"


class StoreLocked(BrainError):
    """Another process holds the database and did not let go in time."""

    kind = "store-locked"
    exit_code = 4


class StoreDamaged(BrainError):
    """The database cannot be read as one."""

    kind = "store-damaged"
    exit_code = 4


class StoreTooNew(BrainError):
    """The database was written by a version that knows more than we do."""

    kind = "store-too-new"
    exit_code = 4
