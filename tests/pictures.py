"""The pictures of the README, made anew: ``python -m tests.pictures``. The page as Chromium draws it, and what a terminal shows.

The graph is that of this repository; everything else is the small project of the examples with a past of half a year.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from idumb_brain.operations.scanning import scan
from tests.conftest import FIXTURES, REPOSITORY
from tests.view import stage
from tests.view.conftest import browsing, serving
from tests.view.test_page import go, settled

FOLDER = FIXTURES / "pictures"
_WIDE = {"width": 1280, "height": 760}
_COLUMNS = 112
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)  # a picture asks nobody for anything
_SHOWN = (
    'idumb-brain query "somebody may borrow a book that is overdue" --limit 2',
    "idumb-brain brain stale",
    "idumb-brain shell check 'make clean && git push -f origin main'",
)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        room = stage.project(Path(folder) / "reading_room")
        (FOLDER / "terminal.svg").write_text(_terminal(room), "utf-8")
        with browsing() as browser:
            with _page(browser, room, "light") as page:
                go(page, "brain")
                page.get_by_text("Books may stay for four weeks").first.click()
                page.wait_for_timeout(500)
                _take(page, "brain")
            with _page(browser, room, "dark") as page:
                go(page, "tasks")
                _take(page, "tasks")
            copy = Path(folder) / "idumb-brain"
            subprocess.run(["git", "clone", "-q", str(REPOSITORY), str(copy)], check=True)
            scan(str(copy))
            with _page(browser, copy, "dark") as page:
                go(page, "graph", "idumb_brain/select/ranking.py")
                page.wait_for_timeout(1500)
                _take(page, "graph")
    for file in sorted(FOLDER.iterdir()):
        print(f"{file.relative_to(REPOSITORY)}  {file.stat().st_size / 1000:.0f} kB")


@contextmanager
def _page(browser: Any, root: Path, theme: str) -> Iterator[Any]:
    with serving(root) as served:
        context = browser.new_context(viewport=_WIDE, color_scheme=theme)
        page = context.new_page()
        page.goto(served.url)
        settled(page)
        yield page
        context.close()


def _take(page: Any, name: str) -> None:
    page.screenshot(path=str(FOLDER / f"{name}.png"))


def _terminal(root: Path) -> str:
    """What the commands print, in colour, as a drawing."""
    environ = dict(
        os.environ, PYTHONPATH=str(REPOSITORY), COLUMNS=str(_COLUMNS), FORCE_COLOR="1", TERM="xterm-256color",
        IDUMB_BRAIN_NOW=f"{stage.NOW:%Y-%m-%dT%H:%M:%SZ}",
    )  # fmt: skip
    shown = Console(record=True, width=_COLUMNS, file=io.StringIO(), highlight=False)
    for command in _SHOWN:
        words = [sys.executable, "-m", "idumb_brain", *shlex.split(command)[1:]]
        run = subprocess.run(words, cwd=root, env=environ, capture_output=True, text=True)
        shown.print(Text(f"$ {command}", style="bold"))
        shown.print(Text.from_ansi(run.stdout))
    return _FONTS.sub("", shown.export_svg(title="idumb-brain"))


if __name__ == "__main__":
    main()
