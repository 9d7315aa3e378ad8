"""``brain`` and ``anchor`` as scripts and people meet them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.surfaces.test_cli import data, error, run

WRITE = ("brain", "write", "--type", "decision", "--title", "Four weeks", "--content", "Readers asked.")
ANCHOR = ("anchor", "add", "--type", "attention", "--priority", "normal", "--content", "Never sort it")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "shelf.py").write_text("weeks = 4\n")
    return tmp_path


def test_a_life_of_an_entry(root: Path) -> None:
    one = data(*WRITE, "--evidence", "shelf.py:1", "--pin", cwd=root)
    assert one["pinned"] and one["evidence"][0]["line"] == 1 and one["effectiveConfidence"] == 100
    assert data(*WRITE, cwd=root)["similar"] == [{"id": one["id"], "title": "Four weeks", "score": 1.0}]
    other = data(*WRITE, "--supersedes", one["id"], cwd=root)
    assert data("brain", "show", one["id"], cwd=root)["supersededBy"] == other["id"]
    assert [row["id"] for row in data("brain", "list", cwd=root)["entries"]] == [other["id"]]
    assert len(data("brain", "history", cwd=root)["changes"]) == 3
    assert not data("brain", "purge", other["id"], cwd=root)["purged"]
    assert data("brain", "purge", other["id"], "--yes", cwd=root)["purged"]


@pytest.mark.parametrize(
    "words",
    [
        ("brain", "list"),
        ("brain", "list", "--all"),
        ("brain", "show", "decision-four"),
        ("brain", "tree"),
        ("brain", "stale"),
        ("brain", "history"),
        ("brain", "validate", "decision-four"),
        ("brain", "learn"),
        ("brain", "purge", "decision-four"),
        ("anchor", "list"),
        ("anchor", "update", "anchor-never-sort", "--content", "Sort it\x01 never"),
    ],
    ids=" ".join,
)
def test_people_read_lines_without_orders_to_their_terminal(words: tuple[str, ...], root: Path) -> None:
    data(*WRITE, cwd=root)
    data(*ANCHOR, cwd=root)
    shown = run(*words, cwd=root)
    assert "Traceback" not in shown.stderr and "\x1b" not in shown.stdout and "\x01" not in shown.stdout
    assert shown.stdout or shown.returncode == 2


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("brain", "show", "nobody"), "there is no entry 'nobody'"),
        (("brain", "write", "--type", "rumour", "--title", "x", "--content", "x"), "'rumour' is not a TYPE"),
        (
            ("brain", "write", "--type", "gotcha", "--title", "x", "--content", "x", "--confidence", "200"),
            "argument --confidence",
        ),
        (("anchor", "remove", "nobody"), "there is no anchor 'nobody'"),
        (("anchor", "add", "--type", "context", "--content", " "), "the content is empty"),
    ],
)
def test_errors_say_what_to_do(words: tuple[str, ...], what: str, root: Path) -> None:
    assert what in error(*words, cwd=root)["what"]


def test_a_question_makes_nothing(root: Path) -> None:
    assert data("brain", "list", cwd=root) == {"entries": [], "total": 0} and data("anchor", "list", cwd=root) == {"anchors": []}
    assert [one.name for one in root.iterdir()] == ["shelf.py"]


def test_damage_is_told_of_beside_the_answer(root: Path) -> None:
    data(*WRITE, cwd=root)
    (root / ".idumb" / "brain" / "brain.db").write_bytes(b"no database at all")
    shown = run("--json", "brain", "list", cwd=root)
    assert shown.returncode == 0 and "note: brain.db was damaged" in shown.stderr and '"notes"' in shown.stdout
    assert list((root / ".idumb" / "brain").glob("brain.db.damaged-*"))
