"""Rules that a project adds and gets wrong: told as the mistake of that file, wherever it is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from idumb_brain.model.errors import BadInput
from idumb_brain.operations.dependencies import dependencies
from idumb_brain.operations.documents import documents, governance
from idumb_brain.operations.drift import drift
from idumb_brain.operations.inconsistencies import inconsistencies
from idumb_brain.operations.scanning import scan
from idumb_brain.operations.stack import frameworks

NO_TOML = "[[[\n"
READERS: dict[str, tuple[Callable[[str], object], str]] = {
    "api.toml": (lambda root: drift(root=root), "verdicts = 3\n"),
    "claims.toml": (lambda root: inconsistencies(root=root), "[caching]\nphrases = ['(']\nevidence = []\n"),
    "documents.toml": (documents, "[[site]]\nname = 'x'\n"),
    "governance.toml": (governance, "[[sign]]\nname = 'x'\n"),
    "dependencies/python.toml": (dependencies, ""),
    "stack/own.toml": (frameworks, "[framework]\nX = 3\n"),
}


@pytest.mark.parametrize("name", READERS)
def test_a_rule_file_that_cannot_be_used(name: str, tmp_path: Path) -> None:
    (tmp_path / "loans.py").write_text('"""Caches loans."""\n\nimport flask\n')
    (tmp_path / "README.md").write_text("# Loans\n")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "loans"\ndependencies = ["flask"]\n')
    scan(str(tmp_path), jobs=1)
    read, wrong = READERS[name]
    file = tmp_path / ".idumb" / "queries" / name
    file.parent.mkdir(parents=True)
    for text in filter(None, (NO_TOML, wrong)):
        file.write_text(text)
        with pytest.raises(BadInput, match=name.rpartition("/")[2]):
            read(str(tmp_path))
