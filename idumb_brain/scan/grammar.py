"""A language made ready to parse: native grammar, parser and compiled queries. Lives in worker processes only."""

from __future__ import annotations

import re
from functools import lru_cache

from tree_sitter import Language as NativeLanguage
from tree_sitter import Parser, Query, QueryCursor, QueryError

from idumb_brain.model.errors import BadInput
from idumb_brain.scan.languages import Language

# What a node kind of an unknown grammar must look like to stand in its outline.
_OUTLINE = re.compile(
    r"(function|method|procedure|subroutine|class|struct|interface|trait|enum|union|module|namespace|package|type|record"
    r"|protocol|contract|macro|service|message|rpc|rule|target|task|resource|provider|job|stage|entity|component"
    r"|architecture|process|object|mixin|extension|impl|constructor|event|modifier|error|constant|theorem|lemma)"
    r"(_?(definition|declaration|item|statement|decl|def|def_statement|directive|block|spec|head|declarator))?$"
)
_HEADINGS = {
    "markdown": "(atx_heading heading_content: (inline) @name) @def.heading\n"
    "(setext_heading heading_content: (paragraph) @name) @def.heading",
    "rst": "(section (title) @name) @def.heading",
    "yaml": "(stream (document (block_node (block_mapping (block_mapping_pair key: (_) @name) @def.key))))",
    "toml": "(table [(bare_key) (dotted_key) (quoted_key)] @name) @def.table\n"
    "(table_array_element [(bare_key) (dotted_key) (quoted_key)] @name) @def.table",
    "make": "(rule (targets) @name) @def.target",
    "css": "(rule_set (selectors) @name) @def.selector",
    "scss": "(rule_set (selectors) @name) @def.selector\n(mixin_statement name: (_) @name) @def.mixin",
    "dockerfile": '(from_instruction as: (_) @name) @def.stage',
    "hcl": "(block (identifier) (string_lit)* @name) @def.block",
    "sql": "(create_table (object_reference name: (_) @name)) @def.table\n"
    "(create_view (object_reference name: (_) @name)) @def.view\n"
    "(create_function (object_reference name: (_) @name)) @def.function",
}


class Grammar:
    def __init__(self, language: Language) -> None:
        from tree_sitter_language_pack import get_language

        self.language = language
        self.native: NativeLanguage = get_language(language.grammar)  # type: ignore[arg-type]
        self.parser = Parser(self.native)
        if language.generic:
            self.queries = [Query(self.native, _generic_query(self.native, language.name))]
        else:
            self.queries = [_compile(self.native, language, language.query)]
        self.cursors = [QueryCursor(self.queries[0])]
        if language.top_query:
            # A pattern that starts at the root is carried along through the whole tree; one that may only start near
            # the root costs nothing, as its cursor does not go further down than it must.
            self.queries.append(_compile(self.native, language, language.top_query))
            self.cursors.append(QueryCursor(self.queries[1]))
            self.cursors[1].set_max_start_depth(2)
        self.errors = QueryCursor(Query(self.native, "(ERROR) @error (MISSING) @missing"))


@lru_cache(maxsize=64)
def grammar_of(language: Language) -> Grammar:
    return Grammar(language)


def _compile(native: NativeLanguage, language: Language, query: str) -> Query:
    try:
        return Query(native, query)
    except QueryError as error:
        raise BadInput(
            f"the queries of {language.name} do not compile",
            why=str(error),
            instead=f"mend the .scm files in {language.folder}",
        ) from error


def _generic_query(native: NativeLanguage, name: str) -> str:
    """Comments and an outline for any grammar, from the names of its node kinds alone."""
    patterns = []
    for number in range(native.node_kind_count):
        kind = native.node_kind_for_id(number)
        if kind is None or not native.node_kind_is_named(number) or not native.node_kind_is_visible(number):
            continue
        if "comment" in kind and "content" not in kind and "start" not in kind and "end" not in kind:
            patterns.append(f"({kind}) @comment")
        elif outlined := _OUTLINE.search(kind):
            patterns.append(f"({kind} name: (_) @name) @def.{outlined[1]}")
    patterns.append(_HEADINGS.get(name, ""))
    return "\n".join(dict.fromkeys(p for pattern in patterns for p in pattern.split("\n") if _compiles(native, p)))


def _compiles(native: NativeLanguage, pattern: str) -> bool:
    try:
        Query(native, pattern)
    except QueryError:
        return False  # this kind has no such field, or the structure is impossible in this grammar
    return True
