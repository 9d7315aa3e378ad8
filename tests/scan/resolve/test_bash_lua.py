"""Scripts and modules that come, move and go: a rescan must know what a fresh scan knows."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from idumb_brain.scan.refresh import ScanSettings, Workspace
from tests.conftest import FIXTURES
from tests.scan.test_projects import readable

# project, what happens to it: path -> new text, or None where it goes
CHANGES = [
    ("bash_sources", {"lib/missing.sh": "found() { :; }\n"}),
    ("bash_sources", {"lib/log.sh": None}),
    ("bash_sources", {"lib/log.sh": None, "log.sh": "log_info() { :; }\n"}),
    ("bash_sources", {"lib/plugins/zeal.sh": "zeal() { :; }\n", "lib/plugins/recall.sh": None}),
    ("bash_sources", {"lib/plugins/fines.sh": None, "lib/plugins/recall.sh": None}),
    ("bash_sources", {"tests/run.sh": "HERE=${0%/*}\n. $HERE/helper.bash\n"}),
    ("bash_sources", {".shellcheckrc": None}),
    ("bash_sources", {".shellcheckrc": "source-path=lib\n", "lib/common.sh": ":\n"}),
    ("bash_sources", {"bin/late.sh": ". ./later.sh\n", "bin/later.sh": ":\n"}),
    ("lua_rock", {"src/library/cellar.lua": "return {}\n"}),
    ("lua_rock", {"src/library/cellar/init.lua": "return {}\n"}),
    ("lua_rock", {"lib/text.lua": None}),
    ("lua_rock", {"text.lua": "return {}\n"}),
    ("lua_rock", {"library-1.0-1.rockspec": None}),
    ("lua_rock", {"library-1.0-1.rockspec": 'build = { modules = { ["library.fast"] = "src/library/text.lua" } }\n'}),
    ("lua_rock", {".luarc.json": None}),
    ("lua_rock", {"games/chess/main.lua": None, "games/chess/start.lua": 'require("board")\nrequire("rules.castling")\n'}),
    ("lua_rock", {"spec/init.lua": "return {}\n"}),
    ("lua_rock", {"socket.lua": "return {}\n", "lua/shelves/oak.lua": None}),
    ("lua_rock", {"src/library/init.lua": None, "src/library/loans.lua": None, "src/library/text.lua": None}),
]


@pytest.mark.parametrize(("project", "changes"), CHANGES, ids=lambda value: value if isinstance(value, str) else "+".join(value))
def test_rescan_equals_fresh_scan(project: str, changes: dict[str, str | None], tmp_path: Path) -> None:
    root = tmp_path / project
    shutil.copytree(FIXTURES / "projects" / project, root)
    with _workspace(root, tmp_path / "index.db") as workspace:
        workspace.refresh()
        for path, text in changes.items():
            file = root / path
            if text is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
        workspace.refresh()
    with _workspace(root, tmp_path / "fresh" / "index.db") as workspace:
        workspace.refresh()
    assert readable(tmp_path / "index.db") == readable(tmp_path / "fresh" / "index.db")


def _workspace(root: Path, index: Path) -> Workspace:
    index.parent.mkdir(exist_ok=True)
    return Workspace(str(root), index, ScanSettings(jobs=1), environ={}, now=lambda: "2026-02-04T10:30:00Z")
