"""What is noticed while an agent works, as it is told of it, each time once: alerts, drift, documents that lie. Notices nothing itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from idumb_brain.render.quoting import MARK, inline

_SHOWN = 3
_ALERTS = {
    "alert-frequency": "You have used very many tools within a minute. Stop and say what you are after before you go on.",
    "alert-repetition": "You have made the same call again and again. Its answer will not change; try something else.",
    "warn-hallucination": "The user has stopped you three times in a row. What you assume is probably wrong: ask before you go on.",
    "warn-compactions": "This session was compacted several times. Check what you remember against the project before you rely on it.",
    "purify-at-compaction": "This session has grown long; at the next compaction only what matters is carried over.",
}


def hint(text: str) -> str:
    """As a block of its own, unless it is one."""
    return text if text.startswith("<idumb-") else f"<idumb-hint>\n{text}\n</idumb-hint>"


def alerts(actions: Iterable[Mapping[str, str]]) -> list[str]:
    return [_ALERTS[one["action"]] for one in actions if one["action"] in _ALERTS]


def stale(found: Sequence[Mapping[str, Any]]) -> str:
    """Documents that say what is no longer so; "" where none does."""
    if not found:
        return ""
    rows = (f"{one['path']}:{one['line']} says {one['text']}: {one['why']}" for one in found)
    return "\n".join(["Documents that say what is no longer so; do not rely on them:", *_rows(rows, len(found))])


def drifted(told: Mapping[str, Any]) -> str:
    """After many writes: what the session has changed so far, whom that breaks, which documents lie by now."""
    since = told["since"]
    lines = []
    if since and (counted := ", ".join(f"{number} {what}" for what, number in since["summary"]["files"].items() if number)):
        breaking = [one for one in since["api"] if one["breaking"]]
        lines.append(
            f"Files that differ from where this session began: {counted}. Look at all of it before you say that you are done."
        )
        if breaking:
            lines.append("Changed for whoever uses it:")
            lines += _rows((f"{one['file']} {one['name']}: {one['reason']}" for one in breaking), len(breaking))
    return "\n".join([*lines, *([text] if (text := stale(told["stale"])) else [])])


def _rows(rows: Iterable[str], count: int) -> Iterator[str]:
    for number, row in enumerate(rows):
        if number == _SHOWN:
            yield f"… and {count - _SHOWN} more: idumb_scan action=drift, action=documents"
            return
        yield MARK + inline(row)
