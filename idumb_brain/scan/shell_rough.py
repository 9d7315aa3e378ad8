"""A command line the grammar could not read, cut into plain commands all the same. Finds too much rather than too little."""

from __future__ import annotations

import re

from idumb_brain.model.shell import Command, Piece, Text, Variable, Word

_TOKEN = re.compile(
    r"""
    (?P<raw>'[^']*'?) | (?P<quoted>"(?:\\.|[^"\\])*"?) | (?P<escaped>\\.)
    | \$(?P<name>\w+|[@*#?$!-])  | \$\{(?P<braced>\w+)\}
    | (?P<brace>\{[^\s{}'"$`]*,[^\s{}'"$`]*\})
    | (?P<end>\$\(|<\(|>\(|&&|\|\||[;|&\n()`{}]|[<>]+&?) | (?P<blank>[ \t\r]+) | (?P<comment>\#[^\n]*)
    | (?P<plain>[^\s'"\\$;|&()`{}<>\#]+|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_KEYWORDS = {"if", "then", "else", "elif", "fi", "do", "done", "while", "until", "!", "time", "coproc"}
_ESCAPED = re.compile(r'\\([$`"\\])')


def read_roughly(text: str) -> tuple[Command, ...]:
    commands: list[Command] = []
    words: list[Word] = []
    pieces: list[Piece] = []

    def end_word() -> None:
        if pieces:
            words.append(Word(tuple(pieces)))
            pieces.clear()

    def end_command() -> None:
        end_word()
        while words and _plainly(words[0]) in _KEYWORDS:
            words.pop(0)
        if words:
            commands.append(Command(tuple(words), source=" ".join(_plainly(word) for word in words)))
            words.clear()

    for found in _TOKEN.finditer(text):
        match found.lastgroup:
            case "end":
                end_command()
            case "blank":
                end_word()
            case "comment" if not pieces:
                pass
            case "raw":
                pieces.append(Text(found[0].strip("'"), True))
            case "quoted":
                inner = found[0][1:].removesuffix('"')
                pieces.append(Text(_ESCAPED.sub(r"\1", inner), True))
                if "`" in inner or "$(" in inner:  # what runs inside the quotes is read, too
                    commands.extend(read_roughly(inner.partition("$(")[2] or inner.partition("`")[2]))
            case "escaped":
                pieces.append(Text(found[0][1:].replace("\n", ""), True))
            case "name" | "braced":
                pieces.append(Variable(found["name"] or found["braced"]))
            case _:
                pieces.append(Text(found[0]))
    end_command()
    return tuple(commands)


def _plainly(word: Word) -> str:
    return "".join(
        piece.text if isinstance(piece, Text) else "$" + piece.name for piece in word.pieces if isinstance(piece, Text | Variable)
    )
