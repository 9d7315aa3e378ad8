"""One function per command: what was typed to an operation, its result to an answer."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Answer:
    """``data`` is the JSON; ``view`` names how people see it; ``text`` is printed as it is."""

    data: Any
    view: str
    text: str | None = None
    as_json: bool = False  # asked for by other means than --json
    exit_code: int = 0
    more: Iterator[Any] = iter(())  # answers that follow as things happen, each like ``data``


def init(arguments: Namespace) -> Answer:
    from idumb_brain import operations
    from idumb_brain.surfaces.cli.progress import Progress

    with Progress(arguments.quiet) as progress:
        return Answer(
            operations.init(arguments.root, jobs=arguments.jobs, progress=progress.at, notice=progress.note),
            "init",
        )


def scan(arguments: Namespace) -> Answer:
    if len(arguments.paths) == 1 and arguments.paths[0] in SCAN_MODES:
        return SCAN_MODES[arguments.paths[0]](arguments)
    from idumb_brain import operations
    from idumb_brain.surfaces.cli.progress import Progress

    with Progress(arguments.quiet) as progress:
        data = operations.scan(
            arguments.root,
            arguments.paths,
            full=arguments.full,
            jobs=arguments.jobs,
            progress=progress.at,
            notice=progress.note,
        )
    return Answer(data, "scan")


def scan_frameworks(arguments: Namespace) -> Answer:
    from idumb_brain import operations

    return Answer(operations.frameworks(arguments.root), "frameworks")


# Words that are no path when they stand alone after "scan"; a folder of such a name is scanned as ./NAME.
SCAN_MODES: dict[str, Callable[[Namespace], Answer]] = {
    "frameworks": scan_frameworks,
}


def status(arguments: Namespace) -> Answer:
    from idumb_brain import operations

    return Answer(operations.status(arguments.root), "status")


def watch(arguments: Namespace) -> Answer:
    from idumb_brain import operations
    from idumb_brain.surfaces.cli.progress import Progress

    batches = operations.watch(arguments.root, jobs=arguments.jobs, notice=Progress(arguments.quiet).note)
    return Answer(next(batches), "watch", more=batches)


def codemap_show(arguments: Namespace) -> Answer:
    from idumb_brain import operations

    return Answer(operations.show(arguments.file, arguments.root), "show")


def codemap_outline(arguments: Namespace) -> Answer:
    from idumb_brain import operations

    return Answer(operations.outline(arguments.file, arguments.root), "outline")


def codemap_comments(arguments: Namespace) -> Answer:
    from idumb_brain import operations

    return Answer(operations.comments(arguments.file, arguments.root), "comments")


def codemap_exports(arguments: Namespace) -> Answer:
    from idumb_brain import operations

    return Answer(operations.exports(arguments.path, arguments.root), "exports")


def codemap_todos(arguments: Namespace) -> Answer:
    from idumb_brain import operations

    return Answer(operations.todos(arguments.root, ages=not arguments.no_age), "todos")


def codemap_graph(arguments: Namespace) -> Answer:
    from idumb_brain import operations

    data = operations.graph(arguments.root, focus=arguments.focus, depth=arguments.depth)
    if arguments.format in (None, "json"):
        return Answer(data, "graph", as_json=arguments.format == "json")
    from idumb_brain.render.drawings import draw

    text = draw(data, arguments.format)
    return Answer({"format": arguments.format, "text": text}, "graph", text=text)


def codemap_cycles(arguments: Namespace) -> Answer:
    from idumb_brain import operations

    found = operations.cycles(arguments.root)
    return Answer(found, "cycles", exit_code=1 if arguments.check and found else 0)


def codemap_impact(arguments: Namespace) -> Answer:
    from idumb_brain import operations

    return Answer(operations.impact(arguments.target, arguments.root, depth=arguments.depth), "impact")


def codemap_diff(arguments: Namespace) -> Answer:
    from idumb_brain import operations

    return Answer(operations.diff(arguments.revision, arguments.root), "diff")


def codemap_packages(arguments: Namespace) -> Answer:
    from idumb_brain import operations

    found = operations.package_graph(arguments.root)
    missing = any(not one["optional"] for one in found["undeclared"])
    return Answer(found, "packages", exit_code=1 if arguments.check and missing else 0)


def completion(arguments: Namespace) -> Answer:
    import shtab

    script = shtab.complete(arguments.parser, arguments.shell)
    return Answer(
        {"shell": arguments.shell, "script": script},
        "completion",
        text=script if script.endswith("\n") else script + "\n",
    )
