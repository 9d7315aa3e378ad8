"""What an agent is handed: ``context …``."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from idumb_brain.surfaces.cli.answer import Answer
from idumb_brain.surfaces.cli.parsing import verb, whole_number
from idumb_brain.surfaces.cli.verbs.brain import told

BLOCKS = {
    "compaction": "what has to survive a compaction",
    "system": "what stands in the system prompt",
    "prefix": "what a session begins with",
    "resume": "what a session goes on with after a break",
    "reminder": "what was lost in a compaction that just happened",
}
LAST = "last"


def add(verbs: Any) -> None:
    words = verb(verbs, "context", context, "what an agent is told unasked, within a budget; what was left out, and why")
    words.add_argument(
        "block", metavar="BLOCK", choices=(*BLOCKS, LAST),
        help="; ".join([*(f"{name}: {what}" for name, what in BLOCKS.items()), f"{LAST}: what agents really were handed lately"]),
    )  # fmt: skip
    words.add_argument("--session", metavar="ID", default="", help="the session it is for")
    words.add_argument("--role", metavar="ROLE", default="", help="the role of the agent it is for")
    words.add_argument("--budget", metavar="CHARS", type=int, help="characters it may have (default: as the settings say)")
    words.add_argument("--kind", metavar="BLOCK", default="", help=f"of {LAST}: only blocks of this kind")
    words.add_argument("--limit", metavar="N", type=whole_number, default=10, help=f"of {LAST}: at most so many (default 10)")
    words.add_argument("--text", action="store_true", help=f"of {LAST}: with the text that was handed over")


def context(arguments: Namespace) -> Answer:
    if arguments.block == LAST:
        return _last(arguments)
    from idumb_brain.operations.context import context

    data = context(
        arguments.block, arguments.root, session=arguments.session, role=arguments.role, budget=arguments.budget
    )  # fmt: skip
    return told(arguments, data, "context.context")


def _last(arguments: Namespace) -> Answer:
    from idumb_brain.operations import injected

    data = injected.last(
        arguments.root, session=arguments.session, kind=arguments.kind, role=arguments.role, limit=arguments.limit, text=arguments.text
    )  # fmt: skip
    return Answer(data, "context.last")
