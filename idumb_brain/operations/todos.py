"""What people left for later: who, which ticket, how old, due when. Asks git for what comments do not say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from idumb_brain.model.code import TODO_TYPES, Comment
from idumb_brain.model.errors import BadInput
from idumb_brain.model.history import Blamed
from idumb_brain.operations.project import find_project, moment, relative_path
from idumb_brain.store import code as store

SORTS = ("file", "age", "owner")
_DATE = r"\d{4}-\d{2}-\d{2}"
_OWNER = re.compile(r"^\W*\w+\s*\(\s*(?:@|~)?([\w.@+ -]+?)\s*[,:;)]|^\W*\w+\s*:?\s+@([\w-]+)\b|^\W*\w+\s+\[@?([A-Za-z][\w.-]+)\]")
_MENTION = re.compile(r"(?<![\w.@/])@([A-Za-z][\w-]{1,38})\b(?!\.\w)")
_TICKET = re.compile(
    r"(https?://\S+?/(?:issues?|pulls?|pull|merge_requests|browse|tickets?|bugs?|T)/[\w-]+|https?://\S*?show_bug\.cgi\?id=\d+)"
    r"|\b((?!(?:UTF|ISO|SHA|MD|RFC|PEP|CVE|AES|RSA|X|HTTP|IPV|BASE|CP|KOI|TLS|SSL|PKCS|EC|ES|COVID|GPT)-)[A-Z][A-Z0-9]{1,9}-\d+)\b"
    r"|(?<![\w/&])(#\d+)\b|\b([\w.-]+/[\w.-]+#\d+)\b"
)
_DUE = re.compile(
    rf"\b(?:by|due|until|before|after|on|deadline|expires?)\b:?\s*({_DATE})"
    rf"|\(\s*(?:[\w@.-]+\s*[,;:]\s*)?({_DATE})\s*[,)]",
    re.I,
)
_SPAN = re.compile(r"^(\d+)\s*(d|w|m|y|days?|weeks?|months?|years?)?$")
_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}


def todos(
    root: str | None = None,
    path: str | None = None,
    *,
    ages: bool = True,
    types: Sequence[str] = (),
    owner: str | None = None,
    older_than: str | None = None,
    sort: str = "file",
) -> list[dict[str, Any]]:
    """Todos, each with what it says itself and what git says of it; filtered and sorted as asked."""
    project = find_project(root)
    least = days(older_than) if older_than else None
    wrong = [name for name in types if name not in TODO_TYPES]
    if wrong:
        raise BadInput(
            f"{wrong[0]} is not a type of todo", why="there is none of that name", instead=f"one of {', '.join(TODO_TYPES)}"
        )
    within = relative_path(project, path) if path else ""
    with project.reading() as connection:
        found = store.comments(connection, types=tuple(types) or TODO_TYPES)
    if within not in ("", "."):
        found = [comment for comment in found if comment.file == within or comment.file.startswith(within + "/")]
    blamed: Mapping[tuple[str, int], Blamed] = {}
    if ages and found:
        from idumb_brain.scan.history import blame

        lines: dict[str, list[int]] = {}
        for comment in found:
            lines.setdefault(comment.file, []).append(comment.line)
        blamed = blame(project.root, lines)
    rows = _rows(found, blamed, _owners(project.root) if ages else None, moment())
    if owner:
        rows = [row for row in rows if row["owner"] and owner.lower().lstrip("@") in row["owner"].lower()]
    if least is not None:
        rows = [row for row in rows if row["age"] is not None and row["age"] >= least]
    return sorted(rows, key=_orders(sort))


def days(written: str) -> int:
    """``90d``, ``12w``, ``6m``, ``2y`` or a number of days."""
    found = _SPAN.match(written.strip().lower())
    if found is None:
        raise BadInput(
            f"{written!r} is not an age", why="a number of days, weeks, months or years", instead="for example 90d, 6m, 2y"
        )
    return int(found[1]) * _DAYS[(found[2] or "d")[0]]


def _owners(root: Any) -> Any:
    from idumb_brain.scan.owners import code_owners

    return code_owners(root)


def _rows(
    found: Sequence[Comment], blamed: Mapping[tuple[str, int], Blamed], rules: Any, today: datetime
) -> list[dict[str, Any]]:
    rows = []
    for comment in found:
        line = blamed.get((comment.file, comment.line))
        owner, origin = _owner(comment, line, rules)
        due = _due(comment.content)
        rows.append(
            {
                "file": comment.file,
                "line": comment.line,
                "type": comment.type,
                "content": comment.content,
                "relatedFunction": comment.owner or None,
                "owner": owner or None,
                "ownerFrom": origin or None,
                "ticket": _ticket(comment.content),
                "age": _age(line, today),
                "ageFrom": None
                if line is None
                else "uncommitted"
                if not line.committed
                else "shallow"
                if line.boundary
                else "blame",
                "since": _day(line.written) if line is not None and line.committed else None,
                "due": due,
                "overdue": bool(due and due < today.date().isoformat()),
            }
        )
    return rows


def _owner(comment: Comment, line: Blamed | None, rules: Any) -> tuple[str, str]:
    """Whoever the comment names, else who wrote the line, else who answers for the file; and where that is from."""
    stated = _OWNER.search(comment.content)
    name = next((part for part in stated.groups() if part), "").strip() if stated else ""
    if name and not re.fullmatch(rf"{_DATE}|[A-Z][A-Z0-9]*-\d+|#?\d+", name):
        return name.lstrip("@"), "comment"
    if mention := _MENTION.search(comment.content):
        return mention[1], "comment"
    if line is not None and line.author:
        return line.author, "blame"
    answering = rules.of(comment.file) if rules is not None else ()
    return (answering[0].lstrip("@"), "codeowners") if answering else ("", "")


def _ticket(content: str) -> str | None:
    found = _TICKET.search(content)
    return next((part.rstrip(".,;") for part in found.groups() if part), None) if found else None


def _due(content: str) -> str | None:
    found = _DUE.search(content)
    if found is None:
        return None
    written = found[1] or found[2]
    try:
        return date.fromisoformat(written).isoformat()
    except ValueError:
        return None


def _age(line: Blamed | None, today: datetime) -> int | None:
    if line is None:
        return None
    return max(0, int((today.timestamp() - line.written) // 86400)) if line.committed else 0


def _day(written: float) -> str:
    return datetime.fromtimestamp(written, UTC).date().isoformat()


def _orders(sort: str) -> Any:
    def place(row: dict[str, Any]) -> tuple[str, int]:
        return row["file"], row["line"]

    if sort == "age":
        return lambda row: (row["age"] is None, -(row["age"] or 0), *place(row))
    if sort == "owner":
        return lambda row: (row["owner"] is None, (row["owner"] or "").lower(), *place(row))
    return place
