"""Words of a command line to the values they will have, as far as the line tells. What it does not tell stays marked as unknown."""

from __future__ import annotations

import base64
import binascii
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from idumb_brain.govern.shell.knowledge import Knowledge
from idumb_brain.govern.shell.listing import listed
from idumb_brain.govern.shell.places import MANY, UNKNOWN, Where
from idumb_brain.model.shell import Command, Function, Group, Loop, Node, Number, Output, Pipeline, Script, Text, Variable, Word
from idumb_brain.scan.shell import unescaped

HIDDEN = "\1"  # unknown, and from a source that hides what it gives: the network, a decoder
MOST_VALUES = 64  # values of one word that are followed

_NUMBERS = {"$", "!", "?", "#", "RANDOM", "PPID", "UID", "EUID", "SECONDS", "LINENO", "BASHPID"}
_BRACES = re.compile(r"\{([^{}]*)\}")
_RANGE = re.compile(r"^(-?\d+|[a-zA-Z])\.\.(-?\d+|[a-zA-Z])$")
_PLACE = 0xE000  # a private character stands for a piece while braces are expanded
_FORMAT = re.compile(r"%[-0-9.]*[sdbq]")
_ECHO = re.compile(r"-[neE]+")


@dataclass(slots=True)
class Scope:
    """What the line has said so far. A shell of its own gets a copy."""

    where: Where
    variables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    functions: dict[str, Group] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    positional: tuple[str, ...] | None = None
    files: dict[str, str] = field(default_factory=dict)  # what <(…) holds, and what the line itself wrote

    def copy(self) -> Scope:
        return replace(
            self,
            variables=dict(self.variables),
            functions=dict(self.functions),
            aliases=dict(self.aliases),
            files=dict(self.files),
        )


def uncertain(value: str) -> bool:
    return UNKNOWN in value or HIDDEN in value


def expand_all(words: tuple[Word, ...], scope: Scope, knowledge: Knowledge) -> tuple[str, ...]:
    return tuple(value for word in words for value in expand(word, scope, knowledge))


def expand(word: Word, scope: Scope, knowledge: Knowledge) -> list[str]:
    """The fields one word becomes."""
    template = "".join(
        piece.text if isinstance(piece, Text) and not piece.quoted else chr(_PLACE + place)
        for place, piece in enumerate(word.pieces[:6000])
    )
    fields: list[str] = []
    for one in _braced(template)[:MOST_VALUES]:
        current, begun = "", False
        for letter in one:
            place = ord(letter) - _PLACE
            if not 0 <= place < len(word.pieces):
                current += letter
                begun = True
                continue
            piece = word.pieces[place]
            if isinstance(piece, Text):
                current += piece.text
                begun = True
                continue
            values, split = _values(piece, scope, knowledge)
            begun = begun or not split
            for number, value in enumerate(values):
                if number:
                    fields.append(current)
                    current = ""
                current += value
                begun = begun or bool(value)
        if begun:
            fields.append(current)
    return fields


def text_of(word: Word, scope: Scope, knowledge: Knowledge) -> str:
    """The value of a word that is not split: a here-document, an assigned value."""
    return " ".join(expand(Word(tuple(_unsplit(piece) for piece in word.pieces)), scope, knowledge))


def printed(node: Node | Script, scope: Scope, knowledge: Knowledge, given: str | None = None) -> str | None:
    """What it will print, where that stands in the line."""
    match node:
        case Script() | Group():
            told = [printed(part, scope, knowledge, given) for part in node.parts]
            return None if None in told else "\n".join(one for one in told if one)
        case Pipeline():
            for part in node.parts:
                given = printed(part, scope, knowledge, given)
            return given
        case Command():
            for one in node.redirections:
                if one.operator in ("<<", "<<<"):
                    given = text_of(one.target, scope, knowledge)
            words = expand_all(node.words, scope, knowledge)
            return "" if not words else _printed_by(words, given, scope, knowledge)
        case _:
            return None


def hides(node: Node | Script, scope: Scope, knowledge: Knowledge) -> bool:
    """Whether what it prints comes from where nobody can look before it runs."""
    return any(name in knowledge.producers["disguise"] for name in names_in(node, scope, knowledge))


def names_in(node: Node | Script, scope: Scope, knowledge: Knowledge) -> Iterator[str]:
    """The names of all commands, those behind sudo and its like included."""
    match node:
        case Command() if node.words:
            for word in expand_all(node.words[:4], scope, knowledge):
                yield posixpath.basename(word)
                if posixpath.basename(word) not in knowledge.producers["prefix"] and not word.startswith("-"):
                    break
        case Script() | Group() | Pipeline():
            for part in node.parts:
                yield from names_in(part, scope, knowledge)
        case Loop() | Function():
            yield from names_in(node.body, scope, knowledge)


def _unsplit(piece: Text | Variable | Output | Number) -> Text | Variable | Output | Number:
    match piece:
        case Text():
            return Text(piece.text, True)
        case Variable() if not piece.name.endswith("[@]") and piece.name != "@":
            return replace(piece, quoted=True)
        case Output() if not piece.file:
            return replace(piece, quoted=True)
        case _:
            return piece


def _braced(template: str, depth: int = 0) -> list[str]:
    """``a{b,c}`` is ``ab`` and ``ac``; the innermost first, which gives the same words in another order."""
    for found in _BRACES.finditer(template) if depth < 12 else ():
        inner = found[1]
        if "," in inner:
            choices = inner.split(",")
        elif told := _RANGE.match(inner):
            choices = _range(told[1], told[2])
        else:
            continue
        before, after = template[: found.start()], template[found.end() :]
        return [one for choice in choices[:MOST_VALUES] for one in _braced(before + choice + after, depth + 1)][:MOST_VALUES]
    return [template]


def _range(first: str, last: str) -> list[str]:
    if first.lstrip("-").isdigit() and last.lstrip("-").isdigit():
        return [str(number) for number in range(int(first), min(int(last), int(first) + MOST_VALUES) + 1)]
    return [chr(code) for code in range(ord(first[0]), min(ord(last[0]), ord(first[0]) + MOST_VALUES) + 1)]


def _values(piece: Variable | Output | Number, scope: Scope, knowledge: Knowledge) -> tuple[list[str], bool]:
    """Its fields, and whether it may vanish for being empty."""
    match piece:
        case Number():
            return ["1"], False
        case Output(file=True):
            name = f"/dev/fd/{63 - len(scope.files)}"
            scope.files[name] = _text(piece.script, scope, knowledge)
            return [name], False
        case Output():
            told = _text(piece.script, scope, knowledge).rstrip("\n")
            if told == UNKNOWN and not piece.quoted:
                return [MANY], True
            return ([told], False) if piece.quoted else (told.split() or [""], True)
    values = _variable(piece, scope, knowledge)
    if piece.quoted:
        return (list(values), True) if piece.name in ("@",) or piece.name.endswith("[@]") else ([" ".join(values)], False)
    if piece.name == "IFS":
        return ["", ""], True
    if separators := "".join(scope.variables.get("IFS", ())):
        values = tuple(value.translate({ord(letter): " " for letter in separators}) for value in values)
    return [one for value in values for one in (value.split() or [""])] or [""], True


def _text(script: Script, scope: Scope, knowledge: Knowledge) -> str:
    told = printed(script, scope, knowledge)
    if told is not None:
        return told
    return HIDDEN if hides(script, scope, knowledge) else UNKNOWN


def _variable(piece: Variable, scope: Scope, knowledge: Knowledge) -> tuple[str, ...]:
    name = piece.name.removesuffix("[@]").removesuffix("[0]")
    if name in ("@", "*"):
        return (UNKNOWN,) if scope.positional is None else scope.positional
    if name.isdigit() and name != "0":
        given = scope.positional
        found = (UNKNOWN,) if given is None else given[int(name) - 1 : int(name)]
    elif name in _NUMBERS:
        found = ("1234",)
    elif name == "0":
        found = scope.variables.get("0", ("bash",))
    elif name == "IFS":
        found = (" ",)
    elif name in ("PWD", "OLDPWD"):
        found = (scope.where.cwd if name == "PWD" else UNKNOWN,)
    elif name == "HOME" and name not in scope.variables:
        found = (scope.where.home or "/home/user",)
    else:
        found = scope.variables.get(name, ())
        if piece.name.endswith("[0]"):
            found = found[:1]
    if piece.word is not None and piece.operator in (":-", "-", ":=", "=") and not any(found):
        found = (text_of(piece.word, scope, knowledge),)
        if "=" in piece.operator:
            scope.variables[name] = found
        return found
    if piece.operator in (":+", "+") and piece.word is not None:
        return (text_of(piece.word, scope, knowledge),)
    if piece.operator and piece.operator not in (":-", "-", ":=", "=", ":?", "?"):
        return (UNKNOWN,)  # a part of the value: which, only the shell knows
    return found or (UNKNOWN,)


def _printed_by(words: tuple[str, ...], given: str | None, scope: Scope, knowledge: Knowledge) -> str | None:
    name, rest = posixpath.basename(words[0]), words[1:]
    if name in knowledge.producers["prefix"] and rest and not rest[0].startswith("-"):
        return _printed_by(rest, given, scope, knowledge)
    plain = tuple(one for one in rest if not one.startswith("-"))
    match name:
        case "echo":
            told = " ".join(one for one in rest if not _ECHO.fullmatch(one))
            return unescaped(told) if any("e" in one for one in rest if _ECHO.fullmatch(one)) else told
        case "printf" if "-v" not in rest and rest:
            return formatted(rest)
        case "cat" if plain in ((), ("/dev/null",)):
            return "" if plain else given
        case "which" | "realpath" | "readlink" | "type" if plain:
            return plain[-1]
        case "command" if "-v" in rest and plain:
            return plain[-1]
        case "tee":
            return given
        case "pwd":
            return scope.where.cwd
        case "mktemp":
            return "/tmp/tmp.made" if not plain or not plain[-1].startswith("/") else plain[-1]
        case "basename" if plain:
            return posixpath.basename(plain[0])
        case "dirname" if plain:
            return posixpath.dirname(plain[0]) or "."
        case "date" | "id" | "nproc" | "wc":
            return "1234"
        case "uname":
            return "Linux"
        case "git" if rest[:2] == ("rev-parse", "--show-toplevel"):
            return scope.where.root
        case "base64" | "base32" if given is not None and {"-d", "-D", "--decode"} & set(rest):
            return _decoded(given)
        case _ if name in knowledge.producers["subset"]:
            return given if given is not None and _plain_list(given) else None
    found = listed(name, rest)
    return None if found is None else "\n".join(found)


def _plain_list(text: str) -> bool:
    return all(" " not in line for line in text.split("\n"))


def formatted(rest: tuple[str, ...]) -> str:
    shape, values = rest[0], list(rest[1:])
    shape = unescaped(shape)
    holes = len(_FORMAT.findall(shape))
    if not holes:
        return shape
    told = ""
    while True:
        told += _FORMAT.sub(lambda hole: _filled(hole[0], values.pop(0)) if values else "", shape)
        if not values:
            return told


def _filled(hole: str, value: str) -> str:
    return unescaped(value) if hole.endswith("b") else value


def _decoded(text: str) -> str | None:
    try:
        return base64.b64decode(text.strip(), validate=True).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return None
