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
    if arguments.paths and arguments.paths[0] in SCAN_MODES and len(arguments.paths) <= SCAN_WORDS.get(arguments.paths[0], 1):
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


def scan_drift(arguments: Namespace) -> Answer:
    from idumb_brain import operations

    data = operations.drift(arguments.paths[1] if len(arguments.paths) > 1 else None, arguments.root)
    return Answer(data, "drift", exit_code=_broken(arguments, data))


def _broken(arguments: Namespace, data: dict[str, Any]) -> int:
    return 1 if arguments.check and data["summary"]["api"]["breaking"] else 0


# Words that are no path when they stand alone after "scan"; a folder of such a name is scanned as ./NAME.
SCAN_MODES: dict[str, Callable[[Namespace], Answer]] = {"drift": scan_drift}
SCAN_WORDS = {"drift": 2}  # how many words there may be, where it is more than the mode alone


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

    data = operations.todos(
        arguments.root,
        arguments.path,
        ages=not arguments.no_age,
        types=arguments.type or (),
        owner=arguments.owner,
        older_than=arguments.older_than,
        sort=arguments.sort,
    )
    return Answer(data, {"age": "todos by age", "owner": "todos by owner"}.get(arguments.sort, "todos"))


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

    data = operations.diff(arguments.revision, arguments.root)
    return Answer(data, "drift", exit_code=_broken(arguments, data))


def completion(arguments: Namespace) -> Answer:
    import shtab

    script = shtab.complete(arguments.parser, arguments.shell)
    return Answer(
        {"shell": arguments.shell, "script": script},
        "completion",
        text=script if script.endswith("\n") else script + "\n",
    )
