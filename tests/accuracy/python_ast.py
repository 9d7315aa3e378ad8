"""Python symbols, docstrings, comments and signatures against the interpreter's own ``ast`` and ``tokenize``.

The tree is the standard library of the interpreter that runs this, without site-packages. A file that ``ast`` cannot
parse is left out, and counted. What each row compares:

  definitions   classes, functions and methods at any depth: qualified name, kind, first and last line
  assignments   names that modules and classes bind by =, at any depth of if, try, with and loops: name, kind, line
  docstrings    of modules, classes and functions: whose, first and last line, and the text after inspect.cleandoc
  comments      every line with a comment that says something; and of every comment row of ours, its text against the
                tokens it covers
  signatures    parameters, defaults, annotations and bases, as ast reads them in our signature and in the file
"""

from __future__ import annotations

import ast
import io
import sys
import sysconfig
import tokenize
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from idumb_brain.model.code import Comment, Symbol
from tests.accuracy.measure import CodeMap, Score, compared, main, scanned

_BAR = 0.999
_DEFINITIONS = ("class", "function", "method")
_ASSIGNMENTS = ("variable", "field")
_EXPLAINED = {
    r"^test/test_compile\.py:\d+": "the grammar loses its place where this file dedents a name below its bracket",
    r"^(pydoc|xml/etree/ElementTree)\.py:\d+ \w+ (TextDoc\.)?indent ": "runs of spaces become one, in string defaults too",
    r"^test/test_unicode_identifiers\.py:\d+ ": "a name is kept as it is written; Python reads µ (U+00B5) as μ (U+03BC)",
}


def measure() -> Iterator[Score]:
    root = Path(sysconfig.get_paths()["stdlib"])
    tree = f"Python {sys.version.split()[0]}"
    theirs, left_out = _Account(), Counter[str]()
    with scanned(root, exclude=["site-packages"]) as code_map:
        read = []
        for path in sorted(file.relative_to(root).as_posix() for file in root.rglob("*.py") if file.is_file()):
            if path.startswith("site-packages/"):
                continue
            try:
                _read(path, (root / path).read_bytes(), theirs)
                read.append(path)
            except (SyntaxError, ValueError, UnicodeDecodeError, tokenize.TokenError) as error:
                left_out[type(error).__name__] += 1
        ours = _our_account(code_map, read, theirs)
    unread = f"{left_out.total()} files left out, which ast cannot parse ({', '.join(f'{n} {k}' for k, n in left_out.items())})"

    def score(name: str, truth: str, mine: Iterable[Fact], others: Iterable[Fact], *notes: str) -> Score:
        return Score(name, truth, tree, len(read), *compared(mine, others, Fact.told), _BAR, _BAR, notes, _EXPLAINED)

    yield score("python definitions", "ast", ours.definitions, theirs.definitions, unread)
    yield score("python assignments", "ast", ours.assignments, theirs.assignments)
    yield score("python docstrings", "ast", ours.docstrings, theirs.docstrings)
    shebangs = f"{theirs.shebangs} first lines left out that open with #!: they say how to run a file, nothing about it"
    yield score("python comment lines", "tokenize", ours.comment_lines, theirs.comment_lines, shebangs)
    yield score("python comment texts", "tokenize", ours.comment_texts, theirs.comment_texts)
    yield score("python signatures", "ast", ours.signatures, theirs.signatures)


class Fact(NamedTuple):
    path: str
    line: int
    end_line: int
    what: str
    text: str = ""

    def told(self) -> str:
        lines = f"{self.line}" if self.line == self.end_line else f"{self.line}-{self.end_line}"
        return f"{self.path}:{lines} {self.what}" + (f" {self.text[:160]!r}" if self.text else "")


@dataclass
class _Account:
    """What somebody says of a tree."""

    definitions: list[Fact] = field(default_factory=list)
    assignments: list[Fact] = field(default_factory=list)
    docstrings: list[Fact] = field(default_factory=list)
    comment_lines: list[Fact] = field(default_factory=list)
    comment_texts: list[Fact] = field(default_factory=list)
    signatures: list[Fact] = field(default_factory=list)
    shebangs: int = 0
    tokens: dict[str, dict[int, str]] = field(default_factory=dict)  # path → line → comment


def _read(path: str, source: bytes, account: _Account) -> None:
    """Add what ast and tokenize say of a file; of a file they cannot read, add nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = ast.parse(source)
    tokens = {}
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        if token.type == tokenize.COMMENT:
            if token.start == (1, 0) and token.string.startswith("#!"):
                account.shebangs += 1
                continue
            tokens[token.start[0]] = token.string
    account.tokens[path] = tokens
    account.comment_lines += [Fact(path, line, line, "comment") for line, comment in tokens.items() if _said(comment)]
    _Reader(path, account).visit(module)


class _Reader(ast.NodeVisitor):
    """A module's definitions in their places."""

    def __init__(self, path: str, account: _Account) -> None:
        self.path = path
        self.account = account
        self.around: list[str] = []
        self.inside = "module"

    def visit_Module(self, node: ast.Module) -> None:
        self._docstring(node)
        self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._definition(node, "class", ", ".join(map(ast.unparse, [*node.bases, *node.keywords])))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        self._definition(node, "method" if self.inside == "class" else "function", ast.unparse(node.args) + returns)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        pass

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._assignment(target, node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._assignment(node.target, node)

    def _definition(self, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, kind: str, signature: str) -> None:
        self.around.append(node.name)
        name, end = ".".join(self.around), node.end_lineno or node.lineno
        self.account.definitions.append(Fact(self.path, node.lineno, end, f"{kind} {name}"))
        self.account.signatures.append(Fact(self.path, node.lineno, node.lineno, f"{kind} {name}", signature))
        self._docstring(node)
        before, self.inside = self.inside, kind
        for statement in node.body:
            self.visit(statement)
        self.inside = before
        self.around.pop()

    def _assignment(self, target: ast.expr, statement: ast.stmt) -> None:
        if self.inside not in ("module", "class"):
            return
        kind = "field" if self.inside == "class" else "variable"
        if isinstance(target, ast.Tuple | ast.List):
            for part in target.elts:
                self._assignment(part, statement)
        elif isinstance(target, ast.Starred):
            self._assignment(target.value, statement)
        elif isinstance(target, ast.Name):
            name = ".".join([*self.around, target.id])
            self.account.assignments.append(Fact(self.path, target.lineno, target.lineno, f"{kind} {name}"))

    def _docstring(self, node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        text = _tidy(ast.get_docstring(node, clean=True) or "")
        if text:  # an empty one is allowed, and says nothing
            line, end = node.body[0].lineno, node.body[0].end_lineno or 0
            self.account.docstrings.append(Fact(self.path, line, end, f"doc of {'.'.join(self.around) or '-'}", text))


def _our_account(code_map: CodeMap, paths: Iterable[str], theirs: _Account) -> _Account:
    ours = _Account()
    for path in paths:
        if path not in code_map.files:
            continue
        for symbol in code_map.symbols(path):
            if symbol.kind in _DEFINITIONS:
                what = f"{symbol.kind} {symbol.qualified_name}"
                ours.definitions.append(Fact(path, symbol.line, symbol.end_line, what))
                ours.signatures.append(Fact(path, symbol.line, symbol.line, what, _signature(symbol)))
            elif symbol.kind in _ASSIGNMENTS:
                ours.assignments.append(Fact(path, symbol.line, symbol.line, f"{symbol.kind} {symbol.qualified_name}"))
        in_docstrings: set[int] = set()
        for comment in code_map.comments(path):
            if comment.type == "doc":
                what = f"doc of {comment.owner or '-'}"
                ours.docstrings.append(Fact(path, comment.line, comment.end_line, what, _tidy(comment.content)))
                in_docstrings.update(range(comment.line, comment.end_line + 1))
            elif comment.line not in in_docstrings or comment.line in theirs.tokens[path]:
                _compare_comment(path, comment, ours, theirs)
            else:
                _compare_marker(code_map.root / path, path, comment, ours, theirs)
    return ours


def _compare_comment(path: str, comment: Comment, ours: _Account, theirs: _Account) -> None:
    """A row of ours covers a run of tokens; its text is right when it is what they say together."""
    tokens = theirs.tokens[path]
    lines = range(comment.line, comment.end_line + 1)
    ours.comment_lines += [Fact(path, line, line, "comment") for line in lines if _said(tokens.get(line, "#?"))]
    said = "\n".join(_said(tokens.get(line, "#(nothing)")) for line in lines).strip()
    ours.comment_texts.append(Fact(path, comment.line, comment.end_line, "comment", comment.content))
    theirs.comment_texts.append(Fact(path, comment.line, comment.end_line, "comment", said))


def _compare_marker(file: Path, path: str, comment: Comment, ours: _Account, theirs: _Account) -> None:
    """A TODO inside a docstring is no comment, but a row of its own: it must stand on the line we say it does."""
    opening = comment.content.split("\n", 1)[0]
    there = file.read_bytes().split(b"\n")[comment.line - 1].decode("utf-8", "replace")
    ours.comment_texts.append(Fact(path, comment.line, comment.line, comment.type, opening))
    theirs.comment_texts.append(Fact(path, comment.line, comment.line, comment.type, opening if opening in there else there))


def _said(comment: str) -> str:
    """A comment without its leader; an empty one says nothing."""
    return comment.lstrip("#").removeprefix(" ").rstrip()


def _signature(symbol: Symbol) -> str:
    """Our signature as ast understands it, or the reason why it does not."""
    try:
        (node,) = ast.parse(symbol.signature + ": pass").body
    except (SyntaxError, ValueError) as error:
        return f"(unreadable: {error})"
    if isinstance(node, ast.ClassDef):
        return ", ".join(map(ast.unparse, [*node.bases, *node.keywords]))
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return ast.unparse(node.args) + (f" -> {ast.unparse(node.returns)}" if node.returns else "")


def _tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n")).strip()


if __name__ == "__main__":
    sys.exit(main(measure, __doc__))
