"""Lines that must survive: ``anchor …``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from idumb_brain.model.knowledge import ANCHOR_TYPES, PRIORITIES, PRIORITY_ALIASES
from idumb_brain.surfaces.cli.answer import Answer
from idumb_brain.surfaces.cli.parsing import Parser, verb, whole_number
from idumb_brain.surfaces.cli.verbs.brain import told

_PRIORITIES = (*PRIORITIES, *PRIORITY_ALIASES)


def add(verbs: Any) -> None:
    words = verb(verbs, "anchor", None, "lines that must survive every compaction")
    actions = words.add_subparsers(metavar="action", title="actions", required=True, parser_class=Parser)

    words = verb(actions, "add", add_anchor, "a new one, for the whole project")
    _fields(words, required=True)

    words = verb(actions, "list", listing, "all that hold, the weightiest first")
    words.add_argument("--type", metavar="TYPE", choices=ANCHOR_TYPES, default="", help=", ".join(ANCHOR_TYPES))
    words.add_argument("--all", action="store_true", help="superseded and removed ones too")

    words = verb(actions, "update", update, "change what is given; with an ID alone: it still holds")
    words.add_argument("id", metavar="ID")
    _fields(words, required=False)

    words = verb(actions, "remove", remove, "out of view; the record keeps it")
    words.add_argument("ids", metavar="ID", nargs="+")


def _fields(words: ArgumentParser, *, required: bool) -> None:
    words.add_argument(
        "--type", metavar="TYPE", choices=ANCHOR_TYPES, required=required, default="", help=", ".join(ANCHOR_TYPES)
    )
    words.add_argument(
        "--priority", metavar="PRIORITY", choices=_PRIORITIES, default="medium" if required else "",
        help=f"{', '.join(PRIORITIES)} (default medium, also called normal)",
    )  # fmt: skip
    words.add_argument("--content", metavar="TEXT", required=required, default="", help="the line that has to survive")
    words.add_argument("--file", metavar="PATH", default="", help="the file it is about; when that changes, it is stale")
    words.add_argument("--line", metavar="N", type=whole_number, default=0, help="where in that file")
    words.add_argument("--task", metavar="ID", default="", help="the task it is about")
    words.add_argument("--related", metavar="ID", action="append", default=[], help="may be given again")


def add_anchor(arguments: Namespace) -> Answer:
    from idumb_brain.operations import anchors

    data = anchors.add(arguments.type, arguments.priority, arguments.content, arguments.root, **_given(arguments))
    return told(arguments, data, "anchors.added")


def listing(arguments: Namespace) -> Answer:
    from idumb_brain.operations import anchors

    return told(arguments, anchors.listing(arguments.root, every=arguments.all, type=arguments.type), "anchors.list")


def update(arguments: Namespace) -> Answer:
    from idumb_brain.operations import anchors

    data = anchors.update(
        arguments.id,
        arguments.root,
        type=arguments.type,
        priority=arguments.priority,
        content=arguments.content,
        **_given(arguments),
    )
    return told(arguments, data, "anchors.updated")


def remove(arguments: Namespace) -> Answer:
    from idumb_brain.operations import anchors

    return told(arguments, anchors.remove(arguments.ids, arguments.root), "anchors.removed")


def _given(arguments: Namespace) -> dict[str, Any]:
    return {"file": arguments.file, "line": arguments.line, "task": arguments.task, "related": arguments.related}
