"""Snapshots: ``pytest --update`` rewrites what is expected; read the diff as if it were code."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

REPOSITORY = Path(__file__).resolve().parent.parent
FIXTURES = REPOSITORY / "fixtures"

# CI says of a change whether it broke something, so it tries the same cases every time; new ones are looked for everywhere else.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite the expected files of fixtures")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    """Where everything is installed, as in CI, a skipped test is one that nobody ran. Rights of a machine cannot be installed."""
    report = yield
    needed = not hasattr(report, "wasxfail") and "rights" not in report.keywords
    if report.skipped and os.environ.get("CI") and needed:
        report.outcome = "failed"
        report.longrepr = f"skipped, though CI installs all that tests need: {report.longrepr}"
    return report


@pytest.fixture
def snapshot(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compare text with an expected file, or write it there with --update."""
    update = request.config.getoption("--update")

    def check(expected: Path, actual: str) -> None:
        if update:
            expected.write_text(actual, "utf-8")
        assert expected.exists(), f"{expected} is missing: run pytest --update and read what it writes"
        assert actual == expected.read_text("utf-8"), f"{expected} differs; if the new text is right, run pytest --update"

    return check
