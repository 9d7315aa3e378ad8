"""Drafts to facts: qualified names, visibility, signatures, who owns what. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from idumb_brain.model.code import CommentRow, ImportRow, ProblemRow, ReferenceRow, SymbolRow
from idumb_brain.scan.comments import comment_rows, summary, typed_rows
from idumb_brain.scan.import_texts import import_rows
from idumb_brain.scan.languages import Language
from idumb_brain.scan.sweep import CALLABLE, CLASSLIKE, Draft, Swept, container_kind

_SPACE = re.compile(r"\s+")
_BLANK = b" \t\n\r\v\f"
_MAX_SIGNATURE = 2000
_MANY_NAMES = 20_000
_line_and_end = itemgetter(2, 3)


class Extraction(NamedTuple):
    package: str
    symbols: list[SymbolRow]
    comments: list[CommentRow]
    imports: list[ImportRow]
    references: list[ReferenceRow]
    problems: list[ProblemRow]


def assemble(
    source: bytes,
    swept: Swept,
    language: Language,
    kinds: dict[int, str],
    lines: list[int],
    problems: list[ProblemRow],
    header: bool,
) -> Extraction:
    text, drafts, comments = swept.text, swept.drafts, swept.comments
    order = _in_source_order(drafts)
    ordinal_of, symbol_count, clauses = _numbered(drafts, order, language.clauses)
    comment_facts: list[CommentRow] = []
    docs: dict[int, str] = {}
    if comments or swept.doc_spans:
        comment_facts, docs = _comments(source, swept, language, lines, order, ordinal_of, clauses)

    last_line = _last_lines(source, lines, comments)
    visible = _visibility(language, drafts, swept.listed, swept.hidden, header)
    qualified = [""] * (len(drafts) + 1)  # the last is that of the file, whose index is -1
    namespaces: set[str] = set()  # what looks like a receiver may be one of them
    symbols: list[SymbolRow] = []
    separator, separators, one_line = language.separator, dict(language.separators), language.generic
    for index in order:
        draft = drafts[index]
        parent, kind, own = draft.parent, draft.kind, draft.name
        name = draft.receiver + separator + own if draft.receiver else own
        prefix = qualified[parent]
        if prefix and name:
            name = prefix + (separators.get(drafts[parent].kind, separator) if separators else separator) + name
        qualified[index] = name = name or prefix
        if not (own and kind) or index in clauses:
            continue
        if kind == "namespace":
            namespaces.add(name)
        elif kind == "function" and (
            (draft.receiver and draft.receiver not in namespaces) or (parent >= 0 and container_kind(drafts, parent) in CLASSLIKE)
        ):
            kind = "method"
        doc = draft.doc or docs.get(index, "")
        written, at = draft, draft.start
        if draft.twin_of >= 0:
            doc = doc or docs.get(draft.twin_of, "")
            written, at = drafts[draft.twin_of], max(at, draft.named_at)
        signature = _signature(text, written, one_line)
        if draft.spec:
            signature += " " + _SPACE.sub(" ", draft.spec)
        symbols.append((
            ordinal_of[parent], own, name, kind, bisect_right(lines, at), last_line(draft), signature,
            int(visible[index]), summary(doc) if doc else "",
        ))  # fmt: skip

    used = _references(swept, kinds, ordinal_of, qualified, lines)
    if symbol_count < len(drafts):  # what is in a definition without a name belongs further out, and may be there already
        used = list({(owner, kind, name): (owner, kind, line, name) for owner, kind, line, name in reversed(used)}.values())[::-1]
    return Extraction(swept.package, symbols, comment_facts, import_rows(swept.imports, language, lines), used, problems)


def _in_source_order(drafts: list[Draft]) -> list[int]:
    """Twins were appended after what lies inside their definition; source order is what readers expect."""
    places = [(draft.start, -draft.end, index) for index, draft in enumerate(drafts)]
    places.sort()
    return [index for _, _, index in places]


def _numbered(drafts: list[Draft], order: list[int], clausal: tuple[str, ...]) -> tuple[list[int], int, dict[int, int]]:
    """The ordinal of the symbol every draft makes or lies in (the last: of the file), how many there are, later clauses → the first."""
    ordinal_of = [-1] * (len(drafts) + 1)
    count = 0
    clauses: dict[int, int] = {}
    heads: dict[tuple[int, str, str, int], int] = {}
    last_within: dict[int, int] = {}
    for index in order:
        draft = drafts[index]
        if not (draft.name and draft.kind):  # a scope or an anonymous definition: what is inside belongs to the next one out
            ordinal_of[index] = ordinal_of[draft.parent]
            continue
        if clausal:
            if draft.kind in clausal:
                first = heads.setdefault((draft.parent, draft.kind, draft.name, draft.parameters), index)
                if first != index:
                    ordinal_of[index] = ordinal_of[first]
                    clauses[index] = first
                    if last_within.get(draft.parent) == first:
                        if drafts[first].body < 0:
                            drafts[first].body = drafts[first].end
                        drafts[first].end = draft.end
                    continue
            last_within[draft.parent] = index
        ordinal_of[index] = count
        count += 1
    return ordinal_of, count, clauses


def _comments(
    source: bytes,
    swept: Swept,
    language: Language,
    lines: list[int],
    order: list[int],
    ordinal_of: list[int],
    clauses: dict[int, int],
) -> tuple[list[CommentRow], dict[int, str]]:
    """Comments and docstrings as rows, and the documentation that comments give to definitions (by index)."""
    drafts = swept.drafts
    rows: list[tuple[int, str, int, int, str]] = []
    docs: dict[int, str] = {}
    if swept.comments:
        first_on_line: dict[int, int] = {}
        named = [index for index in order if drafts[index].name and drafts[index].kind and index not in clauses]
        for index in (*named, *clauses):
            first_on_line.setdefault(bisect_right(lines, drafts[index].outer), index)
        rows, docs = comment_rows(
            source, swept.text, language.comments, swept.comments, lines, swept.attributes, first_on_line,
            [(draft.start, draft.end) for draft in drafts], bisect_right(lines, swept.package_at) if swept.package_at >= 0 else 0,
        )  # fmt: skip
    for start, end, owner, doc in swept.doc_spans:
        last = end - 1 if end > start else start
        rows += typed_rows(doc, bisect_right(lines, start), bisect_right(lines, last), owner, True, swept.text(start, end))
    rows.sort(key=_line_and_end)
    return [(ordinal_of[owner], kind, line, last, content) for owner, kind, line, last, content in rows], docs


def _references(
    swept: Swept, kinds: dict[int, str], ordinal_of: list[int], qualified: list[str], lines: list[int]
) -> list[ReferenceRow]:
    if "scope" not in kinds.values():
        return [
            (ordinal_of[owner], kinds[code], bisect_right(lines, start), name)
            for (owner, name, code), start in swept.found.items()
        ]
    drafts = swept.drafts
    rows: list[ReferenceRow] = []
    for (owner, name, code), start in swept.found.items():
        if kinds[code] == "scope":
            ends = bisect_right(lines, max(drafts[owner].start, drafts[owner].end - 1)) if owner >= 0 else 0
            rows.append((ordinal_of[owner], "scope", ends, qualified[owner]))
        else:
            rows.append((ordinal_of[owner], kinds[code], bisect_right(lines, start), name))
    return rows


def _last_lines(source: bytes, lines: list[int], comments: list[tuple[int, int, int]]) -> Callable[[Draft], int]:
    """The line a definition ends on. Comments at its end are no part of it, where nothing but indentation closes it."""
    comment_at = {end: start for start, end, _ in comments}

    def last_line(draft: Draft) -> int:
        end = draft.end
        while end and source[end - 1] in _BLANK:
            end -= 1
        while end in comment_at and comment_at[end] > draft.start:
            end = comment_at[end]
            while end and source[end - 1] in _BLANK:
                end -= 1
        return bisect_right(lines, end - 1 if end > draft.start else draft.start)

    return last_line


def _visibility(
    language: Language, drafts: list[Draft], listed: set[str], hidden: set[tuple[int, str]], header: bool
) -> list[bool]:
    rule = language.exports
    unshared = () if header else rule.unshared
    hides = CALLABLE.union(rule.nested)
    looks_public = _public_names(rule.name).__getitem__ if rule.name else None
    visible: list[bool] = []
    tops: dict[str, bool] = {}  # where a receiver decides: what it may be
    for draft in drafts:
        parent = draft.parent
        inside = parent >= 0
        if rule.receivers:
            if visible:
                last = drafts[len(visible) - 1]
                if last.parent < 0 and not last.receiver:
                    tops[last.name] = visible[-1]
            if draft.receiver:
                shown = tops.get(draft.receiver.partition(".")[0], True)
                visible.append(shown and (looks_public is None or looks_public(draft.name)))
                continue
        if hidden and (parent, draft.name) in hidden:
            visible.append(False)
        elif draft.twin_of >= 0 and draft.twin_of < len(visible) and not looks_public and not listed and not hidden:
            visible.append(visible[draft.twin_of])
        elif (inside and (not visible[parent] or drafts[parent].kind in hides)) or draft.kind in unshared:
            visible.append(False)
        elif not draft.kind:  # scopes let through what is inside, where the receiver does
            visible.append(not rule.receivers or inside or tops.get(draft.name, True))
        elif listed and not inside and rule.default:  # an explicit list replaces the convention (__all__) …
            visible.append(draft.name in listed)
        elif listed and not inside and draft.name in listed:  # … or adds to it (export { a })
            visible.append(True)
        elif draft.marked:
            visible.append(draft.marked > 0)
        elif draft.exported:
            visible.append(True)
        elif draft.within:
            visible.append(draft.within > 0)
        elif looks_public:
            visible.append(looks_public(draft.name))
        elif inside and rule.members and drafts[parent].kind:
            visible.append(rule.members == "public")
        else:
            visible.append(rule.default)
    return visible


class _PublicNames(dict[str, bool]):
    """Whether a name looks public, found out once: a project says the same names over and over."""

    def __init__(self, pattern: str) -> None:
        self._search = re.compile(pattern).search

    def __missing__(self, name: str) -> bool:
        public = self._search(name) is not None
        if len(self) < _MANY_NAMES:
            self[name] = public
        return public


_public_names = lru_cache(maxsize=32)(_PublicNames)


def _signature(text: Callable[[int, int], str], draft: Draft, one_line: bool) -> str:
    start = draft.opening if draft.opening >= 0 else draft.start
    body = draft.body
    has_body = body > draft.start
    end = body if has_body else draft.end
    written = text(start, end if end - start < _MAX_SIGNATURE else start + _MAX_SIGNATURE)
    if draft.holes:
        edges = [start, *(edge for hole in draft.holes if hole[0] < end for edge in hole), end]
        written = " ".join(text(edges[i], edges[i + 1]) for i in range(0, len(edges), 2))[:_MAX_SIGNATURE]
    if not has_body and (one_line or len(written) > 300):
        written = written.split("\n", 1)[0]
    flat = written.strip()
    if "  " in flat or "\\" in flat or not flat.isprintable():  # most stand on one line as they should
        flat = " ".join(written.replace("\\\n", " ").replace("\\\r\n", " ").split())
    flat = flat.rstrip("{:=;, \t")
    return flat.removesuffix("=>").removesuffix(" do").rstrip() if flat.endswith(("=>", " do")) else flat
