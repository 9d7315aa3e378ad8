"""Finding: ``query``."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import Any

from idumb_brain.surfaces.cli.answer import Answer
from idumb_brain.surfaces.cli.parsing import verb, whole_number


def add(verbs: Any) -> None:
    words = verb(verbs, "query", query, "files, symbols and documents a text is about, ranked, each with its reasons")
    words.add_argument(
        "text",
        metavar="TEXT",
        nargs="?",
        default="",
        help='a question, an error, a stack trace, an issue; "-" reads it from stdin',
    )
    words.add_argument("--limit", metavar="N", type=whole_number, default=20, help="at most so many of each kind (default 20)")
    words.add_argument("--budget", metavar="TOKENS", type=whole_number, help="room for the text an agent is handed")
    words.add_argument("--from", metavar="WHAT", dest="start", default="", help="ask from FILE, FILE#SYMBOL, an id, task or diff")


def query(arguments: Namespace) -> Answer:
    from idumb_brain.operations.searching import query as ask

    text = sys.stdin.buffer.read().decode("utf-8", "replace") if arguments.text == "-" else arguments.text
    notice = (lambda _: None) if arguments.quiet else _notice
    data = ask(text, arguments.root, limit=arguments.limit, budget=arguments.budget, start=arguments.start, notice=notice)
    return Answer(data, "searching.found")


def _notice(text: str) -> None:
    print(text, file=sys.stderr)
