"""Documentation in tags: JSDoc, TSDoc, Javadoc, KDoc, phpDoc, Scaladoc, YARD, LDoc, Doxygen. Pure."""

from __future__ import annotations

import re

from idumb_brain.model.documented import DocEntry, DocParameter, Documentation

_TAG = re.compile(r"^\s*[@\\](?P<tag>[a-zA-Z][\w-]*)(?P<how>\[[\w, ]*\])?(?P<rest>.*)$")
_PARAM = frozenset({"param", "arg", "argument", "tparam", "property_param"})
_RETURNS = frozenset({"return", "returns", "retval", "treturn", "result"})
_YIELDS = frozenset({"yield", "yields", "yieldreturn"})
_RAISES = frozenset({"throws", "throw", "exception", "raise", "raises"})
_INHERITED = re.compile(r"[@\\](?:inheritdoc|inheritDoc|override|copydoc|copybrief|ditto)\b|\{@inherit[dD]oc\}|<inheritdoc")
# The rest of such a comment is about something else than the function below it.
_ABOUT_OTHERS = frozenset(
    {
        "overload",
        "signature",
        "callback",
        "typedef",
        "function",
        "method",
        "name",
        "lends",
        "class",
        "interface",
        "fn",
        "def",
        "abstract",
        "virtual",
    }
)
_NOTHING = re.compile(r"^(?:nothing|none|void|undefined|null|n/a|no (?:return )?values?)\b", re.IGNORECASE)
_FENCE = re.compile(r"^\s*(```|~~~)")
_NAME = re.compile(r"^(?:\.\.\.|&|\$|\*)*([\w$][\w$.\[\]-]*)")


def read_tags(text: str, *, bracketed_types: bool = True) -> Documentation:
    """``bracketed_types``: ``@param [String] name`` has a type, as in YARD; in JSDoc it is a parameter that may be left out."""
    parameters: list[DocParameter] = []
    entries: dict[str, list[DocEntry]] = {"returns": [], "yields": [], "raises": []}
    sections: set[str] = set()
    lines = text.split("\n")
    fenced = example = False
    for at, line in enumerate(lines):
        if _FENCE.match(line):
            fenced = not fenced
        found = None if fenced else _TAG.match(line)
        if found is None:
            continue
        tag, rest = found["tag"], found["rest"].strip()
        if example and tag not in _PARAM | _RETURNS | _RAISES:
            example = tag == "example" or example
            continue
        example = tag == "example"
        if tag in _PARAM:
            one = _parameter(tag, rest, lines, at, bracketed_types)
            if one is not None:
                parameters.append(one)
                sections.add("parameters")
        elif tag in _RETURNS:
            entries["returns"].append(DocEntry(_type(rest) or nothing_told(rest), at))
            sections.add("returns")
        elif tag in _YIELDS:
            entries["yields"].append(DocEntry(_type(rest), at))
            sections.add("yields")
        elif tag in _RAISES:
            entries["raises"].append(DocEntry(_type(rest) or _word(rest), at))
            sections.add("raises")
        elif tag in _ABOUT_OTHERS:
            sections.add(f"@{tag}")
    return Documentation(
        "tags", tuple(parameters), tuple(entries["returns"]), tuple(entries["yields"]), tuple(entries["raises"]),
        frozenset(sections), bool(_INHERITED.search(text)),
    )  # fmt: skip


def _parameter(tag: str, rest: str, lines: list[str], at: int, bracketed_types: bool) -> DocParameter | None:
    kind = ""
    if rest.startswith("{"):
        kind, rest = _braced(rest, lines, at)
    elif (
        bracketed_types
        and rest.startswith("[")
        and (yard := re.match(r"^\[([^\]=]*)\]\s+(\S+)", rest))
        and not re.match(r"^\[[\w$.]+\]\s*(?:-|$)", rest)
    ):
        kind, rest = yard[1], rest[yard.end(1) + 1 :].strip()  # YARD: @param [Type] name
    elif tag == "tparam" and " " in rest:
        kind, rest = rest.split(None, 1)
    elif php := re.match(r"^([\\\w|&<>\[\](){},?:'\" ]*?[\w>\])])\s+((?:&|\.\.\.)*\$\w+)", rest):
        kind, rest = php[1], php[2]
    rest = rest.strip()
    default = ""
    if rest.startswith("["):
        inner = _closed(rest)
        name, _, default = inner.partition("=")
        rest = name.strip()
    if not rest:
        return DocParameter("", kind, "", at)
    if rest.startswith("<"):  # Javadoc: @param <T> a type parameter
        return None
    yard_behind = re.match(r"^(\w+)\s+\[([^\]]+)\]", rest)  # YARD: @param name [Type]
    if yard_behind and not kind:
        kind = yard_behind[2]
    named = _NAME.match(rest)
    if named is None:
        return None
    name = named[1].rstrip(".-:")
    return DocParameter(name, kind, default.strip(), at)


def _braced(rest: str, lines: list[str], at: int) -> tuple[str, str]:
    """The type in braces, which may go over several lines, and what follows."""
    whole = rest
    for more in range(1, 12):
        depth = 0
        for i, character in enumerate(whole):
            depth += (character == "{") - (character == "}")
            if depth == 0:
                return whole[1:i].strip(), whole[i + 1 :].strip()
        if at + more >= len(lines):
            break
        whole += " " + lines[at + more].strip()
    return "", ""


def _closed(rest: str) -> str:
    depth = 0
    for i, character in enumerate(rest):
        depth += (character == "[") - (character == "]")
        if depth == 0:
            return rest[1:i]
    return rest[1:]


def nothing_told(text: str) -> str:
    """``nothing``, where that is what a description says is returned."""
    return "nothing" if _NOTHING.match(text.strip()) else ""


def _type(rest: str) -> str:
    if rest.startswith("{"):
        return _braced(rest, [rest], 0)[0]
    if rest.startswith("["):
        return _closed(rest)
    return ""


def _word(rest: str) -> str:
    found = re.match(r"^[\\\w.:#]+", rest)
    return found[0].rstrip(".:") if found else ""
