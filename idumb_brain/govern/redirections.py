"""Files that a shell line writes to with ``>`` and its kin. Says nothing of what its commands write: those are judged by their names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from idumb_brain.model.shell import Redirection, Script, Text, Word

_WRITING = frozenset((">", ">|", "&>", ">>", "&>>", "<>"))
_NO_FILES = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty")


def redirected_to(script: Script) -> tuple[str, ...]:
    """Targets as written; what is only known when the line runs stands as an asterisk."""
    targets = (_told(one.target) for one in _redirections(script) if one.operator in _WRITING)
    return tuple(dict.fromkeys(target for target in targets if target and target not in _NO_FILES))


def _redirections(node: Any) -> Iterator[Redirection]:
    if isinstance(node, Redirection):
        yield node
    if isinstance(node, tuple):
        for one in node:
            yield from _redirections(one)
    elif is_dataclass(node):
        for field in fields(node):
            yield from _redirections(getattr(node, field.name))


def _told(word: Word) -> str:
    return "".join(piece.text if isinstance(piece, Text) else "*" for piece in word.pieces)
