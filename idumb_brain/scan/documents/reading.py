"""What the readers of all formats gather and share: the growing account of a document, its code, its versions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from idumb_brain.model.documents import Document, Link, Said, Section

_MANY = 20_000  # of links, spans, commands: more are no document
_QUIET = re.compile(r"(?:<!--|\.\.|//|\{/\*|^#)\s*idumb:\s*ignore(-file)?\b")
_SHELLS = frozenset(("sh", "bash", "shell", "zsh", "console", "shell-session", "shellsession", "terminal", "fish", "cmd", "powershell",
                     "bat", "ps1", "pwsh", "commandline", "command"))  # fmt: skip
_PROMPT = re.compile(r"^\s*(?:[\w.@~:/-]*[$%❯➜]|PS [^>]*>|C:\\[^>]*>|>)\s+")
_CLEAR_PROMPT = re.compile(r"^\s*\$\s+")
_CLEAR_COMMAND = re.compile(
    r"^\s*(?:npm (?:run|ci|i|install|test|start)|yarn|pnpm|cargo|pip3? install|python3? -m|composer|go (?:run|install|build))\b"
)
# A least version, said so: ">= 3.8", "3.8+", "3.8 or newer". A mere mention of a version claims nothing.
_MORE = r"(?:\s?\+|\s+(?:or|and|及)\s+(?:newer|later|higher|above|greater|up|upwards|更高)|\s+以上|\s+及以上)"
_DIGIT = re.compile(r"\d")
_VERSION = re.compile(
    r"(?<![\w./-])(?P<what>Python|CPython|Node(?:\.?js)?|Go(?:lang)?|Rust|rustc|MSRV|PHP|Ruby|Elixir|Dart|Flutter)\b"
    r"(?:\s+(?:SDK|runtime|interpreter|toolchain))?[\s*`_:(\[]{1,4}(?:versions?\s+)?"
    r"(?:(?P<least>>=|≥|&gt;=)\s*`?v?(?P<a>\d+(?:\.\d+){0,2})|v?(?P<b>\d+(?:\.\d+){0,2})(?:\.x)?[`*_]*"
    + _MORE
    + r")(?![\w.]*\d)",
    re.IGNORECASE,
)
_BADGE = re.compile(
    r"img\.shields\.io/badge/(?P<what>python|node(?:\.?js)?|go|rust|php|ruby)-"
    r"(?:v|%3E%3D|&gt;=|>=|≥|%E2%89%A5)*(?P<version>\d+(?:\.\d+){0,2})(?P<more>\+|%2B)?(?:-|%20)",
    re.IGNORECASE,
)


@dataclass
class Reading:
    """A document as it is being read."""

    format: str
    title: str = ""
    front_matter: dict[str, Any] = field(default_factory=dict)
    sections: list[Section] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    code: list[Said] = field(default_factory=list)
    commands: list[Said] = field(default_factory=list)
    literal: set[int] = field(default_factory=set)  # lines of code blocks, where nothing is prose
    problem: str = ""

    def span(self, line: int, text: str) -> None:
        text = " ".join(text.split())
        if text and len(text) <= 160 and len(self.code) < _MANY:
            self.code.append(Said(line, text))

    def link(self, line: int, kind: str, target: str, text: str = "") -> None:
        target = target.strip()
        if target and len(self.links) < _MANY:
            self.links.append(Link(line, kind, target[:2000], " ".join(text.split())[:160]))

    def block(self, line: int, language: str, lines: Sequence[str]) -> None:
        """A block of code that opens at ``line``; what it has its reader type into a shell is kept."""
        self.literal.update(range(line, line + len(lines)))
        shell = language.lower() in _SHELLS
        prompted = any(_PROMPT.match(text) for text in lines)
        for number, text in enumerate(joined(lines), line):
            if shell and not prompted:
                command = text
            elif (shell and (found := _PROMPT.match(text))) or (not language and (found := _CLEAR_PROMPT.match(text))):
                command = text[found.end() :]
            elif not language and _CLEAR_COMMAND.match(text):
                command = text
            else:
                continue
            command = command.strip()
            if command and not command.startswith("#") and len(self.commands) < _MANY:
                self.commands.append(Said(number, command[:300], language.lower()))

    def finished(self, lines: Sequence[str]) -> Document:
        return Document(
            self.format,
            title=self.title or next((section.title for section in self.sections), ""),
            sections=tuple(self.sections),
            front_matter=self.front_matter,
            links=tuple(self.links),
            anchors=tuple(dict.fromkeys(self.anchors)),
            labels=tuple(dict.fromkeys(self.labels)),
            code=tuple(self.code),
            commands=tuple(self.commands),
            versions=tuple(_versions(lines, self.literal)),
            quiet=tuple(_quiet(lines)),
            problem=self.problem,
        )


def joined(lines: Sequence[str]) -> Iterable[str]:
    """Lines of a shell, each that goes on behind a backslash with what it goes on with; one text a line all the same."""
    whole = ""
    pending = 0
    for text in lines:
        if text.endswith("\\"):
            whole += text[:-1] + " "
            pending += 1
            continue
        yield whole + text
        yield from [""] * pending
        whole, pending = "", 0
    if pending:
        yield whole


def _versions(lines: Sequence[str], literal: set[int]) -> Iterable[Said]:
    for number, text in enumerate(lines, 1):
        if number in literal or not _DIGIT.search(text):
            continue
        for found in _VERSION.finditer(text):
            yield Said(number, found["a"] or found["b"], _tool(found["what"]))
        for found in _BADGE.finditer(text):
            if found["more"] or found[0].count("%3E") or "≥" in found[0] or "&gt;" in found[0]:
                yield Said(number, found["version"], _tool(found["what"]))


def _tool(written: str) -> str:
    word = written.lower().replace(".", "")
    return {"nodejs": "node", "golang": "go", "rustc": "rust", "msrv": "rust", "cpython": "python"}.get(word, word)


def _quiet(lines: Sequence[str]) -> Iterable[int]:
    for number, text in enumerate(lines, 1):
        if "idumb" in text and (found := _QUIET.search(text)):
            if found[1]:
                yield 0
                continue
            yield number
            following = next((n for n in range(number, min(len(lines), number + 3)) if lines[n].strip()), None)
            if following is not None:
                yield following + 1
