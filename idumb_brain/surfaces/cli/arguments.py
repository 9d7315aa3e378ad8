"""The words the command line understands. A table of commands; running them is for ``commands``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, NoReturn

from idumb_brain import __version__
from idumb_brain.surfaces.cli import commands

EPILOG = """\
exit codes: 0 done, 1 ran and found problems (--check), 2 wrong usage or bad input, 3 refused by governance,
4 store locked or damaged. With --json, stdout is one document: {"schemaVersion":1,"data":...} or {..., "error":...}."""


class UsageError(Exception):
    """The line does not say what we can do."""

    def __init__(self, what: str, instead: str) -> None:
        super().__init__(what)
        self.what = what
        self.instead = instead


class _Parser(argparse.ArgumentParser):
    """Reports by exception, so that --json errors are JSON too; suggests the word that was meant."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, f"see {self.prog} --help")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            near = get_close_matches(str(value), known, 1)
            hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(known)}"
            raise UsageError(f"{value!r} is not a {action.metavar or action.dest} of {self.prog}", hint)


def parse(words: list[str]) -> argparse.Namespace:
    parser = build_parser()
    arguments = parser.parse_args(words)
    if not hasattr(arguments, "run"):
        parser.error("a command is missing")
    return arguments


def build_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="idumb-brain", description="A codebase brain for coding agents.", epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"idumb-brain {__version__}", help="print the version")
    _add_globals(parser, top=True)
    verbs = parser.add_subparsers(metavar="command", title="commands", parser_class=_Parser)

    init = _verb(verbs, "init", commands.init, "write the settings, scan everything, say what to do next")
    _jobs(init)

    scan = _verb(verbs, "scan", commands.scan, "bring the code map up to date; only what changed is read")
    scan.add_argument(
        "paths", nargs="*", metavar="PATH",
        help=" ".join(["files to look at, or the folder of a project", *(f"| {word}" for word in commands.SCAN_MODES)]),
    )  # fmt: skip
    scan.add_argument("--full", action="store_true", help="forget the index and read everything")
    scan.add_argument("--stale", action="store_true", help="of documents, only those that say what is no longer so")
    scan.add_argument("--check", action="store_true", help="exit 1 when drift breaks the public API, or documents are stale")
    _jobs(scan)

    _verb(verbs, "status", commands.status, "what is indexed, and whether it is still true")

    whole = _verb(verbs, "map", commands.project_map, "the project at a glance: stack, layers, documents, packages")
    whole.add_argument("--depth", metavar="N", type=_whole_number, default=3, help="levels of folders in the JSON (default 3)")

    watch = _verb(verbs, "watch", commands.watch, "keep the code map up to date while files change; a line for every batch")
    _jobs(watch)

    codemap = _verb(verbs, "codemap", None, "ask the code map")
    questions = codemap.add_subparsers(metavar="question", title="questions", required=True, parser_class=_Parser)
    show = _verb(questions, "show", commands.codemap_show, "everything known about one file")
    show.add_argument("file", metavar="FILE")
    outline = _verb(questions, "outline", commands.codemap_outline, "the symbols of a file as a tree")
    outline.add_argument("file", metavar="FILE")
    comments = _verb(questions, "comments", commands.codemap_comments, "comments of a file, or of all")
    comments.add_argument("file", metavar="FILE", nargs="?")
    exports = _verb(questions, "exports", commands.codemap_exports, "the public API of a file, a folder or the project")
    exports.add_argument("path", metavar="PATH", nargs="?")
    todos = _verb(questions, "todos", commands.codemap_todos, "what was left for later: who, which ticket, how old")
    todos.add_argument("path", metavar="PATH", nargs="?", help="only in this file or folder")
    todos.add_argument("--type", metavar="TYPE", action="append", help="todo, fixme, hack, xxx, bug or note; may be given again")
    todos.add_argument("--owner", metavar="NAME", help="only those of somebody; a part of the name will do")
    todos.add_argument("--older-than", metavar="AGE", help="only those at least so old: 90d, 6m, 2y")
    todos.add_argument("--sort", choices=("file", "age", "owner"), default="file", help="and group them so (default file)")
    todos.add_argument("--no-age", action="store_true", help="do not ask git how old they are")
    graph = _verb(questions, "graph", commands.codemap_graph, "which file imports which")
    graph.add_argument(
        "--format",
        choices=("json", "mermaid", "dot", "graphml"),
        help="a drawing or a document instead of a summary",
    )
    graph.add_argument("--focus", metavar="FILE", help="only this file and what is near it")
    graph.add_argument(
        "--depth",
        metavar="N",
        type=_whole_number,
        default=1,
        help="how near: steps along imports (default 1)",
    )
    cycles = _verb(questions, "cycles", commands.codemap_cycles, "files that import each other in a circle")
    cycles.add_argument("--check", action="store_true", help="exit 1 when there are any")
    impact = _verb(questions, "impact", commands.codemap_impact, "everything that depends on a file or a symbol")
    impact.add_argument("target", metavar="FILE[#SYMBOL]")
    impact.add_argument("--depth", metavar="N", type=_whole_number, default=None, help="stop after N steps (default: all)")
    diff = _verb(
        questions,
        "diff",
        commands.codemap_diff,
        "files and public symbols changed since the last scan, or a git revision",
    )
    diff.add_argument("revision", metavar="REV", nargs="?", help="a git revision, or two as REV..REV (default: the last scan)")
    diff.add_argument("--check", action="store_true", help="exit 1 when the public API changed for the worse")

    packages = _verb(
        questions, "packages", commands.codemap_packages, "packages: declared, locked, imported; unused and undeclared"
    )
    packages.add_argument("--check", action="store_true", help="exit 1 when code imports what no manifest asks for")
    wrong = _verb(questions, "inconsistencies", commands.codemap_inconsistencies, "where comments contradict code")
    wrong.add_argument("path", metavar="PATH", nargs="?", help="a file or folder (default: everything)")
    wrong.add_argument("--kind", metavar="K", action="append", help="only findings of this kind; may be given several times")
    wrong.add_argument("--doubtful", action="store_true", help="also tell what may well be right")
    wrong.add_argument("--no-history", action="store_true", help="do not ask git what used to be there")
    wrong.add_argument("--check", action="store_true", help="exit 1 when there are any")

    completion = _verb(verbs, "completion", commands.completion, "print a completion script for a shell")
    completion.add_argument("shell", choices=("bash", "zsh", "tcsh"))
    completion.set_defaults(parser=parser)
    return parser


def _verb(
    verbs: Any, name: str, run: Callable[[argparse.Namespace], commands.Answer] | None, what: str
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = verbs.add_parser(name, help=what, description=what[0].upper() + what[1:] + ".")
    _add_globals(parser, top=False)
    if run is not None:
        parser.set_defaults(run=run)
    return parser


def _add_globals(parser: argparse.ArgumentParser, *, top: bool) -> None:
    """Global options may stand before or after the command; what was said before must not be undone after."""
    unsaid: Any = argparse.SUPPRESS
    parser.add_argument(
        "--root", metavar="PATH", default=None if top else unsaid,
        help="the project (default: the nearest folder above with .idumb or .git, else this one)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", default=False if top else unsaid, help="answer in JSON")
    parser.add_argument("--quiet", action="store_true", default=False if top else unsaid, help="no progress, no notes")


def _jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--jobs", metavar="N", type=_whole_number, help="parsing processes (default: one per processor)")


def _whole_number(word: str) -> int:
    try:
        number = int(word)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{word!r} is not a whole number of 1 or more")
    return number
