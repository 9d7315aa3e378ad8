"""How answers look to people: short lines, plain tables. Text from files is shown as text, never obeyed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.table import Table

Views = dict[str, Callable[[Console, Any], None]]

MANY = 10  # of skipped files, problems, reasons: the rest is counted; --json has all
_UNSHOWABLE = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if code not in (9, 10)}


def plain(text: object) -> str:
    """Control characters made visible: a file name or a comment must not drive the terminal."""
    return str(text).translate(_UNSHOWABLE)


def line(text: object) -> str:
    return " ".join(plain(text).split())


def table(*columns: str) -> Table:
    made = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        made.add_column(column.rstrip(">"), justify="right" if column.endswith(">") else "left")
    return made


def some(out: Console, lines: list[str], many: int = MANY) -> None:
    for one in lines[:many]:
        out.print(one)
    if len(lines) > many:
        out.print(f"  … and {len(lines) - many:,} more (--json has all)")


def counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def seconds(ms: float) -> str:
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"
