"""The brain as files: ``export``, ``import``."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from idumb_brain.surfaces.cli.answer import Answer
from idumb_brain.surfaces.cli.parsing import verb
from idumb_brain.surfaces.cli.verbs.brain import told


def add(verbs: Any) -> None:
    words = verb(verbs, "export", export, "write the brain as JSON that git can merge")
    words.add_argument("folder", metavar="DIR", nargs="?", default="", help="where to (default .idumb/brain)")

    words = verb(
        verbs, "import", import_, "read exported JSON, or what earlier versions left, into the brain; twice changes nothing"
    )
    words.add_argument("folder", metavar="DIR", nargs="?", default="", help="where from (default .idumb/brain)")


def export(arguments: Namespace) -> Answer:
    from idumb_brain.operations import exchange

    return told(arguments, exchange.export(arguments.folder, arguments.root), "exchange.exported")


def import_(arguments: Namespace) -> Answer:
    from idumb_brain.operations import exchange

    return Answer(exchange.import_(arguments.folder, arguments.root), "exchange.imported")
