"""What belongs together: ``related``."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from idumb_brain.surfaces.cli.answer import Answer
from idumb_brain.surfaces.cli.parsing import verb, whole_number


def add(verbs: Any) -> None:
    words = verb(verbs, "related", related, "what a file, a symbol, an entry or the changes at hand have to do with, and why")
    words.add_argument("what", metavar="WHAT", help="FILE, FILE#SYMBOL, SYMBOL, an id, a commit, or diff: what has changed")
    words.add_argument("--depth", metavar="N", type=whole_number, default=2, help="steps to go (default 2)")
    words.add_argument("--up", dest="ways", action="append_const", const="up", help="to what it is a part of, or who needs it")
    words.add_argument("--down", dest="ways", action="append_const", const="down", help="to its parts, and to what it needs")
    words.add_argument("--sideways", dest="ways", action="append_const", const="sideways", help="to tests, siblings, the like")
    words.add_argument(
        "--kind", metavar="K", action="append", help="only file, symbol, document, entry, anchor, task or commit; again for more"
    )
    words.add_argument("--limit", metavar="N", type=whole_number, default=30, help="no more than N (default 30)")


def related(arguments: Namespace) -> Answer:
    from idumb_brain.operations import entities

    data = entities.related(
        arguments.what,
        arguments.root,
        depth=arguments.depth,
        ways=arguments.ways or (),
        kinds=arguments.kind or (),
        limit=arguments.limit,
    )
    return Answer(data, "entities.related")
