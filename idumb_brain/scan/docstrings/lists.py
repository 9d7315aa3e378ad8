"""Documentation in Markdown lists: Swift, Rust, Elixir, and whoever else writes headings and bullets. Pure."""

from __future__ import annotations

import re

from idumb_brain.model.documented import DocEntry, DocParameter, Documentation

_SWIFT = re.compile(r"^\s*[-*+]\s+(Parameters?|Returns?|Throws)\b\s*(?:`?([\w]+)`?)?\s*:\s*(.*)$", re.IGNORECASE)
_HEADING = re.compile(
    r"^#{1,4}\s+(Arguments|Args|Parameters|Params|Returns?|Errors|Panics|Raises|Options)\s*:?\s*$", re.IGNORECASE
)
_ANY_HEADING = re.compile(r"^#{1,6}\s+\S")
_BULLET = re.compile(r"^(\s*)[-*+]\s+(?:\*\*)?(`?)([A-Za-z_][\w]*\??)\2(?:\*\*)?\s*(?:\([^)]*\)\s*)?(?:-|–|—|:|$)")
_FENCE = re.compile(r"^\s*(```|~~~)")
_KINDS = {
    "arguments": "parameters", "args": "parameters", "parameters": "parameters", "params": "parameters",
    "return": "returns", "returns": "returns", "errors": "raises", "raises": "raises", "panics": "panics", "options": "options",
}  # fmt: skip


def read_lists(text: str) -> Documentation:
    parameters: list[DocParameter] = []
    entries: dict[str, list[DocEntry]] = {"returns": [], "raises": []}
    sections: set[str] = set()
    section, indent, fenced = "", -1, False
    inside = -1  # indentation of "- Parameters:"
    for at, line in enumerate(text.split("\n")):
        if _FENCE.match(line):
            fenced = not fenced
        if fenced:
            continue
        swift = _SWIFT.match(line)
        deeper = inside >= 0 and len(line) - len(line.lstrip()) > inside  # a parameter may be called "parameters"
        if swift and not deeper:
            what, name = swift[1].lower(), swift[2]
            section = ""
            if what == "parameters":
                inside, indent = len(line) - len(line.lstrip()), -1
            elif what == "parameter" and name:
                inside = -1
                parameters.append(DocParameter(name, "", "", at))
                sections.add("parameters")
            elif what.startswith("return") or what == "throws":
                inside = -1
                key = "raises" if what == "throws" else "returns"
                entries[key].append(DocEntry("", at))
                sections.add(key)
            continue
        heading = _HEADING.match(line)
        if heading:
            section, indent, inside = _KINDS[heading[1].lower()], -1, -1
            sections.add(section)
            if section in entries:
                entries[section].append(DocEntry("", at))
            continue
        if _ANY_HEADING.match(line):
            section, inside = "", -1
            continue
        bullet = _BULLET.match(line)
        if bullet is None:
            if inside >= 0 and line.strip() and len(line) - len(line.lstrip()) <= inside:
                inside = -1
            continue
        deep = len(bullet[1])
        if inside >= 0 and deep <= inside:
            inside = -1
        if inside >= 0 or section == "parameters":
            if indent < 0:
                indent = deep
            if deep == indent and (bullet[2] or inside >= 0 or line.rstrip().endswith(":") or re.search(r"\s[-–—:]\s|:\s", line)):
                parameters.append(DocParameter(bullet[3].rstrip("?"), "", "", at))
                sections.add("parameters")
    return Documentation(
        "lists", tuple(parameters), tuple(entries["returns"]), (), tuple(entries["raises"]), frozenset(sections - {"options"})
    )
