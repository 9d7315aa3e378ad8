"""``doctor``: what is wrong with what we keep of a project and with those who talk to us, and mending it. Refuses to mend unasked.

Every room examines one thing and yields what it found, each with what to do about it, and how it is mended where that can be
done without losing anything. What is authored is copied before anything in it is touched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from idumb_brain.model.errors import BrainError
from idumb_brain.model.health import SEVERITIES, Finding
from idumb_brain.operations.health import agents, brain, index, place, settings, system
from idumb_brain.operations.health.patient import Patient
from idumb_brain.operations.project import find_project

Examination = Callable[[Patient], Iterator[Finding]]
# In this order: what comes later stands on what came before.
EXAMINATIONS: tuple[tuple[str, str, Examination], ...] = (
    ("system", "Python, SQLite, packages, grammars", system.examined),
    ("place", "folders, ignored files, leftovers, disk", place.examined),
    ("settings", "settings, rules, languages of the project", settings.examined),
    ("index", "the code map and the words of questions", index.examined),
    ("brain", "what people and agents authored", brain.examined),
    ("agents", "hosts that are set up here", agents.examined),
)


def doctor(root: str | None = None, *, fix: bool = False, template: str = "") -> dict[str, Any]:
    """``template``: OpenCode's plugin as it is shipped."""
    patient = Patient(find_project(root), template)
    found = _findings(patient)
    mended: list[dict[str, Any]] = []
    while fix and (due := _due(found, mended)):
        mended += [_mended(one) for one in due]
        found = _findings(patient)
    return {
        "root": str(patient.project.root),
        "ok": not any(one.severity != "note" for one in found),
        "examined": [{"area": area, "what": what} for area, what, _ in EXAMINATIONS],
        "findings": [_told(one) for one in found],
        "mended": mended,
        "backups": patient.backups,
    }


def _findings(patient: Patient) -> list[Finding]:
    found: list[Finding] = []
    for area, _, examined in EXAMINATIONS:
        try:
            found += examined(patient)
        except BrainError as error:  # what makes the examination impossible is itself a finding, unless it is one already
            if all(one.what != error.what for one in found):
                found.append(Finding(area, "error", error.what, error.why, error.instead))
        except OSError as error:
            found.append(
                Finding(area, "error", f"{error.filename or area} cannot be read", str(error.strerror), "look at its rights")
            )
    return sorted(found, key=lambda one: SEVERITIES.index(one.severity))


def _due(found: list[Finding], tried: list[dict[str, Any]]) -> list[Finding]:
    """What can be mended and was not tried; mending one thing lets others be seen that it hid."""
    known = {(one["area"], one["what"]) for one in tried}
    return [one for one in found if one.mend and (one.area, one.what) not in known]


def _mended(one: Finding) -> dict[str, Any]:
    assert one.mend
    try:
        return {"area": one.area, "what": one.what, "did": one.mend(), "failed": ""}
    except (BrainError, OSError) as error:
        return {"area": one.area, "what": one.what, "did": "", "failed": str(error)}


def _told(one: Finding) -> dict[str, Any]:
    return {
        "area": one.area, "severity": one.severity, "what": one.what, "why": one.why, "instead": one.instead,
        "mendable": one.mend is not None,
    }  # fmt: skip
