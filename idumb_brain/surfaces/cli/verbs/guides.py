"""Commands about ourselves."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from idumb_brain.surfaces.cli.answer import Answer
from idumb_brain.surfaces.cli.parsing import verb


def add(verbs: Any) -> None:
    words = verb(verbs, "guide", guide, "how to use it: a page by its name, or which pages there are")
    words.add_argument("name", nargs="?", metavar="NAME", help="such as tour, memory or commands")


def guide(arguments: Namespace) -> Answer:
    from idumb_brain.operations import guides

    if arguments.name:
        return Answer(guides.guide(arguments.name), "guides.guide")
    return Answer(guides.guides(), "guides.guides")
