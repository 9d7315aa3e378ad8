"""A command line to the tree of what it runs, by the grammar of bash. Runs, expands and judges nothing.

Whatever the text, there is an answer: what the grammar does not understand is read a second time, roughly, and the script says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from idumb_brain.model.shell import (
    Assignment,
    Command,
    Function,
    Group,
    Loop,
    Node,
    Number,
    Output,
    Piece,
    Pipeline,
    Redirection,
    Script,
    Text,
    Variable,
    Word,
)
from idumb_brain.scan.shell_rough import read_roughly

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax
    from tree_sitter import Parser

LONGEST = 100_000  # characters; no hand and few generators write more in one line
DEEPEST = 60
MOST_JOINTS = 1_500  # the grammar takes the square of them to recover from an error

_ESCAPED = re.compile(r"\\(?:\n|(.))", re.DOTALL)
_IN_QUOTES = re.compile(r'\\(?:\n|([$`"\\]))')
_BACKTICKED = re.compile(r"(?<!\\)`([^`]*)(?<!\\)`")
_RUNS = re.compile(r"`|\$\(")
_JOINTS = re.compile(r"[({|&;`]")
_WORDS = {
    "word", "concatenation", "string", "raw_string", "ansi_c_string", "translated_string", "simple_expansion", "expansion",
    "command_substitution", "process_substitution", "number", "arithmetic_expansion", "brace_expression", "extglob_pattern",
    "regex", "test_operator", "subscript", "variable_name", "special_variable_name",
}  # fmt: skip
_REDIRECTIONS = {"file_redirect", "heredoc_redirect", "herestring_redirect"}
_ANSI = re.compile(r"\\(?:x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|[0-7]{1,3}|.)", re.DOTALL)
_ANSI_LETTERS = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def parse(text: str) -> Script:
    text = text.replace("\0", "")  # the shell drops it, too
    if len(text) > LONGEST:
        return Script(read_roughly(text), (f"longer than {LONGEST:,} characters",))
    if len(_JOINTS.findall(text)) > MOST_JOINTS:
        return Script(read_roughly(text), (f"more than {MOST_JOINTS:,} brackets and separators",))
    data = text.encode("utf-8", "replace")
    root = _parser().parse(data).root_node
    try:
        parts = tuple(_Reading(data).statements(root, 0))
    except _TooDeep:
        return Script(read_roughly(text), ("nested too deeply",))
    if not root.has_error:
        return Script(parts)
    return Script((*parts, *read_roughly(text)), ("the grammar of bash does not accept all of it",))


@cache
def _parser() -> Parser:
    from tree_sitter import Parser
    from tree_sitter_language_pack import get_language

    return Parser(get_language("bash"))


class _TooDeep(Exception):
    """The tree goes down further than any line a person would write."""


class _Reading:
    def __init__(self, data: bytes) -> None:
        self.data = data

    def text(self, node: Syntax) -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def statements(self, node: Syntax, depth: int) -> Iterator[Node]:
        for child in node.named_children:
            yield from self.statement(child, depth + 1)

    def statement(self, node: Syntax, depth: int) -> Iterator[Node]:
        if depth > DEEPEST:
            raise _TooDeep
        match node.type:
            case "comment" | "heredoc_body" | "heredoc_start" | "heredoc_end":
                return
            case "command":
                yield from self.commands(node, depth)
            case "declaration_command" | "unset_command":
                yield self.declaration(node, depth)
            case "variable_assignment" | "variable_assignments":
                found = [node] if node.type == "variable_assignment" else node.named_children
                yield Command((), tuple(self.assignment(one, depth) for one in found), source=self.text(node))
            case "pipeline":
                yield Pipeline(tuple(self.statements(node, depth)))
            case "redirected_statement":
                yield from self.redirected(node, depth)
            case "function_definition":
                name = node.child_by_field_name("name")
                body = node.child_by_field_name("body")
                parts = tuple(self.statement(body, depth + 1)) if body else ()
                yield Function(self.text(name) if name else "", Group(parts))
            case "for_statement":
                yield self.loop(node, depth)
            case "subshell":
                yield Group(tuple(self.statements(node, depth)), own=True)
            case kind if kind in _WORDS:  # where a condition or a case holds words, only what they run counts
                if run := tuple(self.run_by(node, depth)):
                    yield Group(run)
            case kind if kind in _REDIRECTIONS:
                yield Command((), (), tuple(self.redirections(node, depth)), self.text(node))
            case _:
                yield Group(tuple(self.statements(node, depth)))

    def commands(self, node: Syntax, depth: int) -> Iterator[Command]:
        """One command; more where the grammar took a line that begins with a backslash for another word of the line before."""
        words: list[Word] = []
        assignments: list[Assignment] = []
        redirections: list[Redirection] = []
        for child in node.named_children:
            if child.type == "variable_assignment":
                assignments.append(self.assignment(child, depth))
            elif child.type in _REDIRECTIONS:
                redirections.extend(self.redirections(child, depth))
                words.extend(self.word(one, depth) for one in _behind(child))
            elif child.type == "command_name":
                words.extend(self.word(one, depth) for one in child.named_children)
            elif child.type != "comment":
                if self.data[child.start_byte : child.start_byte + 1] == b"\n":
                    yield Command(tuple(words), tuple(assignments), tuple(redirections), self.text(node))
                    words, assignments, redirections = [], [], []
                words.append(self.word(child, depth))
        yield Command(tuple(words), tuple(assignments), tuple(redirections), self.text(node))

    def declaration(self, node: Syntax, depth: int) -> Command:
        """``export X=1``, ``declare -a y``, ``unset z``: a command whose assignments stay."""
        words = [Word((Text(self.text(node.children[0])),))]
        assignments = [self.assignment(one, depth) for one in node.named_children if one.type == "variable_assignment"]
        words += [self.word(one, depth) for one in node.named_children if one.type != "variable_assignment"]
        return Command(tuple(words), tuple(assignments), source=self.text(node))

    def assignment(self, node: Syntax, depth: int) -> Assignment:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        called = self.text(name) if name else ""
        added = any(one.type == "+=" for one in node.children)
        if value is None:
            return Assignment(called, (Word(()),))
        if value.type == "array":
            return Assignment(called, tuple(self.word(one, depth) for one in value.named_children), True, added)
        return Assignment(called, (self.word(value, depth),), added=added)

    def redirected(self, node: Syntax, depth: int) -> Iterator[Node]:
        """The grammar hangs what follows a here-document's opening below it: it is put back where it runs."""
        body = node.child_by_field_name("body")
        *before, inner = [*self.statement(body, depth + 1)] if body else [Command((), source=self.text(node))]
        yield from before
        redirections: list[Redirection] = []
        words: list[Word] = []
        piped: list[Node] = []
        then: list[Node] = []
        for child in node.named_children:
            if child.type not in _REDIRECTIONS:
                continue
            redirections.extend(self.redirections(child, depth))
            if child.type != "heredoc_redirect":
                words.extend(self.word(one, depth) for one in _behind(child))
                continue
            for below in child.named_children:
                if below.type in _REDIRECTIONS:
                    redirections.extend(self.redirections(below, depth))
                    words.extend(self.word(one, depth) for one in _behind(below))
                elif below.type == "pipeline":
                    piped.extend(self.statements(below, depth))
                elif below.type in _WORDS:
                    if (swallowed := self.swallowed(child)) is not None and below.start_byte >= swallowed:
                        continue
                    words.append(self.word(below, depth))
                elif below.type not in ("heredoc_start", "heredoc_body", "heredoc_end", "file_descriptor"):
                    then.extend(self.statement(below, depth + 1))
        inner = _with(inner, tuple(redirections), tuple(words))
        yield Pipeline((inner, *piped)) if piped else inner
        yield from then

    def redirections(self, node: Syntax, depth: int) -> Iterator[Redirection]:
        if node.type == "heredoc_redirect":
            start = next((one for one in node.named_children if one.type == "heredoc_start"), None)
            body = next((one for one in node.named_children if one.type == "heredoc_body"), None)
            if (swallowed := self.swallowed(node)) is not None:
                end = next((one.start_byte for one in node.named_children if one.type == "heredoc_end"), node.end_byte)
                yield Redirection("<<", Word((Text(self.data[swallowed + 1 : end].decode("utf-8", "replace"), True),)))
                return
            literal = start is not None and re.search(r"""['"\\]""", self.text(start)) is not None
            if body is not None:
                yield Redirection("<<", Word((Text(self.text(body), True),)) if literal else self.template(body, depth))
            return
        operator = next((one.type for one in node.children if not one.is_named), ">")
        target = next((one for one in node.named_children if one.type != "file_descriptor"), None)
        if target is not None:
            yield Redirection(operator, self.word(target, depth))

    def swallowed(self, heredoc: Syntax) -> int | None:
        """Where a here-document begins whose first line the grammar took for arguments, as it does with a leading backslash."""
        found = (one for one in heredoc.named_children if one.type in _WORDS)
        return next((one.start_byte for one in found if self.data[one.start_byte : one.start_byte + 1] == b"\n"), None)

    def loop(self, node: Syntax, depth: int) -> Node:
        name, body = node.child_by_field_name("variable"), node.child_by_field_name("body")
        values = tuple(self.word(one, depth) for one in node.children_by_field_name("value"))
        parts = tuple(self.statements(body, depth)) if body else ()
        return Loop(self.text(name) if name else "", values, Group(parts))

    def run_by(self, node: Syntax, depth: int) -> Iterator[Node]:
        for piece in self.word(node, depth).pieces:
            if isinstance(piece, Output | Number):
                yield from piece.script.parts

    def word(self, node: Syntax, depth: int) -> Word:
        return Word(tuple(self.pieces(node, depth + 1)))

    def pieces(self, node: Syntax, depth: int, quoted: bool = False) -> Iterator[Piece]:
        if depth > DEEPEST:
            raise _TooDeep
        match node.type:
            case "raw_string":
                yield Text(self.text(node)[1:].removesuffix("'"), True)
            case "ansi_c_string":
                yield Text(unescaped(self.text(node)[2:].removesuffix("'")), True)
            case "string" | "translated_string":
                yield Text("", True)
                yield from self.quoted(node, depth)
            case "concatenation" | "brace_expression" | "command_name":
                yield from self.joined(node, depth)
            case "simple_expansion":
                yield Variable(self.text(node)[1:], quoted)
            case "expansion":
                yield self.expansion(node, depth, quoted)
            case "command_substitution":
                yield Output(Script(tuple(self.statements(node, depth))), quoted)
            case "process_substitution":
                yield Output(Script(tuple(self.statements(node, depth))), quoted, file=True)
            case "arithmetic_expansion":
                yield Number(Script(tuple(self.statements(node, depth))))
            case _:
                yield from self.plain(self.text(node).lstrip("\n"))

    def plain(self, text: str) -> Iterator[Piece]:
        """The grammar leaves backticks within ``${x:=…}`` in the word."""
        for place, part in enumerate(_BACKTICKED.split(text)):
            yield from (Output(parse(part)),) if place % 2 else _escaped(part)

    def joined(self, node: Syntax, depth: int) -> Iterator[Piece]:
        at = node.start_byte
        for child in node.children:
            if child.start_byte > at:
                yield from _escaped(self.data[at : child.start_byte].decode("utf-8", "replace"))
            yield from self.pieces(child, depth + 1)
            at = child.end_byte

    def quoted(self, node: Syntax, depth: int) -> Iterator[Piece]:
        """Inside double quotes: the grammar leaves out white space at the edges, the bytes do not."""
        at = node.start_byte + (2 if node.type == "translated_string" else 1)
        last = node.end_byte - (1 if self.data[node.end_byte - 1 : node.end_byte] == b'"' and node.end_byte > at else 0)
        yield from self.between(node, at, last, depth)

    def template(self, node: Syntax, depth: int) -> Word:
        return Word(tuple(self.between(node, node.start_byte, node.end_byte, depth)))

    def between(self, node: Syntax, at: int, last: int, depth: int) -> Iterator[Piece]:
        children = node.named_children
        if node.type == "translated_string" and len(children) == 1 and children[0].type == "string":
            children = children[0].named_children
        for child in children:
            if child.type in ("simple_expansion", "expansion", "command_substitution", "arithmetic_expansion"):
                if child.start_byte > at:
                    yield Text(_IN_QUOTES.sub(_kept, self.data[at : child.start_byte].decode("utf-8", "replace")), True)
                yield from self.pieces(child, depth + 1, quoted=True)
                at = child.end_byte
        if last > at:
            yield Text(_IN_QUOTES.sub(_kept, self.data[at:last].decode("utf-8", "replace")), True)

    def expansion(self, node: Syntax, depth: int, quoted: bool) -> Piece:
        name = next((one for one in node.named_children if one.type in ("variable_name", "special_variable_name")), None)
        if name is None and (subscript := next((one for one in node.named_children if one.type == "subscript"), None)):
            called, index = self.text(subscript).partition("[")[0], subscript.child_by_field_name("index")
            word = self.word(index, depth) if index and _RUNS.search(self.text(index)) else None
            every = self.text(subscript).endswith(("[@]", "[*]"))
            return Variable(f"{called}[@]" if every else f"{called}[0]", quoted, "", word)
        operator = next((one.type for one in node.children if one.start_byte > (name.start_byte if name else 0) and one.type != "}"
                         and one is not name and one.type not in _WORDS), "")  # fmt: skip
        after = [one for one in node.named_children if name and one.start_byte >= name.end_byte and one.type in _WORDS]
        if any(one.type == "!" for one in node.children) or name is None:
            return Variable("", quoted, "!")
        return Variable(self.text(name), quoted, operator, self.word(after[0], depth) if after else None)


def _behind(redirection: Syntax) -> list[Syntax]:
    """The grammar takes words behind a file for files, too; the shell gives them to the command."""
    return [one for one in redirection.named_children if one.type != "file_descriptor"][1:]


def _with(node: Node, redirections: tuple[Redirection, ...], words: tuple[Word, ...]) -> Node:
    """A statement with the redirections that stood behind it; those behind a pipeline or a list are of its last command."""
    match node:
        case Command():
            return Command((*node.words, *words), node.assignments, (*node.redirections, *redirections), node.source)
        case Pipeline() if node.parts:
            return Pipeline((*node.parts[:-1], _with(node.parts[-1], redirections, words)))
        case Group():
            return Group(node.parts, (*node.redirections, *redirections), node.own)
        case _:
            return Group((node,), redirections)


def _escaped(text: str) -> Iterator[Piece]:
    at = 0
    for found in _ESCAPED.finditer(text):
        if found.start() > at:
            yield Text(text[at : found.start()])
        if found[1] is not None:
            yield Text(found[1], True)
        at = found.end()
    if text[at:]:
        yield Text(text[at:])


def _kept(found: re.Match[str]) -> str:
    return found[1] or ""


def unescaped(text: str) -> str:
    """``\\n``, ``\\x72`` and their like, as ``$'…'`` and ``printf`` read them."""
    return _ANSI.sub(_ansi, text)


def _ansi(found: re.Match[str]) -> str:
    told = found[0][1:]
    if told[0] in "xuU" and len(told) > 1:
        number = int(told[1:], 16)
        return chr(number) if number < 0x110000 else ""
    if told[0] in "01234567":
        return chr(int(told, 8) % 256)
    return _ANSI_LETTERS.get(told, told)
