"""What the project says for itself: settings, and the rules, roles and languages it lays over ours."""

from __future__ import annotations

import os
from collections.abc import Iterator

from idumb_brain.model.errors import BrainError
from idumb_brain.model.health import Finding
from idumb_brain.operations.health.patient import Patient
from idumb_brain.store.brain import aside, stamp
from idumb_brain.store.config import CONFIG, unknown_keys, write_default

_AREA = "settings"


def examined(patient: Patient) -> Iterator[Finding]:
    file = patient.project.root / ".idumb" / CONFIG
    try:
        _ = patient.project.config
    except BrainError as error:

        def mend() -> str:
            kept = aside(file, f"unreadable-{stamp(patient.now)}")
            os.replace(file, kept)
            write_default(file)
            return f"wrote the defaults; what was there is {kept.name}"

        yield Finding(_AREA, "error", error.what, error.why, error.instead, mend)
    else:
        for key in unknown_keys(file):
            yield Finding(
                _AREA,
                "note",
                f"{file.name} says {key!r}, which means nothing",
                "no setting has that name",
                "see idumb-brain guide settings",
            )
    yield from _laid_over(patient)


def _laid_over(patient: Patient) -> Iterator[Finding]:
    from idumb_brain.govern.rules import load_rules
    from idumb_brain.scan.languages import load_languages, query_folders

    folders = query_folders(str(patient.project.root))
    for load in (load_languages, load_rules):
        try:
            load(folders)
        except BrainError as error:
            yield Finding(_AREA, "error", error.what, error.why, error.instead)
