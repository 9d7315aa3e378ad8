"""The page to look at: ``view``."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterator
from typing import Any

from idumb_brain.surfaces.cli.answer import Answer
from idumb_brain.surfaces.cli.parsing import verb, whole_number


def add(verbs: Any) -> None:
    words = verb(verbs, "view", view, "a page to look at: graph, project, brain, tasks, sessions, context; on this machine only")
    words.add_argument(
        "--port", metavar="N", type=_port, default=0, help="where to listen on 127.0.0.1 (default: any that is free)"
    )
    words.add_argument("--no-open", action="store_true", help="print the address and open no browser")


def view(arguments: Namespace) -> Answer:
    from idumb_brain.operations.project import find_project
    from idumb_brain.surfaces.view.serving import opened, serve

    door = opened(find_project(arguments.root), arguments.port)

    def served() -> Iterator[Any]:
        serve(door, browse=not arguments.no_open)
        yield from ()

    data = {"url": door.url, "port": door.port, "root": str(door.project.root)}
    return Answer(data, "view.view", more=served())


def _port(word: str) -> int:
    number = whole_number(word)
    if number > 65_535:
        raise ArgumentTypeError(f"{word!r} is not a port: they end at 65535")
    return number
