"""Markdown as CommonMark and GitHub read it: headings, links, code. Makes no HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from idumb_brain.model.documents import HTML, IMAGE, LINK, WIKI, Document, Section
from idumb_brain.scan.documents.anchors import explicit_anchor, github_anchor, numbered
from idumb_brain.scan.documents.front_matter import split
from idumb_brain.scan.documents.reading import Reading

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_TELLING = re.compile(r"[\[`<&\\]|::")  # a paragraph without any of these has neither links nor code
_LONG = 200_000  # characters of one paragraph: no person wrote it
_MARKED = re.compile(r"[`\[\]<>\\&*_!~]")
_WIKI = re.compile(r"!?\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\]")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<([a-zA-Z][\w.-]*)((?:\s+[^<>]*?)?)/?>", re.DOTALL)
_ATTRIBUTE = re.compile(r"""(?<![\w:.-])(href|src|srcset|id|name)\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_HEADING = re.compile(r"<h([1-6])\b[^>]*>(.*?)</h\1\s*>", re.DOTALL | re.IGNORECASE)
_REFERENCED = frozenset(("a", "link", "area"))


def read_markdown(text: str) -> Document:
    lines = text.split("\n")
    reading = Reading("markdown")
    reading.front_matter, taken, reading.problem = split(lines)
    body = "\n" * taken + "\n".join(lines[taken:])
    headings: list[tuple[str, int, int, str]] = []
    environment: dict[str, Any] = {}
    parser = _parser()
    tokens = parser.parse(body, environment)
    row = 0
    for at, token in enumerate(tokens):
        if token.map:
            row = token.map[0]
        if token.type == "inline":
            inline = _Inline(token.content, row, reading)
            in_heading = at > 0 and tokens[at - 1].type == "heading_open"
            if in_heading or (_TELLING.search(token.content) and len(token.content) < _LONG):
                inline.read(parser, environment)
            if in_heading:
                written, own = explicit_anchor(inline.text or token.content)
                headings.append((written.strip(), int(tokens[at - 1].tag[1]), row + 1, own))
        elif token.type == "fence":
            words = re.split(r"[\s,{:]", token.info.strip(), maxsplit=1)
            reading.block(row + 2, words[0].lstrip("."), token.content.split("\n")[:-1])
        elif token.type == "code_block":
            reading.block(row + 1, "", token.content.split("\n")[:-1])
        elif token.type == "html_block":
            headings += _read_html(token.content, row + 1, reading)
    _place_sections(reading, headings)
    stated = reading.front_matter.get("title")
    if isinstance(stated, str) and stated.strip():
        reading.title = stated.strip()
    else:
        reading.title = next((s.title for s in reading.sections if s.level == 1 and s.title), "")
    return reading.finished(lines)


def _place_sections(reading: Reading, headings: Sequence[tuple[str, int, int, str]]) -> None:
    slugs = numbered(github_anchor(title) for title, _, _, _ in headings)
    for (title, level, line, own), slug in zip(headings, slugs, strict=True):
        reading.sections.append(Section(" ".join(title.split()), level, line, own or slug))  # two spaces are two hyphens
        if own:
            reading.anchors.append(slug)


@cache
def _parser() -> MarkdownIt:
    """Blocks only: inline text is read where it can say something. Every rule that matters here tells where it matched."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": 60}).enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    rules = {rule.name: rule.fn for rule in parser.inline.ruler.__rules__}
    for name in ("link", "image", "backticks", "autolink", "html_inline"):
        parser.inline.ruler.at(name, _placed(rules[name]))
    parser.normalizeLink = _as_written  # type: ignore[method-assign]
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser


def _placed(rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    def noting_where(state: StateInline, silent: bool) -> bool:
        start, before = state.pos, len(state.tokens)
        if not rule(state, silent):
            return False
        if not silent:
            for token in state.tokens[before:]:
                if token.type != "text":
                    token.meta.setdefault("at", start)
                    break
        return True

    return noting_where


def _as_written(url: str) -> str:
    return url


class _Inline:
    """One paragraph, heading or cell: its links and code with their lines, and its text as a reader sees it."""

    def __init__(self, content: str, row: int, reading: Reading) -> None:
        self._content = content
        self._row = row
        self._reading = reading
        self.text = ""

    def read(self, parser: MarkdownIt, environment: dict[str, Any]) -> None:
        if not _MARKED.search(self._content):  # prose alone, as most of it is: a soft break shows as a blank
            self.text = " ".join(part.strip() for part in self._content.split("\n"))
            return
        tokens: list[Token] = []
        parser.inline.parse(self._content, parser, environment, tokens)
        self.text = "".join(_seen(tokens))
        hidden: list[str] = []
        for at, token in enumerate(tokens):
            line = self._line(token)
            if token.type == "code_inline":
                self._reading.span(line, token.content)
                hidden.append(token.content)
            elif token.type == "link_open":
                self._reading.link(line, LINK, str(token.attrs.get("href", "")), "".join(_seen(_inside(tokens, at))))
            elif token.type == "image":
                self._reading.link(line, IMAGE, str(token.attrs.get("src", "")), token.content)
            elif token.type == "html_inline":
                _read_html(token.content, line, self._reading)
        if "[[" in self._content:
            for found in _WIKI.finditer(self._content):
                if not any(found[0] in code for code in hidden) and not self._content.startswith("(", found.end()):
                    line = self._row + 1 + self._content.count("\n", 0, found.start())
                    self._reading.link(line, WIKI, found[1], found[2] or "")

    def _line(self, token: Token) -> int:
        return self._row + 1 + self._content.count("\n", 0, token.meta.get("at", 0))


def _inside(tokens: Sequence[Token], opening: int) -> Iterator[Token]:
    for token in tokens[opening + 1 :]:
        if token.type == "link_close":
            return
        yield token


def _seen(tokens: Sequence[Token] | Iterator[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in ("text", "code_inline", "text_special"):
            yield token.content
        elif token.type in ("softbreak", "hardbreak"):
            yield " "


def _read_html(source: str, line: int, reading: Reading) -> list[tuple[str, int, int, str]]:
    """Links and ids of raw HTML; returns its headings, which have anchors like any other."""
    source = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), source)
    headings: list[tuple[str, int, int, str]] = []
    for found in _HEADING.finditer(source):
        title = " ".join(html.unescape(_TAG.sub("", re.sub(r"</[^>]*>", "", found[2]))).split())
        if title:
            headings.append((title, int(found[1]), line + source.count("\n", 0, found.start()), ""))
    for tag in _TAG.finditer(source):
        for attribute in _ATTRIBUTE.finditer(tag[2]):
            name, value = attribute[1].lower(), html.unescape(attribute[2] if attribute[2] is not None else attribute[3])
            at = line + source.count("\n", 0, tag.start(2) + attribute.start())
            if name == "id" or (name == "name" and tag[1].lower() not in ("input", "meta", "form", "param", "select")):
                reading.anchors.append(value)
            elif name == "href" and tag[1].lower() in _REFERENCED:
                reading.link(at, HTML, value)
            elif name == "src" and tag[1].lower() in ("img", "source", "video", "audio"):
                reading.link(at, IMAGE, value)
            elif name == "srcset":
                for part in value.split(","):
                    reading.link(at, IMAGE, part.split()[0] if part.split() else "")
    return headings
