"""Every language's sample against what we read in it. A new case is a new fixture, not a new test function."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from idumb_brain.model.code import FileFacts
from idumb_brain.scan.languages import load_languages, query_folders
from idumb_brain.scan.read import ReadLimits
from idumb_brain.scan.worker import facts_of
from tests.conftest import FIXTURES

LANGUAGES = load_languages(query_folders())
SAMPLES = sorted(file for file in (FIXTURES / "languages").glob("*/*") if file.is_file() and not file.name.endswith(".expected"))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_sample(sample: Path, snapshot: Callable[[Path, str], None]) -> None:
    facts = FileFacts(*facts_of(sample.name, "", LANGUAGES, ReadLimits(generated=True), True, sample.read_bytes()))
    snapshot(sample.with_name(sample.name + ".expected"), readable(facts))


def readable(facts: FileFacts) -> str:
    owner = {-1: "-"} | {i: row[2] for i, row in enumerate(facts.symbols)}
    out = [f"{facts.language}, {facts.lines} lines" + (f", package {facts.package}" if facts.package else ""), ""]
    out.append("SYMBOLS (+ is public)")
    for _, _, qualified, kind, line, end_line, signature, exported, doc in facts.symbols:
        out.append(
            f"{'+' if exported else ' '} {line}-{end_line}  {kind}  {qualified}  |  {signature}" + (f"  |  {doc}" if doc else "")
        )
    out += ["", "IMPORTS"]
    for kind, text, line, bindings in facts.imports:
        bound = ", ".join(pair.replace(" ", " as ", 1) for pair in bindings.split("\n") if pair)
        out.append(f"  {line}  {kind}  {text}" + (f"  ({bound})" if bound else ""))
    out += ["", "COMMENTS"]
    for number, kind, line, end_line, text in facts.comments:
        out.append(f"  {line}-{end_line}  {kind}  {owner[number]}  |  {text!r}")
    out += ["", "USES"]
    for number, kind, line, name in sorted(facts.references, key=lambda row: (row[2], row[3], row[1])):
        out.append(f"  {line}  {kind}  {owner[number]} -> {name}")
    if facts.keys:
        out += ["", "PROVIDES", *(f"  {key}" for key in sorted(facts.keys))]
    if facts.problems:
        out += ["", "PROBLEMS", *(f"  {line}  {message}" for line, message in facts.problems)]
    return "\n".join(out) + "\n"
