"""A little of every target in the test command, and every input that once broke a promise. ``python -m tests.fuzz`` goes on from here."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import FIXTURES
from tests.fuzz.mutating import made
from tests.fuzz.targets import TARGETS

ONCE_BROKEN = sorted((FIXTURES / "fuzz").glob("*/*"))


@pytest.mark.parametrize("name", TARGETS)
def test_no_input_breaks_a_promise(name: str, tmp_path: Path) -> None:
    target = TARGETS[name]
    feed, seeds = target.make(tmp_path), list(target.seeds())

    @settings(max_examples=target.smoke, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(0, 2**32))
    def tried(number: int) -> None:
        feed(made(number, seeds))

    tried()


@pytest.mark.parametrize("file", ONCE_BROKEN, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_what_once_broke_one_does_so_no_more(file: Path, tmp_path: Path) -> None:
    TARGETS[file.parent.name].make(tmp_path)(file.read_bytes())
