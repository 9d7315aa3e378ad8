"""Two states of a small API in every language against what we say of the change. A new case is a line in a fixture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from idumb_brain.graph.api import api_changes, rules
from idumb_brain.model.changes import FileApi
from idumb_brain.model.code import FileFacts
from idumb_brain.scan.languages import load_languages, query_folders
from idumb_brain.scan.read import ReadLimits
from idumb_brain.scan.worker import facts_of
from tests.conftest import FIXTURES

LANGUAGES = load_languages(query_folders())
CASES = sorted(folder for folder in (FIXTURES / "changes").iterdir() if folder.is_dir())


@pytest.mark.parametrize("case", CASES, ids=lambda folder: folder.name)
def test_changes(case: Path, snapshot: Callable[[Path, str], None]) -> None:
    found = api_changes(_files(case / "before"), _files(case / "after"), rules(query_folders()))
    lines = []
    for one in found:
        lines.append(f"{one.verdict}  {one.change} {one.kind} {one.name}  ({one.file}:{one.line})\n    {one.reason}")
        lines += [f"    {mark} {text}" for mark, text in (("-", one.before), ("+", one.after)) if text]
    snapshot(case.with_suffix(".expected"), "\n".join(lines) + "\n")


@pytest.mark.parametrize("case", CASES, ids=lambda folder: folder.name)
def test_nothing_changed(case: Path) -> None:
    for state in ("before", "after"):
        assert api_changes(_files(case / state), _files(case / state), rules(query_folders())) == []


def _files(folder: Path) -> list[FileApi]:
    found = []
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        path = file.relative_to(folder).as_posix()
        facts = FileFacts(*facts_of(path, "", LANGUAGES, ReadLimits(), False, file.read_bytes()))
        found.append(FileApi(path, facts.language, facts.package, facts.symbols, facts.imports))
    return found
