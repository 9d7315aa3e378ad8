"""AsciiDoc line by line: sections, links, includes, code. Evaluates no attribute and no condition."""

from __future__ import annotations

import re

from idumb_brain.model.documents import IMAGE, INCLUDE, LINK, REFERENCE, Document, Section
from idumb_brain.scan.documents.reading import Reading

_HEADING = re.compile(r"^(={1,6}|#{1,6})\s+(\S.*?)(?:\s+\1)?\s*$")
_ATTRIBUTE = re.compile(r"^:!?([\w-]+)!?:(?:\s+(.*))?$")
_FENCE = re.compile(r"^(-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,}\w*)\s*$")
_SOURCE = re.compile(r"^\[(?:source|listing|,)[^,\]]*(?:,\s*([\w+-]+))?")
_BLOCK_ID = re.compile(r"^\[\[([^\],]+)|^\[[^\]]*?(?:#([\w:.-]+)|\bid=[\"']?([\w:.-]+))")
_INLINE_ID = re.compile(r"\[\[([\w:.-]+)(?:,[^\]]*)?\]\]|anchor:([\w:.-]+)\[")
_INCLUDE = re.compile(r"^include::([^\[]+)\[")
_IMAGE = re.compile(r"(?<!\w)image::?([^\s\[:][^\[\n]*)\[([^\]]*)")
_LINK = re.compile(r"(?<![\w/])link:(?:\+\+([^+\n]+)\+\+|([^\s\[\]]+))\[([^\]]*)")
_XREF = re.compile(r"(?<!\w)xref:([^\s\[\]]+)\[([^\]]*)")
_ANGLED = re.compile(r"<<([^<>,\n]+)(?:,\s*([^<>]*))?>>")
_URL = re.compile(r"(?<![\w:/\"'<(+])(https?://[^\s\[\]<>\"'`]+)(?:\[([^\]]*)\])?")
_CODE = re.compile(r"(?<![\w`+])(`\+|\+`|`|\+)(?=\S)([^`\n]+?)(?<=\S)(\+`|`\+|`|\+)(?![\w`])")


def read_asciidoc(text: str) -> Document:
    lines = text.split("\n")
    reading = Reading("asciidoc")
    attributes: dict[str, str] = {}
    fence, opened, language, pending = "", 0, "", ""
    for number, line in enumerate(lines, 1):
        if fence:
            if line.rstrip() == fence or (fence.startswith("```") and line.rstrip() == "```"):
                if fence[0] not in "/+":
                    reading.block(opened + 1, language, lines[opened : number - 1])
                else:
                    reading.literal.update(range(opened, number))
                fence, language = "", ""
            elif (found := _INCLUDE.match(line)) and fence[0] != "/":
                reading.link(number, INCLUDE, found[1])
            continue
        if found := _FENCE.match(line):
            fence, opened = line.rstrip(), number
            language = pending or fence.lstrip("`") if fence[0] in "-`" else ""
            pending = ""
            continue
        if line.startswith("//"):
            continue
        if found := _ATTRIBUTE.match(line):
            attributes[found[1]] = found[2] or ""
            continue
        if found := _INCLUDE.match(line):
            reading.link(number, INCLUDE, found[1])
            continue
        if found := _SOURCE.match(line):
            pending = found[1] or ""
            continue
        if (found := _BLOCK_ID.match(line)) and (identity := found[1] or found[2] or found[3]):
            reading.anchors.append(identity)
        if found := _HEADING.match(line):
            title = re.sub(r"[`*_]|\[\[.*?\]\]", "", found[2]).strip()
            reading.sections.append(Section(title, len(found[1]), number, _identified(title, attributes)))
        _inline(reading, number, line, attributes)
    reading.title = next((section.title for section in reading.sections if section.level == 1), "")
    reading.front_matter = {key: value for key, value in attributes.items() if value and "{" not in value}
    return reading.finished(lines)


def _inline(reading: Reading, number: int, line: str, attributes: dict[str, str]) -> None:
    for found in _INLINE_ID.finditer(line):
        reading.anchors.append(found[1] or found[2])
    for found in _CODE.finditer(line):
        reading.span(number, found[2])
    line = _CODE.sub(lambda found: " " * len(found[0]), line)
    for found in _IMAGE.finditer(line):
        folder = attributes.get("imagesdir", "")
        target = found[1] if not folder or "://" in found[1] or found[1].startswith("/") else f"{folder.rstrip('/')}/{found[1]}"
        reading.link(number, IMAGE, target, found[2])
    for found in _LINK.finditer(line):
        reading.link(number, LINK, found[1] or found[2], found[3])
    for found in _XREF.finditer(line):
        reading.link(number, REFERENCE, found[1], found[2])
    for found in _ANGLED.finditer(line):
        reading.link(
            number, REFERENCE, found[1] if "#" in found[1] or found[1].endswith(".adoc") else "#" + found[1], found[2] or ""
        )
    for found in _URL.finditer(line):
        reading.link(number, LINK, found[1].rstrip(".,;:)"), found[2] or "")


def _identified(title: str, attributes: dict[str, str]) -> str:
    """The id Asciidoctor gives, as the document's own attributes want it."""
    separator = attributes.get("idseparator", "_")
    words = re.sub(r"[^\w\s.-]", "", title.lower())
    return attributes.get("idprefix", "_") + re.sub(r"[\s.-]+", lambda _: separator or "", words).strip(separator or None)
