"""A language made ready to parse: native grammar, parser and compiled queries. Lives in worker processes only."""

from __future__ import annotations

import re
from functools import lru_cache

from tree_sitter import Language as NativeLanguage
from tree_sitter import Parser, Query, QueryCursor, QueryError

from idumb_brain.model.errors import BadInput
from idumb_brain.scan.languages import Language

# What a node kind of a grammar nobody described must look like to stand in its outline.
_OUTLINE = re.compile(
    r"(?:\w+_)?(function|method|procedure|subroutine|class|struct|interface|trait|enum|union|module|namespace|package|type|record"
    r"|protocol|contract|library|macro|service|message|rpc|rule|target|task|resource|provider|job|stage|entity|component|actor"
    r"|architecture|process|object|mixin|extension|impl|constructor|event|modifier|error|constant|const|theorem|lemma|operation)"
    r"_(?:definition|declaration|item|statement|decl|def|def_statement|directive|block|spec|specifier)"
    r"|(function|procedure|subroutine|class|struct|interface|trait|enum|union|module|namespace|message|service|rpc|rule|actor)"
)
_COMMENT = re.compile(r"(?:\w+_)?comment(?:_line|_block|_annot)?|comments|haddock|marginalia", re.IGNORECASE)
_NAMES = ("identifier", "name", "simple_identifier", "type_identifier", "simple_name", "symbol", "word")
# Where a name stands in the grammars that descend from that of C.
_DECLARED = (
    "(function_definition declarator: (function_declarator declarator: (identifier) @name) body: (_) @body) @def.function",
    "(function_definition declarator: (function_declarator declarator: (qualified_identifier) @name) body: (_) @body) @def.function",
    "(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))"
    " body: (_) @body) @def.function",
)


class Grammar:
    def __init__(self, language: Language) -> None:
        from tree_sitter_language_pack import get_language

        self.language = language
        self.native: NativeLanguage = get_language(language.grammar)  # type: ignore[arg-type]
        self.parser = Parser(self.native)
        if language.generic:
            self.queries = [
                compiled(self.native, language, _comments(self.native) + (language.outlined or _outline(self.native)))
            ]
        else:
            self.queries = [compiled(self.native, language, language.query)]
        self.cursors = [QueryCursor(self.queries[0])]
        if language.top_query:
            # A pattern that starts at the root is carried along through the whole tree; one that may only start near
            # the root costs nothing, as its cursor does not go further down than it must.
            self.queries.append(compiled(self.native, language, language.top_query))
            self.cursors.append(QueryCursor(self.queries[1]))
            self.cursors[1].set_max_start_depth(2)
        self._top_word = language.top_word.encode()

    def cursors_for(self, source: bytes) -> list[QueryCursor]:
        return self.cursors if self._top_word in source else self.cursors[:1]


def unusable(language: Language) -> str:
    """Why nothing can be parsed with it; "" where all is well."""
    try:
        Grammar(language)
    except BadInput as error:
        return str(error)
    except (LookupError, OSError, RuntimeError, ValueError) as error:  # what grammar packages raise
        return str(error) or type(error).__name__
    return ""


@lru_cache(maxsize=64)
def grammar_of(language: Language) -> Grammar:
    return Grammar(language)


def compiled(native: NativeLanguage, language: Language, query: str) -> Query:
    try:
        return Query(native, query)
    except QueryError as error:
        raise BadInput(
            f"the queries of {language.name} do not compile",
            why=str(error),
            instead=f"mend the .scm files in {language.folder}" if language.folder else "mend its outline in generic.toml",
        ) from error


def _comments(native: NativeLanguage) -> str:
    return "".join(f"({kind}) @comment\n" for kind in _kinds(native) if _COMMENT.fullmatch(kind))


def _outline(native: NativeLanguage) -> str:
    """An outline for any grammar, from the names of its node kinds alone."""
    patterns = [pattern for pattern in _DECLARED if _compiles(native, pattern)]
    for kind in _kinds(native):
        told = _OUTLINE.fullmatch(kind)
        if not told:
            continue
        what = told[1] or told[2]
        body = f"({kind} body: (_) @body)"
        if kind.endswith("_specifier"):  # a mere mention unless it has a body
            candidates = [f"({kind} name: (_) @name body: (_) @body) @def.{what}"]
        else:
            candidates = [f"({kind} name: (_) @name) @def.{what}"]
            candidates += [f"({kind} . ({name}) @name) @def.{what}" for name in (f"{what}_name", f"{what}_identifier", *_NAMES)]
        found = next((pattern for pattern in candidates if _compiles(native, pattern)), "")
        if found:
            patterns.append(found)
            if "@body" not in found and _compiles(native, body):
                patterns.append(body)
    return "\n".join(patterns)


def _kinds(native: NativeLanguage) -> list[str]:
    kinds = (native.node_kind_for_id(n) for n in range(native.node_kind_count) if _is_real(native, n))
    return list(dict.fromkeys(kind for kind in kinds if kind is not None and kind != "ERROR"))


def _is_real(native: NativeLanguage, number: int) -> bool:
    return native.node_kind_is_named(number) and native.node_kind_is_visible(number)


def _compiles(native: NativeLanguage, pattern: str) -> bool:
    try:
        Query(native, pattern)
    except QueryError:
        return False  # this kind has no such field, or the structure is impossible in this grammar
    return True
