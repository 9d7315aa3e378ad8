"""Documentation text to what it says of parameters, results and exceptions. Pure: reads no code and no files."""

from __future__ import annotations

import re

from idumb_brain.model.documented import Documentation
from idumb_brain.scan.docstrings.lists import read_lists
from idumb_brain.scan.docstrings.python import read_python
from idumb_brain.scan.docstrings.tags import read_tags
from idumb_brain.scan.docstrings.xml import read_xml

__all__ = ["read_documentation"]

_HOLE = re.compile(r"^\s*(?:\{\{?\w+\}?\}|%\(\w+\)s|\$\{?\w+\}?|<<\w+>>)\s*$", re.MULTILINE)
_READERS = {
    "python": read_python,
    "csharp": read_xml,
    "swift": read_lists,
    "rust": read_lists,
    "elixir": read_lists,
}
_BRACKETS_MEAN_OPTIONAL = ("javascript", "typescript", "jsx", "tsx")


def read_documentation(text: str, language: str) -> Documentation:
    """A doc comment, without its comment marks, taken apart as its language's readers would."""
    reader = _READERS.get(language)
    found = reader(text) if reader else read_tags(text, bracketed_types=language not in _BRACKETS_MEAN_OPTIONAL)
    if _HOLE.search(text):
        found = found._replace(partial=True)
    if found.is_short and language in ("swift", "rust", "dart", "go"):
        return found
    return found if not found.is_short or language in _READERS else read_lists(text)
