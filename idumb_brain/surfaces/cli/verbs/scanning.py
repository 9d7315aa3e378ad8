"""Looking at a project: ``init``, ``scan``, ``status``, ``map``, ``watch``."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import Any

from idumb_brain.surfaces.cli.answer import Answer, breaks
from idumb_brain.surfaces.cli.parsing import jobs_option, verb, whole_number


def add(verbs: Any) -> None:
    words = verb(verbs, "init", init, "write the settings, scan everything, say what to do next")
    jobs_option(words)

    words = verb(verbs, "scan", scan, "bring the code map up to date; only what changed is read")
    words.add_argument(
        "paths", nargs="*", metavar="PATH",
        help=" ".join(["files to look at, or the folder of a project", *(f"| {word}" for word in SCAN_MODES)]),
    )  # fmt: skip
    words.add_argument("--full", action="store_true", help="forget the index and read everything")
    words.add_argument("--stale", action="store_true", help="of documents, only those that say what is no longer so")
    words.add_argument("--check", action="store_true", help="exit 1 when drift breaks the public API, or documents are stale")
    jobs_option(words)

    verb(verbs, "status", status, "what is indexed and how fresh, what is stale, who works on what, which agents are connected")

    words = verb(verbs, "map", project_map, "the project at a glance: stack, layers, documents, packages")
    words.add_argument("--depth", metavar="N", type=whole_number, default=3, help="levels of folders in the JSON (default 3)")

    words = verb(verbs, "watch", watch, "keep the code map up to date while files change; a line for every batch")
    jobs_option(words)


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
    return Answer(data, "changes.drift", exit_code=breaks(arguments, data))


# Words that are no path when they stand alone after "scan"; a folder of such a name is scanned as ./NAME.
SCAN_MODES: dict[str, Callable[[Namespace], Answer]] = {
    "documents": scan_documents,
    "drift": scan_drift,
    "frameworks": scan_frameworks,
}
SCAN_WORDS = {"drift": 2}  # how many words there may be, where it is more than the mode alone


def status(arguments: Namespace) -> Answer:
    from idumb_brain.operations.status import status
    from idumb_brain.surfaces.opencode import template

    return Answer(status(arguments.root, template=template()), "status.status")


def project_map(arguments: Namespace) -> Answer:
    from idumb_brain.operations import mapping

    return Answer(mapping.project_map(arguments.root, depth=arguments.depth), "map.map")


def watch(arguments: Namespace) -> Answer:
    from idumb_brain.operations import watching
    from idumb_brain.surfaces.cli.progress import Progress

    batches = watching.watch(arguments.root, jobs=arguments.jobs, notice=Progress(arguments.quiet).note)
    return Answer(next(batches), "scanning.watch", more=batches)
