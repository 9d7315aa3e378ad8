"""One function per command: what was typed to an operation, its result to an answer."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
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
    from idumb_brain.operations import scanning
    from idumb_brain.surfaces.cli.progress import Progress

    with Progress(arguments.quiet) as progress:
        return Answer(
            scanning.init(arguments.root, jobs=arguments.jobs, progress=progress.at, notice=progress.note),
            "scanning.init",
        )


def scan(arguments: Namespace) -> Answer:
    if arguments.paths and arguments.paths[0] in SCAN_MODES and len(arguments.paths) <= SCAN_WORDS.get(arguments.paths[0], 1):
        return SCAN_MODES[arguments.paths[0]](arguments)
    return Answer(_scanned(arguments, arguments.paths), "scanning.scan")


def _scanned(arguments: Namespace, paths: Sequence[str] = ()) -> Any:
    from idumb_brain.operations import scanning
    from idumb_brain.surfaces.cli.progress import Progress

    with Progress(arguments.quiet) as progress:
        return scanning.scan(
            arguments.root,
            paths,
            full=arguments.full,
            jobs=arguments.jobs,
            progress=progress.at,
            notice=progress.note,
        )


def scan_documents(arguments: Namespace) -> Answer:
    from idumb_brain.operations import documents

    _scanned(arguments)
    data = documents.documents(arguments.root) | {"governanceDetected": documents.governance(arguments.root)}
    if arguments.stale:
        data["documents"] = [one for one in data["documents"] if one["staleIndicators"]]
    data["staleOnly"] = arguments.stale
    return Answer(data, "documents.documents", exit_code=1 if arguments.check and data["stale"] else 0)


def scan_frameworks(arguments: Namespace) -> Answer:
    from idumb_brain.operations import stack

    _scanned(arguments)
    return Answer(stack.frameworks(arguments.root), "stack.frameworks")


def scan_drift(arguments: Namespace) -> Answer:
    from idumb_brain.operations import drift

    data = drift.drift(arguments.paths[1] if len(arguments.paths) > 1 else None, arguments.root)
    return Answer(data, "changes.drift", exit_code=_broken(arguments, data))


def _broken(arguments: Namespace, data: dict[str, Any]) -> int:
    return 1 if arguments.check and data["summary"]["api"]["breaking"] else 0


# Words that are no path when they stand alone after "scan"; a folder of such a name is scanned as ./NAME.
SCAN_MODES: dict[str, Callable[[Namespace], Answer]] = {
    "documents": scan_documents,
    "drift": scan_drift,
    "frameworks": scan_frameworks,
}
SCAN_WORDS = {"drift": 2}  # how many words there may be, where it is more than the mode alone


def status(arguments: Namespace) -> Answer:
    from idumb_brain.operations import scanning

    return Answer(scanning.status(arguments.root), "scanning.status")


def project_map(arguments: Namespace) -> Answer:
    from idumb_brain.operations import mapping

    return Answer(mapping.project_map(arguments.root, depth=arguments.depth), "map.map")


def watch(arguments: Namespace) -> Answer:
    from idumb_brain.operations import watching
    from idumb_brain.surfaces.cli.progress import Progress

    batches = watching.watch(arguments.root, jobs=arguments.jobs, notice=Progress(arguments.quiet).note)
    return Answer(next(batches), "scanning.watch", more=batches)


def codemap_show(arguments: Namespace) -> Answer:
    from idumb_brain.operations import codemap

    return Answer(codemap.show(arguments.file, arguments.root), "codemap.show")


def codemap_outline(arguments: Namespace) -> Answer:
    from idumb_brain.operations import codemap

    return Answer(codemap.outline(arguments.file, arguments.root), "codemap.outline")


def codemap_comments(arguments: Namespace) -> Answer:
    from idumb_brain.operations import codemap

    return Answer(codemap.comments(arguments.file, arguments.root), "codemap.comments")


def codemap_exports(arguments: Namespace) -> Answer:
    from idumb_brain.operations import codemap

    return Answer(codemap.exports(arguments.path, arguments.root), "codemap.exports")


def codemap_todos(arguments: Namespace) -> Answer:
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


def codemap_graph(arguments: Namespace) -> Answer:
    from idumb_brain.operations import codemap

    data = codemap.graph(arguments.root, focus=arguments.focus, depth=arguments.depth)
    if arguments.format in (None, "json"):
        return Answer(data, "codemap.graph", as_json=arguments.format == "json")
    from idumb_brain.render.drawings import draw

    text = draw(data, arguments.format)
    return Answer({"format": arguments.format, "text": text}, "codemap.graph", text=text)


def codemap_cycles(arguments: Namespace) -> Answer:
    from idumb_brain.operations import codemap

    found = codemap.cycles(arguments.root)
    return Answer(found, "codemap.cycles", exit_code=1 if arguments.check and found else 0)


def codemap_impact(arguments: Namespace) -> Answer:
    from idumb_brain.operations import codemap

    return Answer(codemap.impact(arguments.target, arguments.root, depth=arguments.depth), "codemap.impact")


def codemap_diff(arguments: Namespace) -> Answer:
    from idumb_brain.operations import drift

    data = drift.diff(arguments.revision, arguments.root)
    return Answer(data, "changes.drift", exit_code=_broken(arguments, data))


def codemap_packages(arguments: Namespace) -> Answer:
    from idumb_brain.operations import dependencies

    found = dependencies.package_graph(arguments.root)
    missing = any(not one["optional"] for one in found["undeclared"])
    return Answer(found, "dependencies.packages", exit_code=1 if arguments.check and missing else 0)


def codemap_inconsistencies(arguments: Namespace) -> Answer:
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


def completion(arguments: Namespace) -> Answer:
    import shtab

    script = shtab.complete(arguments.parser, arguments.shell)
    return Answer(
        {"shell": arguments.shell, "script": script},
        "completion",
        text=script if script.endswith("\n") else script + "\n",
    )
