"""Completion scripts for shells."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from idumb_brain.surfaces.cli.answer import Answer
from idumb_brain.surfaces.cli.parsing import verb


def add(verbs: Any, parser: Any) -> None:
    words = verb(verbs, "completion", completion, "print a completion script for a shell")
    words.add_argument("shell", choices=("bash", "zsh", "tcsh"))
    words.set_defaults(parser=parser)


def completion(arguments: Namespace) -> Answer:
    import shtab

    script = shtab.complete(arguments.parser, arguments.shell)
    return Answer(
        {"shell": arguments.shell, "script": script},
        "completion",
        text=script if script.endswith("\n") else script + "\n",
    )
