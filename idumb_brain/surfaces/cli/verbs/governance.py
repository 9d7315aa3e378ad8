"""Asking governance: ``gate``, ``session …``."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from idumb_brain.surfaces.cli.answer import Answer
from idumb_brain.surfaces.cli.parsing import Parser, verb, whole_number

REFUSED = 3


def add(verbs: Any) -> None:
    words = verb(verbs, "gate", gate, "whether a tool may be used this way now, and why; exit 3 when it is refused")
    words.add_argument("tool", metavar="TOOL", nargs="?", help="the tool, as its host calls it")
    words.add_argument("--role", metavar="R", default="", help="who wants to use it (default: the role of the session)")
    words.add_argument("--session", metavar="ID", default="", help="in which session; what is refused is kept with it")
    words.add_argument("--args", metavar="JSON", default="{}", help="the arguments of the call")
    words.add_argument("--command", metavar="TEXT", help="a command instead of a tool, for example '/idumb:roadmap'")

    words = verb(verbs, "session", None, "what sessions did, and what was refused and halted in them")
    questions = words.add_subparsers(metavar="question", title="questions", required=True, parser_class=Parser)
    words = verb(questions, "list", listed, "all sessions, those last heard of first")
    words.add_argument("--state", metavar="S", default="", help="only those in this state")
    words.add_argument("--limit", metavar="N", type=whole_number, default=-1, help="at most so many (default: all)")
    words = verb(questions, "show", show, "the record of one session")
    words.add_argument("session", metavar="ID")
    words = verb(questions, "gc", gc, "take out sessions and halts that nobody has heard of for days")
    words.add_argument("--dry-run", action="store_true", help="only say what would go")
    verb(questions, "halts", halts, "what is halted, and how to let it go on")
    words = verb(questions, "resume-halt", resume_halt, "let halted work go on")
    words.add_argument("halt", metavar="ID")


def gate(arguments: Namespace) -> Answer:
    from idumb_brain.operations import gate as gates
    from idumb_brain.operations.ground import standing

    with standing(arguments.root) as ground:
        if arguments.command is not None:
            data = gates.command(ground, arguments.command, session=arguments.session)
        else:
            data = gates.gate(
                ground, arguments.tool or "", role=arguments.role, session=arguments.session, args=gates.read_args(arguments.args)
            )
    return Answer(data, "governance.gate", exit_code=REFUSED if data["enforced"] else 0)


def listed(arguments: Namespace) -> Answer:
    from idumb_brain.operations import records
    from idumb_brain.operations.ground import standing

    with standing(arguments.root) as ground:
        return Answer(records.listed(ground, state=arguments.state, limit=arguments.limit), "governance.list")


def show(arguments: Namespace) -> Answer:
    from idumb_brain.operations import records
    from idumb_brain.operations.ground import standing

    with standing(arguments.root) as ground:
        return Answer(records.shown(ground, arguments.session), "governance.show")


def gc(arguments: Namespace) -> Answer:
    from idumb_brain.operations import records
    from idumb_brain.operations.ground import standing

    with standing(arguments.root) as ground:
        return Answer(records.collect(ground, dry_run=arguments.dry_run), "governance.gc")


def halts(arguments: Namespace) -> Answer:
    from idumb_brain.operations import records
    from idumb_brain.operations.ground import standing

    with standing(arguments.root) as ground:
        return Answer(records.halts(ground), "governance.halts")


def resume_halt(arguments: Namespace) -> Answer:
    from idumb_brain.operations import records
    from idumb_brain.operations.ground import standing

    with standing(arguments.root) as ground:
        return Answer(records.resume_halt(ground, arguments.halt), "governance.resumed")
