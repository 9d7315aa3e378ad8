"""The one line: what it says, and that it never says too much."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from idumb_brain.render.summary import LONGEST, one_line


def test_says_what_a_newcomer_asks() -> None:
    line = one_line("mealie", {"python": 30_000, "vue": 29_000, "json": 90_000}, ["FastAPI", "Nuxt"], ["pytest"], 3, 1270)
    assert line == "mealie: Python + Vue; 3 packages; FastAPI, Nuxt; tests: pytest; 1,270 files, 149k lines"


def test_typescript_in_two_dialects_is_one_language() -> None:
    line = one_line("web", {"typescript": 50, "tsx": 40, "go": 60}, [], [], 1, 3)
    assert line == "web: TypeScript + Go; 3 files, 150 lines"


def test_an_empty_folder() -> None:
    assert one_line("new", {}, [], [], 0, 0) == "new: no code yet; 0 files, 0 lines"


@given(some.text(), some.lists(some.text(max_size=60)), some.lists(some.text(max_size=60)), some.integers(0, 10**12))
def test_never_too_long_and_one_line(name: str, technologies: list[str], tests: list[str], files: int) -> None:
    line = one_line(name, {"python": files}, technologies, tests, 2, files)
    assert len(line) <= LONGEST
    assert line.isprintable()
    assert "python" in line.lower() or len(line) == LONGEST
