"""What is known: ``brain …``."""

from __future__ import annotations

import argparse
import sys
from argparse import Namespace
from typing import Any

from idumb_brain.model.knowledge import CONTRADICTS, ENTRY_TYPES, RELATED, SOURCES
from idumb_brain.surfaces.cli.answer import Answer
from idumb_brain.surfaces.cli.parsing import Parser, verb, whole_number


def add(verbs: Any) -> None:
    words = verb(verbs, "brain", None, "what is known about the project, and how sure it is")
    questions = words.add_subparsers(metavar="action", title="actions", required=True, parser_class=Parser)

    words = verb(questions, "write", write, "remember something; what is known already comes back as similar")
    words.add_argument("--type", metavar="TYPE", required=True, choices=ENTRY_TYPES, help=", ".join(ENTRY_TYPES))
    words.add_argument("--title", metavar="TEXT", required=True, help="what it is, in a line")
    words.add_argument("--content", metavar="TEXT", required=True, help="what is known; - reads it from the input")
    words.add_argument(
        "--evidence", metavar="PATH[:LINE]", action="append", default=[],
        help="what it rests on: PATH, PATH:LINE, PATH:FIRST-LAST or a commit; may be given again",
    )  # fmt: skip
    words.add_argument("--related", metavar="ID", action="append", default=[], help="may be given again")
    words.add_argument("--parent", metavar="ID", default="", help="the entry it is a part of")
    words.add_argument("--supersedes", metavar="ID", default="", help="the entry this one takes the place of")
    words.add_argument("--stale-after", metavar="AGE", default="", help="half of its confidence is gone then: 12h, 30d, never")
    words.add_argument("--confidence", metavar="N", type=percentage, default=100, help="how sure it is, 0 to 100 (default 100)")
    words.add_argument("--pin", action="store_true", help="time takes nothing of its confidence")
    words.add_argument("--source", metavar="SOURCE", choices=SOURCES, default="manual", help=", ".join(SOURCES))
    words.add_argument("--force", action="store_true", help="write it even if something alike is known")

    words = verb(questions, "query", query, "what is known about something, the best first, and why")
    words.add_argument("text", metavar="TEXT", help='a question, words, names, paths; "a quoted phrase" counts as one')
    words.add_argument("--type", metavar="TYPE", default="", help="only entries of this type")
    words.add_argument("--limit", metavar="N", type=whole_number, default=10, help="at most so many (default 10)")
    words.add_argument("--budget", metavar="TOKENS", type=whole_number, help="at most so many tokens of JSON")
    words.add_argument("--all", action="store_true", help="superseded, purged and expired ones too")
    words.add_argument("--at", metavar="DATE", default="", help="what was so at that time")

    words = verb(questions, "show", show, "one entry, and what it is worth now")
    words.add_argument("id", metavar="ID")

    words = verb(questions, "list", listing, "all that is known, the latest first")
    words.add_argument("--type", metavar="TYPE", choices=ENTRY_TYPES, default="", help=", ".join(ENTRY_TYPES))
    words.add_argument("--all", action="store_true", help="superseded and purged ones too")
    _limit(words)

    words = verb(questions, "link", link, "relate two entries")
    words.add_argument("id", metavar="ID")
    words.add_argument("other", metavar="OTHER")
    words.add_argument(
        "--kind", choices=(RELATED, CONTRADICTS, "parent"), default=RELATED,
        help="how: related (default), contradicts, or OTHER is the parent of ID",
    )  # fmt: skip

    words = verb(questions, "supersede", supersede, "put one entry in the place of another, which stays in history")
    words.add_argument("id", metavar="OLD")
    words.add_argument("by", metavar="NEW")

    words = verb(questions, "validate", validate, "still true: restores confidence, looks at what is cited anew")
    words.add_argument("ids", metavar="ID", nargs="+")
    words.add_argument("--confidence", metavar="N", type=percentage, default=None, help="how sure it is now (default: as it was)")

    words = verb(questions, "update", update, "correct an entry; what it said before stays in history")
    words.add_argument("id", metavar="ID")
    words.add_argument("--title", metavar="TEXT", default="", help="what it is, in a line")
    words.add_argument("--content", metavar="TEXT", default="", help="what is known; - reads it from the input")
    words.add_argument(
        "--evidence", metavar="PATH[:LINE]", action="append", default=[], help="instead of what it cites; may be given again"
    )

    words = verb(questions, "stale", stale, "what somebody should look at again, and why")
    _limit(words)

    words = verb(questions, "purge", purge, "take entries out of view; without --yes only tells which")
    words.add_argument("ids", metavar="ID", nargs="*")
    words.add_argument(
        "--below", metavar="N", type=percentage, default=None, help="all that are worth less than N now, but pinned ones"
    )
    words.add_argument("--hard", action="store_true", help="really delete them; the record keeps only that they were there")
    words.add_argument("--yes", action="store_true", help="do it")

    words = verb(questions, "tree", tree, "what belongs below what")
    words.add_argument("id", metavar="ID", nargs="?", default="")
    _limit(words)

    words = verb(questions, "history", history, "what happened to one entry or anchor, or to all")
    words.add_argument("id", metavar="ID", nargs="?", default="")
    words.add_argument("--limit", metavar="N", type=whole_number, default=50, help="the latest N (default 50)")

    verb(questions, "learn", learn, "learn from the scan and from git's history; twice changes nothing")


def write(arguments: Namespace) -> Answer:
    from idumb_brain.operations import brain

    content = sys.stdin.read() if arguments.content == "-" else arguments.content
    data = brain.write(
        arguments.type,
        arguments.title,
        content,
        arguments.root,
        evidence=arguments.evidence,
        related=arguments.related,
        parent=arguments.parent,
        supersedes=arguments.supersedes,
        stale_after=arguments.stale_after,
        confidence_now=arguments.confidence,
        pinned=arguments.pin,
        force=arguments.force,
        source=arguments.source,
    )
    return told(arguments, data, "brain.similar" if "similar" in data else "brain.written")


def query(arguments: Namespace) -> Answer:
    from idumb_brain.operations import recalling

    data = recalling.query(
        arguments.text,
        arguments.root,
        type=arguments.type,
        limit=arguments.limit,
        budget=arguments.budget,
        every=arguments.all,
        at=arguments.at,
    )
    return told(arguments, data, "recall.query")


def show(arguments: Namespace) -> Answer:
    from idumb_brain.operations import brain

    return told(arguments, brain.show(arguments.id, arguments.root), "brain.show")


def listing(arguments: Namespace) -> Answer:
    from idumb_brain.operations import brain

    return told(
        arguments, brain.listing(arguments.root, type=arguments.type, every=arguments.all, limit=arguments.limit), "brain.list"
    )


def link(arguments: Namespace) -> Answer:
    from idumb_brain.operations import brain

    return told(arguments, brain.link(arguments.id, arguments.other, arguments.root, kind=arguments.kind), "brain.link")


def supersede(arguments: Namespace) -> Answer:
    from idumb_brain.operations import brain

    return told(arguments, brain.supersede(arguments.id, arguments.by, arguments.root), "brain.supersede")


def validate(arguments: Namespace) -> Answer:
    from idumb_brain.operations import brain

    data = brain.validate(arguments.ids, arguments.root, confidence_now=arguments.confidence)
    return told(arguments, data, "brain.validate")


def update(arguments: Namespace) -> Answer:
    from idumb_brain.operations import brain

    content = sys.stdin.read() if arguments.content == "-" else arguments.content
    data = brain.update(arguments.id, arguments.root, title=arguments.title, content=content, evidence=arguments.evidence)
    return told(arguments, data, "brain.show")


def stale(arguments: Namespace) -> Answer:
    from idumb_brain.operations import brain

    return told(arguments, brain.stale(arguments.root, limit=arguments.limit), "brain.stale")


def purge(arguments: Namespace) -> Answer:
    from idumb_brain.operations import brain

    data = brain.purge(arguments.ids, arguments.root, below=arguments.below, hard=arguments.hard, yes=arguments.yes)
    return told(arguments, data, "brain.purge")


def tree(arguments: Namespace) -> Answer:
    from idumb_brain.operations import brain

    return told(arguments, brain.tree(arguments.id, arguments.root, limit=arguments.limit), "brain.tree")


def history(arguments: Namespace) -> Answer:
    from idumb_brain.operations import brain

    return told(arguments, brain.history(arguments.id, arguments.root, limit=arguments.limit), "brain.history")


def learn(arguments: Namespace) -> Answer:
    from idumb_brain.operations import learning

    return told(arguments, learning.learn(arguments.root), "brain.learn")


def told(arguments: Namespace, data: dict[str, Any], view: str) -> Answer:
    """The answer; what was found broken on the way is told beside it."""
    if not arguments.quiet:
        for note in data.get("notes", ()):
            print(f"note: {note}", file=sys.stderr)
    return Answer(data, view)


def _limit(words: argparse.ArgumentParser) -> None:
    words.add_argument("--limit", metavar="N", type=whole_number, default=50, help="at most so many (default 50)")


def percentage(word: str) -> int:
    if not word.isdecimal() or int(word) > 100:
        raise argparse.ArgumentTypeError(f"{word!r} is not a whole number from 0 to 100")
    return int(word)
