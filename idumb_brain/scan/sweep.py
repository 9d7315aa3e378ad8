"""Captures to drafts: one pass over what a query found in a file, in order of position. Knows no language, decides no fact.

What the captures mean is told in ``scan.extract``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import NamedTuple

from idumb_brain.scan.comments import clean_docstring
from idumb_brain.scan.declarators import Declared, declared
from idumb_brain.scan.languages import Language

# Frames come before leaves of the same span; wrappers before what they wrap.
_WHOLE, _OUTER, _EXPORT, _LEAD, _SCOPE, _TAIL, _DEF, _IMPORT = -1, 0, 1, 2, 3, 4, 10, 60
(
    _PACKAGE, _RECEIVER, _PUBLIC, _PRIVATE, _SECTION_PUBLIC, _SECTION_PRIVATE, _NAME, _BODY, _DOC, _COMMENT, _ATTRIBUTE,
    _EXPORT_NAME, _SOURCE, _IMPORTED, _ALIAS, _MODULE, _DEFAULT, _WILDCARD, _NAME_QUOTED, _LIFT, _PRIVATE_NAME, _DOC_NEXT,
    _SPEC_NEXT, _REF_START, _PREFIX, _HEAD, _NAME_ASSIGNED, _SOURCE_START, _SOURCE_GROUP,
    _MODULE_LAST, _PRIVATE_NEXT, _PARAMETER, _PACKAGE_MORE,
    _DECLARATOR, _FORWARD, _PRIVATE_FILE, _CONSTANT, _PACKAGE_PART,
) = range(100, 138)  # fmt: skip
_KIND, _REF, _REF_WHOLE = 150, 200, 300
_LEAVES = {
    "package": _PACKAGE, "receiver": _RECEIVER, "public": _PUBLIC, "private": _PRIVATE,
    "section.public": _SECTION_PUBLIC, "section.private": _SECTION_PRIVATE, "name": _NAME, "body": _BODY,
    "doc": _DOC, "comment": _COMMENT, "attribute": _ATTRIBUTE, "export.name": _EXPORT_NAME, "source": _SOURCE,
    "imported": _IMPORTED, "alias": _ALIAS, "module": _MODULE, "default": _DEFAULT, "wildcard": _WILDCARD,
    "outer": _OUTER, "export": _EXPORT, "lead": _LEAD, "scope": _SCOPE, "name.quoted": _NAME_QUOTED, "lift": _LIFT,
    "private.name": _PRIVATE_NAME, "doc.next": _DOC_NEXT, "spec.next": _SPEC_NEXT, "ref.start": _REF_START,
    "prefix": _PREFIX, "head": _HEAD, "tail": _TAIL, "name.assigned": _NAME_ASSIGNED,
    "source.start": _SOURCE_START, "source.group": _SOURCE_GROUP, "module.last": _MODULE_LAST,
    "private.next": _PRIVATE_NEXT, "parameter": _PARAMETER, "package.more": _PACKAGE_MORE,
    "whole": _WHOLE, "declarator": _DECLARATOR, "forward": _FORWARD,
    "private.file": _PRIVATE_FILE, "constant": _CONSTANT, "package.part": _PACKAGE_PART,
}  # fmt: skip

CALLABLE = frozenset({"function", "method", "constructor", "destructor", "operator"})
CLASSLIKE = frozenset(
    {
        "class",
        "interface",
        "struct",
        "enum",
        "trait",
        "protocol",
        "object",
        "record",
        "mixin",
        "extension",
        "actor",
        "union",
        "impl",
    }
    | {"given"}
)
_DECLARED = frozenset({"constant", "field", "variable"})  # what a declarator may turn into a function
_VALUES = frozenset({"constant", "field", "variable"})  # what @doc.next and @spec.next pass over
_TYPE_ARGUMENTS = re.compile(r"(?:::)?<[^<>]*>")
_ARROW = re.compile(r"\??->|[&?!]\.")
_IDENTIFIER = re.compile(rb"[\w$\x80-\xff]+")
_LAST_PART = re.compile(r"[.:\\/]+")
_MAX_REFERENCE = 160  # a longer callee is a chain of calls: only its last name means anything
_MAX_DECLARATOR = 2000


class Draft:
    """A definition while it is being swept over. With slots: a scan makes many, and looks at all of each."""

    __slots__ = (
        "body", "constant", "doc", "end", "exported", "forward", "holes", "kind", "marked", "name", "named_at", "opening",
        "outer", "parameters", "parent", "receiver", "section", "spec", "start", "twin_of", "within",
    )  # fmt: skip

    def __init__(self, parent: int, kind: str, start: int, end: int, outer: int) -> None:
        self.parent = parent
        self.kind = kind
        self.start = start
        self.end = end
        self.outer = outer
        self.name = self.doc = self.receiver = self.spec = ""
        self.body = -1
        self.opening = -1  # where the signature starts, if before the definition
        self.twin_of = -1
        self.named_at = -1  # of a twin: it may be named some lines below the start of its definition
        self.marked = 0  # 1 public, -1 private, 0 not said
        self.section = 0  # what holds for the members from here on
        self.within = 0  # what held in the container when this was opened
        self.parameters = 0
        self.forward = self.constant = self.exported = False
        self.holes: tuple[tuple[int, int], ...] = ()  # comments inside the signature


class ImportDraft:
    __slots__ = ("kind", "names", "sources", "start")

    def __init__(self, kind: str, start: int) -> None:
        self.kind = kind
        self.start = start
        self.sources: list[tuple[str, int]] = []
        self.names: list[list[str]] = []


class Swept(NamedTuple):
    """All that was found in a file, before it is known how it hangs together. An owner is the index of a draft, or -1."""

    text: Callable[[int, int], str]
    drafts: list[Draft]
    imports: list[ImportDraft]
    found: dict[tuple[int, str, int], int]  # references: (owner, name, kind code) -> first byte
    comments: list[tuple[int, int, int]]  # start, end, owner
    attributes: set[int]  # lines
    doc_spans: list[tuple[int, int, int, str]]  # start, end, owner, text
    listed: set[str]
    hidden: set[tuple[int, str]]  # (owner, name)
    package: str
    package_at: int


class Meanings:
    """Which capture of a grammar means what. Made once per grammar."""

    def __init__(self, captures: Iterable[str]) -> None:
        self.codes: dict[str, int] = {}
        self.kinds: dict[int, str] = {}
        self.outside: set[int] = set()
        self.leading: set[int] = set()
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
                if kind.endswith(".leading"):
                    kind = kind.removesuffix(".leading")
                    self.leading.add(code)
                if kind.endswith(".outside"):
                    kind = kind.removesuffix(".outside")
                    self.outside.add(code)
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


def sweep(  # one loop over all captures; splitting it would cost a call per capture
    source: bytes,
    readable: bytes,
    language: Language,
    meanings: Meanings,
    events: list[tuple[int, int, int]],
    lines: list[int],
    header: bool,
) -> Swept:
    kinds, outside, leading = meanings.kinds, meanings.outside, meanings.leading
    whole = source.decode("ascii") if source.isascii() else ""  # where a slice needs no call
    text = _slicer(source, whole)
    read = text if readable is source else _slicer(readable, "")  # what the grammar saw
    drafts: list[Draft] = []
    imports: list[ImportDraft] = []
    found: dict[tuple[int, str, int], int] = {}  # (owner, name, kind code) -> first byte
    comments: list[tuple[int, int, int]] = []
    attributes: set[int] = set()
    listed: set[str] = set()
    hidden: set[tuple[int, str]] = set()  # (owner, name)
    package = file_doc = ""
    package_at = -1
    next_doc: tuple[int, int, int, str] | None = None
    next_spec = (-1, "")  # owner, text
    next_private = -2  # owner
    ref_start = whole_end = named_at = local_until = source_start = group_end = -1
    group_prefix = ""
    doc_spans: list[tuple[int, int, int, str]] = []
    # Every frame: (end, code, index of the draft, owner before). ``owner`` is the innermost definition, -1 the file.
    stack: list[tuple[int, int, int, int]] = []
    owner, importing = -1, -1
    head = closed = -1
    defined = (-1, -1)  # the span of the last definition
    frame_end = never = len(source) + 1
    previous: tuple[int, int, int] | None = None

    for event in events:
        start, end, code = event
        end = -end
        while start >= frame_end:
            _, popped, index, owner = stack.pop()
            if popped >= _IMPORT:
                importing = -1
            elif popped >= _TAIL:
                closed = index
            frame_end = stack[-1][0] if stack else never

        if code >= _REF:
            if start == end:
                continue  # only what the grammar misses here
            if code >= _REF_WHOLE:
                if start < whole_end or start == named_at:
                    continue  # a part of the one before, or the very name that is defined here
                whole_end = end
            elif ref_start >= 0 and kinds[code] == "call":
                start, ref_start = ref_start, -1
            if importing < 0:
                if end - start > _MAX_REFERENCE:
                    start = end - _MAX_REFERENCE
                    written = "(" + text(start, end)
                else:
                    written = whole[start:end] if whole else text(start, end)
                name = _names.get(written) or _reference_name(written)
                key = (owner, name, code)
                if key not in found:
                    found[key] = start
            continue
        if event == previous:
            continue  # two patterns found the same thing
        previous = event
        if code < _IMPORT:
            if code in outside and owner >= 0:
                if (drafts[owner].kind or container_kind(drafts, owner)) in CALLABLE:
                    local_until = end
                    continue
                if drafts[owner].end == end and stack[-1][1] in outside:  # a = b = 1: names of one definition
                    if code in leading:
                        drafts.append(_twin(drafts[owner], owner, _opening(source, start), start))
                    continue
            outer = first = start
            opening = -1
            exported = False
            if stack and code >= _SCOPE:
                if code >= _DEF and defined == (start, end):
                    continue  # the same thing as another kind
                level = len(stack) - 1
                while level >= 0 and stack[level][1] < _SCOPE:  # directly inside wrappers
                    if stack[level][1] != _LEAD:
                        outer = stack[level][2]
                        exported = exported or stack[level][1] == _EXPORT
                        if stack[level][1] == _WHOLE:
                            opening = outer
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
                draft = Draft(owner, kinds.get(code, ""), first, end, outer)
                if exported:
                    draft.exported = True
                if opening >= 0:
                    draft.opening = opening
                if code in outside and draft.kind == "variable" and container_kind(drafts, owner) in CLASSLIKE:
                    draft.kind = "field"
                if code in leading:
                    draft.name = _opening(source, start)
                    named_at = start
                local_until = -1
                if owner >= 0 and drafts[owner].section:
                    draft.within = drafts[owner].section
                    if not draft.kind or draft.kind == "namespace":
                        draft.section = draft.within
                if next_doc is not None and next_doc[2] == owner and draft.kind not in _VALUES:
                    draft.doc = next_doc[3]
                    doc_spans.append((next_doc[0], next_doc[1], len(drafts), draft.doc))
                    next_doc = None
                if next_spec[1] and next_spec[0] == owner and draft.kind not in _VALUES:
                    draft.spec, next_spec = next_spec[1], (-1, "")
                if next_private == owner and draft.kind not in _VALUES:
                    draft.marked, next_private = -1, -2
                stack.append((end, code, len(drafts), owner))
                owner = len(drafts)
                drafts.append(draft)
            frame_end = end
        elif code < _PACKAGE:
            if importing >= 0 and not imports[importing].sources:
                continue  # the same import, found with and without the name it is bound to
            stack.append((end, code, len(imports), owner))
            importing = len(imports)
            imports.append(ImportDraft(kinds[code], start))
            frame_end = end
        elif code == _NAME or code == _NAME_QUOTED or code == _NAME_ASSIGNED:
            if owner >= 0 and start >= local_until:
                draft = drafts[owner]
                named_at = start
                name = whole[start:end] if whole else text(start, end)
                if code != _NAME:
                    name = name.strip(":'\" ") if code == _NAME_QUOTED else name.partition("=")[0].strip()
                if not draft.name:
                    draft.name = name
                else:
                    drafts.append(_twin(draft, owner, name, start))
        elif code == _DECLARATOR:
            draft = drafts[owner]
            if owner < 0 or (draft.kind in CALLABLE and 0 <= draft.body < start):
                continue  # a local
            if told := declared(read(start, min(end, start + _MAX_DECLARATOR))):
                named_at = start + told.at
                container = container_kind(drafts, draft.parent)
                kind = draft.kind
                if kind in _DECLARED and told.function:
                    kind = _kind_of_function(told, drafts, draft.parent)
                    if not header and container not in CLASSLIKE and not told.receiver:
                        continue  # a prototype
                elif kind == "function":
                    kind = _kind_of_function(told, drafts, draft.parent)
                    while container in CALLABLE and draft.parent >= 0:  # no such thing in C: the braces around were misread
                        draft.parent = drafts[draft.parent].parent
                        container = container_kind(drafts, draft.parent)
                elif kind in _DECLARED and draft.constant and not told.pointer:
                    kind = "constant"
                elif told.receiver and kind == "variable":
                    kind = "field"
                elif told.pointer and kind in CLASSLIKE:
                    kind = "type"
                if draft.forward or (kind != "field" and kind in _VALUES and container in CALLABLE):
                    continue
                if draft.name:
                    drafts.append(draft := _twin(draft, owner, told.name, named_at))
                draft.name, draft.kind, draft.receiver = told.name, kind, told.receiver
        elif code == _BODY:
            whose = owner
            if owner >= 0 and drafts[owner].start == start:  # a body that is nothing but this definition
                whose = drafts[owner].parent
            if whose >= 0 and drafts[whose].body < 0:
                drafts[whose].body = start
                within = stack[-1][3] if stack and stack[-1][2] == whose else -1
                if within >= 0 and drafts[within].body < 0:  # typedef struct { … } name;
                    holes = drafts[within].holes
                    if not holes or holes[-1][1] <= start:
                        drafts[within].holes = (*holes, (start, end))
        elif code == _COMMENT:
            comments.append((start, end, owner))
            if owner >= 0 and drafts[owner].body < 0:
                if drafts[owner].start == start:  # between its attributes and itself
                    after = source[end : end + 400]
                    drafts[owner].start = end + len(after) - len(after.lstrip())
                else:
                    drafts[owner].holes += ((start, end),)
        elif code == _HEAD:
            if head < 0 and owner < 0:
                head = start
        elif code == _PREFIX:
            if owner >= 0 and not drafts[owner].name and drafts[owner].body < 0:
                after = source[end : end + 400]
                drafts[owner].start = end + len(after) - len(after.lstrip())
                drafts[owner].holes = ()
        elif code == _ATTRIBUTE:
            attributes.update(range(bisect_right(lines, start), bisect_right(lines, max(start, end - 1)) + 1))
        elif code == _SOURCE:
            if importing >= 0:
                written = text(start, end)
                imports[importing].sources.append((group_prefix + written if start < group_end else written, start))
        elif code == _SOURCE_START:
            source_start = named_at = start  # it is no use of its own
        elif code == _SOURCE_GROUP:
            group_prefix, group_end = text(source_start, start), end
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
        elif code == _MODULE_LAST:
            if importing >= 0:
                imports[importing].names.append(["*", _LAST_PART.split(text(start, end))[-1]])
        elif code == _DEFAULT:
            if importing >= 0:
                imports[importing].names.append(["default", text(start, end)])
        elif code == _WILDCARD:
            if importing >= 0:
                imports[importing].names.append(["*", ""])
        elif code == _DOC:
            doc = clean_docstring(text(start, end))
            if doc:
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
        elif code == _PRIVATE_NEXT:
            next_private = owner
        elif code == _PARAMETER:
            if owner >= 0:
                drafts[owner].parameters += 1
        elif code == _REF_START:
            ref_start = start
        elif code == _LIFT:
            if owner >= 0 and drafts[owner].parent >= 0:
                around = drafts[drafts[owner].parent]
                if not 0 <= around.body < start:  # what stands in its body stays there
                    drafts[owner].parent, drafts[owner].within = around.parent, around.within
        elif code == _PRIVATE_NAME:
            hidden.add((owner, text(start, end).strip(":'\"")))
        elif code == _PUBLIC or code == _PRIVATE:
            if owner >= 0 and not drafts[owner].name:
                drafts[owner].marked = 1 if code == _PUBLIC else -1
        elif code == _PRIVATE_FILE:
            if owner >= 0 and not header and not drafts[owner].name:
                drafts[owner].marked = -1
        elif code == _CONSTANT:
            if owner >= 0:
                drafts[owner].constant = True
        elif code == _FORWARD:
            if owner >= 0 and not header:
                drafts[owner].forward = True
        elif code == _SECTION_PUBLIC or code == _SECTION_PRIVATE:
            if owner >= 0:
                drafts[owner].section = 1 if code == _SECTION_PUBLIC else -1
        elif code == _RECEIVER:
            if owner >= 0 and not drafts[owner].receiver:
                drafts[owner].receiver = text(start, end)
        elif code == _PACKAGE:
            package = package or text(start, end)
            package_at = start if package_at < 0 else package_at
        elif code == _PACKAGE_MORE:
            package = package + language.separator + text(start, end) if package else text(start, end)
            package_at = start if package_at < 0 else package_at
        elif code == _PACKAGE_PART:
            package += text(start, end)
        elif code == _EXPORT_NAME:
            listed.add(text(start, end).strip("'\""))
        elif code >= _KIND and owner >= 0:
            drafts[owner].kind = kinds[code]
    if next_doc is not None:
        doc_spans.append(next_doc)

    return Swept(
        text, drafts, imports, found, comments, attributes, doc_spans, listed, hidden, package, package_at,
    )  # fmt: skip


def _slicer(source: bytes, whole: str) -> Callable[[int, int], str]:
    """Bytes from a to b as text. Most sources are ASCII, where a slice of one decoded string is cheapest."""
    if whole:
        return lambda start, end: whole[start:end]
    return lambda start, end: source[start:end].decode("utf-8", "replace")


def container_kind(drafts: list[Draft], index: int) -> str:
    while index >= 0:
        draft = drafts[index]
        if draft.kind:
            return draft.kind
        if draft.name:  # a scope such as an impl block stands for its type
            return "impl"
        index = draft.parent
    return ""


def _opening(source: bytes, at: int) -> str:
    """The identifier that stands there."""
    found = _IDENTIFIER.match(source, at)
    return found[0].decode("utf-8", "replace") if found else ""


def _twin(draft: Draft, number: int, name: str, at: int) -> Draft:
    """Another name in the same definition."""
    twin = Draft(draft.parent, draft.kind, draft.start, draft.end, draft.outer)
    twin.name, twin.marked, twin.exported, twin.opening = name, draft.marked, draft.exported, draft.opening
    twin.within, twin.twin_of, twin.named_at, twin.receiver = draft.within, number, at, draft.receiver
    return twin


def _kind_of_function(told: Declared, drafts: list[Draft], parent: int) -> str:
    if told.name.startswith("~"):
        return "destructor"
    if told.name.startswith("operator") and not told.name.isidentifier():
        return "operator"
    while parent >= 0 and not drafts[parent].name:
        parent = drafts[parent].parent
    around = told.receiver.rpartition("::")[2] or (
        drafts[parent].name if parent >= 0 and drafts[parent].kind in CLASSLIKE else ""
    )
    return "constructor" if told.name == around else "function"


_names: dict[str, str] = {}  # as written → as kept: a project says the same few thousand names over and over


def _reference_name(written: str) -> str:
    name = _kept_name(written)
    if len(_names) < 100_000:
        _names[written] = name
    return name


def _kept_name(written: str) -> str:
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
