"""Source text to file facts. Pure: the same bytes give the same facts.

The queries of a language name what they find; this module knows what the names mean. One query run (and a short one
for ``top.scm``, whose patterns start at the top of a file) gives all captures of a file; sorted by position they are
swept once, with a stack of the definitions they lie in.

What a query may capture:

``@def.KIND``      a definition; every ``@name`` inside it that is in no inner definition makes a symbol; of two kinds
                   for the same span the first in the alphabet counts
``@kind.KIND``     what the innermost definition is after all (``get`` before the name of a method)
``@name.quoted``   a ``@name`` written as a literal: ``:title``, ``"title"``, ``title:``
``@name.assigned``  a ``@name`` with its value in one token: ``ll='ls -l'``
``@lift``          the innermost definition belongs one level further out (parameters that declare properties)
``@scope``         not a symbol, but its ``@name`` qualifies what is inside (Rust ``impl``)
``@receiver``      qualifies the definition it stands in (Go methods, C++ ``Shelf::add``)
``@body``          where the signature of the innermost definition ends
``@prefix``        what opens the innermost definition without being part of its signature (C# attributes)
``@head`` ``@tail``  siblings that belong to the next or to the last definition: type and body where the grammar puts
                   them beside it (Dart)
``@outer``         a wrapper whose start is the start of the definition directly inside (decorators, templates)
``@export``        such a wrapper that also makes it public (``export function …``)
``@lead``          such a wrapper whose first word, if nothing else comes before, opens the signature (``const a = …``)
``@public`` ``@private``  stand before the name and mark the innermost definition
``@section.public`` ``@section.private``  mark every later definition inside the innermost container
``@export.name``   a name listed as public elsewhere (``__all__``, ``export { a, b }``)
``@private.name``  a member of the innermost container listed as private elsewhere (Ruby ``private :a``)
``@package``       the package, module or namespace that the whole file declares
``@comment`` ``@doc`` ``@attribute``  a comment; a docstring; what may stand between a comment and its symbol
``@doc.next`` ``@spec.next``  a docstring, a type signature that stands before its definition (Elixir ``@doc``, ``@spec``)
``@import`` or ``@import.KIND``  an import, with ``@source`` and, where there are any, ``@imported`` names,
                   each perhaps followed by its ``@alias``; ``@module`` binds the module itself, ``@default`` its
                   default export, ``@wildcard`` everything in it
``@ref.KIND``      a use of something defined elsewhere: call, base, type
``@ref.KIND.whole``  a use whose parts, captured the same way, are no uses of their own (``A`` and ``B`` in ``A::B``)
``@ref.start``     where the text of the next ``@ref.call`` starts, if callee and receiver are no node of their own
``@ref.scope``     in a container: its full name and, as line, its last; resolvers learn from it how names nest
``@_anything``     for predicates only
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import Any, NamedTuple

from idumb_brain.model.code import CommentRow, ImportRow, ProblemRow, ReferenceRow, SymbolRow
from idumb_brain.scan.comments import clean_docstring, comment_rows, summary, typed_rows
from idumb_brain.scan.grammar import Grammar
from idumb_brain.scan.languages import Language

# Frames come before leaves of the same span; wrappers before what they wrap.
_OUTER, _EXPORT, _LEAD, _SCOPE, _TAIL, _DEF, _IMPORT = 0, 1, 2, 3, 4, 10, 60
(
    _PACKAGE, _RECEIVER, _PUBLIC, _PRIVATE, _SECTION_PUBLIC, _SECTION_PRIVATE, _NAME, _BODY, _DOC, _COMMENT, _ATTRIBUTE,
    _EXPORT_NAME, _SOURCE, _IMPORTED, _ALIAS, _MODULE, _DEFAULT, _WILDCARD, _NAME_QUOTED, _LIFT, _PRIVATE_NAME, _DOC_NEXT,
    _SPEC_NEXT, _REF_START, _PREFIX, _HEAD, _PACKAGE_MORE, _NAME_ASSIGNED,
) = range(100, 128)  # fmt: skip
_KIND, _REF, _REF_WHOLE = 150, 200, 300
_LEAVES = {
    "package": _PACKAGE, "receiver": _RECEIVER, "public": _PUBLIC, "private": _PRIVATE,
    "section.public": _SECTION_PUBLIC, "section.private": _SECTION_PRIVATE, "name": _NAME, "body": _BODY,
    "doc": _DOC, "comment": _COMMENT, "attribute": _ATTRIBUTE, "export.name": _EXPORT_NAME, "source": _SOURCE,
    "imported": _IMPORTED, "alias": _ALIAS, "module": _MODULE, "default": _DEFAULT, "wildcard": _WILDCARD,
    "outer": _OUTER, "export": _EXPORT, "lead": _LEAD, "scope": _SCOPE, "name.quoted": _NAME_QUOTED, "lift": _LIFT,
    "private.name": _PRIVATE_NAME, "doc.next": _DOC_NEXT, "spec.next": _SPEC_NEXT, "ref.start": _REF_START,
    "prefix": _PREFIX, "head": _HEAD, "tail": _TAIL, "package.more": _PACKAGE_MORE,
    "name.assigned": _NAME_ASSIGNED,
}  # fmt: skip

_CALLABLE = frozenset({"function", "method", "constructor"})
_CLASSLIKE = frozenset(
    {"class", "interface", "struct", "enum", "trait", "protocol", "object", "record", "mixin", "extension", "actor", "union", "impl"}
)
_VALUES = frozenset({"constant", "field", "variable"})  # what @doc.next and @spec.next pass over
_SPACE = re.compile(r"\s+")
_TYPE_ARGUMENTS = re.compile(r"(?:::)?<[^<>]*>")
_ARROW = re.compile(r"\??->|[&?!]\.")
_MAX_REFERENCE = 160  # a longer callee is a chain of calls: only its last name means anything
_MAX_SIGNATURE = 2000
_MAX_PROBLEMS = 5


class Extraction(NamedTuple):
    package: str
    symbols: list[SymbolRow]
    comments: list[CommentRow]
    imports: list[ImportRow]
    references: list[ReferenceRow]
    problems: list[ProblemRow]


class _Draft:
    """A definition while it is being swept over."""

    __slots__ = (
        "body", "doc", "end", "exported", "holes", "inner", "kind", "marked", "name", "outer", "parent", "receiver", "section", "spec",
        "start", "twin_of",
    )  # fmt: skip

    def __init__(self, parent: int, kind: str, start: int, end: int, outer: int) -> None:
        self.parent = parent
        self.kind = kind
        self.start = start
        self.end = end
        self.outer = outer
        self.name = ""
        self.body = -1
        self.doc = ""
        self.receiver = ""
        self.spec = ""
        self.marked = 0  # 1 public, -1 private, 0 not said
        self.section = 0  # what the container says of this one
        self.inner = 0  # what this one says of what is inside
        self.exported = False
        self.twin_of = -1
        self.holes: list[tuple[int, int]] = []  # comments inside the signature


class _ImportDraft:
    __slots__ = ("kind", "names", "sources", "start")

    def __init__(self, kind: str, start: int) -> None:
        self.kind = kind
        self.start = start
        self.sources: list[tuple[str, int]] = []
        self.names: list[list[str]] = []


class Sweep:
    """Which capture of a grammar means what. Made once per grammar."""

    def __init__(self, captures: Iterable[str]) -> None:
        self.codes: dict[str, int] = {}
        self.kinds: dict[int, str] = {}
        definitions, imports, told, references, wholes = _DEF, _IMPORT, _KIND, _REF, _REF_WHOLE
        for name in sorted(set(captures)):
            if name.startswith("_"):
                continue
            if name in _LEAVES:
                self.codes[name] = _LEAVES[name]
                continue
            family, _, kind = name.partition(".")
            if family == "def":
                code, definitions = definitions, definitions + 1
            elif family == "import":
                code, imports = imports, imports + 1
                kind = kind or "import"
            elif family == "kind":
                code, told = told, told + 1
            elif family == "ref" and kind.endswith(".whole"):
                code, wholes = wholes, wholes + 1
                kind = kind.removesuffix(".whole")
            elif family == "ref":
                code, references = references, references + 1
            else:
                raise ValueError(f"a query captures @{name}, which means nothing to the extractor")
            self.codes[name] = code
            self.kinds[code] = kind


_sweeps: dict[str, Sweep] = {}


def extract(source: bytes, grammar: Grammar, ranges: list[Any] | None = None) -> Extraction:
    """All facts of one source text. ``ranges`` limits the parse to the embedded parts of another language."""
    language = grammar.language
    sweep = _sweeps.get(language.name)
    if sweep is None:
        sweep = Sweep(query.capture_name(i) for query in grammar.queries for i in range(query.capture_count))
        _sweeps[language.name] = sweep
    if ranges is not None:
        grammar.parser.included_ranges = ranges
    tree = grammar.parser.parse(_blanked(source, language.blank) if language.blank else source)
    if ranges is not None:
        grammar.parser.included_ranges = []
    root = tree.root_node
    events: list[tuple[int, int, int]] = []
    for cursor in grammar.cursors:
        for name, nodes in cursor.captures(root).items():
            code = sweep.codes.get(name)
            if code is not None:
                events += [(node.start_byte, -node.end_byte, code) for node in nodes]
    events.sort()
    lines = [0, *accumulate(map((1).__add__, map(len, source.split(b"\n"))))]
    problems = _problems(grammar, root, source) if root.has_error else []
    return _sweep(source, language, sweep.kinds, events, lines, problems)


def _blanked(source: bytes, pattern: str) -> bytes:
    """The source with what matches overwritten by spaces, so that everything else stays where it is."""
    return re.sub(pattern.encode(), lambda found: b" " * len(found[0]), source, flags=re.MULTILINE)


def _sweep(  # noqa: C901 - one loop over all captures; splitting it would cost a call per capture
    source: bytes,
    language: Language,
    kinds: dict[int, str],
    events: list[tuple[int, int, int]],
    lines: list[int],
    problems: list[ProblemRow],
) -> Extraction:
    text = _slicer(source)
    drafts: list[_Draft] = []
    imports: list[_ImportDraft] = []
    found: dict[tuple[int, str, int], int] = {}  # (owner, name, kind code) -> first byte
    comments: list[tuple[int, int, int]] = []
    attributes: set[int] = set()
    listed: set[str] = set()
    hidden: set[tuple[int, str]] = set()  # (owner, name)
    package = file_doc = ""
    next_doc: tuple[int, int, int, str] | None = None
    next_spec = (-1, "")  # owner, text
    ref_start = whole_end = named_at = -1
    doc_spans: list[tuple[int, int, int, str]] = []
    # Every frame: (end, code, index of the draft, owner before). ``owner`` is the innermost definition, -1 the file.
    stack: list[tuple[int, int, int, int]] = []
    owner, importing = -1, -1
    frame_end = head = closed = -1
    defined = (-1, -1)  # the span of the last definition
    previous: tuple[int, int, int] | None = None

    for event in events:
        if event == previous:
            continue  # two patterns found the same thing
        previous = event
        start, end, code = event
        end = -end
        while stack and start >= frame_end:
            _, popped, index, owner = stack.pop()
            if popped >= _IMPORT:
                importing = -1
            elif popped >= _TAIL:
                closed = index
            frame_end = stack[-1][0] if stack else -1

        if code >= _REF:
            if code >= _REF_WHOLE:
                if start < whole_end or start == named_at:
                    continue  # a part of the one before, or the very name that is defined here
                whole_end = end
            elif ref_start >= 0 and kinds[code] == "call":
                start, ref_start = ref_start, -1
            if importing < 0:
                if end - start > _MAX_REFERENCE:
                    start = end - _MAX_REFERENCE
                    name = "(" + text(start, end)
                else:
                    name = text(start, end)
                    if "(" in name and (member := name.rpartition(".")[2]).isidentifier():
                        name = "." + member  # of make(x).run only .run says anything
                key = (owner, name, code)
                if key not in found:
                    found[key] = start
        elif code < _IMPORT:
            outer = first = start
            exported = False
            if stack and code >= _SCOPE:
                if code >= _DEF and defined == (start, end):
                    continue  # the same thing as another kind
                level = len(stack) - 1
                while level >= 0 and stack[level][1] < _SCOPE:  # directly inside wrappers
                    if stack[level][1] != _LEAD:
                        outer = stack[level][2]
                        exported = exported or stack[level][1] == _EXPORT
                    elif len(source[stack[level][2] : start].split()) == 1:
                        outer = first = stack[level][2]
                    level -= 1
            if code < _SCOPE:
                stack.append((end, code, start, owner))
            elif code == _TAIL:
                if closed >= 0 and drafts[closed].parent == owner:  # go on with the definition that seemed over
                    stack.append((end, code, closed, owner))
                    owner = closed
                    drafts[closed].end = end
                    if drafts[closed].body < 0:
                        drafts[closed].body = start
                    closed = -1
                else:
                    continue
            else:
                if code >= _DEF:
                    defined = (start, end)
                if head >= 0:
                    first, outer, head = head, min(outer, head), -1
                draft = _Draft(owner, kinds.get(code, ""), first, end, outer)
                draft.exported = exported
                if owner >= 0:
                    draft.section = draft.inner = drafts[owner].inner
                if next_doc is not None and next_doc[2] == owner and draft.kind not in _VALUES:
                    draft.doc = next_doc[3]
                    doc_spans.append((next_doc[0], next_doc[1], len(drafts), draft.doc))
                    next_doc = None
                if next_spec[1] and next_spec[0] == owner and draft.kind not in _VALUES:
                    draft.spec, next_spec = next_spec[1], (-1, "")
                stack.append((end, code, len(drafts), owner))
                owner = len(drafts)
                drafts.append(draft)
            frame_end = end
        elif code < _PACKAGE:
            if importing >= 0 and not imports[importing].sources:
                continue  # the same import, found with and without the name it is bound to
            stack.append((end, code, len(imports), owner))
            importing = len(imports)
            imports.append(_ImportDraft(kinds[code], start))
            frame_end = end
        elif code == _NAME or code == _NAME_QUOTED or code == _NAME_ASSIGNED:
            if owner >= 0:
                draft = drafts[owner]
                named_at = start
                name = text(start, end)
                if code != _NAME:
                    name = name.strip(":'\" ") if code == _NAME_QUOTED else name.partition("=")[0].strip()
                if not draft.name:
                    draft.name = name
                else:
                    twin = _Draft(draft.parent, draft.kind, draft.start, draft.end, draft.outer)
                    twin.name, twin.marked, twin.exported = name, draft.marked, draft.exported
                    twin.section, twin.twin_of = draft.section, owner
                    drafts.append(twin)
        elif code == _BODY:
            whose = owner
            if owner >= 0 and drafts[owner].start == start:  # a body that is nothing but this definition
                whose = drafts[owner].parent
            if whose >= 0 and drafts[whose].body < 0:
                drafts[whose].body = start
        elif code == _COMMENT:
            comments.append((start, end, owner))
            if owner >= 0 and drafts[owner].body < 0:
                drafts[owner].holes.append((start, end))
        elif code == _HEAD:
            if head < 0 and owner < 0:
                head = start
        elif code == _PREFIX:
            if owner >= 0 and not drafts[owner].name and drafts[owner].body < 0:
                after = source[end : end + 400]
                drafts[owner].start = end + len(after) - len(after.lstrip())
                drafts[owner].holes.clear()
        elif code == _ATTRIBUTE:
            attributes.update(range(bisect_right(lines, start), bisect_right(lines, max(start, end - 1)) + 1))
        elif code == _SOURCE:
            if importing >= 0:
                imports[importing].sources.append((text(start, end), start))
        elif code == _IMPORTED:
            if importing >= 0:
                name = text(start, end).strip(": ")
                imports[importing].names.append([name, name])
        elif code == _ALIAS:
            if importing >= 0 and imports[importing].names:
                imports[importing].names[-1][1] = text(start, end)
        elif code == _MODULE:
            if importing >= 0:
                imports[importing].names.append(["*", text(start, end)])
        elif code == _DEFAULT:
            if importing >= 0:
                imports[importing].names.append(["default", text(start, end)])
        elif code == _WILDCARD:
            if importing >= 0:
                imports[importing].names.append(["*", ""])
        elif code == _DOC:
            doc = clean_docstring(text(start, end))
            doc_spans.append((start, end, owner, doc))
            if owner >= 0:
                drafts[owner].doc = drafts[owner].doc or doc
            else:
                file_doc = file_doc or doc
        elif code == _DOC_NEXT:
            if next_doc is not None:  # nothing followed the one before
                doc_spans.append(next_doc)
            next_doc = (start, end, owner, clean_docstring(text(start, end)))
        elif code == _SPEC_NEXT:
            next_spec = (owner, text(start, end))
        elif code == _REF_START:
            ref_start = start
        elif code == _LIFT:
            if owner >= 0 and drafts[owner].parent >= 0:
                drafts[owner].parent = drafts[drafts[owner].parent].parent
        elif code == _PRIVATE_NAME:
            hidden.add((owner, text(start, end).strip(":'\"")))
        elif code == _PUBLIC or code == _PRIVATE:
            if owner >= 0 and not drafts[owner].name:
                drafts[owner].marked = 1 if code == _PUBLIC else -1
        elif code == _SECTION_PUBLIC or code == _SECTION_PRIVATE:
            if owner >= 0:
                drafts[owner].inner = 1 if code == _SECTION_PUBLIC else -1
        elif code == _RECEIVER:
            if owner >= 0 and not drafts[owner].receiver:
                drafts[owner].receiver = text(start, end)
        elif code == _PACKAGE:
            package = package or text(start, end)
        elif code == _EXPORT_NAME:
            listed.add(text(start, end).strip("'\""))
        elif code >= _KIND and owner >= 0:
            drafts[owner].kind = kinds[code]
    if next_doc is not None:
        doc_spans.append(next_doc)

    return _assemble(
        source, language, text, drafts, imports, found, kinds, comments, attributes, doc_spans, listed, hidden, package, lines,
        problems,
    )  # fmt: skip


def _assemble(
    source: bytes,
    language: Language,
    text: Callable[[int, int], str],
    drafts: list[_Draft],
    imports: list[_ImportDraft],
    found: dict[tuple[int, str, int], int],
    kinds: dict[int, str],
    comments: list[tuple[int, int, int]],
    attributes: set[int],
    doc_spans: list[tuple[int, int, int, str]],
    listed: set[str],
    hidden: set[tuple[int, str]],
    package: str,
    lines: list[int],
    problems: list[ProblemRow],
) -> Extraction:
    # Twins were appended after what lies inside their definition; source order is what readers expect.
    order = sorted(range(len(drafts)), key=lambda i: (drafts[i].start, -drafts[i].end, i)) if drafts else []
    ordinal_of: dict[int, int] = {-1: -1}
    kept: list[int] = []
    for index in order:
        draft = drafts[index]
        if draft.twin_of >= 0:
            draft.body, draft.holes = drafts[draft.twin_of].body, drafts[draft.twin_of].holes
        if draft.name and draft.kind:
            ordinal_of[index] = len(kept)
            kept.append(index)
        else:  # a scope or an anonymous definition: what is inside belongs to the next one out
            ordinal_of[index] = ordinal_of.get(draft.parent, -1)

    first_on_line: dict[int, int] = {}
    for index in kept:
        first_on_line.setdefault(bisect_right(lines, drafts[index].outer), index)
    rows, docs = comment_rows(
        source, text, language.comments, comments, lines, attributes, first_on_line,
        [(drafts[i].start, drafts[i].end) for i in range(len(drafts))],
    )  # fmt: skip
    for start, end, owner, doc in doc_spans:
        rows += typed_rows(doc, bisect_right(lines, start), bisect_right(lines, max(start, end - 1)), owner, True)
    rows.sort(key=lambda row: (row[2], row[3]))
    comment_facts = [(ordinal_of[row[0]], *row[1:]) for row in rows]

    visible = _visibility(language, drafts, listed, hidden)
    qualified: dict[int, str] = {-1: ""}
    symbols: list[SymbolRow] = []
    separator = language.separator
    for index in order:
        draft = drafts[index]
        prefix = qualified.get(draft.parent, "")
        name = draft.name
        if draft.receiver:
            name = draft.receiver + separator + name
        qualified[index] = (prefix + separator + name if prefix else name) if name else prefix
        if index not in ordinal_of or not (draft.name and draft.kind):
            continue
        kind = draft.kind
        if kind == "function" and (draft.receiver or (draft.parent >= 0 and _container_kind(drafts, draft.parent) in _CLASSLIKE)):
            kind = "method"
        doc = draft.doc or docs.get(index, "")
        if draft.twin_of >= 0 and not doc:
            doc = docs.get(draft.twin_of, "")
        symbols.append((
            ordinal_of[draft.parent], draft.name, qualified[index], kind,
            bisect_right(lines, draft.start), bisect_right(lines, max(draft.start, draft.end - 1)),
            _signature(text, draft) + (" " + _SPACE.sub(" ", draft.spec) if draft.spec else ""), int(visible[index]),
            summary(doc) if doc else "",
        ))  # fmt: skip

    references: dict[tuple[int, str, str], int] = {}
    for (owner, name, code), start in found.items():
        if kinds[code] == "scope":
            ends = bisect_right(lines, max(drafts[owner].start, drafts[owner].end - 1)) if owner >= 0 else 0
            references[ordinal_of[owner], "scope", qualified[owner]] = ends
            continue
        references.setdefault((ordinal_of[owner], kinds[code], _reference_name(name)), bisect_right(lines, start))
    used: list[ReferenceRow] = [(owner, kind, line, name) for (owner, kind, name), line in references.items()]
    return Extraction(package, symbols, comment_facts, _import_rows(imports, language, lines), used, problems)


def _slicer(source: bytes) -> Callable[[int, int], str]:
    """Bytes from a to b as text. Most sources are ASCII, where a slice of one decoded string is cheapest."""
    if source.isascii():
        whole = source.decode("ascii")
        return lambda start, end: whole[start:end]
    return lambda start, end: source[start:end].decode("utf-8", "replace")


def _container_kind(drafts: list[_Draft], index: int) -> str:
    while index >= 0:
        draft = drafts[index]
        if draft.kind:
            return draft.kind
        if draft.name:  # a scope such as an impl block stands for its type
            return "impl"
        index = draft.parent
    return ""


def _visibility(language: Language, drafts: list[_Draft], listed: set[str], hidden: set[tuple[int, str]]) -> list[bool]:
    rule = language.exports
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
        if inside and not visible[parent] and drafts[parent].kind:
            visible.append(False)
            continue
        if inside and (drafts[parent].kind in _CALLABLE or drafts[parent].kind in rule.nested):
            visible.append(False)
            continue
        if not draft.kind:  # scopes let through what is inside
            visible.append(True)
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
        elif draft.section:
            visible.append(draft.section > 0)
        elif looks_public:
            visible.append(looks_public(draft.name) is not None)
        elif inside and rule.members and drafts[parent].kind:
            visible.append(rule.members == "public")
        else:
            visible.append(rule.default)
    return visible


def _signature(text: Callable[[int, int], str], draft: _Draft) -> str:
    end = draft.body if draft.body > draft.start else draft.end
    written = text(draft.start, min(end, draft.start + _MAX_SIGNATURE))
    if draft.holes:
        edges = [draft.start, *(edge for hole in draft.holes if hole[0] < end for edge in hole), end]
        written = " ".join(text(edges[i], edges[i + 1]) for i in range(0, len(edges), 2))[:_MAX_SIGNATURE]
    if draft.body <= draft.start:
        written = written.split("\n", 1)[0] if len(written) > 300 else written
    if "\n" in written or "  " in written or "\t" in written:
        written = _SPACE.sub(" ", written)
    return written.strip().rstrip("{:=; \t").removesuffix("=>").removesuffix(" do").rstrip()


def _reference_name(written: str) -> str:
    """``a.b.c`` stays; of ``make(x).run`` only ``.run`` says anything."""
    if written.isidentifier() or written.replace(".", "").isidentifier():
        return written
    written = _ARROW.sub(".", written)
    while "<" in written and (plain := _TYPE_ARGUMENTS.sub("", written)) != written:
        written = plain
    if "(" in written or "[" in written or "\n" in written or " " in written or '"' in written or "'" in written:
        flat = re.split(r"[^\w$?!]+", written)
        return "." + next((part for part in reversed(flat) if part), "")
    return written


def _import_rows(imports: list[_ImportDraft], language: Language, lines: list[int]) -> list[ImportRow]:
    rows: list[ImportRow] = []
    for draft in imports:
        for specifier, start in draft.sources:
            line = bisect_right(lines, start)
            if language.expand == "braces":
                for path, alias in expand_braces(_SPACE.sub(" ", specifier.strip()), language.separator):
                    last = re.split(r"[.:\\/]+", path)[-1]
                    imported = "*" if last in ("*", "_") else last
                    local = alias or ("" if imported == "*" else last)
                    bindings = [(a, b) for a, b in draft.names]
                    if not bindings or bindings[0][0] != "*":  # a module bound by another name is not bound by its own
                        bindings.insert(0, (imported, local))
                    rows.append((draft.kind, path, line, "\n".join(f"{a} {b}" for a, b in bindings)))
            else:
                rows.append((draft.kind, unquoted(specifier), line, "\n".join(f"{a} {b}" for a, b in draft.names)))
    return rows


def unquoted(specifier: str) -> str:
    specifier = specifier.strip()
    if len(specifier) >= 2 and specifier[0] in "\"'`<" and specifier[-1] in "\"'`>":
        return specifier[1:-1]
    return specifier


def expand_braces(specifier: str, separator: str) -> list[tuple[str, str]]:
    """``a::{b, c::{self, d as e}}`` names three things: (path, alias) each."""
    opening = specifier.find("{")
    if opening < 0:
        path, alias = _split_alias(specifier)
        return [(path, alias)] if path else []
    prefix = specifier[:opening].strip()
    closing = specifier.rfind("}")
    inner = specifier[opening + 1 : closing if closing > 0 else len(specifier)]
    out: list[tuple[str, str]] = []
    for part in _split_top(inner):
        for path, alias in expand_braces(part.strip(), separator):
            if path == "self":
                whole = prefix.removesuffix("::").removesuffix(".").removesuffix("\\")
                out.append((whole, alias))
            else:
                out.append((prefix + path, alias))
    return out


def _split_top(inner: str) -> list[str]:
    parts, depth, begin = [], 0, 0
    for position, character in enumerate(inner):
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(inner[begin:position])
            begin = position + 1
    parts.append(inner[begin:])
    return parts


_ALIAS_WORD = re.compile(r"^(.*?)\s+(?:as|=>)\s+(\S+)$|^(.*?)\s*=>\s*(\S+)$")


def _split_alias(specifier: str) -> tuple[str, str]:
    found = _ALIAS_WORD.match(specifier.strip())
    if not found:
        return specifier.strip(), ""
    return ((found[1] or found[3]).strip(), found[2] or found[4])


def _problems(grammar: Grammar, root: Any, source: bytes) -> list[ProblemRow]:
    captures = grammar.errors.captures(root)
    rows: list[ProblemRow] = []
    seen_until = -1
    broken = sorted(
        [(node.start_byte, node.end_byte, node.start_point[0] + 1, "") for node in captures.get("error", ())]
        + [(node.start_byte, node.end_byte, node.start_point[0] + 1, node.type) for node in captures.get("missing", ())]
    )
    for start, end, line, missing in broken:
        if start < seen_until:
            continue  # inside an error already told of
        seen_until = end
        if len(rows) == _MAX_PROBLEMS:
            rows.append((line, "syntax: more errors follow"))
            break
        near = _SPACE.sub(" ", source[start : start + 60].decode("utf-8", "replace")).strip()[:40]
        rows.append((line, f"syntax: missing {missing}" if missing else f"syntax: cannot read near {near!r}"))
    return rows
