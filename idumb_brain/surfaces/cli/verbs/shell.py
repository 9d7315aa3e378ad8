"""Command lines: ``shell check`` and ``shell run``."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from idumb_brain.surfaces.cli.answer import Answer
from idumb_brain.surfaces.cli.parsing import Parser, verb

REFUSED = 3


def add(verbs: Any) -> None:
    shell = verb(verbs, "shell", None, "what a command line would do, and running it when nothing is lost by it")
    actions = shell.add_subparsers(metavar="action", title="actions", parser_class=Parser, required=True)

    words = verb(actions, "check", check, "say what a line would do, and whether it would be refused; run nothing")
    _line(words)

    words = verb(actions, "run", run, "run a line in the project unless it is destructive; every run is noted in shell.log")
    _line(words)
    words.add_argument(
        "--timeout", metavar="SECONDS", type=float, default=120.0, help="then everything it started is ended (default 120)"
    )
    words.add_argument(
        "--cap", metavar="BYTES", type=int, default=30_000, help="of output; the middle is left out (default 30000)"
    )
    words.add_argument("--session", metavar="ID", default="", help="the session it is run for, for the log")


def _line(words: Any) -> None:
    words.add_argument("line", metavar="LINE", help="the command line, as one word")
    words.add_argument("--cwd", metavar="FOLDER", help="the folder of the project where it runs")


def check(arguments: Namespace) -> Answer:
    from idumb_brain.operations import shell

    data = shell.check(arguments.line, arguments.root, cwd=arguments.cwd)
    return Answer(data, "shell.check", exit_code=REFUSED if data["decision"] == "block" else 0)


def run(arguments: Namespace) -> Answer:
    from idumb_brain.operations import shell

    data = shell.run(
        arguments.line, arguments.root, cwd=arguments.cwd, timeout=arguments.timeout, cap=arguments.cap, session=arguments.session
    )
    return Answer(data, "shell.run", exit_code=REFUSED if not data["ran"] else 1 if data["exitCode"] != 0 else 0)
