"""Python docstrings: Google, NumPy, Sphinx and Epydoc style, told apart by what they look like. Pure."""

from __future__ import annotations

import re

from idumb_brain.model.documented import DocEntry, DocParameter, Documentation
from idumb_brain.scan.docstrings.tags import nothing_told

_PARAMETERS, _RETURNS, _YIELDS, _RAISES = "parameters", "returns", "yields", "raises"
_SECTIONS = {
    "args": _PARAMETERS, "arguments": _PARAMETERS, "parameters": _PARAMETERS, "params": _PARAMETERS,
    "keyword args": _PARAMETERS, "keyword arguments": _PARAMETERS, "other parameters": _PARAMETERS, "other params": _PARAMETERS,
    "other args": _PARAMETERS, "other arguments": _PARAMETERS,
    "returns": _RETURNS, "return": _RETURNS, "yields": _YIELDS, "yield": _YIELDS,
    "raises": _RAISES, "raise": _RAISES, "exceptions": _RAISES, "except": _RAISES,
    "attributes": "attributes", "example": "examples", "examples": "examples", "warns": "warns", "receives": "receives",
    "methods": "methods", "note": "", "notes": "", "see also": "", "references": "", "warnings": "", "warning": "", "todo": "",
}  # fmt: skip
_GOOGLE = re.compile(r"^([A-Z][A-Za-z]*(?: [A-Za-z]+)?):\s*$")
_UNDERLINE = re.compile(r"^(-{3,}|={3,})\s*$")
_ITEM = re.compile(r"^(\\?\*{0,2}(?:\\\*){0,2}[\w.\\]+)\s*(?:\((.*?)\))?\s*:(?:\s|$)")
_OPEN_TYPE = re.compile(r"^\\?\*{0,2}\w+\s*\([^)]*$|^\\?\*{0,2}\w+\s*\(.*[,|\[]$")
_NAMES = re.compile(r"^\\?\*{0,2}(?:\\\*){0,2}[A-Za-z_][\w.\\]*(?:\s*(?:,|/)\s*\\?\*{0,2}(?:\\\*){0,2}[A-Za-z_][\w.\\]*)*$")
_COLON = re.compile(r"\s*:(?:\s|$)|\s:|(?<=\w):(?=[A-Za-z{])")
_FIELD = re.compile(r"^\s*[:@](\w+)((?:[ \t]+[^:\n]+?)?)\s*:(?:\s|$)(.*)")
_PARAM_FIELDS = frozenset({"param", "parameter", "arg", "argument", "key", "keyword", "kwarg", "kwparam"})
_RETURN_FIELDS = frozenset({"return", "returns", "rtype"})
_YIELD_FIELDS = frozenset({"yield", "yields", "ytype"})
_RAISE_FIELDS = frozenset({"raises", "raise", "except", "exception"})
_ALL_FIELDS = _PARAM_FIELDS | _RETURN_FIELDS | _YIELD_FIELDS | _RAISE_FIELDS | {"type"}
_DEFAULT = re.compile(r"(?:,|\(|^)\s*(?:optional\W+)?default(?:s to|\s*[=:]|\s+is)?\s*(?P<value>.+?)\)?$", re.IGNORECASE)
# Only what ends there is the value: "defaults to 95% CI" is about something else.
_DEFAULT_TOLD = re.compile(
    r"\b[Dd]efaults? (?:to|is|value is) (?P<value>`+[^`]+`+|'[^']*'|\"[^\"]*\"|-?[\w.]*\w)(?=\s*(?:[;,)]|\.?$|\.\s))"
)


def read_python(text: str) -> Documentation:
    lines = text.split("\n")
    if any(_UNDERLINE.match(line) and _section(lines[i]) for i, line in enumerate(lines[1:])):
        return _numpy(lines)
    if any(_FIELD.match(line) and _is_field(line) for line in lines):
        fields = _fields(_without_literals(lines))
        if not fields.is_short:
            return fields
    return _google(lines)


def plain_name(written: str) -> str:
    """A documented name without stars and escapes."""
    return written.replace("\\", "").lstrip("*").strip("`").strip()


def _without_literals(lines: list[str]) -> list[str]:
    """The same lines, empty where they are an example after ``::``, which may document functions of its own."""
    kept: list[str] = []
    deeper_than = -1
    for line in lines:
        if line.strip() and _indent(line) <= deeper_than:
            deeper_than = -1
        kept.append("" if deeper_than >= 0 else line)
        if deeper_than < 0 and line.rstrip().endswith("::") and not _is_field(line):
            deeper_than = _indent(line)
    return kept


def _section(line: str) -> str | None:
    return _SECTIONS.get(line.strip().rstrip(":").lower())


def _is_field(line: str) -> bool:
    found = _FIELD.match(line)
    return found is not None and found[1] in _ALL_FIELDS


class _Draft:
    """What was read so far."""

    def __init__(self, style: str) -> None:
        self.style = style
        self.parameters: list[DocParameter] = []
        self.entries: dict[str, list[DocEntry]] = {_RETURNS: [], _YIELDS: [], _RAISES: []}
        self.sections: set[str] = set()

    def done(self) -> Documentation:
        e = self.entries
        return Documentation(
            self.style, tuple(self.parameters), tuple(e[_RETURNS]), tuple(e[_YIELDS]), tuple(e[_RAISES]), frozenset(self.sections)
        )


def _numpy(lines: list[str]) -> Documentation:
    draft = _Draft("numpy")
    heads = [
        i for i in range(len(lines) - 1) if lines[i].strip() and _UNDERLINE.match(lines[i + 1]) and not lines[i].startswith(" ")
    ]
    for position, head in enumerate(heads):
        end = heads[position + 1] if position + 1 < len(heads) else len(lines)
        section = _section(lines[head])
        if not section:
            continue
        body = range(head + 2, end)
        indent = min((_indent(lines[i]) for i in body if lines[i].strip()), default=0)
        items = [i for i in body if lines[i].strip() and _indent(lines[i]) == indent]
        if not items:
            continue
        draft.sections.add(section)
        if section == _PARAMETERS and lines[head].rstrip().endswith(":"):
            draft.sections.add("Parameters:")
        for number, i in enumerate(items):
            below = lines[i + 1 : items[number + 1] if number + 1 < len(items) else end]
            _numpy_item(draft, section, lines[i].strip(), i, below)
    return draft.done()


def _numpy_item(draft: _Draft, section: str, line: str, at: int, below: list[str]) -> None:
    if line.startswith((".. ", "...")):
        return
    if section == _PARAMETERS:
        split = _COLON.search(line)
        named, kind = (line[: split.start()].strip(), line[split.end() :].strip()) if split else (line, "")
        if not _NAMES.match(named.strip("`")) or line.startswith(("* ", "- ")):
            return
        kind, default = _typed(kind)
        told = "" if default else _told_default(below)
        default = default or told
        for name in re.split(r"\s*[,/]\s*", named.strip("`")):
            draft.parameters.append(DocParameter(name, kind, default if "," not in named else "", at, bool(told)))
    elif section in draft.entries:
        kind = line
        if section != _RAISES and " : " in line:
            kind = line.split(" : ", 1)[1]
        draft.entries[section].append(DocEntry(kind.strip("`"), at))


def _google(lines: list[str]) -> Documentation:
    draft = _Draft("google")
    at = 0
    while at < len(lines):
        head = _GOOGLE.match(lines[at])
        section = _section(head[1]) if head else None
        at += 1
        if not section:
            continue
        while at < len(lines) and not lines[at].strip():
            at += 1
        indent = _indent(lines[at]) if at < len(lines) else 0
        if indent == 0:
            continue
        begin = at
        while at < len(lines) and (not lines[at].strip() or _indent(lines[at]) > 0):
            at += 1
        draft.sections.add(section)
        items = [i for i in range(begin, at) if lines[i].strip() and _indent(lines[i]) == indent]
        for number, i in enumerate(items):
            below = lines[i : items[number + 1] if number + 1 < len(items) else at]
            _google_item(draft, section, lines[i].strip(), i, below, first=number == 0)
    return draft.done()


def _google_item(draft: _Draft, section: str, line: str, at: int, below: list[str], *, first: bool) -> None:
    item = _ITEM.match(line)
    if section == _PARAMETERS:
        if item is None and _OPEN_TYPE.match(line):  # the type goes over several lines
            line = " ".join(part.strip() for part in below)
            item = _ITEM.match(line)
        if item is None:
            grouped = re.match(r"^([\w*\\]+(?:, ?[\w*\\]+)+)\s*(?:\((.*?)\))?\s*:", line)
            if grouped:
                draft.parameters += [DocParameter(name.strip(), grouped[2] or "", "", at) for name in grouped[1].split(",")]
            return
        whole = _bracketed(line, item)
        kind, default = _typed(whole)
        draft.parameters.append(DocParameter(item[1], kind, default or _told_default(below), at, not default))
    elif section == _RAISES:
        name = line.split(":", 1)[0].strip().strip("`") if ":" in line else line.strip().strip("`").rstrip(".")
        name = re.sub(r"^~|^:\w+:`?~?|`$", "", name)
        if re.fullmatch(r"[\w.]+(?:\s*(?:,|or|\|)\s*[\w.]+)*", name) and (" " not in name or "," in name or " or " in name):
            draft.entries[_RAISES] += [DocEntry(one, at) for one in re.split(r"\s*(?:,|\bor\b|\|)\s*", name) if one]
        else:
            draft.entries[_RAISES].append(DocEntry("", at))
    elif section in draft.entries and first:
        kind = line.split(":", 1)[0].strip() if ":" in line else nothing_told(line.rstrip(".")) if " " not in line else ""
        draft.entries[section].append(DocEntry(kind if re.fullmatch(r"[\w.\[\], |`~:]+", kind) else "", at))


def _bracketed(line: str, item: re.Match[str]) -> str:
    """What stands in brackets behind the name; brackets inside it belong to it."""
    if item[2] is None:
        return ""
    depth = 0
    opening = line.index("(", item.end(1))
    for at in range(opening, len(line)):
        depth += (line[at] == "(") - (line[at] == ")")
        if depth == 0:
            return line[opening + 1 : at]
    return item[2]


def _fields(lines: list[str]) -> Documentation:
    draft = _Draft("sphinx" if not any(line.lstrip().startswith("@") for line in lines) else "epydoc")
    types: dict[str, str] = {}
    for at, line in enumerate(lines):
        found = _FIELD.match(line)
        if found is None:
            continue
        what, argument = found[1], found[2].strip()
        following = [found[3]]
        for below in lines[at + 1 :]:
            if not below.strip() or _FIELD.match(below):
                break
            following.append(below)
        if what in _PARAM_FIELDS and argument:
            *kind, name = argument.split()
            name, _, default = name.strip("`,").partition("=")
            draft.parameters.append(DocParameter(name, " ".join(kind), default or _told_default(following), at, not default))
            draft.sections.add(_PARAMETERS)
        elif what == "type" and argument:
            types[plain_name(argument)] = found[3].strip()
        elif what in _RETURN_FIELDS:
            kind_told = found[3].strip() if what == "rtype" else argument or nothing_told(found[3])
            draft.entries[_RETURNS].append(DocEntry(kind_told, at))
            draft.sections.add(_RETURNS)
        elif what in _YIELD_FIELDS:
            draft.entries[_YIELDS].append(DocEntry(argument, at))
            draft.sections.add(_YIELDS)
        elif what in _RAISE_FIELDS:
            names = argument or (found[3].split(":")[0] if ":" in found[3] else "")
            names = re.sub(r":\w+:`~?|`", "", names)
            draft.entries[_RAISES] += [DocEntry(name, at) for name in re.split(r"\s*,\s*|\s+or\s+|\s+", names)] or [
                DocEntry("", at)
            ]
            draft.sections.add(_RAISES)
    draft.parameters = [
        one if one.type else one._replace(type=_typed(types.get(plain_name(one.name), ""))[0]) for one in draft.parameters
    ]
    return draft.done()


def _typed(written: str) -> tuple[str, str]:
    """(type, default) of what is written where the type stands."""
    told = _DEFAULT.search(written)
    default = told["value"].strip().strip("`") if told else ""
    kind = written[: told.start()] if told else written
    kind = re.sub(r",?\s*\(?\boptional\b\)?|,?\s*keyword[- ]only|\brequired\b", "", kind, flags=re.IGNORECASE).strip(" ,;.")
    return kind, default


def _told_default(lines: list[str]) -> str:
    told = _DEFAULT_TOLD.search(" ".join(line.strip() for line in lines))
    return told["value"].strip("`") if told else ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
