"""Drafts to facts: qualified names, visibility, signatures, who owns what. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

from idumb_brain.model.code import CommentRow, ImportRow, ProblemRow, ReferenceRow, SymbolRow
from idumb_brain.scan.comments import comment_rows, summary, typed_rows
from idumb_brain.scan.import_texts import import_rows
from idumb_brain.scan.languages import Language
from idumb_brain.scan.sweep import CALLABLE, CLASSLIKE, Draft, Swept, container_kind

_SPACE = re.compile(r"\s+")
_BLANK = b" \t\n\r\v\f"
_MAX_SIGNATURE = 2000


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
    # Twins were appended after what lies inside their definition; source order is what readers expect.
    order = sorted(range(len(drafts)), key=lambda i: (drafts[i].start, -drafts[i].end, i)) if drafts else []
    ordinal_of: dict[int, int] = {-1: -1}
    kept: list[int] = []
    clauses: dict[int, int] = {}  # a later clause -> the first
    heads: dict[tuple[int, str, str, int], int] = {}
    last_within: dict[int, int] = {}
    for index in order:
        draft = drafts[index]
        if draft.name and draft.kind:
            if draft.kind in language.clauses:
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
            ordinal_of[index] = len(kept)
            kept.append(index)
        else:  # a scope or an anonymous definition: what is inside belongs to the next one out
            ordinal_of[index] = ordinal_of.get(draft.parent, -1)

    last_line = _last_lines(source, lines, comments)
    first_on_line: dict[int, int] = {}
    for index in (*kept, *clauses):
        first_on_line.setdefault(bisect_right(lines, drafts[index].outer), index)
    rows, docs = comment_rows(
        source, text, language.comments, comments, lines, swept.attributes, first_on_line,
        [(draft.start, draft.end) for draft in drafts], bisect_right(lines, swept.package_at) if swept.package_at >= 0 else 0,
    )  # fmt: skip
    for start, end, owner, doc in swept.doc_spans:
        rows += typed_rows(
            doc, bisect_right(lines, start), bisect_right(lines, max(start, end - 1)), owner, True, text(start, end)
        )
    rows.sort(key=lambda row: (row[2], row[3]))
    comment_facts = [(ordinal_of[row[0]], *row[1:]) for row in rows]

    visible = _visibility(language, drafts, swept.listed, swept.hidden, header)
    qualified: dict[int, str] = {-1: ""}
    namespaces: set[str] = set()  # what looks like a receiver may be one of them
    symbols: list[SymbolRow] = []
    separator, separators = language.separator, dict(language.separators)
    for index in order:
        draft = drafts[index]
        prefix = qualified.get(draft.parent, "")
        name = draft.name
        if draft.receiver:
            name = draft.receiver + separator + name
        joint = separators.get(drafts[draft.parent].kind, separator) if separators and prefix else separator
        qualified[index] = (prefix + joint + name if prefix else name) if name else prefix
        if index in clauses or not (draft.name and draft.kind):
            continue
        kind = draft.kind
        if kind == "namespace":
            namespaces.add(qualified[index])
        if kind == "function" and (
            (draft.receiver and draft.receiver not in namespaces)
            or (draft.parent >= 0 and container_kind(drafts, draft.parent) in CLASSLIKE)
        ):
            kind = "method"
        doc = draft.doc or docs.get(index, "")
        if draft.twin_of >= 0 and not doc:
            doc = docs.get(draft.twin_of, "")
        symbols.append((
            ordinal_of[draft.parent], draft.name, qualified[index], kind,
            bisect_right(lines, max(draft.start, draft.named_at)), last_line(draft),
            _signature(text, drafts[draft.twin_of] if draft.twin_of >= 0 else draft, language.generic)
            + (" " + _SPACE.sub(" ", draft.spec) if draft.spec else ""),
            int(visible[index]), summary(doc) if doc else "",
        ))  # fmt: skip

    used: list[ReferenceRow] = []
    for (owner, name, code), start in swept.found.items():
        if kinds[code] == "scope":
            ends = bisect_right(lines, max(drafts[owner].start, drafts[owner].end - 1)) if owner >= 0 else 0
            used.append((ordinal_of[owner], "scope", ends, qualified[owner]))
        else:
            used.append((ordinal_of[owner], kinds[code], bisect_right(lines, start), name))
    if len(kept) < len(drafts):  # what is in a definition without a name belongs further out, and may be there already
        used = list({(owner, kind, name): (owner, kind, line, name) for owner, kind, line, name in reversed(used)}.values())[::-1]
    return Extraction(swept.package, symbols, comment_facts, import_rows(swept.imports, language, lines), used, problems)


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
        return bisect_right(lines, max(draft.start, end - 1))

    return last_line


def _visibility(
    language: Language, drafts: list[Draft], listed: set[str], hidden: set[tuple[int, str]], header: bool
) -> list[bool]:
    rule = language.exports
    unshared = () if header else rule.unshared
    looks_public = re.compile(rule.name).search if rule.name else None
    visible: list[bool] = []
    tops: dict[str, bool] = {}  # where a receiver decides: what it may be
    for draft in drafts:
        parent = draft.parent
        inside = parent >= 0
        if rule.receivers and visible:
            last = drafts[len(visible) - 1]
            if last.parent < 0 and not last.receiver:
                tops[last.name] = visible[-1]
        if rule.receivers and draft.receiver:
            shown = tops.get(draft.receiver.partition(".")[0], True)
            visible.append(shown and (looks_public is None or looks_public(draft.name) is not None))
            continue
        if hidden and (parent, draft.name) in hidden:
            visible.append(False)
            continue
        if draft.twin_of >= 0 and draft.twin_of < len(visible) and not looks_public and not listed and not hidden:
            visible.append(visible[draft.twin_of])
            continue
        if inside and not visible[parent]:
            visible.append(False)
            continue
        if inside and (drafts[parent].kind in CALLABLE or drafts[parent].kind in rule.nested):
            visible.append(False)
            continue
        if draft.kind in unshared:
            visible.append(False)
            continue
        if not draft.kind:  # scopes let through what is inside, where the receiver does
            visible.append(not rule.receivers or inside or tops.get(draft.name, True))
            continue
        if listed and not inside:
            if rule.default:  # an explicit list replaces the convention (__all__) …
                visible.append(draft.name in listed)
                continue
            if draft.name in listed:  # … or adds to it (export { a })
                visible.append(True)
                continue
        if draft.marked:
            visible.append(draft.marked > 0)
        elif draft.exported:
            visible.append(True)
        elif draft.within:
            visible.append(draft.within > 0)
        elif looks_public:
            visible.append(looks_public(draft.name) is not None)
        elif inside and rule.members and drafts[parent].kind:
            visible.append(rule.members == "public")
        else:
            visible.append(rule.default)
    return visible


def _signature(text: Callable[[int, int], str], draft: Draft, one_line: bool) -> str:
    start = draft.opening if draft.opening >= 0 else draft.start
    end = draft.body if draft.body > draft.start else draft.end
    written = text(start, min(end, start + _MAX_SIGNATURE))
    if draft.holes:
        edges = [start, *(edge for hole in draft.holes if hole[0] < end for edge in hole), end]
        written = " ".join(text(edges[i], edges[i + 1]) for i in range(0, len(edges), 2))[:_MAX_SIGNATURE]
    if draft.body <= draft.start:
        written = written.split("\n", 1)[0] if one_line or len(written) > 300 else written
    flat = written.strip()
    if "  " in flat or "\\" in flat or not flat.isprintable():  # most stand on one line as they should
        flat = " ".join(written.replace("\\\n", " ").replace("\\\r\n", " ").split())
    flat = flat.rstrip("{:=;, \t")
    return flat.removesuffix("=>").removesuffix(" do").rstrip() if flat.endswith(("=>", " do")) else flat
