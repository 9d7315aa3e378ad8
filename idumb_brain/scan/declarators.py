"""C declarators, which nest without end and so escape queries: the name in ``*(*name(int))[3]``. Reads text, no tree."""

from __future__ import annotations

import re
from typing import NamedTuple

# What may stand before the name: pointers, brackets, qualifiers, attributes, the class of a member pointer.
_BEFORE = re.compile(
    r"""(?: \s+ | [*&^(] | \.\.\.
      | (?: const | volatile | restrict | __restrict\w* | _Nonnull | _Nullable | _Atomic | mutable | inline | constexpr
          | __\w*(?:cdecl|stdcall|fastcall|thiscall|vectorcall) | WINAPI | APIENTRY | CALLBACK ) \b
      | __attribute__ \s* \(\( .*? \)\) | __declspec \s* \( .*? \) | \[\[ .*? \]\] | alignas \s* \( .*? \)
      | /\* .*? \*/ | // [^\n]* | \\ \n
      | (?:::)? (?: \w+ \s* :: \s* )+ (?=\*)
    )*""",
    re.VERBOSE | re.DOTALL,
)
_OPERATOR = re.compile(
    r"""operator (?: \s* (?: \(\s*\) | \[\s*\] | ""\s*\w+ | (?:new|delete) \s* (?:\[\s*\])? (?=\s*\() | co_await (?=\s*\()
                         | [^\w\s("]+ )
                   | \s+ [^(]+ )""",
    re.VERBOSE,
)
# Where code was misread these seem to be declared.
_KEYWORDS = frozenset(
    "if else for while do switch case default return goto break continue sizeof typedef struct union enum static extern inline"
    " int char long short float double unsigned signed void const volatile auto register class namespace template typename"
    " public private protected virtual explicit friend using try catch throw new delete defined".split()
)
_WORD = re.compile(r"~?\s*[^\W\d]\w*")
_POINTS = re.compile(r"\(\s*(?:[\w:]*\s*)?[*&^]")
_SPACE = re.compile(r"\s+")


class Declared(NamedTuple):
    name: str
    receiver: str  # "library::Shelf" of "library::Shelf<T>::add(T) const"
    at: int  # where the name starts
    function: bool
    pointer: bool = False


def declared(written: str) -> Declared | None:
    """What a declarator declares, or None where it names nothing."""
    if written.isidentifier():
        return None if written in _KEYWORDS else Declared(written, "", 0, function=False)
    at = _BEFORE.match(written).end()  # type: ignore[union-attr]  # it matches the empty text too
    before = written[:at]
    scopes: list[str] = []
    if written.startswith("::", at):
        at += 2
    while True:
        if operator := _OPERATOR.match(written, at):
            name = _SPACE.sub(" ", operator[0]).strip()
            return Declared(name, "::".join(scopes), at, function=True)
        word = _WORD.match(written, at)
        if word is None or word[0] in _KEYWORDS:
            return None
        after = _past_arguments(written, _past_space(written, word.end()))
        if not written.startswith("::", after):
            break
        scopes.append(word[0])
        at = _past_space(written, after + 2)
        if written.startswith("template ", at):
            at = _past_space(written, at + 9)
    name = word[0].replace(" ", "")
    rest = written[after:].lstrip()
    if rest.startswith(")"):  # (name)(int) is a function that no macro can take the place of; (*name)(int) is none
        function = not _POINTS.search(before) and rest[1:].lstrip().startswith("(")
    else:
        function = rest.startswith("(")
    return Declared(name, "::".join(scopes), at, function, "*" in before)


def _past_space(written: str, at: int) -> int:
    while at < len(written) and written[at].isspace():
        at += 1
    return at


def _past_arguments(written: str, at: int) -> int:
    """Behind ``<…>``, if there are template arguments here."""
    if not written.startswith("<", at):
        return at
    depth = 0
    for position in range(at, len(written)):
        if written[position] == "<":
            depth += 1
        elif written[position] == ">" and written[position - 1] != "-":
            depth -= 1
            if depth == 0:
                return _past_space(written, position + 1)
    return at
