"""Which ways of steering agents and work a project has taken up. Looks at names and at lists of servers; obeys none of what it finds."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from idumb_brain.model.documents import Evidence, Governance
from idumb_brain.scan.tables import tables, understanding

_MANY = 5  # pieces of evidence that are told; the counts have all
_DEPTH, _FILES = 6, 3_000  # how far a folder is looked into that a scan leaves out


@dataclass(frozen=True, slots=True)
class _Sign:
    name: str
    kind: str
    marks: tuple[tuple[re.Pattern[str], str], ...]
    counts: tuple[tuple[str, re.Pattern[str]], ...]
    servers: bool


def governance(root: Path, paths: Iterable[str], folders: tuple[Path, ...]) -> list[Governance]:
    """Everything there is, by name and folder. ``paths`` are those the index knows; ``folders`` hold the signs."""
    signs, look = _table(folders)
    known = sorted({*paths, *_left_out(root, look)})
    found: list[Governance] = []
    for sign in signs:
        marked: dict[str, list[Evidence]] = {}
        for path in known:
            for pattern, why in sign.marks:
                if match := pattern.search(path):
                    marked.setdefault(path[: match.start()].rstrip("/"), []).append(Evidence(path, why))
                    break
        found += [_one(sign, scope, evidence, known, root) for scope, evidence in marked.items()]
    return sorted(found, key=lambda one: (one.scope, one.name))


def _one(sign: _Sign, scope: str, evidence: list[Evidence], known: list[str], root: Path) -> Governance:
    counts = {name: sum(_scope(path, pattern) == scope for path in known) for name, pattern in sign.counts}
    if sign.servers:
        counts["servers"] = sum(_servers(root / one.path) for one in evidence)
    told: dict[str, Evidence] = {}
    for one in evidence:
        told.setdefault(one.why, one)
    rest = [one for one in evidence if one not in told.values()]
    shown = [*told.values(), *rest][:_MANY]
    return Governance(sign.name, sign.kind, scope, tuple(shown), {name: number for name, number in counts.items() if number})


def _scope(path: str, pattern: re.Pattern[str]) -> str | None:
    match = pattern.search(path)
    return path[: match.start()].rstrip("/") if match else None


def _servers(file: Path) -> int:
    try:
        stated = json.loads(file.read_text("utf-8")[:1_000_000]) if not file.is_symlink() else {}
    except (OSError, ValueError):
        return 0
    if not isinstance(stated, dict):
        return 0
    rows: dict[str, object] = next(
        (stated[key] for key in ("mcpServers", "servers", "mcp") if isinstance(stated.get(key), dict)), {}
    )
    return len(rows)


def _left_out(root: Path, look: Iterable[str]) -> Iterator[str]:
    """Paths below folders that a scan does not walk, symlinks named but never followed."""
    left = _FILES
    for name in look:
        waiting = [name]
        while waiting and left > 0:
            path = waiting.pop()
            full = root / path
            if full.is_dir() and not full.is_symlink():
                try:
                    inner = sorted(os.listdir(full), reverse=True)
                except OSError:
                    continue
                if path.count("/") < _DEPTH:
                    waiting += [f"{path}/{one}" for one in inner if one not in ("node_modules", ".git")]
            elif os.path.lexists(full):
                left -= 1
                yield path


@lru_cache(maxsize=4)
def _table(folders: tuple[Path, ...]) -> tuple[tuple[_Sign, ...], tuple[str, ...]]:
    signs: dict[str, _Sign] = {}
    look: list[str] = []
    for file, stated in tables(folders, "governance.toml"):
        with understanding(file):
            look += stated.get("look", ())
            for row in stated.get("sign", ()):
                marks = tuple((_at_a_name(match), str(why)) for match, why in row["marks"])
                counts = tuple((name, _at_a_name(match)) for name, match in row.get("counts", {}).items())
                signs[row["name"]] = _Sign(row["name"], row["kind"], marks, counts, bool(row.get("servers", False)))
    return tuple(signs.values()), tuple(dict.fromkeys(look))


def _at_a_name(match: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^/])(?:{match})")
