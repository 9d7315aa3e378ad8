"""reStructuredText line by line: sections, links, roles, directives that name files. Runs no directive."""

from __future__ import annotations

import re
from collections.abc import Sequence

from idumb_brain.model.documents import IMAGE, INCLUDE, LINK, ROLE, TOC, Document, Section
from idumb_brain.scan.documents.anchors import numbered
from idumb_brain.scan.documents.reading import Reading

_LINE = re.compile(r"([!-/:-@\[-`{-~])\1*\s*$")
_DIRECTIVE = re.compile(r"^(\s*)\.\. (?:\|[^|]+\| )?([\w:.+-]+)::(?:\s+(.*?))?\s*$")
_TARGET = re.compile(r"^\s*(?:\.\. _(`[^`]+`|(?![ _])(?:[^:\\]|\\.|:(?!\s|$))+):|__)\s*(.*)$")
_LITERAL = frozenset(("code", "code-block", "sourcecode", "parsed-literal", "math", "raw", "highlight", "prompt", "ipython", "doctest",
                      "testcode", "testoutput", "testsetup", "graphviz", "mermaid", "uml", "plantuml", "productionlist", "ditaa",
                      "csv-table", "console", "jupyter-execute", "plot", "digraph", "graph", "tabularcolumns", "index"))  # fmt: skip
_LANGUAGE = frozenset(("code", "code-block", "sourcecode"))
_INCLUDES = frozenset(("include", "literalinclude", "mdinclude"))
_IMAGES = frozenset(("image", "figure"))
_CODE = re.compile(r"(?<![`\w])``(?=\S)(.+?)(?<=\S)``(?!`)")
_ROLE = re.compile(r":([a-zA-Z][\w.+:-]*):`([^`]+)`")
_LINKED = re.compile(r"(?<![`\w:])`([^`<]*)<([^`<>]+)>`(__?)")
_NAMED = re.compile(r"(?<![`\w:])`([^`<>]+)`_(?!_)")
_ANGLED = re.compile(r"^(.*?)\s*<([^<>]+)>$", re.DOTALL)
_ROLES_THAT_LINK = frozenset(("doc", "ref", "numref", "download", "std:doc", "std:ref"))


def read_restructuredtext(text: str) -> Document:
    return _Reader(text.split("\n")).read()


class _Reader:
    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._reading = Reading("restructuredtext")
        self._styles: list[tuple[str, bool]] = []
        self._headings: list[tuple[str, int, int]] = []
        self._targets: dict[str, str] = {}
        self._named: list[tuple[int, str]] = []

    def read(self) -> Document:
        at = 0
        paragraph: list[tuple[int, str]] = []
        while at < len(self._lines):
            taken = self._structure(at)
            if taken or not self._lines[at].strip():
                opens_literal = not taken and bool(paragraph) and paragraph[-1][1].rstrip().endswith("::")
                indent = _indent(paragraph[-1][1]) if paragraph else 0
                self._prose(paragraph)
                paragraph = []
                at += taken or 1
                if opens_literal:
                    end = self._block_end(at, indent)
                    self._reading.block(at + 1, "", self._lines[at:end])
                    at = end
                continue
            paragraph.append((at + 1, self._lines[at]))
            at += 1
        self._prose(paragraph)
        self._settle()
        return self._reading.finished(self._lines)

    def _structure(self, at: int) -> int:
        """How many lines something other than prose takes here."""
        line = self._lines[at]
        if not line.strip():
            return 0
        if heading := self._heading(at):
            return heading
        if (stripped := line.lstrip()).startswith(".. ") or stripped.rstrip() == "..":
            return self._explicit(at)
        if stripped.startswith("__ "):
            return 1
        return 0

    def _heading(self, at: int) -> int:
        lines = self._lines
        first = lines[at]
        if _LINE.match(first) and at + 2 < len(lines):
            title, under = lines[at + 1], lines[at + 2]
            if title.strip() and not _LINE.fullmatch(title) and under.rstrip() == first.rstrip() and len(first.rstrip()) > 2:
                self._add_heading(title.strip(), at + 2, (first[0], True))
                return 3
        if first[0] not in " \t" and at + 1 < len(lines) and _LINE.fullmatch(lines[at + 1]) and not _LINE.fullmatch(first):
            under = lines[at + 1].rstrip()
            before = lines[at - 1].strip() if at else ""
            if not before and len(under) >= min(len(first.rstrip()), 4) and (len(under) > 2 or len(first.rstrip()) <= len(under)):
                self._add_heading(first.strip(), at + 1, (under[0], False))
                return 2
        return 0

    def _add_heading(self, title: str, line: int, style: tuple[str, bool]) -> None:
        if style not in self._styles:
            self._styles.append(style)
        self._headings.append((title, self._styles.index(style) + 1, line))
        self._inline(line, title)

    def _explicit(self, at: int) -> int:
        line = self._lines[at]
        indent = _indent(line)
        if directive := _DIRECTIVE.match(line):
            return self._directive(at, indent, directive[2], directive[3] or "")
        target = _TARGET.match(line)
        if target and target[1]:
            name, where = target[1].strip("`"), target[2].strip()
            if where:
                self._targets[name.lower()] = where
                if not where.endswith("_"):
                    self._reading.link(at + 1, LINK, where.replace("\\_", "_"), name)
            else:
                self._reading.labels.append(name)
                self._reading.anchors.append(_identified(name))
            return 1
        if re.match(r"\s*\.\. (?:\[|\|)", line):
            return 0  # a footnote, a citation, a substitution: text all the same
        return self._block_end(at + 1, indent) - at

    def _directive(self, at: int, indent: int, name: str, argument: str) -> int:
        short = name.rpartition(":")[2].lower()
        end = self._block_end(at + 1, indent)
        options = 1
        while at + options < end and re.match(r"\s+:[\w-]+:", self._lines[at + options]):
            option = self._lines[at + options].strip()
            if short in _IMAGES and option.startswith(":target:"):
                self._reading.link(at + options + 1, LINK, option[8:])
            if option.startswith(":name:"):
                self._reading.labels.append(option[6:].strip())
                self._reading.anchors.append(option[6:].strip())
            options += 1
        if short in _IMAGES:
            self._reading.link(at + 1, IMAGE, argument)
        elif short in _INCLUDES:
            self._reading.link(at + 1, INCLUDE, argument)
        elif short == "toctree":
            self._toctree(at + options, end)
            return end - at
        if short in _LITERAL or short in _INCLUDES:
            language = argument.split()[0] if short in _LANGUAGE and argument else short
            self._reading.block(at + options + 1, language, [line.strip() for line in self._lines[at + options : end]])
            return max(1, end - at)
        return options

    def _toctree(self, at: int, end: int) -> None:
        for number in range(at, end):
            entry = self._lines[number].strip()
            if not entry or entry.startswith(":"):
                continue
            found = _ANGLED.match(entry)
            self._reading.link(number + 1, TOC, found[2] if found else entry, found[1] if found else "")

    def _block_end(self, at: int, indent: int) -> int:
        """Where a block ends that is indented by more than this."""
        end = at
        for number in range(at, len(self._lines)):
            line = self._lines[number]
            if line.strip():
                if _indent(line) <= indent:
                    break
                end = number + 1
        return max(end, at)

    def _prose(self, paragraph: Sequence[tuple[int, str]]) -> None:
        if paragraph:
            self._inline(paragraph[0][0], "\n".join(line for _, line in paragraph))

    def _inline(self, line: int, text: str) -> None:
        if "`" not in text:
            return

        def at(position: int) -> int:
            return line + text.count("\n", 0, position)

        for found in _CODE.finditer(text):
            self._reading.span(at(found.start()), found[1])
        text = _CODE.sub(lambda found: re.sub(r"\S", " ", found[0]), text)
        for found in _ROLE.finditer(text):
            role, content = found[1], found[2]
            angled = _ANGLED.match(content)
            target = angled[2] if angled else content
            if role in _ROLES_THAT_LINK:
                self._reading.link(at(found.start()), ROLE, f"{role.rpartition(':')[2]}:{target}", angled[1] if angled else "")
            elif role.rpartition(":")[2] in (
                "file",
                "code",
                "command",
                "mod",
                "class",
                "func",
                "meth",
                "attr",
                "exc",
                "data",
                "obj",
            ):
                self._reading.span(at(found.start()), target.lstrip("~!."))
        text = _ROLE.sub(lambda found: re.sub(r"\S", " ", found[0]), text)
        for found in _LINKED.finditer(text):
            where = found[2].strip()
            if not where.endswith("_"):
                name = " ".join(found[1].split())
                self._reading.link(at(found.start()), LINK, "".join(where.split("\n")).strip(), name)
                if found[3] == "_":
                    self._targets[name.lower()] = where

    def _settle(self) -> None:
        reading = self._reading
        slugs = numbered(_identified(title) for title, _, _ in self._headings)
        for (title, level, line), slug in zip(self._headings, slugs, strict=True):
            clean = re.sub(r":[\w:]+:`([^`<]*?)(?:\s*<[^>]*>)?`|``?([^`]+)``?_?", lambda found: found[1] or found[2] or "", title)
            reading.sections.append(Section(clean, level, line, slug))
        reading.title = next((section.title for section in reading.sections), "")


def _identified(name: str) -> str:
    """The id docutils gives: letters and digits, everything else a hyphen."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _indent(line: str) -> int:
    expanded = line.expandtabs(8)
    return len(expanded) - len(expanded.lstrip())
