"""Documents to facts: what a README, a guide, a decision or a plan says. Pure: the same bytes at the same path give the same facts.

``document_facts`` is all that others need. The readers of the formats are imported when the first document of theirs comes along.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from idumb_brain.model.documents import Document

_FORMATS = {
    ".md": "markdown", ".markdown": "markdown", ".mkd": "markdown", ".mdx": "markdown", ".mdc": "markdown", ".rst": "restructuredtext",
    ".rest": "restructuredtext", ".adoc": "asciidoc", ".asciidoc": "asciidoc", ".asc": "asciidoc", ".txt": "text",
}  # fmt: skip
_NAMED = frozenset((
    "readme", "license", "licence", "copying", "changelog", "changes", "news", "history", "authors", "contributors", "contributing",
    "install", "todo", "notice", "security", "code_of_conduct", "maintainers", "hacking", "roadmap", "faq", "thanks", "credits",
    "release_notes", "releases", "upgrading", "copyright", "unlicense", "patents",
))  # fmt: skip


def format_of(path: str) -> str:
    """The format a document of this path is written in; "" for what is no document."""
    name = path[path.rfind("/") + 1 :]
    dot = name.rfind(".")
    if dot < 0:
        return "text" if name.lower().replace("-", "_") in _NAMED and name[0].isupper() else ""
    known = _FORMATS.get(name[dot:].lower(), "")
    if not known and name.lower() in (".cursorrules", ".windsurfrules", ".clinerules"):
        return "markdown"
    return known


def document_facts(path: str, source: bytes, folders: tuple[Path, ...]) -> Document | None:
    """What the document at a path says; None where it is data in a text file rather than a document."""
    from idumb_brain.scan.documents.classify import classified, is_document

    form = format_of(path)
    if not form:
        return None
    text = source.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    if form == "text" and not is_document(path, text, folders):
        return None
    return classified(path, _read(form, text), text, folders)


def _read(form: str, text: str) -> Document:
    if form == "markdown":
        from idumb_brain.scan.documents.markdown import read_markdown

        try:
            return read_markdown(text)
        except RecursionError:
            return replace(_plain(text), format=form, problem="nested too deeply to be read as Markdown; read as plain text")
    if form == "restructuredtext":
        from idumb_brain.scan.documents.restructuredtext import read_restructuredtext

        return read_restructuredtext(text)
    if form == "asciidoc":
        from idumb_brain.scan.documents.asciidoc import read_asciidoc

        return read_asciidoc(text)
    return _plain(text)


def _plain(text: str) -> Document:
    from idumb_brain.scan.documents.plain_text import read_plain_text

    return read_plain_text(text)
