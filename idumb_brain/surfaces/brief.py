"""Data as a few plain lines, for agents: what is empty is left out, what is long is cut and says so. Chooses nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

TIMED_OUT = 124  # the exit code of what was ended, as timeout(1) has it
_LINE = 300
_ROWS = 40
# Of no use to whoever asked: how it is stored, what it was called with.
_UNTOLD = {
    "createdAt", "modifiedAt", "accessCount", "lastAccessedAt", "schemaVersion", "durationMs", "hash", "lastScannedAt", "score",
    "notes", "tokens", "chars", "budget", "query",
}  # fmt: skip


def brief(data: Any, *, most: int = 6_000) -> str:
    told = "\n".join(_lines(data, ""))
    if len(told) <= most:
        return told or "nothing"
    return f"{told[:most].rpartition(chr(10))[0]}\n… {len(told) - most:,} characters more: ask for less at once"


def outcome(data: Mapping[str, Any]) -> str:
    """A command that was run: how it ended, then what it printed, as it printed it."""
    seconds = f"{data['durationMs'] / 1000:.1f} s"
    ended = (
        f"exit {TIMED_OUT}: ended after {seconds}, its time limit"
        if data["timedOut"]
        else f"exit {data['exitCode']} after {seconds}"
    )
    return f"{ended}\n{data['output'].rstrip()}" if data["output"].strip() else f"{ended}, nothing was printed"


def _lines(data: Any, indent: str) -> Iterator[str]:
    if isinstance(data, Mapping):
        for name, value in data.items():
            if name in _UNTOLD or value in (None, "", [], {}, False):
                continue
            if isinstance(value, (Mapping, list)) and not _plain(value):
                yield f"{indent}{name}:"
                yield from _lines(value, indent + "  ")
            else:
                yield f"{indent}{name}: {_said(value)}"
    elif isinstance(data, list):
        for one in data[:_ROWS]:
            if isinstance(one, Mapping) and _flat(one):
                yield f"{indent}- {'; '.join(f'{name}: {_said(value)}' for name, value in _told(one))}"
            elif isinstance(one, (Mapping, list)) and not _plain(one):
                first, *rest = list(_lines(one, "")) or ["–"]
                yield f"{indent}- {first}"
                yield from (f"{indent}  {line}" for line in rest)
            else:
                yield f"{indent}- {_said(one)}"
        if len(data) > _ROWS:
            yield f"{indent}… {len(data) - _ROWS} more"
    else:
        yield f"{indent}{_said(data)}"


def _told(row: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in row.items() if name not in _UNTOLD and value not in (None, "", [], {}, False)]


def _flat(row: Mapping[str, Any]) -> bool:
    return all(_plain(value) for _, value in _told(row))


def _plain(value: Any) -> bool:
    if isinstance(value, list):
        return all(not isinstance(one, (Mapping, list)) for one in value) and len(value) <= 12
    return not isinstance(value, Mapping)


def _said(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else "yes" if value is True else str(value)
    line = " ".join(text.split())
    return line if len(line) <= _LINE else f"{line[: _LINE - 1]}…"
