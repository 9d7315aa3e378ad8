"""What people and agents authored: the file, its schema, every row, and what rows say of each other. A copy is made first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial

from idumb_brain.model.errors import BrainError
from idumb_brain.model.health import Finding
from idumb_brain.operations.health.patient import Patient
from idumb_brain.store import exchange, orphans
from idumb_brain.store.brain import Brain, looked_at, mend, opened, unsound
from idumb_brain.store.guard import quarantined
from idumb_brain.store.migrations import VERSION

_AREA = "brain"
_DO = "idumb-brain doctor --fix"


def examined(patient: Patient) -> Iterator[Finding]:
    file = patient.project.brain
    if not file.exists():
        return
    try:
        brain, version = looked_at(file, patient.now)
    except BrainError as error:
        yield Finding(_AREA, "error", error.what, error.why, error.instead or _DO, _salvaged(patient, error))
        return
    with closing(brain):
        if version < VERSION:
            yield Finding(
                _AREA, "note", f"the brain has schema {version}, this version writes {VERSION}",
                "it was written by an older version", "the next command that writes brings it up to date, with a copy first",
            )  # fmt: skip
            return
        if told := unsound(brain):
            yield Finding(_AREA, "error", f"{file} is damaged", "; ".join(told[:3]), _DO, _salvaged(patient, None))
            return
        yield from _rows(patient, brain)
        yield from _ties(patient, brain)
        if kept := quarantined(brain):
            yield Finding(
                _AREA, "note", f"{len(kept)} broken rows are in quarantine", f"the last one: {kept[-1]['reason']}",
                "idumb-brain export writes them, too; what they told can be written again",
            )  # fmt: skip


def _rows(patient: Patient, brain: Brain) -> Iterator[Finding]:
    """Broken rows, as reading finds them; looking alone changes nothing."""
    exchange.content(brain)
    if not (broken := list(brain.notes)):
        return
    brain.notes.clear()

    def mended(written: Brain) -> str:
        exchange.content(written)
        return f"{len(written.notes)} rows were mended, or put into quarantine"

    yield Finding(_AREA, "error", f"{len(broken)} rows of the brain are broken", broken[0], _DO, _with_copy(patient, mended))


def _ties(patient: Patient, brain: Brain) -> Iterator[Finding]:
    for tie, count in orphans.loose(brain):
        what = f"{count} {tie.told}"
        if tie.gates:
            instead = "idumb-brain plan unlink, or import what is missing"
            yield Finding(_AREA, "warning", what, "what waits for them waits for ever", instead)
        else:
            does = "put into quarantine" if tie.holds else "lost the mention"
            mended = partial(_untied, tie, does)
            yield Finding(_AREA, "warning", what, "they name what is not there", _DO, _with_copy(patient, mended))
    if count := orphans.unwritten(brain):
        yield Finding(
            _AREA, "error", f"{count} entries are out of step with the text index", "questions cannot find them", _DO,
            _with_copy(patient, _worded),
        )  # fmt: skip


def _untied(tie: orphans.Tie, does: str, brain: Brain) -> str:
    return f"{orphans.mend(brain, tie)} {does}"


def _worded(brain: Brain) -> str:
    orphans.write_words_anew(brain)
    return "wrote the text index anew"


def _with_copy(patient: Patient, mend: Callable[[Brain], str]) -> Callable[[], str]:
    def mended() -> str:
        with opened(patient.project.brain, patient.now, make=True) as brain:
            patient.backed_up(brain)
            return mend(brain)

    return mended


def _migrated(patient: Patient) -> Callable[[], str]:
    def mended() -> str:
        with opened(patient.project.brain, patient.now, make=True) as brain:
            return "; ".join(brain.notes)

    return mended


def _salvaged(patient: Patient, error: BrainError | None) -> Callable[[], str] | None:
    """What a newer version wrote, or another process holds, is not ours to mend. The damaged file itself is the copy."""
    if error is not None and error.kind != "store-damaged":
        return None
    return lambda: mend(patient.project.brain, patient.now, error.why if error else "found by the doctor")
