"""``setup opencode``: put in, asked for, taken out; and nothing else is touched."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from idumb_brain.surfaces.cli.main import main

PLUGIN = ".opencode/plugin/idumb-brain.js"


def _tree(root: Path) -> dict[str, bytes]:
    files = (file for file in root.rglob("*") if file.is_file() and ".idumb" not in file.parts)
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in files}


def test_opencode_in_and_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / ".opencode" / "plugin").mkdir(parents=True)
    (tmp_path / ".opencode" / "plugin" / "theirs.js").write_text("export const Theirs = async () => ({})\n")
    before = _tree(tmp_path)

    def setup(*words: str) -> int:
        return main(["--root", str(tmp_path), "setup", "opencode", *words])

    assert setup("--check") == 1
    assert setup("--print") == 0 and _tree(tmp_path) == before
    printed = capsys.readouterr().out
    assert setup() == 0
    once = _tree(tmp_path)
    assert once.keys() - before.keys() == {PLUGIN} and printed.endswith(once[PLUGIN].decode())
    assert setup() == 0 and _tree(tmp_path) == once
    assert setup("--check") == 0
    (tmp_path / PLUGIN).write_text((tmp_path / PLUGIN).read_text() + "// older\n")
    assert setup("--check") == 1 and setup() == 0 and _tree(tmp_path) == once
    assert setup("--remove") == 0 and _tree(tmp_path) == before
    assert setup("--remove") == 0 and _tree(tmp_path) == before


def test_what_is_not_ours_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / PLUGIN
    file.parent.mkdir(parents=True)
    file.write_text("export const Mine = async () => ({})\n")
    for words in ([], ["--remove"]):
        assert main(["--root", str(tmp_path), "setup", "opencode", *words]) == 2
    assert "not ours" in capsys.readouterr().err and file.read_text().startswith("export const Mine")


def test_the_plugin_is_not_scanned(tmp_path: Path) -> None:
    from idumb_brain.operations.scanning import scan

    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "a.py").write_text("A = 1\n")
    main(["--root", str(tmp_path), "setup", "opencode"])
    assert scan(str(tmp_path))["languages"].keys() == {"python"}
