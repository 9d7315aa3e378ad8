"""Keeping it well: ``doctor``, ``gc``."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from idumb_brain.surfaces.cli.answer import Answer
from idumb_brain.surfaces.cli.parsing import verb


def add(verbs: Any) -> None:
    words = verb(verbs, "doctor", doctor, "what is wrong with stores, settings and agents, and what to do; exit 1 if anything is")
    words.add_argument("--fix", action="store_true", help="mend what can be mended; what was authored is copied first")

    words = verb(
        verbs, "gc", gc, "take out what nobody needs: old sessions and halts, leftovers, old copies; make databases smaller"
    )
    words.add_argument("--dry-run", action="store_true", help="only say what would go")


def doctor(arguments: Namespace) -> Answer:
    from idumb_brain.operations.health import doctor
    from idumb_brain.surfaces.opencode import template

    data = doctor(arguments.root, fix=arguments.fix, template=template())
    return Answer(data, "health.doctor", exit_code=0 if data["ok"] else 1)


def gc(arguments: Namespace) -> Answer:
    from idumb_brain.operations.tidying import gc

    return Answer(gc(arguments.root, dry_run=arguments.dry_run), "health.gc")
