"""What is derived from files: the code map and the words of questions. Anything wrong with it is mended by making it anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from idumb_brain.model.errors import BrainError, StoreDamaged, StoreLocked
from idumb_brain.model.health import Finding
from idumb_brain.operations.health.patient import Patient
from idumb_brain.operations.scanning import freshness, scan
from idumb_brain.operations.word_index import search_file
from idumb_brain.store.brain import erase
from idumb_brain.store.database import connect, wrong_with

_AREA = "index"


def examined(patient: Patient) -> Iterator[Finding]:
    project = patient.project
    root = str(project.root)
    if told := _damage(project.index):

        def rescan() -> str:
            erase(project.index)
            report = scan(root)
            return f"scanned {report['files']['scanned']} files anew"

        yield Finding(
            _AREA,
            "error",
            f"{project.index} is damaged",
            told,
            "idumb-brain doctor --fix; it is made anew from the files",
            rescan,
        )
    else:
        yield from _freshness(patient)
    for file, what in ((search_file(project), "words of questions"), (project.injected, "blocks that agents were handed")):
        if told := _damage(file):
            yield Finding(
                _AREA,
                "error",
                f"{file} is damaged",
                told,
                f"idumb-brain doctor --fix; the {what} are collected anew",
                _erased(file),
            )


def _freshness(patient: Patient) -> Iterator[Finding]:
    root = str(patient.project.root)
    told = freshness(patient.project)

    def bring_up_to_date() -> str:
        report = scan(root)
        return f"files scanned: {report['files']['scanned']}, gone: {report['files']['removed']}"

    if not told["scanned"]:
        there = patient.project.index.exists()
        why = "it was made by another version" if there else "it was never scanned"
        yield Finding(_AREA, "warning", "there is no index that this version can read", why, "idumb-brain scan", bring_up_to_date)
        return
    files = told["files"]
    changed = files["added"] + files["changed"] + files["removed"]
    if not told["complete"]:
        yield Finding(
            _AREA, "warning", "the last scan was interrupted", "some imports are not linked", "idumb-brain scan", bring_up_to_date
        )
    elif changed:
        why = f"files added: {files['added']}, changed: {files['changed']}, removed: {files['removed']}"
        yield Finding(_AREA, "warning", "the tree has changed since the last scan", why, "idumb-brain scan", bring_up_to_date)


def _damage(file: Path) -> str:
    """What SQLite finds wrong with it; "" where there is nothing, or no file."""
    if not file.exists():
        return ""
    try:
        with closing(connect(file, readonly=True)) as connection:
            return wrong_with(connection)
    except StoreLocked:
        raise
    except StoreDamaged as error:
        return error.why
    except BrainError as error:
        return str(error)


def _erased(file: Path) -> Callable[[], str]:
    def mend() -> str:
        erase(file)
        return f"took out {file.name}"

    return mend
