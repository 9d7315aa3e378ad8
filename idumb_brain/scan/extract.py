"""Source text to file facts. Pure: the same bytes give the same facts.

The queries of a language name what they find; this module knows what the names mean. One query run (and a short one
for ``top.scm``, whose patterns start at the top of a file) gives all captures of a file; sorted by position they are
swept once, with a stack of the definitions they lie in.

What a query may capture:

``@def.KIND``      a definition; every ``@name`` inside it that is in no inner definition makes a symbol; of two kinds
                   for the same span the first in the alphabet counts
``@def.KIND.outside``  a definition only outside functions, whatever else is around it; a variable in a class is a field
``@kind.KIND``     what the innermost definition is after all (``get`` before the name of a method)
``@name.quoted``   a ``@name`` written as a literal: ``:title``, ``"title"``, ``title:``
``@name.assigned``  a ``@name`` with its value in one token: ``ll='ls -l'``
``@declarator``    a C declarator, ``*name[3]``, ``(*name)(int)``, ``Shelf::add(int) const``: names the innermost definition,
                   gives its receiver, and makes a function of a variable or field; inside a function it names nothing
``@constant``      says that the declarators of the innermost definition make constants, unless pointers or functions
``@forward``       the innermost definition only announces something defined elsewhere: no symbol, unless in a header
``@lift``          the innermost definition belongs one level further out (parameters that declare properties)
``@scope``         not a symbol, but its ``@name`` qualifies what is inside (Rust ``impl``)
``@receiver``      qualifies the definition it stands in (Go methods, C++ ``Shelf::add``)
``@body``          where the signature of the innermost definition ends
``@prefix``        what opens the innermost definition without being part of its signature (C# attributes)
``@head`` ``@tail``  siblings that belong to the next or to the last definition: type and body where the grammar puts
                   them beside it (Dart)
``@outer``         a wrapper whose start is the start of the definition directly inside (decorators, templates)
``@whole``         such a wrapper that is a part of the signature, too (``template <class T>``)
``@export``        such a wrapper that also makes it public (``export function …``)
``@lead``          such a wrapper whose first word, if nothing else comes before, opens the signature (``const a = …``)
``@public`` ``@private``  stand before the name and mark the innermost definition
``@private.file``  the same for what only its own file sees; in a header that is everybody who includes it
``@section.public`` ``@section.private``  mark every later definition inside the innermost container
``@export.name``   a name listed as public elsewhere (``__all__``, ``export { a, b }``)
``@private.name``  a member of the innermost container listed as private elsewhere (Ruby ``private :a``)
``@package``       the package, module or namespace that the whole file declares
``@package.more``  such a declaration of which several, one inside the other, make the name (Scala)
``@package.part``  how its name goes on (C++ ``export module shelf:planks``)
``@comment`` ``@doc`` ``@attribute``  a comment; a docstring; what may stand between a comment and its symbol
``@doc.next`` ``@spec.next``  a docstring, a type signature that stands before its definition (Elixir ``@doc``, ``@spec``)
``@private.next``  says of the next definition in the same container that it is private (Elixir ``@doc false``)
``@parameter``     a parameter of the innermost definition; where a language writes functions in clauses, definitions of
                   one kind, name and number of parameters are one symbol: the first, as long as the clauses go on
``@import`` or ``@import.KIND``  an import, with ``@source`` and, where there are any, ``@imported`` names,
                   each perhaps followed by its ``@alias``; ``@module`` binds the module itself, ``@default`` its
                   default export, ``@wildcard`` everything in it; ``@module.last`` binds it by the last part of its name
``@source.start`` ``@source.group``  what is written from one to the other stands before every ``@source`` of the group
                   (PHP ``use Shop\\{Book, Reader}``, Elixir ``alias Shop.{Book, Reader}``)
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
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple

from idumb_brain.model.code import CommentRow, ImportRow, ProblemRow, ReferenceRow, SymbolRow
from idumb_brain.scan.comments import clean_docstring, comment_rows, summary, typed_rows
from idumb_brain.scan.declarators import Declared, declared
from idumb_brain.scan.grammar import Grammar
from idumb_brain.scan.languages import Language
from idumb_brain.scan.mend import blanked, errors_in, mended

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

_CALLABLE = frozenset({"function", "method", "constructor", "destructor", "operator"})
_CLASSLIKE = frozenset(
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
_SPACE = re.compile(r"\s+")
_TYPE_ARGUMENTS = re.compile(r"(?:::)?<[^<>]*>")
_REMARK = re.compile(r"//[^\n]*|/\*.*?(?:\*/|$)", re.DOTALL)  # inside a list of names
_LAST_PART = re.compile(r"[.:\\/]+")
_ARROW = re.compile(r"\??->|[&?!]\.")
_JOINED = re.compile(r"[\"']\s*[.+]|[.+]\s*[\"']")  # 'a' . $b . 'c' is no literal, though it starts and ends like one
_IMPORT_WORD = re.compile(r"^(?:import|export) ")
_MAX_REFERENCE = 160  # a longer callee is a chain of calls: only its last name means anything
_MAX_SIGNATURE = 2000
_MAX_DECLARATOR = 2000
_MAX_PROBLEMS = 5
_MAX_NESTED = 4


class Extraction(NamedTuple):
    package: str
    symbols: list[SymbolRow]
    comments: list[CommentRow]
    imports: list[ImportRow]
    references: list[ReferenceRow]
    problems: list[ProblemRow]


class _Draft:
    """A definition while it is being swept over. What most definitions lack stands on the class: it costs them nothing."""

    name = ""
    body = -1
    opening = -1  # where the signature starts, if before the definition
    forward = constant = exported = False
    doc = ""
    receiver = ""
    spec = ""
    marked = 0  # 1 public, -1 private, 0 not said
    section = 0  # what holds for the members from here on
    within = 0  # what held in the container when this was opened
    twin_of = -1
    named_at = -1  # of a twin: it may be named some lines below the start of its definition
    parameters = 0
    holes: tuple[tuple[int, int], ...] = ()  # comments inside the signature

    def __init__(self, parent: int, kind: str, start: int, end: int, outer: int) -> None:
        self.parent = parent
        self.kind = kind
        self.start = start
        self.end = end
        self.outer = outer


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
        self.outside: set[int] = set()
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


_sweeps: dict[str, Sweep] = {}


def extract(source: bytes, grammar: Grammar, ranges: list[Any] | None = None, header: bool = False) -> Extraction:
    """All facts of one source text. ``ranges`` limits the parse to the embedded parts of another language.

    A ``header`` is what other files include: what it declares, it shares.
    """
    language = grammar.language
    sweep = _sweeps.get(language.name)
    if sweep is None:
        sweep = Sweep(query.capture_name(i) for query in grammar.queries for i in range(query.capture_count))
        _sweeps[language.name] = sweep
    lines = [0, *accumulate(len(line) + 1 for line in source.split(b"\n"))]
    readable = _readable(source, language) if language.blank or language.read_as or language.unwrap else source
    root, readable = _parse(grammar, readable, ranges)
    roots = [root]
    if root.has_error and language.resume and ranges is None:
        roots = [_parse(grammar, readable, [piece])[0] for piece in _pieces(readable, language.resume, lines)]
    events: list[tuple[int, int, int]] = []
    problems: list[ProblemRow] = []
    for root in roots:
        for cursor in grammar.cursors:
            for name, nodes in cursor.captures(root).items():
                code = sweep.codes.get(name)
                if code is not None:
                    events += [(node.start_byte, -node.end_byte, code) for node in nodes]
        if root.has_error and len(problems) < _MAX_PROBLEMS:
            problems += _problems(root, source, lines, language)
    events.sort()
    return _sweep(source, readable, language, sweep.kinds, sweep.outside, events, lines, problems, header)


def _parse(grammar: Grammar, source: bytes, ranges: list[Any] | None) -> tuple[Any, bytes]:
    """The root of the syntax tree, and the text it is a tree of."""
    if ranges is not None:
        grammar.parser.included_ranges = ranges
    tree = grammar.parser.parse(source)
    if grammar.language.mend and tree.root_node.has_error:
        tree, source = mended(grammar, source, tree)
    if ranges is not None:
        grammar.parser.included_ranges = []
    return tree.root_node, source


def _pieces(source: bytes, landmark: str, lines: list[int]) -> list[Any]:
    """A broken source cut where definitions open, so that what is broken costs one of them and not all that follow."""
    from tree_sitter import Range

    starts = [0, *(found.start() for found in re.finditer(landmark.encode(), source, re.MULTILINE) if found.start() > 0)]
    rows = [bisect_right(lines, start) - 1 for start in starts]
    ends = [*starts[1:], len(source)]
    last = (len(lines) - 2, len(source) - lines[-2])
    end_points = [*((row, 0) for row in rows[1:]), last]
    return [Range((row, 0), point, start, end) for row, point, start, end in zip(rows, end_points, starts, ends, strict=True)]


def _readable(source: bytes, language: Language) -> bytes:
    """The source with what its grammar cannot read overwritten, so that everything else stays where it is."""
    for pattern, template in language.read_as:
        source = re.sub(pattern.encode(), partial(_of_same_length, template.encode()), source, flags=re.MULTILINE)
    if language.blank:
        source = blanked(source, language.blank)
    for needle, pattern in language.unwrap:
        if needle.encode() in source:
            source = _unwrapped(source, pattern.encode())
    return source


def _of_same_length(template: bytes, found: re.Match[bytes]) -> bytes:
    length = len(found[0])
    written = found.expand(template)[:length]
    return written.rjust(length) if template.startswith(b" ") else written.ljust(length)


def _unwrapped(source: bytes, pattern: bytes) -> bytes:
    for _ in range(_MAX_NESTED):  # what lies between the groups may match in its turn
        found = list(re.finditer(pattern, source, re.MULTILINE))
        if not found:
            break
        blank = bytearray(source)
        for start, end in (span for match in found for span in match.regs[1:] if span[0] >= 0):
            blank[start:end] = re.sub(rb"[^\n]", b" ", source[start:end])
        source = bytes(blank)
    return source


def _sweep(  # one loop over all captures; splitting it would cost a call per capture
    source: bytes,
    readable: bytes,
    language: Language,
    kinds: dict[int, str],
    outside: set[int],
    events: list[tuple[int, int, int]],
    lines: list[int],
    problems: list[ProblemRow],
    header: bool,
) -> Extraction:
    text = _slicer(source)
    read = text if readable is source else _slicer(readable)  # what the grammar saw
    drafts: list[_Draft] = []
    imports: list[_ImportDraft] = []
    found: dict[tuple[int, str, int], int] = {}  # (owner, name, kind code) -> first byte
    whole = source.decode("ascii") if source.isascii() else ""  # where a slice needs no call
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
                if code in outside and owner >= 0:
                    if _container_kind(drafts, owner) in _CALLABLE:
                        local_until = end
                        continue
                    if drafts[owner].end == end and stack[-1][1] in outside:
                        continue  # a = b = 1: names of one definition
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
                if exported:
                    draft.exported = True
                if opening >= 0:
                    draft.opening = opening
                if code in outside and draft.kind == "variable" and _container_kind(drafts, owner) in _CLASSLIKE:
                    draft.kind = "field"
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
            imports.append(_ImportDraft(kinds[code], start))
            frame_end = end
        elif code == _NAME or code == _NAME_QUOTED or code == _NAME_ASSIGNED:
            if owner >= 0 and start >= local_until:
                draft = drafts[owner]
                named_at = start
                name = text(start, end)
                if code != _NAME:
                    name = name.strip(":'\" ") if code == _NAME_QUOTED else name.partition("=")[0].strip()
                if not draft.name:
                    draft.name = name
                else:
                    drafts.append(_twin(draft, owner, name, start))
        elif code == _DECLARATOR:
            draft = drafts[owner]
            if owner < 0 or (draft.kind in _CALLABLE and 0 <= draft.body < start):
                continue  # a local
            if told := declared(read(start, min(end, start + _MAX_DECLARATOR))):
                named_at = start + told.at
                container = _container_kind(drafts, draft.parent)
                kind = draft.kind
                if kind in _DECLARED and told.function:
                    kind = _kind_of_function(told, drafts, draft.parent)
                    if not header and container not in _CLASSLIKE and not told.receiver:
                        continue  # a prototype
                elif kind == "function":
                    kind = _kind_of_function(told, drafts, draft.parent)
                    while container in _CALLABLE and draft.parent >= 0:  # no such thing in C: the braces around were misread
                        draft.parent = drafts[draft.parent].parent
                        container = _container_kind(drafts, draft.parent)
                elif kind in _DECLARED and draft.constant and not told.pointer:
                    kind = "constant"
                elif told.receiver and kind == "variable":
                    kind = "field"
                elif told.pointer and kind in _CLASSLIKE:
                    kind = "type"
                if draft.forward or (kind != "field" and kind in _VALUES and container in _CALLABLE):
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

    return _assemble(
        source, language, text, drafts, imports, found, kinds, comments, attributes, doc_spans, listed, hidden, package,
        package_at, lines, problems, header,
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
    package_at: int,
    lines: list[int],
    problems: list[ProblemRow],
    header: bool,
) -> Extraction:
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
        source, text, language.comments, comments, lines, attributes, first_on_line,
        [(drafts[i].start, drafts[i].end) for i in range(len(drafts))], bisect_right(lines, package_at) if package_at >= 0 else 0,
    )  # fmt: skip
    for start, end, owner, doc in doc_spans:
        rows += typed_rows(
            doc, bisect_right(lines, start), bisect_right(lines, max(start, end - 1)), owner, True, text(start, end)
        )
    rows.sort(key=lambda row: (row[2], row[3]))
    comment_facts = [(ordinal_of[row[0]], *row[1:]) for row in rows]

    visible = _visibility(language, drafts, listed, hidden, header)
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
            or (draft.parent >= 0 and _container_kind(drafts, draft.parent) in _CLASSLIKE)
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
    for (owner, name, code), start in found.items():
        if kinds[code] == "scope":
            ends = bisect_right(lines, max(drafts[owner].start, drafts[owner].end - 1)) if owner >= 0 else 0
            used.append((ordinal_of[owner], "scope", ends, qualified[owner]))
        else:
            used.append((ordinal_of[owner], kinds[code], bisect_right(lines, start), name))
    if len(kept) < len(drafts):  # what is in a definition without a name belongs further out, and may be there already
        used = list({(owner, kind, name): (owner, kind, line, name) for owner, kind, line, name in reversed(used)}.values())[::-1]
    return Extraction(package, symbols, comment_facts, _import_rows(imports, language, lines), used, problems)


def _last_lines(source: bytes, lines: list[int], comments: list[tuple[int, int, int]]) -> Callable[[_Draft], int]:
    """The line a definition ends on. Comments at its end are no part of it, where nothing but indentation closes it."""
    comment_at = {end: start for start, end, _ in comments}

    def last_line(draft: _Draft) -> int:
        end = draft.end
        while source[end - 1 : end].isspace():
            end -= 1
        while end in comment_at and comment_at[end] > draft.start:
            end = comment_at[end]
            while source[end - 1 : end].isspace():
                end -= 1
        return bisect_right(lines, max(draft.start, end - 1))

    return last_line


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


def _twin(draft: _Draft, number: int, name: str, at: int) -> _Draft:
    """Another name in the same definition."""
    twin = _Draft(draft.parent, draft.kind, draft.start, draft.end, draft.outer)
    twin.name, twin.marked, twin.exported, twin.opening = name, draft.marked, draft.exported, draft.opening
    twin.within, twin.twin_of, twin.named_at, twin.receiver = draft.within, number, at, draft.receiver
    return twin


def _kind_of_function(told: Declared, drafts: list[_Draft], parent: int) -> str:
    if told.name.startswith("~"):
        return "destructor"
    if told.name.startswith("operator") and not told.name.isidentifier():
        return "operator"
    while parent >= 0 and not drafts[parent].name:
        parent = drafts[parent].parent
    around = told.receiver.rpartition("::")[2] or (
        drafts[parent].name if parent >= 0 and drafts[parent].kind in _CLASSLIKE else ""
    )
    return "constructor" if told.name == around else "function"


def _visibility(
    language: Language, drafts: list[_Draft], listed: set[str], hidden: set[tuple[int, str]], header: bool
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
        if inside and (drafts[parent].kind in _CALLABLE or drafts[parent].kind in rule.nested):
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


def _signature(text: Callable[[int, int], str], draft: _Draft, one_line: bool) -> str:
    start = draft.opening if draft.opening >= 0 else draft.start
    end = draft.body if draft.body > draft.start else draft.end
    written = text(start, min(end, start + _MAX_SIGNATURE))
    if draft.holes:
        edges = [start, *(edge for hole in draft.holes if hole[0] < end for edge in hole), end]
        written = " ".join(text(edges[i], edges[i + 1]) for i in range(0, len(edges), 2))[:_MAX_SIGNATURE]
    if draft.body <= draft.start:
        written = written.split("\n", 1)[0] if one_line or len(written) > 300 else written
    flat = " ".join(written.replace("\\\n", " ").replace("\\\r\n", " ").split())
    return flat.rstrip("{:=;, \t").removesuffix("=>").removesuffix(" do").rstrip()


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


def _import_rows(imports: list[_ImportDraft], language: Language, lines: list[int]) -> list[ImportRow]:
    rows: list[ImportRow] = []
    for draft in imports:
        for specifier, start in draft.sources:
            line = bisect_right(lines, start)
            if language.expand == "braces" and specifier[0] not in "\"'":
                for path, alias in _named_by(specifier, language.separator):
                    last = _LAST_PART.split(path)[-1].partition(" ")[0]
                    imported = "*" if last in ("*", "_") else last
                    local = alias or ("" if imported == "*" else last)
                    bindings = [(a, b) for a, b in draft.names]
                    if not bindings or bindings[0][0] != "*":  # a module bound by another name is not bound by its own
                        bindings.insert(0, (imported, local))
                    rows.append((draft.kind, path, line, "\n".join(f"{a} {b}" for a, b in bindings)))
            else:
                path = unquoted(specifier)
                if not draft.names and language.binds and (bound := re.search(language.binds, path)):
                    rows.append((draft.kind, path, line, f"* {bound[1]}"))
                else:
                    rows.append((draft.kind, path, line, "\n".join(f"{a} {b}" for a, b in draft.names)))
    return rows


def _named_by(specifier: str, separator: str) -> list[tuple[str, str]]:
    """What an import text names, be it the path alone or the whole statement: ``import a.{b, c}, d.e``."""
    if "/" in specifier:
        specifier = _REMARK.sub(" ", specifier)
    specifier = _SPACE.sub(" ", specifier.strip().rstrip(";"))
    parts = _split_top(_IMPORT_WORD.sub("", specifier)) if "," in specifier else [_IMPORT_WORD.sub("", specifier)]
    return [named for part in parts for named in expand_braces(part.strip(), separator)]


def unquoted(specifier: str) -> str:
    specifier = specifier.strip()
    if len(specifier) >= 2 and specifier[0] in "\"'`<" and specifier[-1] in "\"'`>":
        inner = specifier[1:-1]
        return specifier if _JOINED.search(inner) else inner
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


def _problems(root: Any, source: bytes, lines: list[int], language: Language) -> list[ProblemRow]:
    rows: list[ProblemRow] = []
    for start, _, missing, within in errors_in(root):
        if language.conditions and (missing or within == "argument_list"):
            continue  # each_shelf(shelf) { … }, offsetof(struct shelf, width): a macro makes it right
        line = bisect_right(lines, start)
        if len(rows) == _MAX_PROBLEMS:
            rows.append((line, "syntax: more errors follow"))
            break
        near = _SPACE.sub(" ", source[start : start + 60].decode("utf-8", "replace")).strip()[:40]
        rows.append((line, f"syntax: missing {missing}" if missing else f"syntax: cannot read near {near!r}"))
    return rows
