"""The words the command line understands. Each area of ``verbs`` brings its own."""

from __future__ import annotations

import argparse

from idumb_brain import __version__
from idumb_brain.surfaces.cli.parsing import OnlyOne, Parser, add_globals
from idumb_brain.surfaces.cli.verbs import (
    agents,
    anchors,
    brain,
    codemap,
    completion,
    context,
    entities,
    exchange,
    governance,
    guides,
    health,
    scanning,
    searching,
    shell,
    view,
    work,
)

_KNOW_ALL = frozenset({"completion"})  # commands that have to know of all the others

EPILOG = """\
exit codes: 0 done, 1 ran and found problems (--check), 2 wrong usage or bad input, 3 refused by governance,
4 store locked or damaged. With --json, stdout is one document: {"schemaVersion":1,"data":...} or {..., "error":...}."""


def parse(words: list[str]) -> argparse.Namespace:
    parser = build_parser(only=words[0] if words else "")
    arguments = parser.parse_args(words)
    if not hasattr(arguments, "run"):
        parser.error("a command is missing")
    return arguments


def build_parser(only: str = "") -> argparse.ArgumentParser:
    """All commands, or the one that is wanted if there is such a one: to put all of them together takes longer than most of them."""
    if only in _KNOW_ALL:
        only = ""
    parser = Parser(
        prog="idumb-brain", description="A codebase brain for coding agents.", epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"idumb-brain {__version__}", help="print the version")
    add_globals(parser, top=True)
    verbs = parser.add_subparsers(metavar="command", title="commands", parser_class=Parser)
    added = OnlyOne(verbs, only) if only else verbs
    for area in (
        scanning,
        codemap,
        brain,
        anchors,
        work,
        governance,
        entities,
        context,
        searching,
        view,
        shell,
        agents,
        exchange,
        health,
        guides,
    ):
        area.add(added)
    completion.add(added, parser)
    return parser if not only or only in verbs.choices else build_parser()
