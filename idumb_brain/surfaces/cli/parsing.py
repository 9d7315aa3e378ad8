"""How commands are told apart and their words read. Knows no command; each area under ``verbs`` adds its own."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, NoReturn

from idumb_brain.surfaces.cli.answer import Answer


class UsageError(Exception):
    """The line does not say what we can do."""

    def __init__(self, what: str, instead: str) -> None:
        super().__init__(what)
        self.what = what
        self.instead = instead


class Parser(argparse.ArgumentParser):
    """Reports by exception, so that --json errors are JSON too; suggests the word that was meant."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, f"see {self.prog} --help")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            near = get_close_matches(str(value), known, 1)
            hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(known)}"
            raise UsageError(f"{value!r} is not a {action.metavar or action.dest} of {self.prog}", hint)


class OnlyOne:
    """In the place of all commands: adds the one that is wanted, and lets the others be described to nobody."""

    def __init__(self, verbs: Any, wanted: str) -> None:
        self._verbs = verbs
        self._wanted = wanted

    def add_parser(self, name: str, **told: Any) -> Any:
        return self._verbs.add_parser(name, **told) if name == self._wanted else _NOBODY


class _Nobody:
    def __getattr__(self, _: str) -> _Nobody:
        return self

    def __call__(self, *_: Any, **__: Any) -> _Nobody:
        return self


_NOBODY = _Nobody()


def verb(verbs: Any, name: str, run: Callable[[argparse.Namespace], Answer] | None, what: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = verbs.add_parser(name, help=what, description=what[0].upper() + what[1:] + ".")
    add_globals(parser, top=False)
    if run is not None:
        parser.set_defaults(run=run)
    return parser


def add_globals(parser: argparse.ArgumentParser, *, top: bool) -> None:
    """Global options may stand before or after the command; what was said before must not be undone after."""
    unsaid: Any = argparse.SUPPRESS
    parser.add_argument(
        "--root", metavar="PATH", default=None if top else unsaid,
        help="the project (default: the nearest folder above with .idumb or .git, else this one)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", default=False if top else unsaid, help="answer in JSON")
    parser.add_argument("--quiet", action="store_true", default=False if top else unsaid, help="no progress, no notes")


def jobs_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--jobs", metavar="N", type=whole_number, help="parsing processes (default: one per processor)")


def whole_number(word: str) -> int:
    try:
        number = int(word)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{word!r} is not a whole number of 1 or more")
    return number
