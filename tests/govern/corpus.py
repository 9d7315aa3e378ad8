"""Command lines of which it is known whether they are destructive. ``⏎`` stands for a line's end, ``[kind]`` opens a group.

``real/`` holds lines as they stand in files of other projects and of installed packages, one group for each kind of file: build scripts,
hooks of packages, images, aliases people keep, and ``asked``, what people asked and answered one another. ``spellings/`` holds what was
written for this corpus: evasions, look-alikes and idioms from memory. All were sorted by reading, before any program had judged them.
"""

from __future__ import annotations

import re

from idumb_brain.govern.shell.knowledge import load_knowledge
from idumb_brain.govern.shell.line import Context, judge
from idumb_brain.model.shell import Judgement
from idumb_brain.scan.languages import query_folders
from tests.conftest import FIXTURES

FOLDER = FIXTURES / "governance" / "shell"
PARTS = ("real", "spellings")
CONTEXT = Context("/home/mira/reading_room", home="/home/mira", branch="main")


def lines(name: str, *parts: str) -> list[str]:
    """``destructive`` or ``harmless`` lines of some parts, or of all."""
    rows = [row for part in parts or PARTS for row in (FOLDER / part / f"{name}.txt").read_text("utf-8").splitlines()]
    return [re.sub(r" ⏎ ?", "\n", row) for row in rows if not re.fullmatch(r"\[\w+\]", row)]


def judged(line: str) -> Judgement:
    return judge(line, CONTEXT, load_knowledge(query_folders()))
