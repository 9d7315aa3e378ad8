"""What a document says and what became of it, as frozen values. Refuses to know how documents are written or where facts are kept."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

TYPES = ("prd", "spec", "adr", "research", "plan", "config", "readme", "changelog", "guide", "other")

# Kinds of links.
LINK, IMAGE, REFERENCE, HTML, WIKI, INCLUDE, ROLE, TOC = (
    "link",
    "image",
    "reference",
    "html",
    "wiki",
    "include",
    "role",
    "toctree",
)

# Kinds of stale indicators.
DEAD_LINK, DEAD_ANCHOR = "dead-link", "dead-anchor"
MISSING_PATH, MISSING_SYMBOL, MISSING_COMMAND, OLD_VERSION = "missing-path", "missing-symbol", "missing-command", "old-version"


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    level: int
    line: int
    anchor: str


@dataclass(frozen=True, slots=True)
class Link:
    line: int
    kind: str
    target: str  # as written, without the quotes and brackets around it
    text: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """Something a document says about the project in code or in numbers: a span of code, a command, a version."""

    line: int
    text: str
    about: str = ""  # of a version: what it is the version of


@dataclass(frozen=True, slots=True)
class Document:
    """All that one document says by itself."""

    format: str
    title: str = ""
    type: str = "other"
    confidence: float = 0.0
    role: str = ""  # what it is for, where that is finer than the type: license, contributing, agent instructions …
    reasons: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    front_matter: dict[str, Any] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    anchors: tuple[str, ...] = ()  # ids a link may name beside those of the sections
    labels: tuple[str, ...] = ()  # names that are known in all documents of a Sphinx project
    code: tuple[Said, ...] = ()
    commands: tuple[Said, ...] = ()
    versions: tuple[Said, ...] = ()
    quiet: tuple[int, ...] = ()  # lines about which nothing is to be reported; 0 stands for all
    problem: str = ""

    def packed(self) -> str:
        rows: dict[str, Any] = {
            "format": self.format, "title": self.title, "type": self.type, "confidence": self.confidence, "role": self.role,
            "reasons": self.reasons, "frontMatter": self.front_matter, "anchors": self.anchors, "labels": self.labels,
            "sections": [(s.title, s.level, s.line, s.anchor) for s in self.sections],
            "links": [(link.line, link.kind, link.target, link.text) for link in self.links],
            "code": [(said.line, said.text) for said in self.code],
            "commands": [(said.line, said.text, said.about) for said in self.commands],
            "versions": [(said.line, said.text, said.about) for said in self.versions],
            "quiet": self.quiet, "problem": self.problem,
        }  # fmt: skip
        return json.dumps({key: value for key, value in rows.items() if value}, ensure_ascii=False, separators=(",", ":"))


def unpacked(text: str) -> Document:
    rows = json.loads(text)
    return Document(
        rows["format"],
        rows.get("title", ""),
        rows.get("type", "other"),
        rows.get("confidence", 0.0),
        rows.get("role", ""),
        tuple(rows.get("reasons", ())),
        tuple(Section(*row) for row in rows.get("sections", ())),
        rows.get("frontMatter", {}),
        tuple(Link(*row) for row in rows.get("links", ())),
        tuple(rows.get("anchors", ())),
        tuple(rows.get("labels", ())),
        tuple(Said(*row) for row in rows.get("code", ())),
        tuple(Said(*row) for row in rows.get("commands", ())),
        tuple(Said(*row) for row in rows.get("versions", ())),
        tuple(rows.get("quiet", ())),
        rows.get("problem", ""),
    )


@dataclass(frozen=True, slots=True)
class Relation:
    """A document leads to a document, a file of code, or a symbol (written FILE#NAME)."""

    source: str
    target: str
    kind: str  # link, image, include, toctree, path, symbol
    line: int


@dataclass(frozen=True, slots=True)
class Stale:
    """Something a document says that is no longer so, and how we know."""

    line: int
    kind: str
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Evidence:
    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Governance:
    """A way of steering agents or work that a project has taken up, and where that shows."""

    name: str
    kind: str  # method, instructions, rules, agent setup, tools
    scope: str  # the folder it holds for; "" is the whole project
    evidence: tuple[Evidence, ...]
    counts: dict[str, int]
