"""Source text to file facts. Pure: the same bytes give the same facts.

The queries of a language name what they find; this module knows what the names mean. One query run (and a short one
for ``top.scm``, whose patterns start at the top of a file) gives all captures of a file; sorted by position they are
swept once, with a stack of the definitions they lie in.

What a query may capture:

``@def.KIND``      a definition; every ``@name`` inside it that is in no inner definition makes a symbol; of two kinds
                   for the same span the first in the alphabet counts
``@def.KIND.outside``  a definition only outside functions, whatever else is around it; a variable in a class is a field
``@def.KIND.leading``  a definition that opens with its name, which then needs no capture: half the price where there are many
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
from itertools import accumulate
from typing import Any

from idumb_brain.model.code import ProblemRow
from idumb_brain.scan.assemble import Extraction, assemble
from idumb_brain.scan.grammar import Grammar
from idumb_brain.scan.languages import Language
from idumb_brain.scan.mend import errors_in, mended, pieces, readable_to
from idumb_brain.scan.sweep import Meanings, sweep

__all__ = ["Extraction", "extract"]

_SPACE = re.compile(r"\s+")
_MAX_PROBLEMS = 5
_meanings: dict[str, Meanings] = {}


def extract(source: bytes, grammar: Grammar, ranges: list[Any] | None = None, header: bool = False) -> Extraction:
    """All facts of one source text. ``ranges`` limits the parse to the embedded parts of another language.

    A ``header`` is what other files include: what it declares, it shares.
    """
    language = grammar.language
    meaning = _meanings.get(language.name)
    if meaning is None:
        meaning = Meanings(query.capture_name(i) for query in grammar.queries for i in range(query.capture_count))
        _meanings[language.name] = meaning
    lines = _line_starts(source)
    readable = readable_to(source, language) if language.blank or language.read_as or language.unwrap else source
    root, readable = _parse(grammar, readable, ranges)
    roots = [root]
    if root.has_error and language.resume and ranges is None:
        roots = [_parse(grammar, readable, [piece])[0] for piece in pieces(readable, language.resume, lines)]
    events: list[tuple[int, int, int]] = []
    problems: list[ProblemRow] = []
    for root in roots:
        for cursor in grammar.cursors_for(source):
            for name, nodes in cursor.captures(root).items():
                code = meaning.codes.get(name)
                if code is not None:
                    events += [(node.start_byte, -node.end_byte, code) for node in nodes]
        if root.has_error and len(problems) < _MAX_PROBLEMS and not language.any_text:
            problems += _problems(root, source, lines, language)
    events.sort()
    swept = sweep(source, readable, language, meaning, events, lines, header)
    return assemble(source, swept, language, meaning.kinds, lines, problems, header)


def _line_starts(source: bytes) -> list[int]:
    """Where every line starts; at the end, where one more would."""
    parts = source.replace(b"\r", b" ").splitlines(keepends=True)  # to which a lone carriage return would end a line
    starts = list(accumulate(map(len, parts), initial=0))
    if starts[-1] and not source.endswith(b"\n"):
        starts.pop()
    return [*starts, len(source) + 1]


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
