"""What was left for later against today: due dates and versions that have passed, the same thing said twice or contradicted. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from idumb_brain.model.code import Comment
from idumb_brain.model.documented import INFO, WARNING

WORK = ("todo", "fixme", "hack", "xxx", "bug")
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_DATED = re.compile(
    r"(?P<lead>\b(?:by|before|until|after|on|due|expires?|remove(?:d)?|delete|drop|in)\b[^.\n]{0,25}?\s"
    r"|[(\[]\s*(?:[\w.@-]+[,:]?\s+)?)"
    r"(?:(?P<year>20[0-4]\d)[-/.](?P<month>0[1-9]|1[0-2])(?:[-/.](?P<day>0[1-9]|[12]\d|3[01]))?(?![\d.-])"
    rf"|(?P<named>{'|'.join(month[:3] for month in _MONTHS)})[a-z]*\.?,?\s+(?P<of>20[0-4]\d)\b)",
    re.IGNORECASE,
)
_DUE = re.compile(r"\b(?:by|before|until|after|due|expires?|remove|delete|drop)\b", re.IGNORECASE)
_AT_VERSION = (
    r"\s+(?:(?:version|release|the next major)\s+)?(?P<project>[A-Za-z][\w.-]*\s+)?"
    r"v?(?P<version>\d+(?:\.\d+){0,2})(?:\.x|\.X)?(?![\w%/-]|\.\d)"
)
# Documentation promises; only a TODO may be as short as "remove in 2.0".
_PROMISED = re.compile(
    r"\b(?:(?:will|to|should|can|must|scheduled) (?:to )?be (?:removed|dropped|deleted|gone)|scheduled for removal)"
    rf"(?: entirely| completely)?(?: in| for| with| by| as of)(?: the)?{_AT_VERSION}",
    re.IGNORECASE,
)
_VERSIONED = re.compile(
    r"\b(?:remove|delete|drop|rename|get rid of|clean ?up|kill)\b[^.\n]{0,60}?\b(?:in|for|by|with|when|after|once)"
    rf"{_AT_VERSION}",
    re.IGNORECASE,
)
_OR_LATER = re.compile(r"\s*(?:,|or|/)\s*v?\d", re.IGNORECASE)
_PATH = re.compile(
    r"(?<![\w/:.@<>*{}$%~-])(?P<path>(?:\.{1,2}/)?(?:[\w-]+/)+[\w.-]+\.(?:py|[cm]?[jt]sx?|go|rs|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|ex|exs|lua|dart|sh|vue|md))\b(?![/*{<(-])"
)
_MARK = re.compile(r"^\W*(?:TODO|FIXME|HACK|XXX|BUG)\b\s*(?:\([^)]*\)|\[[^\]]*\])?\s*[:\-]*\s*", re.IGNORECASE)
_REMOVE = re.compile(r"\b(?:remove|delete|drop|get rid of)\s+(?:the\s+|this\s+)?`?(?P<what>[A-Za-z_]\w{3,})", re.IGNORECASE)
_KEEP = re.compile(
    r"\b(?:do not|don't|never|must not) (?:remove|delete|drop|touch|get rid of)\s+(?:the\s+|this\s+)?`?(?P<what>[A-Za-z_]\w{3,})",
    re.IGNORECASE,
)
_NO_PROJECTS = ("version", "release", "v", "the", "major", "ver")
_LEAST_LETTERS = 30
_LEAST_WORDS = 5
_ALIKE = 95.0
_SPELLED_ALIKE = 80.0
_MOST_TODOS = 4000
_PLAIN = frozenset(
    [
        "this",
        "that",
        "when",
        "once",
        "after",
        "with",
        "from",
        "code",
        "these",
        "those",
        "once",
        "some",
        "block",
        "line",
        "lines",
        "file",
        "method",
        "function",
        "class",
    ]
)


class About(NamedTuple):
    """A finding about a comment; ``others`` are comments that belong to it."""

    comment: Comment
    kind: str
    severity: str
    message: str
    line: int = 0
    others: tuple[Comment, ...] = ()
    confidence: float = 0.9


def overdue(
    comment: Comment, today: date, version: Callable[[str], tuple[str, str]], own: Collection[str] = ()
) -> Iterator[About]:
    """Dates and versions a comment waits for, and that have passed; ``own``: what the project is called."""
    is_work = comment.type in WORK
    if is_work:
        for found in _DATED.finditer(comment.content):
            due = _date_of(found)
            bracketed = found["lead"].lstrip()[:1] in "(["
            if due is None or due >= today or not (bracketed or _DUE.search(found["lead"])):
                continue
            if bracketed and comment.content[: found.start()].strip(" \t*/#-") not in ("TODO", "FIXME", "XXX", "HACK", "@todo"):
                continue
            line = comment.content.count("\n", 0, found.start(found.lastgroup or 0))
            if comment.content.split("\n")[line].lstrip(" \t#/*").startswith(("'", '"')):
                continue  # code that is commented out
            yield About(
                comment,
                "todo-overdue",
                WARNING,
                f"was due {(due - timedelta(1)).strftime('%Y-%m') if due.day == 1 and not found['day'] else due.isoformat()}",
                line,
                (),
                0.9,
            )
    if comment.type == "inline" and not is_work:
        return
    promises = [*_PROMISED.finditer(comment.content), *(_VERSIONED.finditer(comment.content) if is_work else ())]
    for found in promises:
        stated, manifest = version(comment.file)
        if not stated or not _is_ours(found["project"], own) or _OR_LATER.match(comment.content, found.end()):
            continue
        if _numbers(stated) >= _numbers(found["version"]) and "." in found["version"] + stated[len(found["version"]) :]:
            line = comment.content.count("\n", 0, found.start("version"))
            kind = "todo-overdue" if is_work else "deprecation-overdue"
            sure = 0.9 if "." in found["version"] or re.search(r"\bv\d|version|release", found[0], re.IGNORECASE) else 0.4
            yield About(comment, kind, WARNING, f"waits for {found['version']}; {manifest} says {stated}", line, (), sure)


def gone_paths(comment: Comment, exists: Callable[[str, str], bool]) -> Iterator[tuple[str, int]]:
    """(path, line) of files a TODO speaks of that are not there."""
    if comment.type not in WORK:
        return
    for found in _PATH.finditer(comment.content):
        if not exists(found["path"], comment.file) and "http" not in comment.content[max(0, found.start() - 60) : found.start()]:
            yield found["path"], comment.content.count("\n", 0, found.start())


def duplicates(comments: Sequence[Comment]) -> Iterator[About]:
    """TODOs that say the same in several places; each later one points to the first."""
    from rapidfuzz import fuzz, process

    told: list[tuple[str, Comment]] = []
    for comment in comments:
        if comment.type not in WORK:
            continue
        text = " ".join(_MARK.sub("", comment.content).split()).lower()
        if len(text) >= _LEAST_LETTERS and len(text.split()) >= _LEAST_WORDS:
            told.append((text, comment))
    exact: dict[str, list[Comment]] = {}
    for text, comment in told:
        exact.setdefault(text, []).append(comment)
    texts = list(exact)
    taken: set[str] = set()
    for at, text in enumerate(texts):
        if text in taken:
            continue
        group = list(exact[text])
        if len(texts) <= _MOST_TODOS:
            for other, _, _ in process.extract(text, texts[at + 1 :], scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=None):
                if other not in taken and _words_differ_little(text, other):
                    taken.add(other)
                    group += exact[other]
        if len(group) > 1:
            first, *others = sorted(group, key=lambda one: (one.file, one.line))
            places = f"{len(group)} places" if len(group) > 2 else "two places"
            yield About(first, "todo-duplicate", INFO, f"the same is left for later in {places}", 0, tuple(others[:9]), 0.9)


def contradicting(comments: Sequence[Comment]) -> Iterator[About]:
    """A TODO to remove what another comment of the same file says to keep."""
    kept = [(found["what"], other) for other in comments for found in _KEEP.finditer(other.content)]
    if not kept:
        return
    for comment in comments:
        if comment.type not in WORK:
            continue
        for found in _REMOVE.finditer(comment.content):
            before = comment.content[max(0, found.start() - 12) : found.start()].lower()
            if found["what"].lower() in _PLAIN or "not" in before or "n't" in before or "never" in before:
                continue
            for what, other in kept:
                if what == found["what"] and other.line != comment.line:
                    line = comment.content.count("\n", 0, found.start())
                    yield About(
                        comment,
                        "todo-contradiction",
                        WARNING,
                        f"says to remove {what}; another comment says not to",
                        line,
                        (other,),
                    )


def _date_of(found: re.Match[str]) -> date | None:
    if found["year"]:
        year, month = int(found["year"]), int(found["month"])
        try:
            return date(year, month, int(found["day"])) if found["day"] else _end_of(year, month)
        except ValueError:
            return None
    month = next(i for i, name in enumerate(_MONTHS, 1) if name.startswith(found["named"].lower()[:3]))
    return _end_of(int(found["of"]), month)


def _end_of(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1)


def _is_ours(project: str | None, own: Collection[str]) -> bool:
    """Whether a version without a project, or with a word that is none, is spoken of; others are not for us to know."""
    return (
        project is None
        or project.strip().lower() in {name.lower() for name in own}
        or project.strip().lower() in ("version", "release", "v", "the", "major", "ver")
    )


def _numbers(version: str) -> tuple[int, ...]:
    parts = re.findall(r"\d+", version.split("+")[0].split("-")[0])[:3]
    return tuple(int(part) for part in (*parts, "0", "0", "0"))[:3]


def _words_differ_little(one: str, other: str) -> bool:
    """Punctuation and misspellings: any other word that differs makes two things of it."""
    from rapidfuzz import fuzz

    mine, others = (Counter(re.findall(r"\w+", text)) for text in (one, other))
    left, right = sorted((mine - others).elements()), sorted((others - mine).elements())
    if any(re.search(r"[\d_]", word) for word in (*left, *right)):
        return False  # names of two things, however alike
    return len(left) == len(right) and all(fuzz.ratio(a, b) >= _SPELLED_ALIKE for a, b in zip(left, right, strict=True))
