"""C# documentation in XML. Read leniently: what is not well-formed is still what the author wrote. Pure."""

from __future__ import annotations

import re

from idumb_brain.model.documented import DocEntry, DocParameter, Documentation

_PARAM = re.compile(r"<param\s+name\s*=\s*[\"'](@?\w+)[\"']")
_RETURNS = re.compile(r"<returns\s*>|<returns\s*/>")
_RAISES = re.compile(r"<exception\s+cref\s*=\s*[\"'](?:\w:)?([^\"']+)[\"']")
_INHERITED = re.compile(r"<inheritdoc\b|<include\b")


def read_xml(text: str) -> Documentation:
    def at(found: re.Match[str]) -> int:
        return text.count("\n", 0, found.start())

    parameters = tuple(DocParameter(found[1].lstrip("@"), "", "", at(found)) for found in _PARAM.finditer(text))
    returns = tuple(DocEntry("", at(found)) for found in _RETURNS.finditer(text))
    raises = tuple(DocEntry(found[1], at(found)) for found in _RAISES.finditer(text))
    told = (("parameters", parameters), ("returns", returns), ("raises", raises))
    return Documentation(
        "xml", parameters, returns, (), raises, frozenset(name for name, found in told if found), bool(_INHERITED.search(text))
    )
