"""Contradictions between comments and code, as people see them: by file, the worst first, what is written there as proof."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import Any

from rich.console import Console

from idumb_brain.surfaces.cli.people.ink import Views, counted, line, plain

_RANK = {"error": 0, "warning": 1, "info": 2}
_STYLE = {"error": "red", "warning": "yellow", "info": "dim"}


def _inconsistencies(out: Console, data: list[dict[str, Any]]) -> None:
    for file, group in groupby(data, key=lambda one: one["file"]):
        out.print(plain(file), style="bold")
        for one in sorted(group, key=lambda one: (_RANK[one["severity"]], one["line"])):
            inside = f" ({plain(one['symbol'])})" if one["symbol"] else ""
            out.print(f"  {one['line']:>5}  {one['severity']:<7} {one['kind']}{inside}", style=_STYLE[one["severity"]])
            out.print(f"         {line(one['message'])}")
            for proof in one["evidence"]:
                where = f"{proof['line']}" if proof["path"] == file else f"{plain(proof['path'])}:{proof['line']}"
                out.print(f"         {where:>5} │ {line(proof['text'])}", style="dim")
        out.print()
    told = Counter(one["severity"] for one in data)
    parts = ", ".join(counted(told[severity], severity) for severity in _RANK if told[severity])
    out.print(f"{parts} in {counted(len({one['file'] for one in data}), 'file')}" if data else "Comments and code agree.")


VIEWS: Views = {"inconsistencies": _inconsistencies}
