"""Commands by name, for those who speak JSON: an operation and its arguments to the command's ``data``. No table of its own.

The command line is the list of operations: ``plan add`` is ``plan.add``, ``--stale-after`` is ``staleAfter``.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any

from idumb_brain.model.errors import BadInput
from idumb_brain.surfaces.cli.parsing import UsageError

_GLOBAL = ("help", "root", "json", "quiet", "version")
# Commands that never end, or answer to somebody else.
NOT_CALLED = ("serve", "hook", "mcp", "watch", "view", "completion", "setup")


# What is read from the index, by how its operations begin.
_ASKS = ("query", "related", "map", "codemap", "context", "status", "brain.query")


def asks(operation: str) -> bool:
    """Whether the answer is read from the index, so that it had better be up to date."""
    return operation.startswith(_ASKS)


def call(operation: str, arguments: Mapping[str, Any], root: str) -> Any:
    """The ``data`` of a command."""
    leaf = _leaf(operation)
    words = _words(operation, leaf, arguments)
    try:
        read = leaf.parse_args(words, argparse.Namespace(root=root, json=True, quiet=True))
    except UsageError as error:
        raise BadInput(error.what, why=f"{operation} cannot be called this way", instead=error.instead) from error
    return read.run(read).data


def operations() -> list[str]:
    return list(_leaves())


def _leaf(operation: str) -> argparse.ArgumentParser:
    known = _leaves()
    if operation not in known:
        near = get_close_matches(operation, known, 3)
        raise BadInput(
            f"there is no operation {operation!r}", why="operations are the commands of idumb-brain, words joined by dots",
            instead=f"did you mean {' or '.join(near)}?" if near else "see idumb-brain --help",
        )  # fmt: skip
    return known[operation]


@cache
def _leaves() -> dict[str, argparse.ArgumentParser]:
    from idumb_brain.surfaces.cli.arguments import build_parser

    return {name: leaf for name, leaf in _below(build_parser()) if name.partition(".")[0] not in NOT_CALLED}


def _below(parser: argparse.ArgumentParser, above: str = "") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    inner = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if above and parser.get_default("run"):
        yield above, parser
    for action in inner:
        for name, child in action.choices.items():
            yield from _below(child, f"{above}.{name}" if above else name)


def _words(operation: str, leaf: argparse.ArgumentParser, arguments: Mapping[str, Any]) -> list[str]:
    known = {name: action for action in leaf._actions for name in _names(action) if action.dest not in _GLOBAL}
    options: list[str] = []
    places: dict[argparse.Action, list[str]] = {}
    for name, value in arguments.items():
        action = known.get(name)
        if action is None:
            raise BadInput(
                f"{operation} has no argument {name!r}", why="it is not among the options of the command",
                instead=f"it has: {', '.join(known) or 'none'}",
            )  # fmt: skip
        if value is None or value is False:
            continue
        if not action.option_strings:
            places[action] = _texts(name, value)
        elif action.nargs == 0:
            options.append(action.option_strings[-1])
        elif isinstance(action, argparse._AppendAction):
            options += [f"{action.option_strings[-1]}={text}" for text in _texts(name, value)]
        elif action.nargs in ("+", "*"):
            options += [action.option_strings[-1], *_texts(name, value)]
        else:
            options += [f"{action.option_strings[-1]}={text}" for text in _texts(name, value)[:1]]
    ordered = [text for action in leaf._actions for text in places.get(action, ())]
    return [*options, "--", *ordered] if ordered else options


def _names(action: argparse.Action) -> Iterator[str]:
    yield _camel(action.dest)
    for option in action.option_strings:
        if option.startswith("--"):
            yield _camel(option[2:])


def _is_word(text: str) -> bool:
    """Whether it could have been typed: bytes that are no text stand in names of files, halves of characters nowhere."""
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def _camel(name: str) -> str:
    return re.sub(r"[-_](\w)", lambda match: match[1].upper(), name)


def _texts(name: str, value: Any) -> list[str]:
    values = value if isinstance(value, (list, tuple)) else [value]
    for one in values:
        if isinstance(one, (dict, list)) or (isinstance(one, str) and not _is_word(one)):
            raise BadInput(
                f"{name} is {one!r}", why="an argument is text, a number, or a list of such", instead="give plain values"
            )
    return [str(one) for one in values]
