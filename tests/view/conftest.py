"""The page is served by the real program and, where there is one, looked at in a real Chromium; one worker looks at all of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.conftest import REPOSITORY
from tests.view import stage

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("page"))


@dataclass(frozen=True)
class Served:
    root: Path
    url: str
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        return int(urlsplit(self.url).port or 0)

    @property
    def token(self) -> str:
        return self.url.partition("token=")[2]


@contextmanager
def serving(root: Path, *words: str) -> Iterator[Served]:
    environ = dict(os.environ, PYTHONPATH=str(REPOSITORY), IDUMB_BRAIN_NOW=f"{stage.NOW:%Y-%m-%dT%H:%M:%SZ}")
    command = [sys.executable, "-m", "idumb_brain", "view", "--no-open", "--json", "--root", str(root), *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ) as process:
        assert process.stdout
        try:
            yield Served(root, json.loads(process.stdout.readline())["data"]["url"], process)
        finally:
            process.terminate()
            process.wait(10)


@contextmanager
def browsing() -> Iterator[Any]:
    """A Chromium of this machine. Without one the test is skipped; in CI that fails."""
    program = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip(f"the page is looked at in Chromium, and there is none: none of {', '.join(CHROMIUM)}")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with browsing() as found:
        yield found


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(stage.project(tmp_path_factory.mktemp("page") / "reading_room")) as served:
        yield served
