"""Asking the code map: ``codemap …``."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from idumb_brain.surfaces.cli.answer import Answer, breaks
from idumb_brain.surfaces.cli.parsing import Parser, verb, whole_number


def add(verbs: Any) -> None:
    words = verb(verbs, "codemap", None, "ask the code map")
    questions = words.add_subparsers(metavar="question", title="questions", required=True, parser_class=Parser)
    words = verb(questions, "show", show, "everything known about one file")
    words.add_argument("file", metavar="FILE")
    words = verb(questions, "outline", outline, "the symbols of a file as a tree")
    words.add_argument("file", metavar="FILE")
    words = verb(questions, "comments", comments, "comments of a file, or of all")
    words.add_argument("file", metavar="FILE", nargs="?")
    words = verb(questions, "exports", exports, "the public API of a file, a folder or the project")
    words.add_argument("path", metavar="PATH", nargs="?")
    words = verb(questions, "todos", todos, "what was left for later: who, which ticket, how old")
    words.add_argument("path", metavar="PATH", nargs="?", help="only in this file or folder")
    words.add_argument("--type", metavar="TYPE", action="append", help="todo, fixme, hack, xxx, bug or note; may be given again")
    words.add_argument("--owner", metavar="NAME", help="only those of somebody; a part of the name will do")
    words.add_argument("--older-than", metavar="AGE", help="only those at least so old: 90d, 6m, 2y")
    words.add_argument("--sort", choices=("file", "age", "owner"), default="file", help="and group them so (default file)")
    words.add_argument("--no-age", action="store_true", help="do not ask git how old they are")
    words = verb(questions, "graph", graph, "which file imports which")
    words.add_argument(
        "--format",
        choices=("json", "mermaid", "dot", "graphml"),
        help="a drawing or a document instead of a summary",
    )
    words.add_argument("--focus", metavar="FILE", help="only this file and what is near it")
    words.add_argument(
        "--depth",
        metavar="N",
        type=whole_number,
        default=1,
        help="how near: steps along imports (default 1)",
    )
    words = verb(questions, "scip", scip, "the code map as a SCIP index, for tools that read those")
    words.add_argument("file", metavar="FILE", nargs="?", help="where to (default: index.scip at the root of the project)")
    words = verb(questions, "cycles", cycles, "files that import each other in a circle")
    words.add_argument("--check", action="store_true", help="exit 1 when there are any")
    words = verb(questions, "impact", impact, "everything that depends on a file or a symbol")
    words.add_argument("target", metavar="FILE[#SYMBOL]")
    words.add_argument("--depth", metavar="N", type=whole_number, default=None, help="stop after N steps (default: all)")
    words = verb(
        questions,
        "diff",
        diff,
        "files and public symbols changed since the last scan, or a git revision",
    )
    words.add_argument("revision", metavar="REV", nargs="?", help="a git revision, or two as REV..REV (default: the last scan)")
    words.add_argument("--check", action="store_true", help="exit 1 when the public API changed for the worse")

    words = verb(questions, "packages", packages, "packages: declared, locked, imported; unused and undeclared")
    words.add_argument("--check", action="store_true", help="exit 1 when code imports what no manifest asks for")
    words = verb(questions, "inconsistencies", inconsistencies, "where comments contradict code")
    words.add_argument("path", metavar="PATH", nargs="?", help="a file or folder (default: everything)")
    words.add_argument("--kind", metavar="K", action="append", help="only findings of this kind; may be given several times")
    words.add_argument("--doubtful", action="store_true", help="also tell what may well be right")
    words.add_argument("--no-history", action="store_true", help="do not ask git what used to be there")
    words.add_argument("--check", action="store_true", help="exit 1 when there are any")


def show(arguments: Namespace) -> Answer:
    from idumb_brain.operations import codemap

    return Answer(codemap.show(arguments.file, arguments.root), "codemap.show")


def outline(arguments: Namespace) -> Answer:
    from idumb_brain.operations import codemap

    return Answer(codemap.outline(arguments.file, arguments.root), "codemap.outline")


def comments(arguments: Namespace) -> Answer:
    from idumb_brain.operations import codemap

    return Answer(codemap.comments(arguments.file, arguments.root), "codemap.comments")


def exports(arguments: Namespace) -> Answer:
    from idumb_brain.operations import codemap

    return Answer(codemap.exports(arguments.path, arguments.root), "codemap.exports")


def todos(arguments: Namespace) -> Answer:
    from idumb_brain.operations import todos

    data = todos.todos(
        arguments.root,
        arguments.path,
        ages=not arguments.no_age,
        types=arguments.type or (),
        owner=arguments.owner,
        older_than=arguments.older_than,
        sort=arguments.sort,
    )
    return Answer(data, {"age": "todos.by age", "owner": "todos.by owner"}.get(arguments.sort, "todos.todos"))


def graph(arguments: Namespace) -> Answer:
    from idumb_brain.operations import codemap

    data = codemap.graph(arguments.root, focus=arguments.focus, depth=arguments.depth)
    if arguments.format in (None, "json"):
        return Answer(data, "codemap.graph", as_json=arguments.format == "json")
    from idumb_brain.render.drawings import draw

    text = draw(data, arguments.format)
    return Answer({"format": arguments.format, "text": text}, "codemap.graph", text=text)


def scip(arguments: Namespace) -> Answer:
    from idumb_brain.operations.scip import scip as write

    return Answer(write(arguments.file, arguments.root), "codemap.scip")


def cycles(arguments: Namespace) -> Answer:
    from idumb_brain.operations import codemap

    found = codemap.cycles(arguments.root)
    return Answer(found, "codemap.cycles", exit_code=1 if arguments.check and found else 0)


def impact(arguments: Namespace) -> Answer:
    from idumb_brain.operations import codemap

    return Answer(codemap.impact(arguments.target, arguments.root, depth=arguments.depth), "codemap.impact")


def diff(arguments: Namespace) -> Answer:
    from idumb_brain.operations import drift

    data = drift.diff(arguments.revision, arguments.root)
    return Answer(data, "changes.drift", exit_code=breaks(arguments, data))


def packages(arguments: Namespace) -> Answer:
    from idumb_brain.operations import dependencies

    found = dependencies.package_graph(arguments.root)
    missing = any(not one["optional"] for one in found["undeclared"])
    return Answer(found, "dependencies.packages", exit_code=1 if arguments.check and missing else 0)


def inconsistencies(arguments: Namespace) -> Answer:
    from idumb_brain.operations import inconsistencies
    from idumb_brain.surfaces.cli.progress import Progress

    with Progress(arguments.quiet) as progress:
        found = inconsistencies.inconsistencies(
            arguments.path,
            arguments.root,
            kinds=arguments.kind or (),
            doubtful=arguments.doubtful,
            history=not arguments.no_history,
            progress=progress.at,
        )
    return Answer(found, "inconsistencies.inconsistencies", exit_code=1 if arguments.check and found else 0)
