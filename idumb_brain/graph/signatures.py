"""The text of a signature to its parts: parameters, result, bases, modifiers. Pure; what it cannot read it leaves whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

POSITION, EITHER, KEYWORD, REST, REST_KEYWORDS = "position", "either", "keyword", "rest", "rest of the keywords"
CALLABLE = {"function", "method", "constructor", "macro", "delegate", "operator", "indexer"}
CONTAINERS = {
    "class",
    "interface",
    "struct",
    "trait",
    "record",
    "enum",
    "union",
    "object",
    "protocol",
    "actor",
    "module",
    "mixin",
}

_OPENING, _CLOSING = "([{", ")]}"
_WORD = re.compile(r"[\w$]+")
# What may stand between a name and its parameters: "x = async function", "x: (", "x?("
_BETWEEN = re.compile(r"\s+|\?|\s*(?::\s*)?(?:=\s*)?(?:async\s*)?(?:function\b\*?)?\s*(?=[(<])|\s*=\s*(?:async\b)?\s*")
_ANNOTATION = re.compile(r"(?:@[\w.:]+|#\[)\s*")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a language writes its signatures; the table is ``queries/api.toml``."""

    order: str = "name"  # "name": name before type; "type": type before name; "go", "ruby", "bare"
    returns: str = ":"  # what stands between parameters and result; "" nothing does; "before": it comes first
    by_name: bool = False  # callers may name parameters
    angles: bool = True  # <…> are brackets
    receivers: tuple[str, ...] = ()  # names of a first parameter that callers do not give
    bases: str = ""  # regular expression: what opens the list of bases
    modifiers: frozenset[str] = frozenset()
    spellings: Mapping[str, str] = field(default_factory=dict)  # another way to write a type
    unions: bool = False  # a | b is a type
    nothing: bool = False  # a result that is not stated is none


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: str
    default: str
    optional: bool
    passed: str  # POSITION, EITHER, KEYWORD, REST, REST_KEYWORDS


@dataclass(frozen=True, slots=True)
class Signature:
    modifiers: frozenset[str]
    parameters: tuple[Parameter, ...] | None  # None: nothing to call
    receiver: str
    type: str  # of the result, or of the value
    bases: tuple[str, ...]
    value: str
    optional: bool  # a field that need not be there
    accessors: frozenset[str]
    clauses: str  # where …, throws …


def understood(text: str, name: str, kind: str, dialect: Dialect) -> Signature:
    text = " ".join(text.split())
    head, parameters, tail = _around_parameters(text, name, kind, dialect)
    modifiers = frozenset(word for word in _WORD.findall(head) if word in dialect.modifiers)
    receiver = ""
    if kind in CONTAINERS:
        taken = _parameters(parameters, dialect)[1] if parameters is not None and dialect.bases != "(" else None
        return Signature(modifiers, taken, "", "", _bases(text, name, parameters, tail, dialect), "", False, frozenset(), "")
    if parameters is None:
        return _value(text, name, kind, modifiers, dialect)
    receiver, taken = _parameters(parameters, dialect)
    if dialect.order == "go" and (stated := re.match(r"func \(([^)]*)\)", head)):
        receiver = "a pointer" if "*" in stated[1] else "a value"
    if dialect.returns == "before":
        result = _without(head, dialect.modifiers)
        result = re.sub(r"^<[^()]*?>\s+(?=\S)", "", result) if dialect.angles else result
        clauses = tail
    else:
        result, clauses = _result(tail, dialect)
    return Signature(modifiers, taken, receiver, spelled(result, dialect), (), "", False, frozenset(), clauses.strip())


def spelled(type_: str, dialect: Dialect) -> str:
    """A type in its usual spelling, so that two ways to write it are one."""
    type_ = type_.strip()
    for pattern, usual in dialect.spellings.items():
        before = ""
        while before != type_:
            before, type_ = type_, re.sub(pattern, usual, type_)
    return re.sub(r"\s*([,:|&<>()\[\]{}=])\s*", r"\1", type_).strip()


def alternatives(type_: str, dialect: Dialect) -> frozenset[str]:
    """The types that a type is one of."""
    if not dialect.unions and "?" not in type_:
        return frozenset((type_,))
    parts = split(type_, "|", dialect.angles) if dialect.unions else [type_]
    found: set[str] = set()
    for part in (part.strip() for part in parts):
        if part.endswith("?") or part.startswith("?"):
            found |= {part.strip("?"), "null"}
        elif part:
            found.add(part)
    return frozenset(found)


def split(text: str, at: str, angles: bool) -> list[str]:
    """Text in pieces, brackets and quotes left whole."""
    pieces: list[str] = []
    start = 0
    for i, depth, bracket in _unquoted(text, angles):
        if not bracket and depth == 0 and text.startswith(at, i):
            pieces.append(text[start:i])
            start = i + len(at)
    pieces.append(text[start:])
    return pieces


def _unquoted(text: str, angles: bool, start: int = 0) -> Iterator[tuple[int, int, bool]]:
    """(position, depth of brackets behind it, whether it is one) of every character outside quotes."""
    depth, quote = 0, ""
    for i in range(start, len(text)):
        character = text[i]
        if quote:
            if character == quote and text[i - 1] != "\\":
                quote = ""
        elif character in "\"'`" and not (character == "'" and _is_lifetime(text, i)):
            quote = character
        elif character in _OPENING or (angles and character == "<" and _opens(text, i)):
            depth += 1
            yield i, depth, True
        elif character in _CLOSING or (angles and character == ">" and text[i - 1] not in "-=" and depth):
            depth -= 1
            yield i, depth, True
        else:
            yield i, depth, False


def _is_lifetime(text: str, at: int) -> bool:
    """Rust: 'a is a name, no text that opens, where it stands as one may."""
    if re.match(r"'\w+(?!')\b", text[at:]) is None:
        return False
    before = text[:at].rstrip()
    return before.endswith(("&", "<", "+")) or (before.endswith((",", ":", "(")) and ("<'" in text or "&'" in text))


def _opens(text: str, at: int) -> bool:
    return (at + 1 < len(text) and text[at + 1] not in "-=<") or text[at + 1 : at + 2] == "-"


def _closing(text: str, opening: int, angles: bool) -> int:
    """Where the bracket that opens here closes; the end of the text if it never does."""
    return next((i for i, depth, bracket in _unquoted(text, angles, opening) if bracket and depth == 0), len(text))


def _around_parameters(text: str, name: str, kind: str, dialect: Dialect) -> tuple[str, str | None, str]:
    """What comes before the name, what is between the parentheses, what comes after them."""
    if kind not in CALLABLE and kind not in CONTAINERS and not re.search(r"=\s*(?:async\s*)?(?:<[^=]*>)?\(", text):
        return text, None, ""
    if kind not in CALLABLE and kind not in CONTAINERS and kind != "function":
        return text, None, ""
    for found in re.finditer(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text):
        at = found.end()
        while at < len(text):
            rest = text[at:]
            if (
                blank := re.match(
                    r"\s+|\?|\s*(?::\s*)?(?:=\s*)?(?:async\s*)?(?:function\b\*?)?\s*(?=[(<])|\s*=\s*(?:async\b)?\s*", rest
                )
            ) and blank.end():
                at += blank.end()
                continue
            if rest[:1] == "<" or (rest[:1] == "[" and dialect.order in ("go",)) or (rest[:1] == "[" and dialect.returns == "->"):
                at = _closing(text, at, True) + 1
                continue
            break
        if kind in CONTAINERS and (
            made := re.match(
                r"\s*(?:@[\w.]+(?:\([^()]*\))?\s*|(?:private|internal|protected|public)\s+)*constructor\s*(?=\()", text[at:]
            )
        ):
            at += made.end()
        if text[at : at + 1] == "(" or (kind == "indexer" and text[at : at + 1] == "["):
            end = _closing(text, at, dialect.angles)
            return text[: found.start()], text[at + 1 : end], text[end + 1 :]
    if kind in CONTAINERS:
        return text.partition(name)[0], None, text.partition(name)[2]
    at = text.find("(")
    if at < 0:
        return text, None, ""
    end = _closing(text, at, dialect.angles)
    return text[:at], text[at + 1 : end], text[end + 1 :]


def _parameters(written: str, dialect: Dialect) -> tuple[str, tuple[Parameter, ...]]:
    """The receiver, if there is one, and what callers give."""
    if dialect.order == "go":
        return "", _go_parameters(written)
    passed = EITHER if dialect.by_name else POSITION
    taken: list[Parameter] = []
    receiver = ""
    for number, piece in enumerate(split(_flat(written, dialect), ",", dialect.angles)):
        piece = _bare(piece)
        if not piece:
            continue
        if piece == "/":
            taken = [Parameter(p.name, p.type, p.default, p.optional, POSITION) for p in taken]
            continue
        if piece == "*":
            passed = KEYWORD
            continue
        one = _parameter(piece, number, passed, dialect)
        if number == 0 and one.name.lstrip("&").split(" ")[-1] in dialect.receivers:
            receiver = " ".join(piece.split(":")[0].replace("mut ", "mut ").split())
            continue
        if one.passed == REST and dialect.by_name and dialect.order == "name":
            passed = KEYWORD if dialect.returns == "->" else passed  # Python: what follows *args is named
        taken.append(one)
    return receiver, tuple(taken)


def _flat(written: str, dialect: Dialect) -> str:
    """Dart writes optional parameters in brackets of their own; inside them they read like others."""
    if dialect.order != "dart":
        return written
    return re.sub(r"[\[{]([^\[\]{}]*)[\]}]\s*,?\s*$", lambda m: _marked(m[0], m[1]), written.strip())


def _marked(whole: str, inner: str) -> str:
    word = "named " if whole.startswith("{") else "optional "
    return ",".join(word + piece.strip() for piece in split(inner, ",", True) if piece.strip())


def _bare(piece: str) -> str:
    """A parameter without its annotations."""
    piece = piece.strip()
    while found := _ANNOTATION.match(piece):
        at = found.end()
        if found[0].startswith("#["):
            at = _closing(piece, found.end() - len(found[0]) + 1, False) + 1
        elif piece[at : at + 1] == "(":
            at = _closing(piece, at, False) + 1
        if at <= 0:
            break
        piece = piece[at:].strip()
    return piece


def _parameter(piece: str, number: int, passed: str, dialect: Dialect) -> Parameter:
    stated, default = _defaulted(piece, dialect)
    if dialect.order in ("type", "dart"):
        return _type_first(stated, default, number, passed, dialect)
    if dialect.order == "ruby":
        return _ruby(stated, default, number)
    optional = bool(default)
    if stated.startswith("**"):
        passed, stated = REST_KEYWORDS, stated[2:]
    elif stated.startswith(("*", "...")):
        passed, stated = REST, stated.lstrip("*.")
    name, _, type_ = _partitioned(stated)
    words = name.split()
    if (words and words[0] == "vararg") or type_.rstrip().endswith("..."):
        passed = REST
    while len(words) > 1 and words[0] in dialect.modifiers:
        words.pop(0)
    name = " ".join(words)
    if name.endswith("?"):
        name, optional = name[:-1], True
    if len(words) == 2 and dialect.by_name:  # Swift: the label, then the name inside
        name, passed = (words[1], POSITION) if words[0] == "_" else (words[0], passed)
    if passed in (REST, REST_KEYWORDS):
        optional = True
    return Parameter(name.strip() or f"#{number}", spelled(type_, dialect), default, optional, passed)


def _defaulted(piece: str, dialect: Dialect) -> tuple[str, str]:
    parts = split(piece, "=", dialect.angles)
    while len(parts) > 1 and (parts[0].endswith(("!", "<", ">", "=")) or parts[1].startswith((">", "="))):
        parts[:2] = ["=".join(parts[:2])]  # =>, ==, <= are no assignments
    if len(parts) > 1:
        return parts[0].strip(), "=".join(parts[1:]).strip()
    parts = split(piece, "\\\\", False)  # Elixir
    return (parts[0].strip(), parts[1].strip()) if len(parts) > 1 else (piece.strip(), "")


def _partitioned(stated: str) -> tuple[str, str, str]:
    """``name: type`` taken apart at the first colon outside of brackets; ``::`` is none."""
    parts = split(stated.replace("::", "\0\0"), ":", True)
    joined = ":".join(parts[1:]).replace("\0\0", "::")
    return parts[0].replace("\0\0", "::").strip(), ":" if len(parts) > 1 else "", joined.strip()


def _type_first(stated: str, default: str, number: int, passed: str, dialect: Dialect) -> Parameter:
    optional = bool(default)
    words = stated.split()
    while words and (words[0] in dialect.modifiers or words[0] in ("named", "optional", "required")):
        word = words.pop(0)
        if word == "params":
            passed = REST
        elif word == "named":
            passed, optional = KEYWORD, True
        elif word == "optional":
            optional = True
        elif word == "required":
            optional = False
    stated = " ".join(words)
    if "..." in stated:
        passed, stated = REST, stated.replace("...", " ")
    found = re.search(r"[&*]*\s*(\$?[\w.]+)\s*((?:\[[^\]]*\])*)$", stated)
    name, type_ = (found[1], stated[: found.start(1)].rstrip("& ") + found[2]) if found else (stated, "")
    if not type_ and dialect.order == "type" and not name.startswith("$"):
        name, type_ = f"#{number}", name  # C: a type alone
    elif "&" in stated[: found.start(1) if found else 0] and name.startswith("$"):
        type_ += " &"
    return Parameter(name.removeprefix("this."), spelled(type_, dialect), default, optional or passed == REST, passed)


def _ruby(stated: str, default: str, number: int) -> Parameter:
    if stated.startswith("**"):
        return Parameter(stated[2:] or "**", "", "", True, REST_KEYWORDS)
    if stated.startswith("*"):
        return Parameter(stated[1:] or "*", "", "", True, REST)
    if stated.startswith("&"):
        return Parameter(stated[1:] or "&", "", "", True, KEYWORD)
    if named := re.match(r"(\w+):\s*(.*)$", stated):
        return Parameter(named[1], "", named[2], bool(named[2]), KEYWORD)
    return Parameter(stated or f"#{number}", "", default, bool(default), POSITION)


def _go_parameters(written: str) -> tuple[Parameter, ...]:
    pieces = [piece.strip() for piece in split(written, ",", False) if piece.strip()]
    named = any(re.match(r"\w+ +\S", piece) and not re.match(r"(?:chan|func|struct|interface|map)\b", piece) for piece in pieces)
    taken: list[Parameter] = []
    waiting: list[str] = []
    for number, piece in enumerate(pieces):
        if named and re.fullmatch(r"\w+", piece):
            waiting.append(piece)
            continue
        name, type_ = piece.split(None, 1) if named else (f"#{number}", piece)
        for one in (*waiting, name):
            rest = type_.startswith("...")
            taken.append(Parameter(one, type_, "", rest, REST if rest else POSITION))
        waiting = []
    return tuple(taken)


def _result(tail: str, dialect: Dialect) -> tuple[str, str]:
    """The type of the result, and what is said after it."""
    tail = tail.strip()
    if dialect.returns and not tail.startswith(dialect.returns):
        return "", tail
    stated = tail[len(dialect.returns) :].strip() if dialect.returns else tail
    found = re.search(r"\s(?:where|throws|raises)\s", f" {stated} ")
    if found:
        return stated[: max(0, found.start() - 1)].strip(), stated[max(0, found.start() - 1) :].strip()
    if dialect.returns == ":":
        stated = _defaulted(stated, dialect)[0]
    return stated, ""


def _value(text: str, name: str, kind: str, modifiers: frozenset[str], dialect: Dialect) -> Signature:
    accessors: frozenset[str] = frozenset()
    if found := re.search(r"\{([^{}]*)\}\s*(?:=.*)?$", text) if dialect.order == "type" else None:
        accessors = frozenset(
            re.findall(r"\b(get|set|init)\b(?=\s*;)", re.sub(r"(?:private|protected|internal)\s+\w+\s*;", "", found[1]))
        )
        text = text[: found.start()].strip()
    stated, value = _defaulted(text, dialect)
    optional = False
    if dialect.order in ("type", "dart"):
        type_ = _without(re.sub(rf"(?<![\w$])\$?{re.escape(name)}(?![\w$]).*$", "", stated), dialect.modifiers)
    elif dialect.order == "go":
        type_ = re.sub(r"`.*$", "", stated)
        type_ = re.sub(r"^(?:const|var|type)\s+", "", type_)
        type_ = re.sub(r"^\w+(?:\s*,\s*\w+)*\s*", "", type_) if re.match(r"\w+(?:\s*,\s*\w+)*(?:\s|\[|$)", type_) else type_
    else:
        before, _, type_ = _partitioned(stated)
        optional = before.endswith("?")
    if kind == "type" and not type_:
        type_, value = value, ""
    return Signature(modifiers, None, "", spelled(type_, dialect), (), value, optional, accessors, "")


def _without(text: str, modifiers: Iterable[str]) -> str:
    return " ".join(word for word in _bare(text).split() if word not in set(modifiers))


def _bases(text: str, name: str, parameters: str | None, tail: str, dialect: Dialect) -> tuple[str, ...]:
    if not dialect.bases:
        return ()
    if dialect.bases == "(":
        named = [_bare(piece) for piece in split(parameters or "", ",", False)]
        return tuple(sorted(" ".join(piece.split()) for piece in named if piece and piece != "object"))
    after = tail if parameters is not None else text.partition(name)[2]
    after = after[_closing(after, 0, True) + 1 :] if after.startswith("<") else after
    after = re.split(r"\bwhere\b|\bpermits\b", after)[0]
    found: list[str] = []
    for part in re.split(dialect.bases, after)[1:]:
        for piece in split(part, ",", dialect.angles):
            for base in split(piece, "+", dialect.angles):
                base = re.sub(r"\(.*\)\s*$", "", _without(base, ("public", "private", "protected", "virtual"))).strip(" {")
                if base:
                    found.append(base)
    return tuple(sorted(found))


def dialect_of(stated: Mapping[str, Any]) -> Dialect:
    """A row of the table as a value."""
    listed = {
        key: stated[key] for key in ("order", "returns", "by_name", "angles", "bases", "unions", "nothing") if key in stated
    }
    return Dialect(
        **listed,
        receivers=tuple(stated.get("receivers", ())),
        modifiers=frozenset(stated.get("modifiers", ())),
        spellings=dict(stated.get("spellings", {})),
    )
