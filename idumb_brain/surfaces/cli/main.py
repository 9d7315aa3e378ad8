"""The command ``idumb-brain``: reads the line, runs one operation, writes its answer, says how it went. Thinks nothing itself."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from idumb_brain import __version__

if TYPE_CHECKING:
    from idumb_brain.model.errors import BrainError
    from idumb_brain.surfaces.cli.answer import Answer

INTERRUPTED = 130


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = sys.argv[1:] if argv is None else argv
    if words == ["--version"]:  # asked by scripts all day long; not worth loading a parser for
        print(f"idumb-brain {__version__}")
        return 0
    if len(words) == 2 and words[0] == "hook" and words[1][:1].isupper():
        # Asked before and after every tool; a process that lives already may know at once.
        from idumb_brain.surfaces.hooks.resident import hook

        print(hook(words[1]))
        return 0
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a file name may hold what a terminal cannot show
    try:
        return _run(words)
    except BrokenPipeError:  # the reader had enough, as "head" does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("stopped; what was committed is kept, and the next scan goes on from there", file=sys.stderr)
        return INTERRUPTED


def _run(words: list[str]) -> int:
    from idumb_brain.model.errors import BrainError
    from idumb_brain.surfaces.cli.arguments import parse
    from idumb_brain.surfaces.cli.parsing import UsageError

    as_json = "--json" in words
    try:
        arguments = parse(words)
        as_json = arguments.json
        answer = arguments.run(arguments)
        as_json = as_json or answer.as_json
    except UsageError as error:
        return _usage(error, as_json)
    except BrainError as error:
        return _failed(error, as_json)
    try:
        _write(answer, answer.data, as_json)
        for data in answer.more:
            _write(answer, data, as_json)
    except BrainError as error:
        return _failed(error, as_json)
    return int(answer.exit_code)


def _write(answer: Answer, data: Any, as_json: bool) -> None:
    if as_json:
        _write_json({"schemaVersion": 1, "data": data})
    elif answer.text is not None:
        sys.stdout.write(answer.text)
    else:
        from idumb_brain.surfaces.cli.people import show

        show(answer.view, data)
    sys.stdout.flush()


def _failed(error: BrainError, as_json: bool) -> int:
    if as_json:
        _write_json(
            {
                "schemaVersion": 1,
                "error": {"kind": error.kind, "what": error.what, "why": error.why, "instead": error.instead},
            }
        )
    else:
        print(f"idumb-brain: {error}", file=sys.stderr)
    return error.exit_code


def _usage(error: Any, as_json: bool) -> int:
    if as_json:
        told = {
            "kind": "usage",
            "what": error.what,
            "why": "the command line could not be read",
            "instead": error.instead,
        }
        _write_json({"schemaVersion": 1, "error": told})
    else:
        print(f"idumb-brain: {error.what}\n  {error.instead}", file=sys.stderr)
    return 2


def _write_json(document: dict[str, Any]) -> None:
    import json

    json.dump(document, sys.stdout, ensure_ascii=not _speaks_unicode(), indent=2 if sys.stdout.isatty() else None)
    sys.stdout.write("\n")
    sys.stdout.flush()


def _speaks_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
