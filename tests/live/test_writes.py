"""What the agent writes is in the index before it asks again."""

from __future__ import annotations

from pathlib import Path

from tests.live.model import Model, say, use
from tests.live.opencode import OpenCode

LENDING = '"""Fines for books that come back late."""\n\n\ndef overdue_fine(days: int) -> int:\n    return 20 * days\n'


def test_a_write_is_found_by_the_next_query(tmp_path: Path) -> None:
    steps = [
        use("write", filePath="library/fines.py", content=LENDING),
        use("idumb_codemap", action="find", text="fine for overdue books"),
        use("bash", command="printf 'def amnesty():\\n    return 0\\n' > library/amnesty.py", description="writes a file"),
        use("idumb_codemap", action="outline", file="library/amnesty.py"),
        say("Done."),
    ]
    with Model({"": steps}) as model:
        project = OpenCode(tmp_path, model)
        run = project.run("Add fines")
        assert run.returncode == 0, run.stderr
        written, found, _, outline = model.turns()[-1].results
        assert "Wrote file" in written
        assert "library/fines.py" in found and "overdue_fine" in found
        assert "amnesty" in outline, "what a shell line wrote is there, too"
        (session,) = project.ask("session.list")
        assert session["filesModified"] == ["library/fines.py"]
        assert {one["tool"]: one["count"] for one in session["toolsUsed"]} == {"write": 1, "idumb_codemap": 2, "bash": 1}
        assert not project.log
