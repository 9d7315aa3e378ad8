"""Command lines of which it is known whether they are destructive. ``⏎`` stands for a line's end, ``[kind]`` opens a group.

Groups ``make``, ``npm_script``, ``ci_workflow``, ``shell_script`` and ``package_script`` hold lines as they stand in such files of other
projects; ``idiom`` lines as people type them; all were sorted by reading, before any program had judged them.
"""

from __future__ import annotations

import re

from idumb_brain.govern.shell.knowledge import load_knowledge
from idumb_brain.govern.shell.line import Context, judge
from idumb_brain.model.shell import Judgement
from idumb_brain.scan.languages import query_folders
from tests.conftest import FIXTURES

FOLDER = FIXTURES / "governance" / "shell"
CONTEXT = Context("/home/mira/reading_room", home="/home/mira", branch="main")


def lines(name: str) -> list[str]:
    rows = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    return [re.sub(r" ⏎ ?", "\n", row) for row in rows if not re.fullmatch(r"\[\w+\]", row)]


def judged(line: str) -> Judgement:
    return judge(line, CONTEXT, load_knowledge(query_folders()))
